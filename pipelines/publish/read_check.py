"""A reading against the labels of its document: where somebody read the same page, what nobody's label says waits.

Labels are `bench/reader_labels.jsonl`, known by the digest of the file. Of a document without labels nothing is said.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pipelines.extract.link.meaning import entry_of
from pipelines.extract.output import record_of
from pipelines.ledger.subjects import subject_of
from pipelines.model.claim import CONFIDENT, ExtractedClaim
from pipelines.settings import PROJECT_ROOT
from pipelines.training.labels import label_of, same_subject, same_value

LABELS = PROJECT_ROOT / "bench" / "reader_labels.jsonl"
_COUNTED = ("per", "precision", "sparsity", "memory_type")  # a wrong one makes it a figure of something else
_SIZE = re.compile(r"\b(\d+) ?GB\b")
_TWICE = 0.1  # how far a pair may be from 1 to 2
_SAME = 0.1  # gibibytes and usable sizes are no other size
_ONE = frozenset({"gpu", "chip", "package", "device", "card", "tpu", "accelerator"})

Labels = Mapping[str, Sequence[Mapping[str, Any]]]


def read_label_rows(path: Path = LABELS) -> Labels:
    """The labels of each document by the digest of its file; none where there is no file."""
    found: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        row = json.loads(line)
        found[row["sha256"]].append(row)
    return found


def checked(claims: Sequence[ExtractedClaim], labels: Sequence[Mapping[str, Any]]) -> list[ExtractedClaim]:
    """The readings of a page with what speaks against each, and which of them its labels confirm."""
    first = [
        dataclasses.replace(one, doubt=_count_objection(one) or objection(one, labels), is_confirmed=bool(labels))
        for one in claims
    ]
    first = [dataclasses.replace(one, is_confirmed=one.is_confirmed and not one.doubt) for one in first]
    standing = [one for one in first if one.state != "candidate"]
    return [
        dataclasses.replace(one, doubt=one.doubt or pair_objection(one, claims) or twin_objection(one, standing))
        for one in first
    ]


def objection(claim: ExtractedClaim, labels: Sequence[Mapping[str, Any]]) -> str:
    """Why a reading waits although it is sure: the labels of its document do not say it; empty where they do."""
    size = _SIZE.search(claim.subject) if claim.metric == "memory_capacity" else None
    if size is not None and claim.value is not None and abs(claim.value - float(size[1])) > _SAME * claim.value:
        return f"the name says {size[0]}"
    if not labels:
        return ""
    value = record_of(claim, "", "")["value"]
    alike = [row for row in labels if same_value(label_of(row), claim.metric, value)]
    if not alike:
        return "no label of the document has this value of this metric"
    owned = [row for row in alike if _is_of(claim, label_of(row).subjects)]
    if not owned:
        return f"a label of the document gives it to {alike[0]['subject']}"
    against = [_against(claim, row.get("qualifiers") or {}) for row in owned]
    return "" if not all(against) else f"a label of the document says {against[0]}"


def pair_objection(claim: ExtractedClaim, claims: Sequence[ExtractedClaim]) -> str:
    """Why the second of '2.2/4.5 PFLOP/s' waits: it is twice another, and whether it counts sparsity is not said."""
    for other in claims if _is_open(claim) else ():
        if _is_twin(claim, other) and claim.value and other.value and abs(claim.value / other.value - 2) <= _TWICE:
            return f"twice the {other.printed} of the same page: whether it counts sparsity is not said"
    return ""


def twin_objection(claim: ExtractedClaim, standing: Sequence[ExtractedClaim]) -> str:
    """Why a reading waits beside another of its page: they differ, and what tells them apart was not read.

    A reading that is sure gives way only to one that is sure too; the smaller of a pair stands. Sizes of memory may
    both hold: a product is sold with several.
    """
    for other in standing:
        is_surer = claim.confidence >= CONFIDENT > other.confidence
        if is_surer or not _is_twin(claim, other) or not claim.value or not other.value:
            continue
        is_pair = _is_open(claim) and abs(other.value / claim.value - 2) <= _TWICE
        if abs(claim.value / other.value - 1) > entry_of(claim.metric).tolerance and not is_pair:
            return f"the page also says {other.printed}: what tells them apart was not read"
    return ""


def _is_open(claim: ExtractedClaim) -> bool:
    """Whether a rate may count sparsity or not."""
    return claim.metric == "compute" and claim.qualifier("sparsity") == "unstated"


def _is_twin(one: ExtractedClaim, two: ExtractedClaim) -> bool:
    """Whether two readings say the same thing of the same subject, but for the value."""
    if (one.subject, one.metric) != (two.subject, two.metric) or one.metric == "memory_capacity":
        return False
    periods = (one.period_start, one.period_end), (two.period_start, two.period_end)
    return one.qualifiers == two.qualifiers and periods[0] == periods[1]


def _count_objection(claim: ExtractedClaim) -> str:
    """Why a count of a thing waits that was read as its own: how many somebody's machine has is no figure of it."""
    entry = entry_of(claim.metric)
    is_own = not entry.counts or claim.subject_kind in (*entry.owners, "label")
    is_within = _words(claim.qualifier("per")) <= {"accelerator"}
    return "" if is_own or is_within else "a count in somebody's machine, no figure of the thing"


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
