"""The work of one source's documents, without Dagster: captures in, a partition of the lake out."""

from __future__ import annotations

import dataclasses
import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import orjson
import pyarrow.parquet as pq

from pipelines.archive.store import Archive
from pipelines.assets.capture_step import capture_rows
from pipelines.lake import CODE_KEY, Lake, code_version, table_of
from pipelines.model.capture import Capture
from pipelines.model.document import Document
from pipelines.model.document_row import DocumentRow
from pipelines.model.provenance import CaptureRow
from pipelines.parse.document import parse_document
from pipelines.problems import InputError, Problem, Reason
from pipelines.settings import PROJECT_ROOT
from pipelines.source_model import Source

TABLE = "documents"
POOL_FROM = 50  # captures; below, starting processes takes longer than parsing
DOCUMENT_PARSERS = frozenset({"feed", "html", "markdown", "text"})


@dataclass(frozen=True, slots=True)
class DocumentsOutcome:
    """What one source's step did."""

    source_id: str
    captures: int
    documents: int
    unreadable: int
    parsed_now: int


@cache
def parser_version() -> str:
    """Changes when the document parsers or their types change."""
    here = PROJECT_ROOT / "pipelines"
    parsers = [path for path in sorted((here / "parse").glob("*.py")) if path.stem not in ("tarstream", "tarheader")]
    return code_version(*parsers, here / "model" / "document.py", here / "model" / "document_row.py", Path(__file__))


def build_documents(sources: Iterable[Source], archive: Path, lake: Path, workers: int) -> Iterator[DocumentsOutcome]:
    """Build the partitions of these sources, several at a time; outcomes come in the order of the sources."""
    work = [(source.id, source.parser in DOCUMENT_PARSERS) for source in sources]
    with Archive(archive) as opened:
        held = Counter(capture.source_id for capture in opened.captures())
    work = [(name, is_readable) for name, is_readable in work if held[name]]
    if workers == 1 or held.total() < POOL_FROM:
        for name, is_readable in work:
            yield build_source(name, is_readable, archive, lake)
        return
    names, readable = [name for name, _ in work], [is_readable for _, is_readable in work]
    with ProcessPoolExecutor(min(workers, len(work)), mp_context=get_context("spawn")) as pool:
        yield from pool.map(build_source, names, readable, [archive] * len(work), [lake] * len(work), chunksize=4)


def build_source(source_id: str, is_readable: bool, archive_root: Path, lake_root: Path) -> DocumentsOutcome:
    """List a source's captures and parse those that are documents; what is unchanged is not parsed again."""
    lake = Lake(lake_root)
    with Archive(archive_root) as archive:
        captures = [c for c in archive.captures(source_id) if is_readable and c.status < 300 and not c.is_revisit]
        listed = capture_rows(archive, source_id)
        inputs = hashlib.sha256("\n".join(row.capture_id for row in listed).encode()).hexdigest()[:16]
        if lake.is_current(TABLE, source_id, inputs=inputs, code=parser_version()):
            rows, parsed_now = _held(lake, source_id), 0
        else:
            known = _reusable(lake, source_id)
            rows = [known.get(c.capture_id) or _row(archive, c) for c in captures]
            parsed_now = sum(c.capture_id not in known for c in captures)
            _write(lake, source_id, listed, rows, inputs)
    unreadable = sum(bool(row.problem) for row in rows)
    return DocumentsOutcome(source_id, len(listed), len(rows) - unreadable, unreadable, parsed_now)


def _write(lake: Lake, source_id: str, listed: list[CaptureRow], rows: list[DocumentRow], inputs: str) -> None:
    problems = [
        Problem(source_id, source_id, r.url, Reason(r.problem), r.detail, is_fatal=True) for r in rows if r.problem
    ]
    code = parser_version()
    lake.write("captures", source_id, table_of(listed, CaptureRow), inputs=inputs, code=code)
    lake.write("problems", source_id, table_of(problems, Problem), inputs=inputs, code=code)
    lake.write(TABLE, source_id, table_of(rows, DocumentRow), inputs=inputs, code=code)


def _held(lake: Lake, source_id: str) -> list[DocumentRow]:
    table = pq.read_table(lake.path(TABLE, source_id))
    return [DocumentRow(**_with_tuples(record)) for record in table.to_pylist()]


def _reusable(lake: Lake, source_id: str) -> dict[str, DocumentRow]:
    """Rows of an older partition that the same code made: their captures cannot have changed."""
    path = lake.path(TABLE, source_id)
    if not path.exists() or (pq.read_schema(path).metadata or {}).get(CODE_KEY) != parser_version().encode():
        return {}
    return {row.capture_id: row for row in _held(lake, source_id)}


def _with_tuples(record: dict[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in record.items()}


def _row(archive: Archive, capture: Capture) -> DocumentRow:
    try:
        document = parse_document(
            archive.payload(capture),
            media_type=capture.media_type or None,
            charset=capture.charset_hint,
            url=capture.final_url,
            captured_at=capture.captured_at,
        )
    except InputError as error:
        return _document_row(capture, None, error.reason.value, error.detail)
    return _document_row(capture, document, "", "")


def _document_row(capture: Capture, document: Document | None, problem: str, detail: str) -> DocumentRow:
    return DocumentRow(
        document_id=document.document_id if document else "",
        capture_id=capture.capture_id,
        source_id=capture.source_id,
        url=capture.final_url,
        captured_at=capture.captured_at,
        payload_sha256=capture.payload_sha256,
        format=document.format.value if document else "",
        title=(document.title or "") if document else "",
        publisher=(document.publisher or "") if document else "",
        authors=document.authors if document else (),
        published_on=document.published_on if document else None,
        published_basis=document.published_basis.value if document else "none",
        language=(document.language or "") if document else "",
        canonical_url=(document.canonical_url or "") if document else "",
        block_count=len(document.blocks) if document else 0,
        table_count=len(document.tables) if document else 0,
        character_count=len(document.text) if document else 0,
        notes=document.notes if document else (),
        problem=problem,
        detail=detail,
        text=document.text if document else "",
        structure_json=_structure(document) if document else "",
    )


def _structure(document: Document) -> str:
    parts = {
        name: [dataclasses.asdict(item) for item in getattr(document, name)] for name in ("blocks", "tables", "lists")
    }
    return orjson.dumps(parts).decode()
