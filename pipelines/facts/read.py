"""Texts that somebody has → archive → documents → reader → the committed facts of what was read.

The list `read/documents.csv` says by digest which texts count, whose they are and when they were published; the texts
stay with whoever has them. A document whose text is not given keeps its rows. Where somebody read the same page before
(`bench/reader_labels.jsonl`, by the digest of the file), what nobody's label says waits. A decided line stays as it was
decided on, also where the reader of today says it otherwise or not at all: a new model opens no settled question.
"""

from __future__ import annotations

import csv
import dataclasses
import datetime as dt
import hashlib
import io
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from pathlib import Path
from typing import Any

from pipelines.archive.notes import DocumentNote, add_notes
from pipelines.archive.store import Archive
from pipelines.assets.documents_step import build_documents
from pipelines.assets.lake_document import COLUMNS, read_document
from pipelines.claims.beside import weighed
from pipelines.claims.speakers import Speakers
from pipelines.decisions import FILE as DECISIONS
from pipelines.decisions import read as read_decisions
from pipelines.endpoint.ask import Budget, Kept
from pipelines.endpoint.ask import read_document as ask_document
from pipelines.extract.output import record_of as printed_record
from pipelines.extract.reader import ClaimReader
from pipelines.facts.market import LARGEST, FactsTooLarge
from pipelines.facts.settled import decisions_on_claims, with_settled
from pipelines.frozen import frozen
from pipelines.lake import Lake
from pipelines.ledger.read_claims import (
    CLAIM_COLUMNS,
    CLAIMS,
    READ_SOURCE,
    ReadDocument,
    ReadFacts,
    load_read,
    record_of,
    row_of,
)
from pipelines.model.claim import CONFIDENT, TOLD, ExtractedClaim, Origin
from pipelines.registry.entries import first_day
from pipelines.registry.reader_model import digest_of, load_reader_model
from pipelines.registry.spellings import subject_of
from pipelines.settings import PROJECT_ROOT, Run, Settings
from pipelines.sources import load_sources
from pipelines.training.labels import label_of, same_subject, same_value


@frozen
class ReadReport:
    """What was written: documents read now and left as they were, readings by state, files that are not listed, and
    the claims that were decided on and stand no more, because their page is of another publisher now."""

    read: int
    kept: int
    confident: int
    candidates: int
    unlisted: tuple[str, ...]
    unreadable: tuple[str, ...]
    lost: tuple[str, ...] = ()


class ListRefused(Exception):
    """The list of documents or the file of readings does not fit its form."""


def export_read(folders: Sequence[Path], settings: Settings, run: Run, *, with_model: bool = False) -> ReadReport:
    """Read the listed documents whose texts lie in `folders` and write their readings; the others' rows stay.

    `with_model`: what the kept answers of the model door say, and the reader does not, is written as candidates too.
    Raises ListRefused, FactsTooLarge, ModelError, OSError.
    """
    folder = settings.facts / "read"
    facts = load_read(folder)
    if facts.problems:
        raise ListRefused("; ".join(f"{p.place}: {p.detail}" for p in facts.problems[:5]))
    files, unlisted = _matched(folders, {one.sha256: one for one in facts.documents.values()})
    _keep(files, settings, run)
    held = _documents(files, settings)
    claims = _read(held)
    if with_model:
        for name, lines in _proposed(held, claims, settings).items():
            claims[name] += lines
    before = [(row.claim_id, line) for row, line in zip(facts.rows, _written(folder / CLAIMS), strict=True)]
    records = [line for _, line in before if line["document"] not in held]
    records += _settled(claims, before, facts.documents, settings.facts / DECISIONS.name)
    records.sort(key=lambda row: (row["document"], int(row["start"]), row["metric"], row["subject"]))
    _write(folder / CLAIMS, records)
    sure = sum(float(row["confidence"]) >= CONFIDENT and not row["doubt"] for row in records)
    return ReadReport(
        len(held), len(facts.documents) - len(held), sure, len(records) - sure, tuple(unlisted),
        tuple(sorted(one.document for one in files.values() if one.document not in held)),
        _lost(settings.facts / DECISIONS.name, {row.claim_id for row in facts.rows}, load_read(folder)),
    )  # fmt: skip


