"""The first sheet of a workbook (.xls, .xlsx) as rows of cells, with what would exhaust memory refused beforehand.

The library lays a sheet out as a full grid, so one damaged cell address would ask for a hundred gigabytes. What the
cells mean is the parser's business.
"""

from __future__ import annotations

import io
import re
import struct
from collections.abc import Iterator
from typing import Final

import python_calamine

from pipelines.model.market import CapturedTable
from pipelines.parse.sources.records import refuse, zip_members

_ZIP: Final = b"PK\x03\x04"
_OLE: Final = bytes.fromhex("d0cf11e0a1b11ae1")
_MOST_ROWS: Final = 5_000
_MOST_COLUMNS: Final = 676  # A to ZZ
_MOST_BYTES: Final = 64 << 20  # of one part; the largest known is 3 MB
_SHEET: Final = re.compile(r"xl/worksheets/[^/]+\.xml")
_ADDRESS: Final = re.compile(rb'<(?:c|row)\b[^>]*?\sr="([A-Z]*)(\d+)"')
_CELLS: Final = frozenset({0x0006, 0x00BD, 0x00BE, 0x00FD, 0x00D6, 0x0201, 0x0203, 0x0204, 0x0205, 0x027E})
_STRINGS: Final = 0x00FC
_END_OF_CHAIN: Final = 0xFFFFFFFA  # this and larger are no sectors
_HEADER: Final = 512


def read_first_sheet(table: CapturedTable) -> tuple[str, list[list[object]]]:
    """(name, rows) of the first sheet. Raises InputError for what is no workbook, damaged, or larger than any list."""
    if table.data.startswith(_ZIP):
        _check_zip(table)
    elif table.data.startswith(_OLE):
        _check_ole(table)
    else:
        raise refuse(table, "no spreadsheet (neither .xls nor .xlsx)")
    try:
        book = python_calamine.CalamineWorkbook.from_filelike(io.BytesIO(table.data))
        if not book.sheet_names:
            raise refuse(table, "a workbook without sheets")
        return book.sheet_names[0], [list(row) for row in book.get_sheet_by_index(0).to_python()]
    except python_calamine.CalamineError as error:
        raise refuse(table, f"no spreadsheet ({error})") from None
    except BaseException as error:
        if type(error).__name__ != "PanicException":  # the library's own class for damage it did not foresee
            raise
        raise refuse(table, "a damaged spreadsheet") from None


def _check_zip(table: CapturedTable) -> None:
    """Parts whole and of known size, and no cell beyond the largest sheet that a list could have."""
    for name, content in zip_members(table, "", _MOST_BYTES):
        if _SHEET.fullmatch(name):
            _check_addresses(table, content)


def _check_addresses(table: CapturedTable, sheet: bytes) -> None:
    for letters, digits in _ADDRESS.findall(sheet):
        if len(letters) > 2 or len(digits) > 4 or int(digits) > _MOST_ROWS:
            raise refuse(table, f"a cell at {(letters + digits).decode()[:20]}")


def _check_ole(table: CapturedTable) -> None:
    """As `_check_zip` for the older format: the streams' sizes, and the addresses in the workbook's cell records."""
    data = table.data
    try:
        for stream in _streams(data):
            for kind, body in _records(stream):
                if kind in _CELLS:
                    row, column = struct.unpack_from("<HH", body)
                    if row >= _MOST_ROWS or column >= _MOST_COLUMNS:
                        raise refuse(table, f"a cell at row {row + 1}, column {column + 1}")
                if kind == _STRINGS and not 0 <= struct.unpack_from("<i", body, 4)[0] <= len(stream):
                    raise refuse(table, "more texts than there are bytes")
    except (struct.error, ValueError) as error:
        raise refuse(table, f"a damaged spreadsheet ({error})") from None


def _streams(data: bytes) -> Iterator[bytes]:
    """The workbook streams of a compound file. Raises ValueError or struct.error where it is damaged."""
    size = 1 << struct.unpack_from("<H", data, 30)[0]
    sectors = (len(data) - _HEADER) // size if size in (512, 4096) else 0
    fat_sectors, first_directory = struct.unpack_from("<I", data, 44)[0], struct.unpack_from("<I", data, 48)[0]
    counts = (fat_sectors, struct.unpack_from("<I", data, 64)[0], struct.unpack_from("<I", data, 72)[0])
    if not sectors or max(counts) > sectors or fat_sectors > 109:
        raise ValueError("its header")
    fat: list[int] = []
    for sector in struct.unpack_from(f"<{fat_sectors}I", data, 76):
        fat += struct.unpack(f"<{size // 4}I", _sector(data, sector, size))
    directory = b"".join(_sector(data, sector, size) for sector in _chain(fat, first_directory))
    for at in range(0, len(directory), 128):
        entry = directory[at : at + 128]
        first, length = struct.unpack_from("<II", entry, 116)
        if entry[66] and (length > len(data) or struct.unpack_from("<I", entry, 124)[0]):
            raise ValueError("the length of a stream")
        name = entry[: max(0, struct.unpack_from("<H", entry, 64)[0] - 2)].decode("utf-16-le", "replace")
        if name in ("Workbook", "Book") and entry[66] == 2:
            yield b"".join(_sector(data, sector, size) for sector in _chain(fat, first))[:length]


def _chain(fat: list[int], first: int) -> Iterator[int]:
    sector, steps = first, 0
    while sector < _END_OF_CHAIN:
        if sector >= len(fat) or steps > len(fat):
            raise ValueError("a chain of sectors")
        yield sector
        sector, steps = fat[sector], steps + 1


def _sector(data: bytes, sector: int, size: int) -> bytes:
    at = max(_HEADER, size) + sector * size
    if at >= len(data):
        raise ValueError("a sector beyond the end")
    return data[at : at + size].ljust(size, b"\0")


def _records(stream: bytes) -> Iterator[tuple[int, bytes]]:
    at = 0
    while at + 4 <= len(stream):
        kind, length = struct.unpack_from("<HH", stream, at)
        yield kind, stream[at + 4 : at + 4 + length]
        at += 4 + length
