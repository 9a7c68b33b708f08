"""What stands beside a value and narrows it: format, sparsity, what it is per, memory type, bound, baseline. Pure.

Each qualifier has one proposer: its words and the zones it is looked for in, nearest first. What must be stated for a
metric and is not is marked 'unstated'. What a figure is per (an accelerator, a node, a rack, a port) few pages say next
to it: a model weighs the clues of the metric, of the subject's kind, of the size and of heads and headings together.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain

from pipelines.extract.link.beside import LISTED, own_words
from pipelines.extract.link.meaning import entry_of
from pipelines.extract.link.named import baseline_of, counted_chip, workload_of
from pipelines.extract.link.proposal import Proposal
from pipelines.extract.link.scene import Candidate, Place
from pipelines.extract.sentences import words_of
from pipelines.registry import load_registry
from pipelines.registry.metric_entries import load_lexicon
from pipelines.registry.phrases import phrases
from pipelines.units import in_small_letters

_PRECISION = re.compile(
    r"(?<![A-Za-z])(?:(?:NV|MX|c|BLOCK)?FP ?-?(?:4|6|8|16|32|64)|BF ?16|bfloat16|TF ?32|"
    r"(?:MX)?INT ?-?(?:4|8|16|32))(?!\d)",
    re.IGNORECASE,
)
_IN_WORDS = {"double": "fp64", "single": "fp32", "half": "fp16"}
_WORDED = re.compile(r"\b(double|single|half)[- ]precision", re.IGNORECASE)
_BY_RULE = {"HPL": "fp64", "HPL-MxP": "mixed"}  # what the rules of a benchmark ask for
_SPARSITY = re.compile(
    r"(?P<dense>\bdense\b|\b(?:without|no|non-?)\s?-?spars\w+|稠密)|(?P<sparse>\bspars\w+|2:4|稀疏)", re.IGNORECASE
)
_MEMORY = re.compile(
    r"(?<![A-Za-z])(?:HBM ?\d?[eE]?|GDDR\d?X?|LPDDR\d?[xX]?|SRAM|high[ -]bandwidth memory)(?![A-Za-z])", re.IGNORECASE
)
_MOST = re.compile(r"^\W*max(?:imum)?\b(?!\W*\d)|\((?:peak|max)", re.IGNORECASE)
_COUNTED_AS = {"die": "die", **dict.fromkeys(("package", "module", "superchip", "socket"), "package")}
_BENCHMARK = re.compile(r"\b(HPL-?MxP|HPL|Linpack|HPCG|MLPerf(?: Training| Inference)?|Rmax)\b", re.IGNORECASE)
_OF_MANY = frozenset({"rack", "system", "pod", "cluster", "domain"})
_LARGE_RACK = 40.0  # kW; no package draws as much
# registry's words for what a figure is per → the words of claims
_PER = {"accelerator": "gpu", "board": "board", "node": "node", "rack": "rack", "site": "cluster", "megawatt": "MW"}
_WHOLE_OF = {
    "accelerator": "gpu", "product": "gpu", "generation": "gpu", "cpu": "cpu", "network": "port", "memory": "stack"
}  # fmt: skip
_EACH = re.compile(r"^\W*(?:per|each|/)", re.IGNORECASE)
_PARTS = frozenset({"port", "stack", "die"})
_HOLDER = re.compile(r"\b[A-Z][\w-]*\d[\w-]* (?P<holder>node|server|rack|box|cabinet|blade)s?\b")
_OF_HOLDERS = frozenset({"compute", "power", "memory_capacity", "memory_bandwidth"})
_ENDS = frozenset(":=;.")
_BEHIND = 24  # characters behind a figure that may say what it is of
_LARGEST_NODE = 8  # accelerators
_LIKELY = 0.2  # chance from which another whole may be meant than the likeliest
_IN_ALL, _SAME_SIZE = (4, 8, 16, 72), 0.01  # accelerators in a machine, and how near a size of them all is
_RACKS = re.compile(r"nvl ?\d{2,3}|helios|rack|kyber|cloudmatrix|oberon", re.IGNORECASE)
_WHOLES = re.compile(r"\b(node|server|rack|gpu|chip|cluster|port)s?\b")
_BESIDE = ("before", "after", "row", "column", "band", "label", "corner")
_NEAREST = (
    "after", "before", "row", "column", "label", "band", "parent", "corner", "sentence", "intro", "heading",
)  # fmt: skip
_SAID_IN = ("after", "column", "row", "label", "before", "heading", "title", "parent", "band", "sentence")
_ZONES = (("after", 40), ("column", 90), ("row", 90), ("label", 90), ("band", 90), ("corner", 60))
PER = ("metric", "kind", "size", "source", "rack", "rule", "fits", "thing", "any", "per", "w", "b")  # kinds of clues
# what is told of the chances of what a figure is per
PER_MARKS = ("per_gpu", "per_many", "per_part", "per_fits", "per_most")
_MANY, _PART = ("node", "rack", "system", "pod", "cluster", "domain", "MW"), ("port", "stack", "die", "cpu", "user")
_ASKED_LEAST = 0.02  # chance from which it is asked whether a figure is believable so
# subject's kind and what it is per, of the ranges that a value may fit
_CLASSES = (("accelerator", "gpu"), ("system", "system"), ("system", "rack"), ("site", ""))


def qualifiers_of(proposal: Proposal) -> dict[str, str]:
    """The qualifiers of one reading, by name; empty ones are left out."""
    place = proposal.place
    heads = [place.zones.get(zone, "") for zone in ("column", "row")]
    is_most = proposal.metric != "compute" and any(map(_MOST.search, heads))  # an arithmetic rate is a peak anyway
    found: dict[str, str] = {"bound": place.figure.bound or ("max" if is_most else "")}
    if place.figure.value.is_approximate:
        found["approx"] = "true"
    for name in entry_of(proposal.metric).requires:
        if name in _PROPOSERS:
            found[name] = _PROPOSERS[name](proposal) or "unstated"
    if proposal.metric == "compute" and (benchmark := _first(_BENCHMARK, (_words(place),))):
        name = found["benchmark"] = "HPL" if benchmark.casefold() in ("linpack", "rmax") else benchmark
        if found["precision"] == "unstated":
            found["precision"] = _BY_RULE.get(name, "unstated")
    if proposal.metric == "accelerator_count":
        found["accelerator"] = counted_chip(proposal)
    return {name: word for name, word in found.items() if word}


def _words(place: Place) -> str:
    return " ".join(place.zones.get(zone, "") for zone in _BESIDE)


def _near(place: Place) -> tuple[str, ...]:
    """The zones around a value, nearest first."""
    return tuple(place.zones.get(zone, "") for zone in _NEAREST)


def _first(pattern: re.Pattern[str], zones: Sequence[str]) -> str:
    """The first that a pattern finds, '' where nothing."""
    return next((found[0] for words in zones if (found := pattern.search(words)) is not None), "")


def _precisions(words: str) -> list[list[str]]:
    """The number formats that words name, in order; those of one list ('FP8/INT8') stand together."""
    said = _WORDED.sub(lambda match: _IN_WORDS[in_small_letters(match[1])], words)
    runs: list[list[str]] = []
    last = 0
    for match in _PRECISION.finditer(said):
        name = match[0].casefold().removeprefix("block").replace("bfloat", "bf").replace(" ", "").replace("-", "")
        if runs and LISTED.fullmatch(said, last, match.start()) is not None:
            runs[-1].append(name)
        else:
            runs.append([name])
        last = match.end()
    return runs


def _precision(proposal: Proposal) -> str:
    place = proposal.place
    for words in (*own_words(place, _PRECISION), *_near(place)[2:9]):
        runs = _precisions(words)
        found = [name for run in runs for name in run]
        bits = {"".join(filter(str.isdecimal, name.replace("tf32", "19"))) for name in found}
        is_split = len(bits) > 1  # formats of as many bits share a rate
        if is_split and place.figure.value.place and len(found) >= place.figure.value.places:
            return found[place.figure.value.place - 1]
        if runs:
            return "/".join(sorted(set(runs[0])))
    return ""


def _sparsity(proposal: Proposal) -> str:
    value = proposal.place.figure.value
    for words in (*own_words(proposal.place, _SPARSITY), *_near(proposal.place)[2:8]):
        said = _sparsities(words)
        if said:
            return said[value.place - 1] if 0 < value.place <= value.places == len(said) else said[0]
    own = set(_precision(proposal).split("/"))
    beside = proposal.place.zones.get("sparse", "")
    is_told_apart = any(set(chain.from_iterable(_precisions(words))) <= own for words in beside.split("\n") if words)
    return "dense" if is_told_apart else "unstated"


def _sparsities(words: str) -> list[str]:
    """What words say of sparsity, in order."""
    return [str(found.lastgroup) for found in _SPARSITY.finditer(words)]


def says_sparse(words: str) -> bool:
    """Whether a label says that what it stands for is counted with sparsity."""
    return set(_sparsities(words)) == {"sparse"}


def per_by_words(proposal: Proposal) -> str:
    """What a figure is per where its unit says it, else by the kind of its subject."""
    place, candidate = proposal.place, proposal.candidate
    for word in place.figure.value.per:
        if word in _PER or word in ("port", "user", "pod", "domain", "cpu", "die", "stack"):
            return _PER.get(word, word)
    is_large = proposal.metric == "power" and proposal.value >= _LARGE_RACK
    if is_large and candidate.kind in ("accelerator", "generation") and "rack" in " ".join(_near(place)).casefold():
        return "rack"
    if candidate.kind in ("system", "site", "label"):
        return "rack" if is_rack(candidate.name) else "system"
    if proposal.metric in ("accelerator_count", "cpu_count"):
        return "superchip" if candidate.kind == "accelerator" else "system"
    return _WHOLE_OF.get(candidate.kind, "")


def is_rack(name: str) -> bool:
    """Whether a name is one of a whole rack."""
    return _RACKS.search(name) is not None


def _memory_type(proposal: Proposal) -> str:
    """The memory named nearest, by the fuller of two names ('HBM generation 2 (HBM2)'); not that of another size."""
    for words in (*own_words(proposal.place, _MEMORY), *_near(proposal.place)[2:6]):
        named = (match[0].replace(" ", "") for match in _MEMORY.finditer(words))
        found = ["HBM" if name[:4].lower() == "high" else name for name in named]
        if found:
            return next((name for name in found if name.startswith(found[0]) and name != found[0]), found[0])
    return ""


def _direction(place: Place) -> str:
    """Which way a rate goes, by the words behind it first: '1.8 TB/s bidirectional, 900 GB/s each way'."""
    zones = (place.zones["after"].partition(",")[0], _words(place))
    return next((way for words in zones for way in ("both-ways", "one-way") if phrases(way).are_in(words)), "")


_PROPOSERS: Mapping[str, Callable[[Proposal], str]] = {
    "precision": _precision, "sparsity": _sparsity, "baseline": baseline_of, "accelerator": counted_chip,
    "memory_type": _memory_type, "workload": workload_of,
    "direction": lambda p: _direction(p.place),
    "counted_as": lambda p: _COUNTED_AS.get(p.place.figure.value.thing, ""),
    "power_basis": lambda p: "tdp" if phrases("thermal_design").are_in(_words(p.place)) else "",
    "per": lambda p: p.per or per_by_words(p),
}  # fmt: skip


def is_asked(metric: str) -> bool:
    """Whether a figure of a metric must say what it is per."""
    return "per" in entry_of(metric).requires


def likeliest_per(proposal: Proposal, chances: Mapping[str, float]) -> str:
    """What a figure is per, by the chance of each; where the value is beyond belief for it, what else is likely.

    144 accelerators are no node's, though the name is one of a node; 300 PFLOP/s of a rack are no accelerator's; the
    TDP of a chip is no rack's. What ran on eight of them is of all eight.
    """
    many = proposal.candidate.marks.get("many", 0.0) if proposal.metric == "token_rate" else 0.0
    place, head = proposal.place, proposal.place.zones.get("column", "").casefold()
    is_said = place.figure.value.per or _EACH.search(place.zones["after"]) or _WHOLES.search(head)
    if many and not is_said and max(chances, key=chances.__getitem__) != "user":
        return "node" if many <= _LARGEST_NODE else "system"
    part = next((per for per in map(_part, place.figure.value.per) if per), "")
    if part:
        return part
    held = _holder(place)
    if held and proposal.metric in _OF_HOLDERS and not place.figure.value.per:
        return held
    barred = _OF_MANY if _is_tdp_of_chip(proposal) else frozenset[str]()
    likeliest = max(chances, key=chances.__getitem__)
    if likeliest not in barred and is_believable(proposal, likeliest):  # as nearly always
        return likeliest
    ranked = sorted(chances, key=lambda per: (per in barred, -chances[per]))
    least = 0.0 if _is_of_many(proposal) else _LIKELY
    likely = (ranked[0], *(per for per in ranked[1:] if chances[per] >= least), per_by_words(proposal))
    return next((per for per in likely if per not in barred and is_believable(proposal, per)), ranked[0])


def per_marks(proposal: Proposal) -> dict[str, float]:
    """How likely a figure is one accelerator's, that of many or of a part; how far it is believable; -1 if not asked.

    300 kW that are per rack by their words are hardly a chip's.
    """
    chances = proposal.chances
    if not chances:
        return dict.fromkeys(PER_MARKS, -1.0)
    likely = [(per, share) for per, share in chances.items() if share > _ASKED_LEAST]
    return {
        "per_gpu": chances.get("gpu", 0.0), "per_many": sum(chances.get(per, 0.0) for per in _MANY),
        "per_part": sum(chances.get(per, 0.0) for per in _PART), "per_most": max(chances.values()),
        "per_fits": sum(share for per, share in likely if is_believable(proposal, per)),
    }  # fmt: skip


def _part(word: str) -> str:
    """The part of an accelerator that 'per stack' or 'per link' means: what is said so is of no whole."""
    thing = load_lexicon().thing(word)
    return thing.per if thing is not None and thing.per in _PARTS else ""


def _holder(place: Place) -> str:
    """The whole whose figure it is: 'each H100 node has 2 TB', but not 'each H100 node has GPUs of 80 GB'."""
    holders = list(_HOLDER.finditer(place.zones["before"]))
    if not holders:
        return ""
    said, between = holders[-1], place.zones["before"][holders[-1].end() :]
    near = f"{between} {place.figure.value.counted} {place.zones['after'][:_BEHIND]}"
    thing = (
        load_lexicon().thing(said["holder"]) if _ENDS.isdisjoint(between) and not phrases("chip").are_in(near) else None
    )
    return "" if thing is None else thing.per


def _is_tdp_of_chip(proposal: Proposal) -> bool:
    is_power = proposal.metric == "power" and proposal.candidate.kind == "accelerator"
    return is_power and phrases("thermal_design").are_in(_words(proposal.place))


def is_believable(proposal: Proposal, per: str) -> bool:
    """Whether a reading's number is believable for its subject if it is per this."""
    if per in ("", "gpu", "die", "stack") and _is_of_many(proposal):
        return False
    return _is_plausible(proposal.metric, proposal.value, kind_by(proposal.candidate, per), per)


