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

from pipelines.extract.beside import weighed
from pipelines.extract.output import record_of
from pipelines.model.claim import TOLD, ExtractedClaim
from pipelines.registry.subjects import subject_of
from pipelines.settings import PROJECT_ROOT
from pipelines.training.labels import label_of, same_subject, same_value

LABELS = PROJECT_ROOT / "bench" / "reader_labels.jsonl"
_COUNTED = ("per", "precision", "sparsity", "memory_type")  # a wrong one makes it a figure of something else
_SIZE = re.compile(r"\b(\d+) ?GB\b")
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
    value = record_of(claim, "", "")["value"]
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
