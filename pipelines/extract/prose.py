"""Claims of running text: sentences, list lines, key-value lines, headings. Pure.

Each sentence's quantities are read one by one: metric, subject, qualifiers, stance. What does not fit is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from pipelines.extract.build import Reading, claim_of
from pipelines.extract.elided import with_shared_units
from pipelines.extract.figures import Sentence, metric_and_owner, ratio_owner
from pipelines.extract.owner import Owner
from pipelines.extract.partners import partners, ports_of
from pipelines.extract.place import Place, place_of
from pipelines.extract.qualify import qualifiers_of
from pipelines.extract.quantities import Quantity, find_quantities
from pipelines.extract.ratios import ratio_of
from pipelines.extract.stance import (
    clause_of,
    is_change,
    is_difference,
    is_dropped,
    is_example,
    is_former,
    is_supposed_cluster,
    modality_of,
    speaker_of,
)
from pipelines.extract.subjects import Mention
from pipelines.extract.unit_words import noun_of
from pipelines.extract.values.periods import Period
from pipelines.model.claim import ExtractedClaim, Span

_UNKNOWN_BEFORE = re.compile(r"(?<!\w)([A-Z][A-Za-z]*-?\d+)\s(?:with|has|at)\s$")
_FORMAT = re.compile(r"HBM|G?L?P?DDR|FP|BF|TF|INT|GTC|CES|PCI|Gen", re.IGNORECASE)
_UNKNOWN_AFTER = re.compile(r"\s([A-Z][a-z]+[A-Z]\w*)\s(?:\w+\s)?(?:switch|NIC|adapter)")
_OF_A_PERIOD = frozenset({"capex", "revenue", "units_shipped"})
_COUNT_OF = re.compile(r"\b(?P<noun>[A-Za-z]+)[ -]count(?::|\s(?:to|of|is|was|at|reach(?:es|ed)|rose to))\s$")
_DIGIT, _SHORT = re.compile(r"\d"), 24
_REST = re.compile(r"(?:(?![,;.](?:\s|$))[^\n])*")


def claims_of(sentence: Sentence) -> Iterator[ExtractedClaim]:
    """The claims that a sentence's figures make, dates apart."""
    text, at = sentence.text, sentence.at
    if at.end - at.start < _SHORT and _DIGIT.search(text, at.start, at.end) is None:
        return
    quantities = [q for q in find_quantities(text, at.start, at.end) if not _is_taken(q, sentence)]
    if not quantities:
        return
    speaker = speaker_of(text, at.start, at.end, list(sentence.mentions))
    quantities = [_by_label(_by_count(quantity, text), sentence) for quantity in quantities]
    quantities = with_shared_units(text, quantities, sentence.mentions)
    for index, quantity in enumerate(quantities):
        if not quantity.dimension or quantity.dimension == "other_money":
            continue
        if _is_restated(text, quantities, index):
            continue
        place = place_of(text, index, quantities, at, sentence.setting, sentence.mentions, sentence.aside)
        if _is_set_aside(place) or _is_of_unknown(place):
            continue
        yield from _of_quantity(sentence, place, speaker)


def _by_count(quantity: Quantity, text: str) -> Quantity:
    """'raised the transistor count to 2.6 trillion': what is counted stands before the number."""
    before = _COUNT_OF.search(text, max(0, quantity.at.start - 48), quantity.at.start)
    noun = noun_of(before["noun"]) if before is not None and not quantity.dimension else ""
    return replace(quantity, dimension="count", noun=before["noun"], noun_class=noun) if noun and before else quantity


def _by_label(quantity: Quantity, sentence: Sentence) -> Quantity:
    """A bare number after a key that names what it counts: 'Transistor count: 153 billion', 'GPUs: 72'."""
    label = sentence.setting.label
    lead = sentence.text[sentence.at.start : quantity.at.start]
    is_times = quantity.dimension == "ratio" and sentence.text[quantity.at.end - 1] in "x×"  # 'CPUs: 36 × Grace'
    if (quantity.dimension and not is_times) or not label or lead.rstrip(" *-•:–—~") != label.rstrip(" *"):
        return quantity
    words = [
        word
        for word in label.split(" per ")[0].split(" ")
        if word.casefold() not in ("count", "number", "of", "total", "size")
    ]
    noun = noun_of(words[-1]) if words else ""
    per = label.split(" per ")[1] if " per " in label else ""
    if not noun:
        return quantity
    return replace(quantity, dimension="count", unit="", noun=words[-1], noun_class=noun, per=per)


def _is_restated(text: str, quantities: Sequence[Quantity], index: int) -> bool:
    """'nearly one exaflop (930 petaflops)': of a rough and an exact figure side by side the exact one is meant."""
    one = quantities[index]
    for other in (*quantities[max(0, index - 1) : index], *quantities[index + 1 : index + 2]):
        first, second = (one, other) if one.digits.start < other.digits.start else (other, one)
        is_rate = {one.dimension, other.dimension} == {"bit_rate", "byte_rate"}
        if is_rate and one is second and text[first.at.end : second.digits.start][:2] == " (":
            return True  # '400 Gbit/s (less than 40 GB/s)'
        if other.dimension != one.dimension or "(" not in text[first.at.end : second.digits.start][:3]:
            continue
        if (one.is_approximate or one.is_word) and not (other.is_approximate or other.is_word):
            return True
    return False


def _is_taken(quantity: Quantity, sentence: Sentence) -> bool:
    digits = quantity.digits
    for mention in sentence.mentions:
        gap = sentence.text[mention.end : digits.start] if 0 <= digits.start - mention.end < 3 else "-"
        if mention.kind in ("cpu", "network", "product") and gap in (" ", "\u00a0") and quantity.unit == "":
            return True
    spans = [*((m.start, m.end) for m in sentence.mentions), *((s.start, s.end) for s in sentence.taken)]
    return any(start <= digits.start < end for start, end in spans)


