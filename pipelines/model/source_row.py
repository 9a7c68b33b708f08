"""A source as the warehouse lists it: who publishes it, on what terms, and how it is to be cited."""

from __future__ import annotations

from pipelines.frozen import frozen
from pipelines.model.evidence import Evidence


@frozen
class SourceRow:
    """One entry of sources.yaml; `cadence_hours` is how often it is asked, `evidence` its claims' tag by default,
    `least_rows` the fewest rows that a table of it has, where that is declared."""

    source_id: str
    title: str
    publisher: str
    producer: str
    publisher_group: str
    layer: str
    signals: tuple[str, ...]
    kind: str
    parser: str
    evidence: Evidence
    status: str
    is_link_only: bool
    urls: tuple[str, ...]
    page_url: str | None
    cadence_hours: int
    terms: str
    licence: str
    citation: str
    least_rows: int | None = None
