"""What Epoch AI's tables have in common: a CSV alone or several in a ZIP, dates in two spellings, marked names, links.

What the columns mean is each parser's business.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
import re
from collections.abc import Callable, Iterator
from typing import Final, TypeVar
from urllib.parse import urlsplit

from pipelines.model.market import CapturedTable
from pipelines.parse.sources.records import FieldProblem, Reader, Record, read_csv, refuse, there, zip_members
from pipelines.problems import Reason

RowT = TypeVar("RowT")

_ZIP: Final = b"PK\x03\x04"
_MOST_BYTES: Final = 64 << 20  # of one member; the largest known table is 0.5 MB
_SLASHED: Final = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4}|\d{2})")  # month first; two digits are of this century
_LINK: Final = re.compile(r"https?://[^\s)\]>\"']+")
_MARK: Final = re.compile(r"\s*#(\w+)\s*$")


def csv_tables(table: CapturedTable) -> Iterator[tuple[str, CapturedTable]]:
    """(file name without folder and suffix, table) of a CSV, or of each CSV in a ZIP. Raises InputError."""
    if not table.data.startswith(_ZIP):
        name = urlsplit(table.url).path.rpartition("/")[2]
        yield name.removesuffix(".csv"), table
        return
    found = list(zip_members(table, ".csv", _MOST_BYTES))
    if not found:
        raise refuse(table, "a ZIP without a CSV")
    for name, data in found:
        yield name.rpartition("/")[2].removesuffix(".csv"), dataclasses.replace(table, data=data)


def all_rows(reader: Reader, required: tuple[str, ...], read: Callable[[Record], RowT | None], what: str) -> list[RowT]:
    """A row for each record of the tables that gives one; `what` they are. Raises InputError where none does."""
    files = (read_csv(file, required) for _, file in csv_tables(reader.table))
    found = [row for file in files for row in reader.rows(file, read)]
    if not found:
        raise refuse(reader.table, f"a header without {what}")
    return found


def day(record: Record, key: str) -> dt.date | None:
    """A date as 2025-07-22, 7/22/2025 or 7/22/25 (month first); None where it is missing. Raises FieldProblem."""
    text = record.optional_text(key)
    if not text:
        return None
    slashed = _SLASHED.fullmatch(text)
    try:
        if slashed is not None:
            return dt.date(int(slashed[3]) % 2000 + 2000, int(slashed[1]), int(slashed[2]))
        return dt.date.fromisoformat(text)
    except ValueError:
        raise FieldProblem(Reason.FIELD_UNREADABLE, f"{key!r} is {text[:60]!r}, not a date") from None


def required_day(record: Record, key: str) -> dt.date:
    """As `day`, but it must be there."""
    return there(key, day(record, key))


def flag(record: Record, key: str) -> bool:
    """A ticked box: TRUE, True or 'checked'; empty is not ticked."""
    text = record.optional_text(key)
    if text.casefold() not in ("", "true", "false", "checked"):
        raise FieldProblem(Reason.FIELD_UNREADABLE, f"{key!r} is {text[:60]!r}, not a ticked box")
    return text.casefold() in ("true", "checked")


def printed_names(record: Record, key: str) -> tuple[str, ...]:
    """Names between commas, as printed."""
    return tuple(name.strip() for name in record.optional_text(key).split(",") if name.strip())


def names(record: Record, key: str) -> tuple[str, ...]:
    """As `printed_names`, without the certainty that may be printed after each ('OpenAI #likely')."""
    return tuple(_MARK.sub("", name) for name in printed_names(record, key))


def certainties(record: Record, key: str) -> tuple[str, ...]:
    """The certainty that is printed after each name, '' where none is."""
    marks = [_MARK.search(name) for name in printed_names(record, key)]
    return tuple(mark[1] if mark else "" for mark in marks)


def links(record: Record, *keys: str) -> tuple[str, ...]:
    """Addresses in the texts under these keys, each once, in order."""
    texts = [record.optional_text(key) for key in keys]
    return tuple(dict.fromkeys(link.rstrip(".,;") for text in texts for link in _LINK.findall(text)))
