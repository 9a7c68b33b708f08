"""The work of reading claims, without Dagster: documents of the lake in, mentions and unmatched names out.

One partition a source for claims; copies are looked for among the documents of all sources at once.
"""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from pipelines.assets.lake_document import COLUMNS, read_document
from pipelines.extract.arithmetic import checks_in
from pipelines.extract.copies import Text, find_copies
from pipelines.extract.record import Carrier, mention_row
from pipelines.extract.registry import extractors
from pipelines.extract.speakers import Speakers
from pipelines.lake import Lake, code_version, table_of
from pipelines.model.claim import Origin
from pipelines.model.claim_row import CopyRow, MentionRow, UnmatchedRow
from pipelines.model.evidence import Evidence
from pipelines.registry.mentions import NameFinder
from pipelines.registry.names import name_key
from pipelines.settings import PROJECT_ROOT
from pipelines.source_model import Source

TABLE = "mentions"
UNMATCHED = "unmatched"
COPIES = "copies"
EVERY_SOURCE = "all"  # the one partition of the copies
POOL_FROM = 20  # documents; below, starting processes takes longer than reading


@dataclass(frozen=True, slots=True)
class ClaimsOutcome:
    """What one source's step did."""

    source_id: str
    documents: int
    mentions: int
    doubtful: int
    unmatched: int
    is_new: bool


@cache
def extractor_version() -> str:
    """Changes when the grammar, the registry or the types change."""
    here = PROJECT_ROOT / "pipelines"
    model = [here / "model" / f"{name}.py" for name in ("claim", "claim_row", "document")]
    return code_version(here / "extract", here / "registry", here / "units.py", *model, Path(__file__))


def build_claims(sources: Iterable[Source], lake: Path, workers: int) -> Iterator[ClaimsOutcome]:
    """Read the claims of these sources' documents, several sources at a time; outcomes in the order of the sources."""
    held = [source for source in sources if Lake(lake).path("documents", source.id).exists()]
    count = sum(pq.read_metadata(Lake(lake).path("documents", source.id)).num_rows for source in held)
    if workers == 1 or count < POOL_FROM:
        for source in held:
            yield build_source(source, lake)
        return
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        yield from pool.map(build_source, held, [lake] * len(held))


def build_source(source: Source, lake_root: Path) -> ClaimsOutcome:
    """One partition: what is unchanged in documents and code is not read again."""
    lake = Lake(lake_root)
    path = lake.path("documents", source.id)
    inputs = hashlib.sha256(path.read_bytes() + source.evidence.encode() + source.publisher.encode()).hexdigest()[:16]
    code = extractor_version()
    if lake.is_current(TABLE, source.id, inputs=inputs, code=code):
        doubts = pq.read_table(lake.path(TABLE, source.id), columns=["doubt"]).column("doubt").to_pylist()
        unmatched = pq.read_metadata(lake.path(UNMATCHED, source.id)).num_rows
        return ClaimsOutcome(source.id, len(_documents(path)), len(doubts), sum(map(bool, doubts)), unmatched, False)
    documents = _documents(path)
    mentions, unknown = _read_all(documents, source)
    lake.write(UNMATCHED, source.id, table_of(unknown, UnmatchedRow), inputs=inputs, code=code)
    lake.write(TABLE, source.id, table_of(mentions, MentionRow), inputs=inputs, code=code)
    doubtful = sum(bool(row.doubt) for row in mentions)
    return ClaimsOutcome(source.id, len(documents), len(mentions), doubtful, len(unknown), True)


def build_copies(lake_root: Path) -> int:
    """Look for copies among all documents of the lake; returns how many were found."""
    lake = Lake(lake_root)
    paths = lake.partitions("documents")
    inputs = hashlib.sha256(b"".join(hashlib.sha256(path.read_bytes()).digest() for path in paths)).hexdigest()[:16]
    code = code_version(PROJECT_ROOT / "pipelines" / "extract" / "copies.py")
    if lake.is_current(COPIES, EVERY_SOURCE, inputs=inputs, code=code):
        return int(pq.read_metadata(lake.path(COPIES, EVERY_SOURCE)).num_rows)
    texts = {
        record["document_id"]: Text(record["document_id"], record["text"], _stated_on(record))
        for path in paths
        for record in _documents(path).values()
    }
    rows = find_copies(texts.values())
    lake.write(COPIES, EVERY_SOURCE, table_of(rows, CopyRow), inputs=inputs, code=code)
    return len(rows)


def _documents(path: Path) -> dict[str, dict[str, Any]]:
    """Readable documents of a partition by id, each with `first_seen` and `last_seen` over its captures."""
    found: dict[str, dict[str, Any]] = {}
    for record in pq.read_table(path, columns=list(COLUMNS)).to_pylist():
        if not record["document_id"]:
            continue
        seen = record["captured_at"]
        known = found.setdefault(record["document_id"], record | {"first_seen": seen, "last_seen": seen})
        known["first_seen"], known["last_seen"] = min(known["first_seen"], seen), max(known["last_seen"], seen)
    return found


def _read_all(documents: dict[str, dict[str, Any]], source: Source) -> tuple[list[MentionRow], list[UnmatchedRow]]:
    mentions: list[MentionRow] = []
    unknown: list[UnmatchedRow] = []
    speakers, finder = Speakers.load(), NameFinder.load()
    for record in documents.values():
        document, carrier = read_document(record), _carrier(record, source)
        origin = Origin(carrier.document_id, carrier.publisher, record["published_on"], carrier.url)
        checks = checks_in(document.text)
        for extractor in extractors():
            claims = extractor.extract(document, origin)
            mentions += [mention_row(claim, carrier, extractor, speakers, checks) for claim in claims]
        unknown += [
            UnmatchedRow(
                found.text, name_key(found.text), carrier.document_id, source.id, carrier.url, found.start, found.end
            )
            for found in finder.products(document.text)
        ]
    return mentions, unknown


def _carrier(record: dict[str, Any], source: Source) -> Carrier:
    return Carrier(
        document_id=record["document_id"],
        source_id=source.id,
        url=record["canonical_url"] or record["url"],
        publisher=record["publisher"] or source.publisher,
        evidence=Evidence(source.evidence),
        stated_on=_stated_on(record),
        stated_not_after=None if record["published_on"] else _stated_on(record),
        read_on=record["first_seen"].date(),
        printed_by=record["publisher"] or source.publisher,
        stated_on_precision="day" if record["published_on"] else "capture",
        first_seen=record["first_seen"],
        last_seen=record["last_seen"],
    )


def _stated_on(record: dict[str, Any]) -> dt.date:
    stated: dt.date | None = record["published_on"]
    first_seen: dt.datetime = record["first_seen"]
    return min(stated, first_seen.date()) if stated is not None else first_seen.date()
