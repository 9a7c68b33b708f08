"""One chart as files: CSV, metadata, README and citation, alone or in a zip. Pure: bytes out, no clock."""

from __future__ import annotations

import csv
import datetime as dt
import io
import json
import zipfile
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from dashboard.components.figure import ChartMeta, Citation, records
from pipelines.frozen import frozen
from warehouse.answers import formats

_EPOCH = (1980, 1, 1, 0, 0, 0)  # a zip of the same rows is the same bytes


@frozen
class Edition:
    """Which published version a download was made from, and the address of the view it shows."""

    version: str
    built_on: dt.date
    address: str


def csv_bytes(frame: pd.DataFrame) -> bytes:
    """All rows and columns as UTF-8 CSV; a cell that a spreadsheet would run as a formula gets a quote first."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([formats.csv_cell(str(name)) for name in frame.columns])
    for row in frame.itertuples(index=False, name=None):
        writer.writerow([formats.csv_cell(_plain(value)) for value in row])
    return text.getvalue().encode()


def _plain(value: Any) -> Any:
    """A value as CSV holds it: lists as JSON, dates as ISO, nothing for what is missing."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, list | tuple | dict):
        return json.dumps(value, default=str)
    if value is None or pd.isna(value):
        return ""
    if isinstance(value, pd.Timestamp):
        return value.date().isoformat() if value == value.normalize() else value.isoformat()
    return value


def metadata(
    meta: ChartMeta, frame: pd.DataFrame, source_line: str, edition: Edition, citation: Citation
) -> dict[str, Any]:
    """What a program needs to know about the rows, and of which version they are."""
    return {
        **described(meta, frame, source_line),
        "as_of": formats.day(meta.as_of) or None,
        "version": edition.version,
        "built_on": formats.day(edition.built_on),
        "address": edition.address,
        "citation": citation.plain,
    }


def described(meta: ChartMeta, frame: pd.DataFrame, source_line: str) -> dict[str, Any]:
    """What a program needs to know about the rows of any version."""
    return {
        "id": meta.id,
        "title": meta.title,
        "subtitle": meta.subtitle,
        "row_count": len(frame),
        "evidence_and_sources": source_line,
        "columns": [_column(meta, str(name), frame[name]) for name in frame.columns],
        "caveats": list(meta.caveats),
        "footnotes": list(meta.footnotes),
        "licence": meta.licence,
    }


def json_bytes(meta: ChartMeta, frame: pd.DataFrame, source_line: str) -> bytes:
    """The rows as JSON, after what a program needs to know about them; days are ISO."""
    told = {**described(meta, frame, source_line), "rows": records(frame)}
    return json.dumps(told, ensure_ascii=False, indent=0).encode()


def parquet_bytes(frame: pd.DataFrame) -> bytes:
    """The rows as Parquet."""
    sink = pa.BufferOutputStream()
    pq.write_table(pa.Table.from_pandas(frame, preserve_index=False), sink, compression="zstd")
    content: bytes = sink.getvalue().to_pybytes()
    return content


def _column(meta: ChartMeta, name: str, values: pd.Series) -> dict[str, str]:
    label, unit = meta.label(name)
    return {"name": name, "label": label, "unit": unit, "type": str(values.dtype)}


def readme(meta: ChartMeta, source_line: str, edition: Edition, citation: Citation) -> str:
    """The same for a reader: what it is, how to read it, terms, caveats, how to cite it."""
    known = f"As known on {formats.day(meta.as_of)}.\n" if meta.as_of else ""
    lines = [
        f"{meta.title}\n{'=' * len(meta.title)}\n\n{meta.subtitle}\n",
        f"{known}Version {edition.version} of {formats.day(edition.built_on)}.\n{source_line}\n",
        f"How to read it\n--------------\n{meta.how_to_read}\n",
        "Files\n-----\ndata.csv       the rows behind the chart; text that a spreadsheet would run as a formula\n"
        "               has a quote before it\nmetadata.json  the same as below for programs, and each column's unit\n"
        "citation.bib   for reference managers\n",
    ]
    for heading, texts in (("Caveats", meta.caveats), ("Notes", meta.footnotes)):
        if texts:
            lines.append(f"{heading}\n{'-' * len(heading)}\n" + "\n".join(f"- {text}" for text in texts) + "\n")
    lines.append(f"Licence\n-------\n{meta.licence}\n")
    lines.append(f"Cite as\n-------\n{citation.plain}\n")
    return "\n".join(lines)


def zip_bytes(meta: ChartMeta, frame: pd.DataFrame, source_line: str, edition: Edition, citation: Citation) -> bytes:
    """data.csv, metadata.json, README.txt and citation.bib in one zip."""
    described = json.dumps(metadata(meta, frame, source_line, edition, citation), indent=2, ensure_ascii=False)
    members = {
        "data.csv": csv_bytes(frame),
        "metadata.json": f"{described}\n".encode(),
        "README.txt": readme(meta, source_line, edition, citation).encode(),
        "citation.bib": citation.bibtex.encode(),
    }
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(f"{meta.id}/{name}", _EPOCH), content, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()
