"""Decisions on readings as labels: accepted and corrected ones are added, rejected ones taken out. Pure."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from pipelines.decisions import Decision
from pipelines.extract.link.meaning import DATES
from pipelines.extract.values.periods import period_label
from pipelines.ledger.fields import read_period
from pipelines.training.labels import Label, Labelled, same_subject, same_value

_AROUND = 60  # characters on either side of a value that stand for its quote
ADDED, TAKEN_OUT, ELSEWHERE = "added", "taken out", "of other documents"


def apply_decisions(
    documents: Sequence[Labelled], decisions: Iterable[Decision], names: Mapping[str, str]
) -> Mapping[str, int]:
    """Change the labels by the latest decision on each claim; how many did what.

    `names` gives the file's name of a document id. A document without labels would learn that all else in it is wrong:
    decisions on documents that are not among these are counted and not used.
    """
    by_name = {item.name: item for item in documents}
    latest = {one.claim_id: one for one in decisions if one.decision not in ("merge", "new")}
    done: Counter[str] = Counter(dict.fromkeys((ADDED, TAKEN_OUT, ELSEWHERE), 0))
    for decision in latest.values():
        item = by_name.get(names.get(decision.document_id, ""))
        if item is None or decision.locator_start is None or decision.locator_end is None:
            done[ELSEWHERE] += 1
            continue
        label = _label(item, decision, decision.locator_start, decision.locator_end)
        same = [known for known in item.labels if _is_same(known, label)]
        if decision.decision == "reject":
            item.labels[:] = [known for known in item.labels if known not in same]
            done[TAKEN_OUT] += len(same)
        elif not same:
            item.labels.append(label)
            done[ADDED] += 1
    return done


def _label(item: Labelled, decision: Decision, start: int, end: int) -> Label:
    text = item.document.text
    value: float | str = decision.value
    if decision.metric in DATES:
        value = period_label(*read_period("value", decision.value))
    else:
        with contextlib.suppress(ValueError):
            value = float(decision.value)
    return Label(
        item.name, tuple(filter(None, (decision.subject, decision.subject_id))), (decision.metric,), (value,),
        text[max(0, start - _AROUND) : end + _AROUND],
    )  # fmt: skip


def _is_same(known: Label, label: Label) -> bool:
    return same_value(known, label.metrics[0], label.values[0]) and any(
        same_subject(one, two) for one in known.subjects for two in label.subjects
    )
