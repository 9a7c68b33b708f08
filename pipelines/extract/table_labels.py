"""What the labels of a table say: topic, unit, precision, sparsity and what a figure is per. Pure; words of the field.

A topic is wider than a metric: under 'Memory', a figure in GB is a capacity and one in TB/s a bandwidth.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pipelines.extract import cues
from pipelines.extract.qualify import per_word
from pipelines.extract.table_topics import NOT_A_METRIC, TOPICS
from pipelines.extract.unit_words import UnitWord, unit_at


@dataclass(frozen=True, slots=True)
class Label:
    """What the labels of one row or column say together; empty fields where they say nothing."""

    text: str
    topic: str = ""  # '' unknown, 'none' something that is no metric here
    unit: UnitWord | None = None
    factor: float = 1.0  # 'in millions'
    precision: tuple[str, ...] = ()
    sparsity: tuple[str, ...] = ()  # several: in the order of 'dense / sparse' pairs
    per: str = ""
    memory_type: str = ""
    direction: str = ""
    is_ratio: bool = False


_RATIO = re.compile(
    r"\b(?:improvement|speed-?ups?|uplift|gain|vs\.?|versus|relative|compared (?:to|with)|ratio|increase|factor|delta|"
    r"multiplier)\b",
    re.IGNORECASE,
)
_BY_YEAR = frozenset({"capex", "revenue", "units_shipped"})
_AS_METRIC = {"hpl": "compute"}
_SPARSE = re.compile(r"\b(?:w/ ?|with )?(?:\d:\d )?(?:structured )?spars(?:e|ity)\b", re.IGNORECASE)
_DENSE = re.compile(
    r"\bdense\b|\b(?:without|w/o|no|excluding|before) (?:\d:\d )?(?:structured )?sparsity\b|\bnon-sparse\b",
    re.IGNORECASE,
)
_PER = re.compile(
    r"(?:\bper[ -]|/ ?|\beach |\bsingle[ -])(?P<what>GPU|chip|accelerator|device|die|rack|node|server|package|TPU|NPU|"
    r"pod|superpod|superchip|cabinet|UltraServer|module|port|link|NIC|card|board|tray|system|instance|domain|user|MW|socket|CPU|OAM)s?\b",
    re.IGNORECASE,
)
_WHOSE = re.compile(
    r"\b(?P<what>rack|node|server|chip|GPU|board|system|module|package|pod|superpod|cabinet)s?[ -]"
    r"(?:(?:max |peak |total )?(?:power|TDP|weight|price|cost|draw)|size|level)\b",
    re.IGNORECASE,
)
_AGGREGATE = re.compile(r"\b(?:aggregate|total|full[- ](?:rack|system|pod)|combined|system[- ]level)\b", re.IGNORECASE)
_SCALE = re.compile(
    r"\b(?P<word>thousands?|millions?|billions?|trillions?|mn|bn)\b|\$ ?(?P<letter>[KMB])\b|\(\$?(?P<alone>[MBK])\)",
    re.IGNORECASE,
)
_FACTORS = {"t": 1e3, "k": 1e3, "m": 1e6, "b": 1e9}
_BOTH_WAYS = re.compile(r"\b(?:bi-?dir(?:ectional)?|both directions|total bidirectional)\b", re.IGNORECASE)
_ONE_WAY = re.compile(r"\b(?:uni-?dir(?:ectional)?|one[- ]way|per direction|each direction)\b", re.IGNORECASE)
_LETTERS_ONLY_IN_BRACKETS = frozenset({"W", "G", "T", "m", "s", "h", "A", "V", "t", "B"})
_WORD = re.compile(r"(?<![A-Za-z])[A-Za-z$%µ]")
_DOLLAR = re.compile(r"(?:US)?\$|\bUSD\b|\bdollars\b")


def read_label(own: Sequence[str], around: Sequence[str] = ()) -> Label:
    """The reading of a row's or column's labels; `around` are section rows, caption and headings, nearest first.

    The own labels decide the topic; what stands around helps where they say only half ('Capacity' under 'HBM').
    """
    text = " ".join(" ".join(part.split()) for part in own if part.strip())
    near = " | ".join((text, *around[:1]))
    unit = next(iter(_units(text)), None)
    return Label(
        text=text,
        topic=_topic_of(text, around),
        unit=unit,
        factor=_factor(text),
        precision=tuple(dict.fromkeys(clean_precision(m["one"]) for m in cues.PRECISION.finditer(text))),
        sparsity=sparsity_words(text),
        per=_per(text) or _per(around[0] if around else ""),
        memory_type=memory_type(near),
        direction=_direction(text),
        is_ratio=_RATIO.search(text) is not None,
    )


def topic_above(zones: Sequence[str]) -> str:
    """The topic that the words above a table name, of those that are given by year: spending, sales, shipments."""
    found = (_first_topic(zone) for zone in zones)
    return next((topic for topic in found if topic in _BY_YEAR), "")


def topic_metric(topic: str) -> str:
    """The metric of a topic that is one by itself."""
    return _AS_METRIC.get(topic, topic)


def memory_type(text: str) -> str:
    """The kind of memory that words name, as printed: 'HBM3e'."""
    found = cues.MEMORY_TYPE.search(text)
    return "" if found is None else found[1].replace(" ", "")


def clean_precision(word: str) -> str:
    """A number format in lower case without spaces or hyphens."""
    return re.sub(r"[ -]", "", word).casefold().replace("bfloat16", "bf16")


def sparsity_words(text: str) -> tuple[str, ...]:
    """'dense' and 'sparse' in the order in which a label names them."""
    found = [(match.start(), "dense") for match in _DENSE.finditer(text)]
    rest = _DENSE.sub(lambda match: " " * len(match[0]), text)
    found += [(match.start(), "sparse") for match in _SPARSE.finditer(rest)]
    return tuple(dict.fromkeys(word for _, word in sorted(found)))


def rate_unit(text: str) -> UnitWord | None:
    """The unit of arithmetic that words above a table give for its bare numbers: 'peak rates in TFLOPS'."""
    return next((unit for unit in _units(text) if unit.dimension == "flops"), None)


def _topic_of(text: str, around: Sequence[str]) -> str:
    if not text:
        return ""
    if NOT_A_METRIC.search(text) is not None and not _is_memory_of_superchip(text):
        return "none"
    found = _first_topic(text)
    if found in ("memory", "scale_up", "compute", "") and _RATE_ONLY.fullmatch(text.strip()) is not None:
        above = next((_WITH_RATE[topic] for part in around if (topic := _first_topic(part)) in _WITH_RATE), found)
        found = above or "memory_bandwidth"
    if found == "" and cues.PRECISION.search(text) is not None:
        return "compute"
    if found == "memory" and _is_rate(text) and _BOTH.search(text) is None:
        return "memory_bandwidth"
    if found == "configuration" and (_units_are(text, ("flops",)) or cues.PRECISION.search(text) is not None):
        return "compute"
    if found in ("accelerator_count", "cpu_count") and _units_are(text, ("power",)):
        return "power"
    if cues.PRECISION.search(text) is not None and found not in ("hpl", "price", "token_rate", "train_time"):
        return "compute"
    return found


_BOTH = re.compile(r"(?:\||/|,|&|\+|\band\b|\bwith\b) ?(?:memory )?(?:bandwidth|BW)\b", re.IGNORECASE)
_RATE_ONLY = re.compile(r"(?:peak |total |aggregate |max(?:imum)? )?(?:bandwidth|BW)(?: ?[(\[].*[)\]])?", re.IGNORECASE)
_WITH_RATE = {
    "memory": "memory_bandwidth",
    "memory_bandwidth": "memory_bandwidth",
    "scale_up": "scale_up",
    "scale_out": "scale_out",
}


def _first_topic(text: str) -> str:
    return next((name for name, words in TOPICS if words.search(text) is not None), "")


def _is_memory_of_superchip(text: str) -> bool:
    return re.search(r"\bLPDDR", text, re.IGNORECASE) is not None


def _is_rate(text: str) -> bool:
    return re.search(r"\b(?:bandwidth|BW)\b", text, re.IGNORECASE) is not None or _units_are(text, ("byte_rate",))


def _units_are(text: str, dimensions: Sequence[str]) -> bool:
    return any(unit.dimension in dimensions for unit in _units(text))


def _units(text: str) -> Iterator[UnitWord]:
    """The units that a label names, those in brackets first."""
    brackets = [(match.start() + 1, match.end() - 1) for match in re.finditer(r"[(\[][^()\[\]]*[)\]]", text)]
    in_brackets, outside = [], []
    for match in _WORD.finditer(text):
        read = unit_at(f" {text[match.start() :]}", 0)
        if read is None:
            continue
        unit, end = read
        word = text[match.start() : match.start() + end - 1]
        inside = any(start <= match.start() < stop for start, stop in brackets)
        if inside:
            in_brackets.append(unit)
        elif word not in _LETTERS_ONLY_IN_BRACKETS and unit.dimension not in ("ratio", "time"):
            outside.append(unit)
    if _DOLLAR.search(text) is not None:
        outside.append(UnitWord("USD", "money"))
    yield from in_brackets
    yield from outside


def _factor(text: str) -> float:
    match = _SCALE.search(text)
    if match is None:
        return 1.0
    word = (match["word"] or match["letter"] or match["alone"] or "").casefold()
    return 1e12 if word.startswith("trill") else _FACTORS[word[0]]


def _per(text: str) -> str:
    match = _PER.search(text) or _WHOSE.search(text)
    if match is not None:
        return per_word(match["what"])
    return "total" if _AGGREGATE.search(text) is not None else ""


def _direction(text: str) -> str:
    if _BOTH_WAYS.search(text) is not None:
        return "both-ways"
    return "one-way" if _ONE_WAY.search(text) is not None else ""
