"""The tables of the present in place of their as-of forms, where a question is asked for the newest day.

Every `x_as_of(day)` that has a table `x`, and `evidence.resolved(day)`, are equal to their table on the newest day (a
test holds it for each), but are computed anew at each call, from claims up: 0.9 s against a millisecond for the cells
of a thing.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Collection, Mapping
from typing import Any

NAMED_OTHERWISE = {"evidence.resolved": "evidence.standing"}
# `x.y_as_of(?)`, `x.y_as_of($day)`, and of some subjects: `, subjects := $ids`, `?::VARCHAR[]` or `['one', ?]`
_AS_OF = re.compile(
    rf"\b(?P<form>\w+\.\w+_as_of|{'|'.join(map(re.escape, NAMED_OTHERWISE))})\((?P<day>\?|\$\w+)"
    r"(?:, subjects := (?P<ids>\$\w+|\?(?:::VARCHAR\[\])?|\[[^\]]*\]))?\)"
)
# Their forms as of a day show the last look of the week before, not the rows up to that day.
NOT_ALIKE = frozenset({"marts.prices", "facts.cloud_offers"})

Parameters = tuple[Any, ...] | Mapping[str, Any]


def table_of(form: str) -> str:
    """The table that holds what a macro answers for the newest day, if there is one."""
    return NAMED_OTHERWISE.get(form) or form.removesuffix("_as_of")


def of_the_present(
    sql: str, parameters: Parameters, newest: dt.date, tables: Collection[str]
) -> tuple[str, Parameters]:
    """The query and its parameters, with tables where their as-of forms are asked for the newest day or a later one.

    `tables` holds the names `schema.table` that there are.
    """
    dropped: set[int | str] = set()

    def table(found: re.Match[str]) -> str:
        name, day, ids = table_of(found["form"]), found["day"], found["ids"]
        place = sql.count("?", 0, found.start()) if day == "?" else day[1:]
        if name not in tables or name in NOT_ALIKE or not _is_newest(parameters, place, newest):
            return found[0]
        dropped.add(place)
        return _of_some(name, ids) if ids else name

    text = _AS_OF.sub(table, sql)
    if isinstance(parameters, Mapping):
        gone = {name for name in dropped if not re.search(rf"\${name}\b", text)}
        return text, {name: value for name, value in parameters.items() if name not in gone}
    return text, tuple(value for place, value in enumerate(parameters) if place not in dropped)


def _of_some(name: str, ids: str) -> str:
    """A table's rows of some subjects, of all where none are given; the ids stand there once, as in the form."""
    asked = f"(SELECT {ids}::VARCHAR[] AS asked_ids)"
    return f"(SELECT t.* FROM {name} AS t, {asked} WHERE asked_ids IS NULL OR list_contains(asked_ids, t.subject_id))"  # noqa: S608 - our names


def _is_newest(parameters: Parameters, place: int | str, newest: dt.date) -> bool:
    if isinstance(parameters, Mapping):
        day = parameters.get(str(place))
    else:
        day = parameters[place] if isinstance(place, int) and place < len(parameters) else None
    return isinstance(day, dt.date) and day >= newest
