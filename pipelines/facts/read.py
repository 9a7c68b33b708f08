"""Texts that somebody has → archive → documents → reader → the committed facts of what was read.

The list `read/documents.csv` says by digest which texts count, whose they are and when they were published; the texts
stay with whoever has them. A document whose text is not given keeps its rows.
"""

from __future__ import annotations

import csv
import datetime as dt
import hashlib
import io
from collections.abc import Iterable, Mapping, Sequence, Set
from pathlib import Path

from pipelines.archive.notes import DocumentNote, add_notes
from pipelines.archive.store import Archive
from pipelines.assets.documents_step import build_documents
from pipelines.assets.lake_document import COLUMNS, read_document
from pipelines.decisions import FILE as DECISIONS
from pipelines.decisions import read as read_decisions
from pipelines.endpoint.ask import Budget, Kept
from pipelines.endpoint.ask import read_document as ask_document
from pipelines.extract.reader import ClaimReader
from pipelines.facts.market import LARGEST, FactsTooLarge
from pipelines.facts.read_check import checked, read_label_rows
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
)
from pipelines.model.claim import CONFIDENT, Origin
from pipelines.registry.dates import first_day
from pipelines.registry.reader_model import digest_of, load_reader_model
from pipelines.settings import Run, Settings
from pipelines.sources import load_sources


@frozen
class ReadReport:
    """What was written: documents read now and left as they were, readings by state, files that are not listed, and
    the claims that were decided on and are read no more: an acceptance is of the whole claim, so it is taken anew."""

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
    records = [row for row in _written(folder / CLAIMS) if row["document"] not in held]
    records += [row for rows in claims.values() for row in rows]
    records.sort(key=lambda row: (row["document"], int(row["start"]), row["metric"], row["subject"]))
    _write(folder / CLAIMS, records)
    sure = sum(float(row["confidence"]) >= CONFIDENT and not row["doubt"] for row in records)
    return ReadReport(
        len(held), len(facts.documents) - len(held), sure, len(records) - sure, tuple(unlisted),
        tuple(sorted(one.document for one in files.values() if one.document not in held)),
        _lost(settings.facts / DECISIONS.name, {row.claim_id for row in facts.rows}, load_read(folder)),
    )  # fmt: skip


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
