"""Cases of market parsers: a folder with the input, its circumstances, and the rows or the refusal that it gives.

`tests/fixtures/market/<source>/<case>/` holds `input.csv` (or `.json`), `meta.yaml` (url, captured_at, and under `as`
whether the CSV is to be handed over as a spreadsheet or a ZIP) and `expected.json`, which was written from the input.
"""

from __future__ import annotations

import csv
import dataclasses
import datetime as dt
import hashlib
import io
import json
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import openpyxl
import xlwt
import yaml

from pipelines.frozen import frozen
from pipelines.model.market import CapturedTable, MarketRows
from pipelines.problems import InputError
from tests.market_kit import parse

FOLDER = Path(__file__).parent / "fixtures" / "market"


@frozen
class Case:
    """One folder, read."""

    source: str
    name: str
    table: CapturedTable
    expected: Mapping[str, Any]

    @property
    def id(self) -> str:
        return f"{self.source}/{self.name}"

    def parse(self) -> MarketRows:
        return parse(self.source, self.table)

    def outcome(self) -> dict[str, Any]:
        """What the parser makes of the input, in the form of expected.json."""
        try:
            found = self.parse()
        except InputError as error:
            return {"refused": {"reason": error.reason.value, "detail": error.detail}}
        return {
            "rows": {name: [plain(row) for row in rows] for name, rows in found.rows.items() if rows},
            "problems": [[p.place.rpartition(": ")[2], p.reason.value, p.detail] for p in found.problems],
            "unread": list(found.unread),
        }


def cases() -> list[Case]:
    """All cases, in order of source and name."""
    return [read_case(path.parent) for path in sorted(FOLDER.glob("*/*/meta.yaml"))]


def read_case(folder: Path) -> Case:
    """The case of one folder; without expected.json it expects nothing."""
    meta = yaml.safe_load((folder / "meta.yaml").read_text(encoding="utf-8"))
    (path,) = folder.glob("input.*")
    data = _FORMS[meta.get("as", "")](path.read_text(encoding="utf-8"), meta)
    captured_at = dt.datetime.fromisoformat(meta["captured_at"]).astimezone(dt.UTC)
    digest = hashlib.sha256(data).hexdigest()
    table = CapturedTable(folder.parent.name, meta["url"], captured_at, digest, meta.get("media_type", ""), data)
    expected = folder / "expected.json"
    wanted = json.loads(expected.read_text(encoding="utf-8")) if expected.exists() else {}
    return Case(folder.parent.name, folder.name, table, wanted)


def plain(row: Any) -> dict[str, Any]:
    """A row as JSON would hold it."""
    return {item.name: _plain(getattr(row, item.name)) for item in dataclasses.fields(row)}


def _plain(value: Any) -> Any:
    if isinstance(value, (dt.date, dt.datetime)):
        return value.isoformat()
    return [_plain(item) for item in value] if isinstance(value, tuple) else value


def _text(text: str, _meta: Mapping[str, Any]) -> bytes:
    return text.encode()


def _zip(text: str, meta: Mapping[str, Any]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(zipfile.ZipInfo(meta["member"]), text)
    return buffer.getvalue()


def _cells(text: str) -> list[list[str | float]]:
    """Rows of cells; digits become numbers as in the publishers' sheets, except where the column is an id."""
    rows = list(csv.reader(io.StringIO(text)))
    is_text = [name == "System ID" for name in rows[0]]
    return [
        [_cell(value, keep) for value, keep in zip(row, is_text, strict=False)] if index else list(row)
        for index, row in enumerate(rows)
    ]


def _cell(value: str, keep: bool) -> str | float:
    try:
        return value if keep else float(value)
    except ValueError:
        return value


def _xlsx(text: str, meta: Mapping[str, Any]) -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = str(meta["sheet"])
    for row in _cells(text):
        sheet.append([None if cell == "" else cell for cell in row])
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def _xls(text: str, meta: Mapping[str, Any]) -> bytes:
    book = xlwt.Workbook()
    sheet = book.add_sheet(str(meta["sheet"]))
    for line, row in enumerate(_cells(text)):
        for column, cell in enumerate(row):
            sheet.write(line, column, cell)
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


_FORMS: Mapping[str, Callable[[str, Mapping[str, Any]], bytes]] = {
    "": _text, "zip": _zip, "xlsx": _xlsx, "xls": _xls,
}  # fmt: skip