def _settled(
    read: Mapping[str, Sequence[dict[str, str]]],
    before: Sequence[tuple[str, dict[str, str]]],
    documents: Mapping[str, ReadDocument],
    decisions: Path,
) -> Iterator[dict[str, str]]:
    """The lines of the pages that were read, and those decided on before in their places."""
    decided = decisions_on_claims(read_decisions(decisions))
    speakers = Speakers.load()
    older: dict[str, list[tuple[str, dict[str, str]]]] = defaultdict(list)
    for claim, line in before:
        older[line["document"]].append((claim, line))
    for name, lines in read.items():
        named = [(row_of(line, documents[name], speakers).claim_id, line) for line in lines]
        yield from with_settled(named, older[name], decided, documents[name])


def _lost(decisions: Path, before: Set[str], facts: ReadFacts) -> tuple[str, ...]:
    """The decided claims that were read before and are not now."""
    gone = before - {row.claim_id for row in facts.rows}
    return tuple(sorted({one.claim_id for one in read_decisions(decisions) if one.claim_id in gone}))


def _matched(folders: Iterable[Path], listed: Mapping[str, ReadDocument]) -> tuple[dict[Path, ReadDocument], list[str]]:
    """The files that the list knows by their digest, and the names of the others."""
    found: dict[Path, ReadDocument] = {}
    others: list[str] = []
    for folder in folders:
        for path in sorted(item for item in folder.rglob("*") if item.is_file()):
            document = listed.get(hashlib.sha256(path.read_bytes()).hexdigest())
            if document is None:
                others.append(path.name)
            elif document not in found.values():
                found[path] = document
    return found, others


def _keep(files: Mapping[Path, ReadDocument], settings: Settings, run: Run) -> None:
    """Put the files into the archive under their addresses, with what the list says of them."""
    settings.archive.mkdir(parents=True, exist_ok=True)
    notes: list[DocumentNote] = []
    with Archive(settings.archive, run_stamp=run.run_id) as archive:
        for path, document in files.items():
            read_at = dt.datetime.combine(document.read_on, dt.time(), dt.UTC)
            added = archive.add(path, READ_SOURCE, document.url, read_at).added
            day = first_day(document.published_on) if document.published_on else None
            notes += [DocumentNote(capture.capture_id, document.publisher, day) for capture in added]
    add_notes(settings.archive, notes)


def _documents(
    files: Mapping[Path, ReadDocument], settings: Settings
) -> dict[str, tuple[ReadDocument, dict[str, object]]]:
    """Each document as the lake holds it, by its name in the list."""
    if not files:
        return {}
    source = load_sources(settings.sources).sources[READ_SOURCE]
    for outcome in build_documents([source], settings.archive, settings.lake, settings.workers):
        if outcome.error:
            raise ListRefused(f"{outcome.partition}: {outcome.error}")
    rows = Lake(settings.lake).read("documents", READ_SOURCE, [*COLUMNS, "payload_sha256"]).to_pylist()
    by_place = {(row["payload_sha256"], row["url"]): row for row in rows if row["document_id"]}
    return {
        one.document: (one, row) for one in files.values() if (row := by_place.get((one.sha256, one.url))) is not None
    }


def _read(held: Mapping[str, tuple[ReadDocument, dict[str, object]]]) -> dict[str, list[dict[str, str]]]:
    """The lines of each document: what is told of it, confident or not."""
    reader = ClaimReader()
    version = f"{reader.version}-{digest_of(load_reader_model())[:12]}"
    labels = read_label_rows()
    found: dict[str, list[dict[str, str]]] = {}
    for name, (listed, record) in held.items():
        document = read_document(record)
        claims = reader.extract(document, Origin(name, listed.publisher, document.published_on, listed.url))
        found[name] = [
            record_of(claim, listed, document.document_id, version)
            for claim in checked([one for one in claims if not one.doubt], labels.get(listed.sha256, ()))
        ]
    return found


def _proposed(
    held: Mapping[str, tuple[ReadDocument, dict[str, object]]],
    read: Mapping[str, Sequence[Mapping[str, str]]],
    settings: Settings,
) -> dict[str, list[dict[str, str]]]:
    """The lines of what a model proposed and nobody else read: kept answers only, nobody is asked."""
    kept = Kept(settings.model_answers)
    found: dict[str, list[dict[str, str]]] = {}
    for name, (listed, record) in held.items():
        document = read_document(record)
        origin = Origin(name, listed.publisher, document.published_on, listed.url)
        said = ask_document(document, origin, settings.model_name, kept, None, Budget(0, 0)).grounded.claims
        lines = [record_of(claim, listed, document.document_id, f"model-{settings.model_name}") for claim in said]
        known = {(row["subject"], row["metric"], row["value"]) for row in read[name]}
        found[name] = [row for row in lines if (row["subject"], row["metric"], row["value"]) not in known]
    return found


