"""A name of the registry at its place in a text."""

from __future__ import annotations

from pipelines.frozen import frozen


@frozen
class NameHit:
    """A name of the registry in a text; `name` is canonical with its maker, `vendor_id` '' where nobody owns it."""

    start: int
    end: int
    subject_id: str
    name: str
    kind: str
    vendor_id: str
