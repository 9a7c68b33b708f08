"""Reading of feeds' JSON and CSV: a body as a value, and a record whose fields are typed and accounted for.

What a field means is the parser's business. Nothing here repairs a value.
"""

from __future__ import annotations

import csv
import datetime as dt
import io
import json
import math
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Generic, TypeVar, get_type_hints

from pipelines.model.market import CapturedTable, CloudLook, MarketRows
from pipelines.problems import InputError, Problem, Reason

RowT = TypeVar("RowT")
ValueT = TypeVar("ValueT")

_GZIP_MAGIC: Final = b"\x1f\x8b"
_GZIP_WINDOW: Final = 16 + zlib.MAX_WBITS
_MOST_COUNT: Final = 1 << 31  # what a column of whole numbers holds; no count of this market comes near
_MOST_BYTES: Final = 512 << 20  # unpacked; the largest body known is 1 MB packed


class FieldProblem(Exception):
    """One field of one record is missing or unreadable; the record gives no row."""

    def __init__(self, reason: Reason, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason
        self.detail = detail


class Record:
    """The fields of one object, read by type; `unread` names those that nobody asked for.

    Required fields raise FieldProblem where they are missing, optional ones give None; both raise where a value is
    of another type than asked for.
    """

    def __init__(self, value: object) -> None:
        if not isinstance(value, Mapping):
            raise FieldProblem(Reason.FIELD_UNREADABLE, f"a record is a {type(value).__name__}, not an object")
        self._value: Mapping[str, object] = value
        self._asked: set[str] = set()

    def raw(self, key: str) -> object:
        """The value as it came; None where it is missing."""
        self._asked.add(key)
        return self._value.get(key)

    def ignore(self, *keys: str) -> None:
        """Say that these fields are known and not used."""
        self._asked.update(keys)

    @property
    def unread(self) -> set[str]:
        """Fields neither read nor ignored by name."""
        return set(self._value) - self._asked

    def text(self, key: str) -> str:
        """A text that is not empty."""
        return there(key, self.optional_text(key) or None)

    def optional_text(self, key: str) -> str:
        """A text, '' where it is missing."""
        value = self.raw(key)
        if value is None:
            return ""
        if not isinstance(value, str):
            raise _unreadable(key, value, "a text")
        return value.strip()

    def number(self, key: str) -> float:
        """A finite number."""
        return there(key, self.optional_number(key))

    def optional_number(self, key: str) -> float | None:
        """A finite number, as a number or as digits with commas between thousands; None where missing or ''."""
        value = self.raw(key)
        if value is None or value == "":
            return None
        if isinstance(value, bool) or not isinstance(value, (int, float, str)):
            raise _unreadable(key, value, "a number")
        try:
            number = float(value.replace(",", "") if isinstance(value, str) else value)
        except (ValueError, OverflowError):
            raise _unreadable(key, value, "a number") from None
        if not math.isfinite(number):
            raise _unreadable(key, value, "a finite number")
        return number

    def one_of(self, key: str, known: Mapping[str, ValueT]) -> ValueT:
        """What a word stands for; it must be there and known."""
        word = self.text(key)
        if word not in known:
            raise FieldProblem(Reason.FIELD_UNREADABLE, f"{key!r} is {word!r}, which no table knows")
        return known[word]

    def optional_within(self, key: str, least: float, most: float) -> float | None:
        """A number between two bounds; None where it is missing. One outside is of something else."""
        found = self.optional_number(key)
        if found is not None and not least <= found <= most:
            raise FieldProblem(Reason.VALUE_IMPLAUSIBLE, f"{key!r} is {found:g}")
        return found

    def price(self, key: str, most: float) -> float:
        """As `optional_price`, but it must be there."""
        return there(key, self.optional_price(key, most))

    def optional_price(self, key: str, most: float) -> float | None:
        """A price above nothing; None where it is missing. One above `most` is of something else."""
        found = self.optional_number(key)
        if found is not None and not 0 < found <= most:
            raise FieldProblem(Reason.VALUE_IMPLAUSIBLE, f"{key!r} is {found:g}")
        return found

    def optional_count(self, key: str) -> int | None:
        """A whole number from 0 up, of 32 bits; None where it is missing."""
        number = self.optional_number(key)
        if number is None:
            return None
        if not number.is_integer() or not 0 <= number < _MOST_COUNT:
            raise _unreadable(key, self._value[key], "a count")
        return int(number)

    def optional_flag(self, key: str) -> bool | None:
        """True or false; None where it is missing."""
        value = self.raw(key)
        if value is None or isinstance(value, bool):
            return value
        raise _unreadable(key, value, "true or false")

    def day(self, key: str) -> dt.date:
        """An ISO date."""
        text = self.text(key)
        try:
            return dt.date.fromisoformat(text)
        except ValueError:
            raise _unreadable(key, text, "a date") from None

    def instant(self, key: str) -> dt.datetime:
        """An ISO time with its zone, in UTC."""
        text = self.text(key)
        try:
            found = dt.datetime.fromisoformat(text)
        except ValueError:
            raise _unreadable(key, text, "a time") from None
        if found.tzinfo is None:
            raise _unreadable(key, text, "a time with its zone")
        return found.astimezone(dt.UTC)


def by(read: Callable[..., ValueT], *told: object) -> Callable[[Record], ValueT]:
    """A reader of a record and keys, told these: `by(Record.text, "Name")`."""
    return lambda record: read(record, *told)


def first_number(record: Record, *keys: str) -> float | None:
    """The first number that stands under one of these keys, which are one column's names."""
    found = [record.optional_number(key) for key in keys]
    return next((value for value in found if value is not None), None)


class Columns(Generic[RowT]):
    """The row that a record stands for: for each field the key that it is read from, by the field's type, or a reader.

    By its type a text may be missing and a number or a day may not, unless the field may be None. `ignored` are keys
    that are known and not used. Raises KeyError for a field that the row does not have, or of a type without a reader.
    """

    def __init__(
        self, row_type: type[RowT], ignored: tuple[str, ...] = (), /, **fields: str | Callable[[Record], object]
    ) -> None:
        types = get_type_hints(row_type)
        self._row_type = row_type
        self._ignored = ignored
        self._fields = {
            name: by(_BY_TYPE[types[name]], read) if isinstance(read, str) else read for name, read in fields.items()
        }

    def read(self, record: Record, **told: object) -> RowT:
        """The row of a record; `told` are the fields that the record itself does not say."""
        return self._row_type(**told, **self.values(record))

    def values(self, record: Record) -> dict[str, object]:
        """The fields that a record says, of a row that several records make."""
        record.ignore(*self._ignored)
        return {name: read(record) for name, read in self._fields.items()}


_BY_TYPE: Final[Mapping[object, Callable[[Record, str], object]]] = {
    str: Record.optional_text,
    float: Record.number,
    float | None: Record.optional_number,
    int | None: Record.optional_count,
    bool: lambda record, key: record.optional_flag(key) is True,
    bool | None: Record.optional_flag,
    dt.date: Record.day,
}


def there(key: str, found: ValueT | None) -> ValueT:
    if found is None:
        raise FieldProblem(Reason.FIELD_MISSING, f"no {key!r}")
    return found


def _unreadable(key: str, value: object, expected: str) -> FieldProblem:
    return FieldProblem(Reason.FIELD_UNREADABLE, f"{key!r} is {str(value)[:60]!r}, not {expected}")


class Reader:
    """Reads the records of one table and gathers what was odd and which fields nobody read."""

    def __init__(self, table: CapturedTable) -> None:
        self.table = table
        self.problems: list[Problem] = []
        self.unread: set[str] = set()
        self._whole = "", Record({})

    def whole(self, prefix: str = "") -> Record:
        """The body as one JSON object; what nobody reads of it is unread, after this prefix. Raises InputError."""
        try:
            self._whole = prefix, Record(read_json(self.table))
        except FieldProblem as problem:
            raise refuse(self.table, problem.detail) from None
        return self._whole[1]

    def listed(self, record: Record, key: str) -> list[object]:
        """A list under a key. Raises InputError: without it the table is not the one we know."""
        value = record.raw(key)
        if not isinstance(value, list):
            raise refuse(self.table, f"no list {key!r}")
        return value

    def items(self, record: Record, key: str, read: Callable[[Record], RowT | None]) -> list[RowT]:
        """A row for each item of a list under a key that gives one. Raises InputError without that list."""
        return self.rows(numbered(key, self.listed(record, key)), read, f"{key}.")

    def row(self, place: str, value: object, read: Callable[[Record], RowT | None], prefix: str = "") -> RowT | None:
        """What `read` makes of one record; a record that it cannot read is a problem at `place` and gives None."""
        try:
            record = value if isinstance(value, Record) else Record(value)
            row = read(record)
        except FieldProblem as problem:
            self.problem(place, problem)
            return None
        if row is not None:
            self.unread |= {prefix + name for name in record.unread}
        return row

    def rows(
        self, records: Iterable[tuple[str, object]], read: Callable[[Record], RowT | None], prefix: str = ""
    ) -> list[RowT]:
        """A row for each (place, record) that gives one."""
        found = (self.row(place, value, read, prefix) for place, value in records)
        return [row for row in found if row is not None]

    def problem(self, place: str, problem: FieldProblem, *, is_fatal: bool = True) -> None:
        """Note which record of the capture was odd."""
        source, where = self.table.source_id, f"{self.table.url}: {place}"
        self.problems.append(Problem(source, source, where, problem.reason, problem.detail, is_fatal))

    def look(self, scope: str, offers: Sequence[object]) -> CloudLook:
        """The look at a price list that the capture is."""
        at = self.table.captured_at
        return CloudLook(at.date(), scope, at, len(offers), is_fresh=True)

    def done(self, **tables: Sequence[object]) -> MarketRows:
        """The rows by table of the lake, with all that was gathered."""
        prefix, whole = self._whole
        unread = self.unread | {prefix + name for name in whole.unread}
        return MarketRows(dict(tables), tuple(self.problems), tuple(sorted(unread)))


def refuse(table: CapturedTable, detail: str) -> InputError:
    """The whole input is not what the parser knows."""
    remedy = "Look at the capture: the publisher may have changed the form, or the address answers something else."
    return InputError(Reason.TABLE_UNREADABLE, table.url, detail, remedy)


def body_text(table: CapturedTable) -> str:
    """The body as text, gzip taken off where it is there unasked. Raises InputError."""
    data = table.data
    if data.startswith(_GZIP_MAGIC):
        inflater = zlib.decompressobj(_GZIP_WINDOW)
        try:
            data = inflater.decompress(data, _MOST_BYTES)
        except zlib.error as error:
            raise refuse(table, f"the compressed body is damaged ({error})") from None
        if inflater.unconsumed_tail or not inflater.eof:
            raise refuse(table, "the compressed body ends early or is larger than anything known")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise refuse(table, f"not UTF-8 at byte {error.start}") from None


def zip_members(table: CapturedTable, suffix: str, most_bytes: int) -> Iterator[tuple[str, bytes]]:
    """Name and bytes of the members of a ZIP that end so, by name. Raises InputError where it is none or a bomb."""
    try:
        with zipfile.ZipFile(io.BytesIO(table.data)) as archive:
            for member in sorted(archive.infolist(), key=lambda member: member.filename):
                if not member.filename.endswith(suffix):
                    continue
                if member.file_size > most_bytes:
                    raise refuse(table, f"{member.filename[:80]} would be {member.file_size:,} bytes")
                yield member.filename, archive.read(member)
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, ValueError) as error:
        raise refuse(table, f"no ZIP archive ({error})") from None


