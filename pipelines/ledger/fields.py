"""How committed CSV is written: periods, dates of some precision, qualifiers, numbers; and its tables, row by row."""

from __future__ import annotations

import csv
import datetime as dt
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from pipelines.registry.entries import first_day, last_day, precision_of

T = TypeVar("T")
_PARTIAL = re.compile(r"\d{4}(-\d{2}(-\d{2})?)?")
_HALF = re.compile(r"(\d{4})-(?:H([12])|Q([1-4]))")
_NUMBER = re.compile(r"-?\d+(\.\d+)?([eE][+-]?\d+)?")


class FieldError(ValueError):
    """A field that is not written as expected; `field` names it, the message says what was expected."""

    def __init__(self, field: str, detail: str) -> None:
        super().__init__(f"{field}: {detail}")
        self.field = field


def read_period(field: str, text: str) -> tuple[dt.date, dt.date]:
    """'2026', '2026-07', '2026-07-01', '2026-H2', '2026-Q3' or 'START..END' of such, as first and last day."""
    if ".." in text:
        start, _, end = text.partition("..")
        first, last = read_period(field, start.strip())[0], read_period(field, end.strip())[1]
        if first > last:
            raise FieldError(field, f"{text!r} ends before it starts")
        return first, last
    half = _HALF.fullmatch(text)
    try:
        if half is not None:
            width = 6 if half[2] else 3
            month = (int(half[2] or half[3]) - 1) * width + 1
            return first_day(f"{half[1]}-{month:02d}"), last_day(f"{half[1]}-{month + width - 1:02d}")
        if _PARTIAL.fullmatch(text):
            return first_day(text), last_day(text)
    except ValueError as error:
        raise FieldError(field, f"{text!r} is no date: {error}") from error
    raise FieldError(field, f"expected a period such as 2026-H2, 2026-Q3, 2026-07 or START..END, found {text!r}")


def read_date(field: str, text: str) -> tuple[dt.date, str]:
    """A date and its precision ('day', 'month', 'year'); of a month or year the last day, lest it be known early."""
    if not _PARTIAL.fullmatch(text):
        raise FieldError(field, f"expected a date such as 2025-03-18, 2025-03 or 2025, found {text!r}")
    try:
        return last_day(text), precision_of(text)
    except ValueError as error:
        raise FieldError(field, f"{text!r} is no date: {error}") from error


def read_qualifiers(field: str, text: str) -> tuple[tuple[str, str], ...]:
    """'per=rack; precision=fp4' as sorted pairs."""
    pairs: dict[str, str] = {}
    for part in filter(None, (piece.strip() for piece in text.split(";"))):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or not name or not value:
            raise FieldError(field, f"expected name=value pairs separated by ';', found {part!r}")
        if name in pairs:
            raise FieldError(field, f"{name!r} stands twice")
        pairs[name] = value
    return tuple(sorted(pairs.items()))


def read_number(field: str, text: str) -> float | None:
    """A plain number without separators or unit; None for an empty field."""
    if not text:
        return None
    if not _NUMBER.fullmatch(text):
        raise FieldError(field, f"expected a plain number without separators or unit, found {text!r}")
    return float(text)


def read_words(text: str) -> tuple[str, ...]:
    """'own_product; imprecise' as sorted words."""
    return tuple(sorted({word.strip() for word in text.split(";") if word.strip()}))


def read_records(
    path: Path,
    required: Collection[str],
    known: Collection[str],
    read: Callable[[int, Mapping[str, str]], T],
    refuse: Callable[[str, str], None],
) -> Iterator[T]:
    """What `read` makes of each line and its record; what does not fit is told to `refuse` by place and reason."""
    with path.open(newline="", encoding="utf-8") as file:
        reader = csv.DictReader(file)
        fields = reader.fieldnames or ()
        missing, unknown = ([n for n in required if n not in fields], [n for n in fields if n not in known])
        if missing or unknown:
            detail = f"columns missing: {', '.join(missing) or 'none'}; unknown: {', '.join(unknown) or 'none'}"
            refuse("header", f"{detail}. The file is left out; mend its first line")
            return
        for record in reader:
            line = f"line {reader.line_num}"
            if None in record or None in record.values():
                refuse(line, f"expected {len(fields)} fields")
                continue
            try:
                yield read(reader.line_num, {name: value.strip() for name, value in record.items()})
            except FieldError as error:
                refuse(f"{line} {record.get('ref', '')}".strip(), str(error))


def write_records(path: Path, columns: Sequence[str], records: Iterable[Mapping[str, str]]) -> None:
    """Write records as CSV under these columns."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(records)