@lru_cache(maxsize=16384)
def _is_plausible(metric: str, value: float, owner: str, per: str) -> bool:
    return entry_of(metric).is_plausible(value, owner, per)


def _is_of_many(proposal: Proposal) -> bool:
    """Whether a memory is what a machine full of the accelerator has: 640 GB are of eight H100, and 80 of one."""
    return proposal.metric == "memory_capacity" and _is_size_of_many(proposal.candidate.subject_id, proposal.value)


@lru_cache(maxsize=4096)
def _is_size_of_many(subject_id: str, value: float) -> bool:
    alls = [count * size for size in load_registry().memory_sizes(subject_id) for count in _IN_ALL]
    return any(abs(value - size) <= _SAME_SIZE * size for size in alls)


def kind_by(candidate: Candidate, per: str) -> str:
    """The kind by which a value is believable: an unknown thing is what its figures are per."""
    if candidate.kind not in ("product", "label", "unknown"):
        return candidate.kind
    return "accelerator" if per in ("", "gpu", "die", "board") else "system"


def per_clues(proposal: Proposal) -> Iterator[tuple[str, ...]]:
    """What speaks of what one reading is per, alone and together with its metric and the kind of its subject.

    The clues come in groups, of which many are the same for other readings too.
    """
    place, metric, kind = proposal.place, proposal.metric, proposal.candidate.kind
    figure, value = place.figure.value, proposal.value
    said = frozenset[str]().union(*(_wholes_in(place.zones.get(zone, "")) for zone in _SAID_IN))
    size = math.floor(2 * math.log10(value)) if value > 0 else -9
    yield f"metric={metric}", f"kind={kind}", f"metric+kind={metric}|{kind}", f"size={metric}|{size}"
    yield (f"source={proposal.source.partition(' ')[0]}",)
    if is_rack(proposal.candidate.name):
        yield "rack", f"rack|{metric}"
    yield _fact_clues("rule", per_by_words(proposal), metric, kind)
    yield _fact_clues("fits", _fits(metric, value), metric, kind)
    yield _fact_clues("thing", figure.thing, metric, kind)
    for name, facts in (("any", sorted(said)), ("per", figure.per)):
        yield from (_fact_clues(name, fact, metric, kind) for fact in facts)
    for zone, length in _ZONES:
        if words := place.zones.get(zone):
            yield _word_clues(words[:length], metric)
    yield tuple([f"b:{word}" for word in words_of(place.zones["before"])[-5:]])


@lru_cache(maxsize=4096)
def _fact_clues(name: str, fact: str, metric: str, kind: str) -> tuple[str, ...]:
    clue = f"{name}={fact}"
    return clue, f"{clue}|{metric}", f"{clue}|{kind}", f"{clue}|{metric}|{kind}"


@lru_cache(maxsize=16384)
def _word_clues(text: str, metric: str) -> tuple[str, ...]:
    return tuple([clue for word in words_of(text) for clue in (f"w:{word}", f"w:{metric}|{word}")])


@lru_cache(maxsize=16384)
def _wholes_in(text: str) -> frozenset[str]:
    return frozenset(_WHOLES.findall(text.casefold()))


@lru_cache(maxsize=4096)
def _fits(metric: str, value: float) -> str:
    """Which classes a value is believable for, a digit each."""
    return "".join(str(int(_is_plausible(metric, value, owner, per))) for owner, per in _CLASSES)