def _is_set_aside(place: Place) -> bool:
    """Denied, supposed, asked; a difference; what a figure rose from."""
    if is_dropped(place.words, place.before):
        return True
    if place.quantity.dimension == "count":
        return is_supposed_cluster(place.before, place.after)
    if place.quantity.dimension in ("ratio", "percent"):
        return False
    return is_difference(place.after) or is_former(place.before, place.after) or is_change(place.before)


def _is_of_unknown(place: Place) -> bool:
    """'Gen1 with 64 chips', '800G QuantumX switch': figures of a name that is not known."""
    starts = {m.start for m in place.mentions}
    before = _UNKNOWN_BEFORE.search(place.near_before)
    if before is not None and _FORMAT.match(before[1]) is None:
        at = place.quantity.at.start - len(place.near_before) + before.start(1)
        return not any(m.start <= at < m.end for m in place.mentions)
    after = _UNKNOWN_AFTER.match(place.near_after)
    return after is not None and place.quantity.at.end + after.start(1) not in starts


def _of_quantity(sentence: Sentence, place: Place, speaker: str) -> Iterator[ExtractedClaim]:
    quantity = place.quantity
    ports = ports_of(place)
    if ports is not None:
        for one in (quantity, ports.speed):
            metric = "port_count" if one is quantity else "scale_out_bandwidth"
            at = place_of(
                place.text,
                place.others.index(one),
                place.others,
                place.sentence,
                place.setting,
                place.mentions,
                place.aside,
            )
            yield from _claims(
                sentence,
                at,
                metric,
                ports.owner,
                speaker,
                (one.low, one.high),
                {"per": "port"} if one is not quantity else {},
            )
        return
    ratio = ratio_of(place) if quantity.dimension in ("ratio", "percent") else None
    if ratio is not None:
        found = ratio_owner(place, sentence)
        if found is not None and found.mention.name != ratio.baseline:
            extra = {"baseline": ratio.baseline or "unstated", "workload": ratio.workload or "unstated"}
            low, high = sorted((ratio.of(quantity.low), ratio.of(quantity.high)))
            yield from _claims(sentence, place, ratio.metric, found, speaker, (low, high), extra)
        return
    metric, found = metric_and_owner(place, sentence)
    if metric and found is not None:
        for owner in partners(place, found):
            yield from _claims(sentence, place, metric, owner, speaker, (quantity.low, quantity.high), {})


def _claims(
    sentence: Sentence,
    place: Place,
    metric: str,
    found: Owner,
    speaker: str,
    ends: tuple[float, float],
    extra: dict[str, str],
) -> Iterator[ExtractedClaim]:
    quantity, text = place.quantity, sentence.text
    content = _content(place, found.mention)
    qualifiers = {**qualifiers_of(metric, place, found.mention, content), **extra}
    if metric == "part_count":
        qualifiers["part"] = quantity.noun
    period = _period(sentence, quantity) if metric in _OF_A_PERIOD else None
    if period is not None:
        qualifiers["period"] = period.label
    unit = quantity.unit if quantity.dimension not in ("count", "percent", "ratio") else ""
    if metric in ("speedup", "efficiency_gain"):
        unit = "ratio"
    elif metric == "liquid_cooled_share":
        unit = "%"
    parts = [("", quantity.low_at, ends[0])] if not quantity.is_range else [
        ("low", quantity.low_at, ends[0]), ("high", quantity.high_at, ends[1])
    ]  # fmt: skip
    modality = modality_of(clause_of(place.words, len(place.before)), is_cluster=metric == "cluster_size")
    for bound, at, value in parts:
        words = {**qualifiers, "bound": bound} if bound else qualifiers
        claim = claim_of(
            Reading(
                metric=metric, subject=found.mention, value=value, unit=unit, value_at=at,
                context=_context(place, found.mention), printed=text[quantity.digits.start : _printed_end(quantity)],
                qualifiers=words, modality=modality,
                claimant=speaker or sentence.origin.publisher, is_attributed=bool(speaker),
                confidence=0.9 * found.certainty, is_illustrative=is_example(place.before[-80:]),
                period=(period.first, period.last) if period is not None else None,
            )
        )  # fmt: skip
        if claim is not None:
            yield claim


def _period(sentence: Sentence, quantity: Quantity) -> Period | None:
    """The period nearest to an amount: the quarter of a revenue, the year of a spending."""
    at = quantity.at.start - sentence.at.start
    long = [p for p in sentence.periods if (p.last - p.first).days > 27]
    behind = quantity.at.end - sentence.at.start
    return min(long, key=lambda p: p.start - behind if p.start >= behind else at - p.end, default=None)


def _content(place: Place, owner: Mention) -> Mention | None:
    """What is counted by name, the accelerator first: the H100 in '8 NVIDIA Hopper H100 GPUs'."""
    at = place.quantity.noun_at
    inside = [m for m in place.mentions if at.start <= m.start < at.end and m is not owner]
    return next((m for m in inside if m.kind == "accelerator"), inside[0] if inside else None)


def _printed_end(quantity: Quantity) -> int:
    return max(quantity.at.end, quantity.digits.end)


def _context(place: Place, subject: Mention) -> Span:
    inside = place.sentence.start <= subject.start < place.sentence.end and subject in place.mentions
    start = min(place.quantity.at.start, subject.start) if inside else place.quantity.at.start
    end = max(place.quantity.at.end, subject.end) if inside else place.quantity.at.end
    rest = _REST.match(place.text, end, min(place.sentence.end, end + 60))
    return Span(start, rest.end() if rest is not None else end)