def read_json(table: CapturedTable) -> object:
    """The body as a JSON value. Raises InputError."""
    try:
        value: object = json.loads(body_text(table))
    except (ValueError, RecursionError) as error:
        raise refuse(table, f"no JSON ({error})") from None
    return value


def read_csv(table: CapturedTable, required: tuple[str, ...]) -> Iterator[tuple[str, Record]]:
    """Rows of a CSV with a header line as (place, record). Raises InputError where required columns miss."""
    reader = csv.reader(io.StringIO(body_text(table)), strict=True)
    try:
        header = next(reader, [])
        missing = [name for name in required if name not in header]
        if missing:
            raise refuse(table, f"no column {', '.join(missing)}; it has {', '.join(header)[:200] or 'no header'}")
        for row in reader:
            if row:
                yield f"line {reader.line_num}", Record(dict(zip(header, row, strict=False)))
    except csv.Error as error:
        raise refuse(table, f"no CSV after line {reader.line_num} ({error})") from None


def numbered(name: str, values: Iterable[object]) -> Iterator[tuple[str, object]]:
    """Values with their places: name[0], name[1], ..."""
    return ((f"{name}[{index}]", value) for index, value in enumerate(values))


def seen_in(table: CapturedTable, scope: str, provider: str) -> dict[str, Any]:
    """The fields of an offer that the capture itself says: its day and instant are those of the look."""
    at = table.captured_at
    return {"stated_on": at.date(), "scope": scope, "looked_at": at, "provider": provider}
