"""Spreadsheets that are damaged or made to exhaust memory: refused by name, whatever the bytes."""

from __future__ import annotations

import io
import struct
import zipfile

import openpyxl
import pytest
import xlwt
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.parse.sources.spreadsheet import read_first_sheet
from pipelines.problems import InputError, Reason
from tests.market_kit import captured


def xlsx(address: str = "B2") -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "67"
    sheet["A1"], sheet[address] = "Rank", 1
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def xls(row: int = 1, column: int = 1) -> bytes:
    book = xlwt.Workbook()
    sheet = book.add_sheet("67")
    sheet.write(0, 0, "Rank")
    sheet.write(row, column, 1.0)
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def read(data: bytes) -> tuple[str, list[list[object]]]:
    return read_first_sheet(captured("top500", "https://example.org/list", data))


def refusal(data: bytes) -> str:
    with pytest.raises(InputError) as caught:
        read(data)
    assert caught.value.reason is Reason.TABLE_UNREADABLE
    return caught.value.detail


@pytest.mark.parametrize("data", [xlsx(), xls()], ids=["xlsx", "xls"])
def test_both_formats_give_name_and_cells(data: bytes) -> None:
    assert read(data) == ("67", [["Rank", ""], ["", 1.0]])


@pytest.mark.parametrize(
    ("data", "detail"),
    [
        (xlsx("A5001"), "a cell at 5001"),
        (xlsx("XFD9"), "a cell at XFD9"),
        (xls(row=5000), "a cell at row 5001, column 2"),
    ],
)
def test_a_cell_beyond_any_list_is_refused_before_a_grid_is_laid_out(data: bytes, detail: str) -> None:
    assert refusal(data) == detail


def test_a_bomb_is_refused_unread() -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", b"\0" * (65 << 20))
    assert refusal(buffer.getvalue()) == f"xl/worksheets/sheet1.xml would be {65 << 20:,} bytes"


def test_a_stream_longer_than_the_file_is_refused() -> None:
    data = bytearray(xls())
    at = data.index("Workbook".encode("utf-16-le"))
    struct.pack_into("<I", data, at + 120, 2**31)
    assert refusal(bytes(data)) == "a damaged spreadsheet (the length of a stream)"


def test_other_bytes_are_no_spreadsheet() -> None:
    assert refusal(b"<html>") == "no spreadsheet (neither .xls nor .xlsx)"


@settings(max_examples=150, deadline=None)
@given(st.sampled_from([xlsx(), xls()]), st.data())
def test_any_damage_is_read_or_refused(data: bytes, draw: st.DataObject) -> None:
    damaged = bytearray(data[: draw.draw(st.integers(1, len(data)))])
    for _ in range(draw.draw(st.integers(0, 8))):
        damaged[draw.draw(st.integers(0, len(damaged) - 1))] = draw.draw(st.integers(0, 255))
    try:
        _, rows = read(bytes(damaged))
    except InputError:
        return
    assert len(rows) <= 5000
