"""Which metric a figure of a sentence is, and of whom: words, unit and subject decided together. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pipelines.extract import owner as owners
from pipelines.extract.aside import compared
from pipelines.extract.counts import metric_of_count
from pipelines.extract.metric_of import metric_of
from pipelines.extract.money import is_hourly, metric_of_money
from pipelines.extract.owner import Owner, owner_of
from pipelines.extract.place import Place
from pipelines.extract.setting import Setting
from pipelines.extract.stance import is_generic
from pipelines.extract.subjects import Mention
from pipelines.extract.values.periods import Period
from pipelines.model.claim import Origin, Span

_KINDS = {
    "scale_up_bandwidth": owners.LINKED,
    "scale_out_bandwidth": owners.LINKED,
    "port_count": owners.LINKED,
    "port_power": owners.LINKED,
    "site_power": owners.ORGANISATIONS,
    "liquid_cooled_share": owners.HOLDERS,
    "capex": owners.ORGANISATIONS,
    "revenue": frozenset({"organisation"}),
    "process_node": owners.MACHINES | {"network", "cpu"},
    "die_count": owners.CHIPS,
    "transistor_count": owners.CHIPS,
    "train_time": owners.MACHINES | owners.ORGANISATIONS,
    "mtti": owners.MACHINES | owners.ORGANISATIONS,
    "gpu_hour_price": owners.MACHINES,
}
_MAKERS = frozenset({"organisation"})
_HOLDING = owners.MACHINES | owners.ORGANISATIONS | {"network"}
_SITES = frozenset({"site"})
_PRICED = frozenset({"accelerator", "system", "product"})
_UP_LINK = re.compile(r"NVLink|UALink|Infinity Fabric|NeuronLink|Inter-Chip|xGMI|Lingqu|UB\b", re.IGNORECASE)
_NO_NIC = re.compile(
    r"NVLink|UALink|Infinity Fabric|NeuronLink|Inter-Chip|PCI|^InfiniBand$|^Ethernet$|OSFP", re.IGNORECASE
)
_ACQUIRES = re.compile(
    r"\s(?:has |have |will |also |is |plans to )?(?:commit|deploy|order|buy|bought|purchas|operat|instal|"
    r"own|acquir|rent)\w*\b[^.;]*$"
)
_ANY_NETWORK = re.compile(r"(?:Ultra )?Ethernet|InfiniBand")
_KIND_WORD = re.compile(
    r"\b(?:any|some|typical|traditional|modern|conventional|standard)\s+(?:[\w-]+\s){0,3}$", re.IGNORECASE
)
_A_THING = re.compile(
    r"\s(?:[\w-]+\s)?(?:racks?|systems?|servers?|chips?|GPUs?|accelerators?|clusters?|parts?|cabinets?)\b"
)
# '72 GPUs in a single rack'
_IN_MACHINE = re.compile(
    r"\s(?:in|per|inside|within)\s(?:an?|one|each|every)?\s?(?:[\w-]+\s){0,3}?(?:racks?|nodes?|servers?|systems?|cabinets?|trays?)\b"
)
_MOST_DIES = 64  # of one package
_COUNTED = frozenset({"accelerator", "chip", "cpu", "socket"})


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence with what was found in it and around it; `running` are the section's subjects so far, latest first."""

    text: str
    at: Span
    setting: Setting
    mentions: Sequence[Mention]
    taken: Sequence[Span]
    running: Sequence[Mention]
    origin: Origin
    aside: frozenset[int] = frozenset()  # starts of mentions that the sentence only compares with or builds on
    periods: Sequence[Period] = ()  # offsets from the sentence's start


