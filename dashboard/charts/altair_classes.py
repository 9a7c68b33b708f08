"""Altair's table of schema classes, made once a process.

Altair makes it anew for every dictionary in an encoding (`alt.value`, `alt.when`) by hashing its 630 schemas: 15 ms
each, a quarter of the time of a first page of charts. The table depends on the classes alone. Where Altair makes none,
nothing is done.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from altair.utils import schemapi

Classes = tuple[type[schemapi.SchemaBase], ...]
_Made: Any = getattr(schemapi, "_FromDict", None)


@lru_cache(maxsize=8)
def _class_dict(classes: Classes) -> Any:
    return _Made(classes).class_dict


def keep_classes() -> None:
    """Let Altair read the table that was made first of the same classes."""
    if not isinstance(_Made, type):
        return

    class Kept(_Made):  # type: ignore[misc]
        def __init__(self, wrapper_classes: Iterable[type[schemapi.SchemaBase]], /) -> None:
            self.class_dict = _class_dict(tuple(wrapper_classes))

    schemapi._FromDict = Kept  # type: ignore[misc]
