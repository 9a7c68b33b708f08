"""The work of reading claims, without Dagster: documents of the lake in, mentions and unmatched names out.

One partition a source, made of what was read of each document: a document is read once by a version of the reader.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any, ClassVar

import pyarrow as pa
import pyarrow.compute as pc

from pipelines.assets.lake_document import documents_of, first_seen, read_document, stated_day
from pipelines.assets.partition_step import Made, OfDocuments, Outcome, run_steps
from pipelines.claims.arithmetic import checks_in
from pipelines.claims.beside import weighed
from pipelines.claims.row import Carrier, mention_row
from pipelines.claims.speakers import Speakers
from pipelines.extract.registry import extractors
from pipelines.frozen import frozen
from pipelines.lake import Lake, code_version, digest, table_of
from pipelines.model.claim import ExtractedClaim, Origin
from pipelines.model.claim_row import MentionRow, UnmatchedRow
from pipelines.model.evidence import Evidence
from pipelines.problems import InputError, Problem, Reason
from pipelines.registry.mentions import NameFinder
from pipelines.registry.names import name_key
from pipelines.registry.printers import page_tag, printed_by
from pipelines.registry.reader_model import FILE as MODEL_FILE
from pipelines.settings import PROJECT_ROOT
from pipelines.source_model import Source
from pipelines.upkeep.worker import budget


@frozen
class DocumentRead:
    """That a document was read for claims, when it was first seen then, and why nothing was read of it."""

    document_id: str
    first_seen: dt.datetime
    url: str
    problem: str


@cache
def extractor_version() -> str:
    """Changes when the code, the model, the registry or the types change."""
    here = PROJECT_ROOT / "pipelines"
    places = [here / place for place in ("claims", "extract", "registry", "units.py")]
    model = [here / "model" / f"{name}.py" for name in ("claim", "claim_row", "document")]
    return code_version(*places, MODEL_FILE, *model, Path(__file__))


@dataclass(frozen=True)
class ClaimsStep(OfDocuments):
    """The claims of one source's documents; a document is read once, however often it is captured."""

    account: ClassVar[str] = "documents_read"
    rows: ClassVar[Mapping[str, type]] = {
        "mentions": MentionRow,
        "unmatched": UnmatchedRow,
        "documents_read": DocumentRead,
    }
    key: ClassVar[str] = "document_id"
    told: ClassVar[tuple[str, ...]] = ("first_seen",)
    pool_from: ClassVar[int] = 20

    source: Source

    @property
    def code(self) -> str:
        return digest(extractor_version(), self.source.evidence, self.source.publisher, str(self.source.is_aggregator))

    def items(self) -> Sequence[str]:
        ids: list[str] = self._first_seen.column("document_id").to_pylist()
        return ids

    def listed(self) -> pa.Table:
        """A document that an earlier capture carries too was stated earlier: it is read again."""
        return self._first_seen

    def read(self, items: Sequence[str]) -> Mapping[str, pa.Table]:
        records = documents_of(Lake(self.lake), self.partition, items) if items else {}
        mentions: list[MentionRow] = []
        unknown: list[UnmatchedRow] = []
        read: list[DocumentRead] = []
        for record in (records[item] for item in items):
            detail = ""
            try:
                with budget(record["url"]):
                    found = _read_one(record, self.source)
                mentions += found[0]
                unknown += found[1]
            except InputError as error:  # it took too long; the others are read
                detail = error.detail
            read.append(DocumentRead(record["document_id"], record["first_seen"], record["url"], detail))
        return {
            "mentions": table_of(mentions, MentionRow),
            "unmatched": table_of(unknown, UnmatchedRow),
            self.account: table_of(read, DocumentRead),
        }

    def finish(self, made: Made) -> Mapping[str, pa.Table]:
        read = made.rows(self.account, ["url", "problem"])
        problems = [
            Problem(self.partition, self.partition, row["url"], Reason.OVER_BUDGET, row["problem"], is_fatal=True)
            for row in read.filter(pc.not_equal(read.column("problem"), "")).to_pylist()
        ]
        return {"problems": table_of(problems, Problem)}

    def place(self, table: str) -> str:
        """The problems of the source's documents are another step's."""
        return f"claims-{self.partition}"

    def counts(self, made: Made) -> dict[str, int]:
        doubts = made.rows("mentions", ["doubt"]).column(0)
        return {
            "documents": made.count(self.account),
            "mentions": len(doubts),
            "doubtful": pc.sum(pc.not_equal(doubts, "")).as_py() or 0,
            "unmatched": made.count("unmatched"),
        }

    @cached_property
    def _first_seen(self) -> pa.Table:
        return first_seen(Lake(self.lake), self.partition)


def build_claims(sources: Iterable[Source], lake: Path, workers: int) -> Iterator[Outcome]:
    """Read the claims of these sources' documents."""
    held = ((source, Lake(lake).state("documents", source.id)) for source in sources)
    return run_steps([ClaimsStep(source.id, lake, state, source) for source, state in held if state], lake, workers)


def _read_one(record: dict[str, Any], source: Source) -> tuple[list[MentionRow], list[UnmatchedRow]]:
    """All that one document claims, and the names in it that the registry lacks."""
    document, carrier = read_document(record), _carrier(record, source)
    origin = Origin(carrier.document_id, carrier.publisher, record["published_on"], carrier.url)
    speakers, finder, checks = Speakers.load(), NameFinder.load(), checks_in(document.text)
    mentions = [
        mention_row(_said_by(claim, record["claimant"]), carrier, extractor, speakers, checks)
        for extractor in extractors()
        for claim in weighed(list(extractor.extract(document, origin)))
    ]
    unknown = [
        UnmatchedRow(
            found.text, name_key(found.text), carrier.document_id, source.id, carrier.url, found.start, found.end
        )
        for found in finder.products(document.text)
    ]
    return mentions, unknown


def _said_by(claim: ExtractedClaim, claimant: str) -> ExtractedClaim:
    """The claim in the mouth of whom the person who added the document named, unless the text itself names somebody."""
    return claim if claim.is_attributed or not claimant else replace(claim, claimant=claimant, is_attributed=True)


def _carrier(record: dict[str, Any], source: Source) -> Carrier:
    """The curated publisher of a source speaks. Where it has none, the owner of the domain that the page was had from
    speaks and signs it; else whom the page or the person who added it names, and nobody signs it."""
    whose, tag = source.publisher, Evidence(source.evidence)
    if source.is_aggregator:
        owner = printed_by(record["url"], record["publisher"], "")
        is_signed = owner.organisation_id and owner.kind != "aggregator"
        whose = owner.name if is_signed else record["publisher"] or whose
        tag = page_tag(owner.kind) if is_signed else tag
    return Carrier(
        document_id=record["document_id"],
        source_id=source.id,
        url=record["canonical_url"] or record["url"],
        publisher=whose,
        evidence=tag,
        stated_on=stated_day(record) if record["published_on"] else None,
        stated_not_after=None if record["published_on"] else stated_day(record),
        read_on=record["first_seen"].date(),
        printed_by=printed_by(record["canonical_url"] or record["url"], whose, "").name,
        stated_on_precision="day" if record["published_on"] else "capture",
        first_seen=record["first_seen"],
    )