def metric_and_owner(place: Place, sentence: Sentence) -> tuple[str, Owner | None]:
    quantity = place.quantity
    if quantity.dimension == "count":
        return _count(place, sentence)
    if quantity.dimension == "money":
        if is_hourly(place):
            return _hour_price(place, sentence)
        for kinds in (_MAKERS, _PRICED, owners.ORGANISATIONS):
            found = _owner(place, sentence, kinds)
            metric = metric_of_money(place, found.mention) if found is not None else ""
            if metric:
                return metric, found
        return "", None
    metric = metric_of(place)
    if not metric:
        return "", None
    kinds = _kinds_of(metric, place)
    is_of_link = kinds is owners.LINKED
    found = _owner(place, sentence, owners.MACHINES, is_of_link=True) if is_of_link else None
    near = _owner(place, sentence, kinds, is_of_link=is_of_link)
    if metric in ("port_power", "port_count"):
        found = near
    is_nearer = near is not None and found is not None and near.certainty > found.certainty
    if (
        found is None
        or (is_nearer and metric == "scale_out_bandwidth")
        or (is_nearer and near is not None and _is_named_after_label(place, near))
        or (near is not None and _is_beside(place, near))
    ):
        found = near
    if (
        metric in ("scale_up_bandwidth", "scale_out_bandwidth")
        and found is not None
        and not _fits_link(metric, found.mention)
    ):
        is_any = metric == "scale_out_bandwidth" and _ANY_NETWORK.fullmatch(found.mention.name) is not None
        found = _owner(place, sentence, owners.HOLDERS) if is_any else None
        return (metric, found) if found is not None else ("", None)
    if metric == "liquid_cooled_share" and re.search(r"\b(?:an?|any)\s$", place.near_before):
        return "", None
    if metric == "power" and found is not None and found.certainty < 0.9 and _is_of_a_kind(place):
        return "", None
    return metric, found


def _kinds_of(metric: str, place: Place) -> frozenset[str]:
    """What kinds of things can carry a metric; a standard such as PCI Express is made on no process node."""
    if metric == "process_node" and not any(m.kind == "network" and m.vendor_id for m in place.mentions):
        return owners.MACHINES | {"cpu"}
    return _KINDS.get(metric, owners.MACHINES)


def _is_named_after_label(place: Place, near: Owner) -> bool:
    """'On links: X suggests 50 GB/s': the network that the sentence itself is about, not the key of a line."""
    label = place.setting.label
    return bool(label) and near.certainty == 1.0 and near.mention.start > place.sentence.start + len(label)


def _is_of_a_kind(place: Place) -> bool:
    """'A typical rack draws 40 kW', 'a 600 kW rack': of a kind of thing."""
    lead = place.text[place.sentence.start : place.quantity.digits.start]
    return _KIND_WORD.search(place.near_before) is not None or (
        is_generic(lead) and _A_THING.match(place.near_after) is not None
    )


def _hour_price(place: Place, sentence: Sentence) -> tuple[str, Owner | None]:
    """An hour's price is of the accelerator that is named nearest, else of whom the section speaks."""
    near = sorted(
        (m for m in place.mentions if m.kind in _PRICED and m.start not in place.aside | owners.counted(place)),
        key=lambda m: min(abs(m.start - place.quantity.at.end), abs(place.quantity.at.start - m.end)),
    )
    found = Owner(near[0], 0.9) if near else _owner(place, sentence, _PRICED) or _owner(place, sentence, _MAKERS)
    return (metric_of_money(place, found.mention), found) if found is not None else ("", None)


def _is_beside(place: Place, near: Owner) -> bool:
    """'NVLink 6 (3.6 TB/s)': the figure in parentheses is of the name before them."""
    between = place.text[near.mention.end : place.quantity.at.start] if near.mention in place.mentions else ""
    return near.mention.kind == "network" and re.fullmatch(r"\s?\(", between) is not None


def _fits_link(metric: str, mention: Mention) -> bool:
    """Whether a network's name can carry the figure: links for scale-up, adapters and switches for scale-out."""
    if mention.kind != "network":
        return True
    return (
        (_UP_LINK.search(mention.name) is not None)
        if metric == "scale_up_bandwidth"
        else _NO_NIC.search(mention.name) is None
    )