def _written(path: Path) -> list[dict[str, str]]:
    if not path.exists():
        return []
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def _write(path: Path, records: Sequence[Mapping[str, str]]) -> None:
    text = io.StringIO()
    writer = csv.DictWriter(text, CLAIM_COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(records)
    data = text.getvalue().encode()
    if len(data) > LARGEST:
        raise FactsTooLarge(f"{path.name}: {len(data):,} bytes, the most is {LARGEST:,}")
    trial = path.with_name(f".{path.name}.trial")
    trial.write_bytes(data)
    trial.replace(path)


LABELS = PROJECT_ROOT / "bench" / "reader_labels.jsonl"
_COUNTED = ("per", "precision", "sparsity", "memory_type")  # a wrong one makes it a figure of something else
_SIZE = re.compile(r"\b(\d+) ?GB\b")
_SAME = 0.1  # gibibytes and usable sizes are no other size
_ONE = frozenset({"gpu", "chip", "package", "device", "card", "tpu", "accelerator"})

Labels = Mapping[str, Sequence[Mapping[str, Any]]]


def read_label_rows() -> Labels:
    """The labels of each document by the digest of its file; none where there is no file."""
    found: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for line in LABELS.read_text(encoding="utf-8").splitlines() if LABELS.exists() else ():
        row = json.loads(line)
        found[row["sha256"]].append(row)
    return found


def checked(claims: Sequence[ExtractedClaim], labels: Sequence[Mapping[str, Any]]) -> list[ExtractedClaim]:
    """The readings of a page with what speaks against each, and which of them its labels confirm.

    What is too unsure to be told is left out, but for what a label says too: two read the page and say the same.
    """
    found = []
    for claim in claims:
        doubt = objection(claim, labels)
        is_confirmed = bool(labels) and not doubt
        if claim.confidence >= TOLD or is_confirmed:
            found.append(dataclasses.replace(claim, doubt=doubt, is_confirmed=is_confirmed))
    return weighed(found)


def objection(claim: ExtractedClaim, labels: Sequence[Mapping[str, Any]]) -> str:
    """Why a reading waits although it is sure: the labels of its document do not say it; empty where they do."""
    size = _SIZE.search(claim.subject) if claim.metric == "memory_capacity" else None
    if size is not None and claim.value is not None and abs(claim.value - float(size[1])) > _SAME * claim.value:
        return f"the name says {size[0]}"
    if not labels:
        return ""
    value = printed_record(claim, "", "")["value"]
    alike = [row for row in labels if same_value(label_of(row), claim.metric, value)]
    if not alike:
        return "no label of the document has this value of this metric"
    owned = [row for row in alike if _is_of(claim, label_of(row).subjects)]
    if not owned:
        return f"a label of the document gives it to {alike[0]['subject']}"
    against = [_against(claim, row.get("qualifiers") or {}) for row in owned]
    return "" if not all(against) else f"a label of the document says {against[0]}"


def _is_of(claim: ExtractedClaim, names: Sequence[str]) -> bool:
    """Whether a label's names are the reading's subject; of known things the very same, no relative of it."""
    known = {found.subject_id for name in names if (found := subject_of(name)) is not None}
    if known and claim.subject_id:
        return claim.subject_id in known
    return any(same_subject(name, claim.subject) for name in names)


def _against(claim: ExtractedClaim, qualifiers: Mapping[str, str]) -> str:
    """The first thing that a label counts otherwise; empty where it agrees."""
    for name in _COUNTED:
        said, labelled = _words(claim.qualifier(name)), _words(str(qualifiers.get(name, "")))
        is_open = not said and name in ("per", "sparsity") and labelled != {"dense"}
        if labelled and (is_open or not said <= labelled):
            return f"{name} {qualifiers[name]}"
    return ""


def _words(text: str) -> frozenset[str]:
    words = {word.strip() for word in text.casefold().split("/")} - {"", "unstated"}
    return frozenset("accelerator" if word in _ONE else word for word in words)
