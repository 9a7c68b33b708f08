"""How far the qualifiers of right readings are those that their labels give, by name of the qualifier.

Only a reading at the place of its label is compared: said again elsewhere, a fact may be narrowed otherwise. Names are
compared as names, a workload by its words: a fuller one is no other.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from pipelines.extract.link.meaning import DATES
from pipelines.extract.link.proposal import Proposal
from pipelines.extract.link.qualify import qualifiers_of
from pipelines.model.claim import TOLD
from pipelines.training.cases import Case
from pipelines.training.labels import same_subject

COMPARED = (
    "precision", "sparsity", "memory_type", "accelerator", "workload", "baseline", "bound", "benchmark", "direction",
)  # fmt: skip
SAME, MISSING, EXTRA, OTHER = "same", "missing", "extra", "other"
_BEST_FIRST = (SAME, "", OTHER, MISSING, EXTRA)  # of several labels at one place the one that agrees best counts
_WORD = re.compile(r"[a-z]+|\d+(?:\.\d+)?[a-z]*")
_SPELT = {
    "bidirectional": "both-ways", "unidirectional": "one-way", "unstated": "", "pretraining": "training",
    "decoding": "decode",
}  # fmt: skip


def agreement(cases: Iterable[tuple[Case, Iterable[Proposal]]]) -> dict[str, Counter[str]]:
    """How many told readings agree with their labels in each qualifier, and how many do not and how."""
    found = {name: Counter[str]() for name in COMPARED}
    for case, proposals in cases:
        for proposal in proposals:
            labels = _labels_at(case, proposal)
            read = qualifiers_of(proposal) if labels else {}
            for name in COMPARED if labels else ():
                kinds = [compared(name, label.get(name, ""), read.get(name, "")) for label in labels]
                found[name][min(kinds, key=_BEST_FIRST.index)] += 1
    return found


def _labels_at(case: Case, proposal: Proposal) -> list[Mapping[str, str]]:
    """What the labels of a right reading's place say of its qualifiers; none for dates and what is not told."""
    if proposal.confidence < TOLD or proposal.metric in DATES:
        return []
    numbers = case.right.get((proposal.item, proposal.metric), set())
    return [
        dict(case.source.labels[n].qualifiers) for n in sorted(numbers) if case.is_owner({n}, proposal.candidate.name)
    ]


def compared(name: str, wanted: str, read: str) -> str:
    """How a qualifier stands to its label: the same, missing, extra or another; '' where neither says it."""
    wanted, read = _spelt(wanted), _spelt(read)
    if not wanted or not read:
        return MISSING if wanted else EXTRA if read else ""
    return SAME if wanted == read or _is_same(name, wanted, read) else OTHER


def _spelt(word: str) -> str:
    return _SPELT.get(word.casefold(), word.casefold())


def _is_same(name: str, wanted: str, read: str) -> bool:
    if name in ("accelerator", "baseline"):
        return same_subject(wanted, read)
    if name == "precision":
        return set(wanted.split("/")) == set(read.split("/"))
    one, two = _words(wanted), _words(read)
    return name == "workload" and bool(one and two) and (one <= two or two <= one)


def _words(text: str) -> set[str]:
    return {_spelt(word) for word in _WORD.findall(text.replace("pre-", "pre"))}
