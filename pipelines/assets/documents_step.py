"""The work of one source's documents, without Dagster: captures in, a partition of the lake out."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import ClassVar

import orjson
import pyarrow as pa
import pyarrow.compute as pc

from pipelines.archive.notes import DocumentNote, read_notes
from pipelines.archive.store import Archive
from pipelines.assets.guards import guard_problems
from pipelines.assets.partition_step import Made, Outcome, PartitionStep, run_steps
from pipelines.lake import Lake, code_version, digest, table_of
from pipelines.model.capture import Capture
from pipelines.model.document import DateBasis, Document, DocumentRow
from pipelines.model.provenance import CaptureRow
from pipelines.model.reading import Reading
from pipelines.parse.document import parse_document
from pipelines.problems import InputError, Problem, Reason
from pipelines.settings import PROJECT_ROOT
from pipelines.source_model import Source
from pipelines.upkeep.worker import budget


@cache
def parser_version() -> str:
    """Changes when the document parsers or their types change."""
    here = PROJECT_ROOT / "pipelines"
    parsers = [path for path in sorted((here / "parse").glob("*.py")) if path.stem not in ("tarstream", "tarheader")]
    return code_version(*parsers, here / "model" / "document.py", Path(__file__))


@cache
def listing_version() -> str:
    """Changes when the rows of captures do, or what is said of a source's documents as a whole."""
    here = PROJECT_ROOT / "pipelines"
    places = ("parse/feed.py", "collect/discover.py", "assets/guards.py", "model/provenance.py")
    return code_version(*(here / place for place in places), Path(__file__))


@dataclass(frozen=True)
class _SourceStep(PartitionStep):
    """Work on the captures of one source, whose id names the partition."""

    key: ClassVar[str] = "capture_id"

    partition: str
    source: Source
    captures: tuple[Capture, ...]
    archive: Path


@dataclass(frozen=True)
class DocumentsStep(_SourceStep):
    """The captures of one source that are read as documents are parsed, each once."""

    account: ClassVar[str] = "documents"
    rows: ClassVar[Mapping[str, type]] = {"documents": DocumentRow}
    pool_from: ClassVar[int] = 50

    @cached_property
    def inputs(self) -> str:
        return digest(*self._items)

    @cached_property
    def code(self) -> str:
        told = read_notes(self.archive)
        mine = [repr(told[c.capture_id]) for c in self.captures if c.capture_id in told] if told else []
        return digest(parser_version(), *mine) if mine else parser_version()

    def items(self) -> Sequence[str]:
        return self._items

    @cached_property
    def _items(self) -> list[str]:
        if not is_read_as(self.source, Reading.DOCUMENT):
            return []
        return [c.capture_id for c in self.captures if c.status < 300 and not c.is_revisit]

    def read(self, items: Sequence[str]) -> Mapping[str, pa.Table]:
        by_id = {capture.capture_id: capture for capture in self.captures}
        told = read_notes(self.archive)
        with Archive(self.archive) as archive:
            rows = (_as_told(_row(archive, by_id[item]), told.get(item)) for item in items)
            return {"documents": table_of(rows, DocumentRow)}

    def counts(self, made: Made) -> dict[str, int]:
        ids = made.rows("documents", ["document_id"]).column(0)
        unreadable = pc.sum(pc.equal(ids, "")).as_py() or 0
        return {"documents": len(ids) - unreadable, "unreadable": unreadable}


@dataclass(frozen=True)
class CapturesStep(_SourceStep):
    """All captures of one source, listed, and what is wrong with its documents.

    Apart from the documents, for an unchanged answer is a capture more and no document more.
    """

    account: ClassVar[str] = "captures"
    rows: ClassVar[Mapping[str, type]] = {"captures": CaptureRow}
    pool_from: ClassVar[int] = 10_000

    documents: str  # what the partition of documents was made from

    @cached_property
    def inputs(self) -> str:
        is_read = is_read_as(self.source, Reading.DOCUMENT)
        return digest(str(is_read), repr(self.source.expected), self.documents, *self.items())

    @property
    def code(self) -> str:
        return listing_version()

    def items(self) -> Sequence[str]:
        return [capture.capture_id for capture in self.captures]

    def read(self, items: Sequence[str]) -> Mapping[str, pa.Table]:
        asked = {*items}
        return {"captures": table_of((_capture_row(c) for c in self.captures if c.capture_id in asked), CaptureRow)}

    def finish(self, made: Made) -> Mapping[str, pa.Table]:
        if not is_read_as(self.source, Reading.DOCUMENT) or not self.documents:
            return {}  # the problems of what is read otherwise are another step's
        documents = made.rows("documents", ["url", "problem", "detail", "published_on"])
        bad = documents.filter(pc.not_equal(documents.column("problem"), "")).to_pylist()
        problems = [
            Problem(self.partition, self.partition, row["url"], Reason(row["problem"]), row["detail"], is_fatal=True)
            for row in bad
        ]
        problems += guard_problems(self.source, self.captures, documents, self.archive)
        return {"problems": table_of(problems, Problem)}


def build_documents(sources: Iterable[Source], archive: Path, lake: Path, workers: int) -> Iterator[Outcome]:
    """Build the partitions of the sources that have captures."""
    with Archive(archive) as opened:
        held = [(source, captures) for source in sources if (captures := tuple(opened.captures(source.id)))]
    read = list(run_steps((DocumentsStep(of.id, of, captures, archive) for of, captures in held), lake, workers))
    steps = [CapturesStep(of.id, of, each, archive, Lake(lake).state("documents", of.id)) for of, each in held]
    for documents, listed in zip(read, run_steps(steps, lake, workers), strict=True):
        yield Outcome(listed.partition, {**listed.counts, **documents.counts}, documents.error or listed.error)


def is_read_as(source: Source, reading: Reading) -> bool:
    """Whether something reads this source, and as this."""
    return source.parser is not None and source.read_as is reading


def _capture_row(capture: Capture) -> CaptureRow:
    """A capture as the warehouse lists it."""
    return CaptureRow(
        capture_id=capture.capture_id,
        source_id=capture.source_id,
        scope=capture.source_id,
        kind="revisit" if capture.is_revisit else capture.record_type.value,
        url=capture.url,
        captured_at=capture.captured_at,
        sha256=capture.payload_sha256,
        byte_count=capture.byte_count,
        commit=None,
        kept_as=capture.warc_path,
        kept_members=None,
        kept_bytes=None,
    )


def _row(archive: Archive, capture: Capture) -> DocumentRow:
    try:
        with budget(capture.final_url):
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


def _as_told(row: DocumentRow, note: DocumentNote | None) -> DocumentRow:
    """The document with what the person who added it said of it."""
    if note is None or row.problem:
        return row
    if note.published_on is not None:
        row = dataclasses.replace(row, published_on=note.published_on, published_basis=DateBasis.GIVEN.value)
    return dataclasses.replace(row, publisher=note.publisher or row.publisher, claimant=note.claimant)


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
        claimant="",
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
