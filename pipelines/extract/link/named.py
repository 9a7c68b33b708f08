"""Qualifiers that name a thing: the chip that a count is of, what a gain is against, what was run. Pure.

A chip or a baseline is one of the names in scope of the value, chosen by where it stands to the value.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pipelines.extract.link.proposal import Proposal
from pipelines.extract.link.scene import Candidate

_CHIPS = ("accelerator", "generation", "product")  # a model says more than its generation
_BESIDE = 2.0  # characters between a count and the name right behind it
_PARTS = frozenset({"gpu", "superchip", "board", "die", "package"})  # a count in one of them is of what is inside
# what a gain is against where no name says it
_EARLIER = re.compile(
    r"\b(?:than|over|versus|vs\.?|compared (?:to|with))\s(?:the |its |their |our )?"
    r"(?P<what>(?:previous|prior|preceding|last|earlier|older)[ -][a-z]+(?: [A-Z][\w-]*)?)"
)
# what is trained or run: a name with its number of parameters, or one of a family that is known without
_MODEL = re.compile(
    r"(?<![\w-])(?:[A-Z][A-Za-z]+[\w.]*(?:[ -]\d[\w.]*)?[ -]\d+(?:\.\d+)?[BbT]|"
    r"(?i:BERT|DeepSeek|DLRM|GPT|LLaMA|Mixtral|Qwen|ResNet|Stable Diffusion|T5)[\w.-]*(?: [A-Z]?\d[\w.]*)*)(?![\w/$])"
)
_PHASE = re.compile(r"\b(?:(?:pre-?)?training|inference|prefill|decod(?:e|ing))\b", re.IGNORECASE)
_AXES = ("column", "row", "label")
_WIDE = ("row", "column", "label", "band", "parent", "corner", "sentence", "intro", "heading", "title")


def counted_chip(proposal: Proposal) -> str:
    """The chip that a count is of: among the counted words or right behind the count, labelling the row, or alone."""
    own = proposal.candidate
    chips = sorted((c for c in proposal.place.candidates if c.kind in _CHIPS), key=lambda c: _CHIPS.index(c.kind))
    around = [chip for chip in chips if chip is not own or proposal.per not in _PARTS]
    alone = [chip for chip in around if "in_sentence" in chip.marks]
    is_alone = len(alone) == 1 and (alone[0] is own or alone[0].marks["before"] > 0)
    found = list(filter(_is_counted, chips)) or list(filter(_is_label, around)) or (alone if is_alone else [])
    return found[0].name if found else ""


def _is_counted(chip: Candidate) -> bool:
    marks = chip.marks
    is_behind = bool(marks.get("after")) or ("in_cell" in marks and not marks["cell_before"])
    return bool(marks.get("inside")) or (is_behind and marks["gap"] <= _BESIDE)


def _is_label(chip: Candidate) -> bool:
    """Whether a model of a known maker stands in the first column, or in one whose head says that products do."""
    marks, is_model = chip.marks, chip.kind != "generation" and chip.vendor_id != ""
    return is_model and "row_name" in marks and (marks["axis_column"] == 0 or marks["axis_words"] > 0)


def baseline_of(proposal: Proposal) -> str:
    """What a gain is against: the name behind 'than', an earlier generation, or the one other thing spoken of."""
    own, zones = proposal.candidate, proposal.place.zones
    others = [each for each in proposal.place.candidates if each is not own]
    behind = [each for each in others if each.marks.get("than")]
    if behind:
        return min(behind, key=lambda each: each.marks.get("gap", 999.0)).name
    if earlier := _EARLIER.search(zones.get("sentence", "")):
        return earlier["what"]
    alike = [each for each in others if each.kind in (_CHIPS if own.kind in _CHIPS else (own.kind,))]
    here = [each for each in alike if "in_sentence" in each.marks]
    spoken_of = here or [each for each in alike if "back0" in each.marks]
    return spoken_of[0].name if len(spoken_of) == 1 else ""


def workload_of(proposal: Proposal) -> str:
    """What was run: a model, and whether it was trained or asked."""
    zones, value = proposal.place.zones, proposal.place.figure.value
    model = _nearest(_MODEL, zones["after"], zones["before"], [zones.get(zone, "") for zone in _WIDE])
    if proposal.metric == "train_time":
        return model
    behind = f"{value.text} {zones['after']}"  # '22k decode tokens/s'
    phase = _nearest(_PHASE, behind, zones["before"], [zones.get(zone, "") for zone in _AXES])
    return f"{model} {phase.casefold()}".strip()


def _nearest(pattern: re.Pattern[str], after: str, before: str, others: Sequence[str]) -> str:
    """The first that a pattern finds behind a value, the last before it, else the first in other words."""
    found = [match[0] for match in pattern.finditer(after)] or [m[0] for m in pattern.finditer(before)][::-1]
    return found[0] if found else next((match[0] for words in others if (match := pattern.search(words))), "")