def _count(place: Place, sentence: Sentence) -> tuple[str, Owner | None]:
    quantity = place.quantity
    skip = {m.start for m in place.mentions if quantity.noun_at.start <= m.start < quantity.noun_at.end}
    lead = place.text[place.sentence.start : quantity.digits.start]
    is_said_before = re.search(r"\b(?:the|these|those|all|both|other|first|of its)\s$", lead, re.IGNORECASE)
    if is_said_before and quantity.noun_class != "failure":
        return "", None  # 'the four GPUs' were counted before
    if quantity.noun_class in _COUNTED:
        return _machines(place, sentence, skip)
    is_of_chip = quantity.noun_class == "transistor" or (quantity.noun_class == "die" and quantity.low <= _MOST_DIES)
    kinds = owners.CHIPS if is_of_chip else owners.LINKED
    if quantity.noun_class == "transistor":
        kinds = owners.CHIPS | {"cpu", "network"}
    if quantity.noun_class == "die" and (near := [m for m in place.mentions if m.end <= quantity.at.start]):
        is_board = near[-1].kind == "system" and quantity.at.start - near[-1].end < 40
        kinds = owners.MACHINES if is_board else kinds
    if quantity.noun_class == "failure":
        found = _owner(place, sentence, owners.ORGANISATIONS, skip)
        if found is None or found.certainty < 1.0:
            found = _owner(place, sentence, _SITES, skip) or _owner(place, sentence, _MAKERS, skip)
        return metric_of_count(place, found.mention if found is not None else None), found
    if quantity.noun_class in ("part", "component", "cable", "rack"):
        kinds = owners.HOLDERS
    found = _owner(place, sentence, kinds, skip)
    metric = metric_of_count(place, found.mention if found is not None else None)
    return metric, found


def _machines(place: Place, sentence: Sentence, skip: set[int]) -> tuple[str, Owner | None]:
    """Accelerators and processors: of whom the sentence says it, else of the machine, else of the maker above."""
    content = next((m for m in place.mentions if m.start in skip and m.kind in ("accelerator", "generation")), None)
    is_first = not place.before.strip(" *-•") and _IN_MACHINE.match(place.after) is None
    if content is not None and content.kind == "accelerator" and is_first:
        metric = metric_of_count(place, content)  # 'Up to 256 GH200 can be connected'
        if metric == "scale_up_domain_size":
            return metric, Owner(content, 0.8)
    fleet = _fleet_owner(place)
    if fleet is not None:
        return "cluster_size", fleet
    tried = (_HOLDING, owners.HOLDERS, owners.MACHINES, owners.ORGANISATIONS)
    for at, kinds in enumerate(tried):
        found = _owner(place, sentence, kinds, skip)
        if found is None or (at == 0 and found.certainty < 0.9):
            continue
        metric = metric_of_count(place, found.mention)
        if metric == "units_shipped" and content is not None:
            return metric, Owner(content, 0.85)  # 'we shipped 3.6 million Blackwell GPUs'
        if metric:
            return metric, found
        is_maker = any(m.kind == "system" and m.vendor_id == found.mention.subject_id for m in place.mentions)
        is_said = at == 0 and found.certainty == 1.0 and found.mention.kind == "organisation"
        if is_said and not is_maker and not place.quantity.per:
            return "", None  # the sentence says it of an organisation, not of the machine above
    return "", None


def _fleet_owner(place: Place) -> Owner | None:
    """The organisation before a large count with a verb of having between: 'Oracle committed to 50,000 GPUs in …'."""
    at = place.quantity.at.start
    near = [m for m in place.mentions if m.kind == "organisation" and m.end <= at and m.start not in place.aside]
    between = place.text[near[-1].end : at] if near else ""
    is_said = 0 < len(between) < 48 and _ACQUIRES.match(between) is not None
    is_fleet = is_said and metric_of_count(place, near[-1]) == "cluster_size"
    return Owner(near[-1], 0.9) if is_fleet else None


def _owner(
    place: Place, sentence: Sentence, kinds: frozenset[str], skip: set[int] | None = None, *, is_of_link: bool = False
) -> Owner | None:
    running = [m for m in sentence.running if m.kind in kinds]
    return owner_of(place, kinds, running, skip or set(), is_of_link=is_of_link)


def ratio_owner(place: Place, sentence: Sentence) -> Owner | None:
    aside = compared(place.text, place.mentions, place.sentence.start)
    baseline = {m.start for m in place.mentions if m.start >= place.quantity.at.end}
    found = _owner(place, sentence, owners.MACHINES, aside | baseline)
    if found is not None:
        return found
    counted = owners.counted(place)  # 'eight GB300 GPUs post 5 times …'
    machine = next((m for m in place.mentions if m.start in counted and m.end <= place.quantity.at.start), None)
    return Owner(machine, 0.8) if machine is not None and machine.start not in aside else None
