"""Qualifiers of a figure: precision, sparsity, per, memory type, direction, bound, counting and the rest. Pure."""

from __future__ import annotations

import re
from itertools import pairwise

from pipelines.extract import cues
from pipelines.extract.place import Place
from pipelines.extract.subjects import Mention

_SPARSE = re.compile(r"\b(?:with (?:structured |2:4 |4:2 )?sparsity|sparse|w/ sparsity|sparsity)\b", re.IGNORECASE)
_DENSE = re.compile(r"\b(?:dense|without sparsity|no sparsity|non-sparse)\b", re.IGNORECASE)
_BOTH_WAYS = re.compile(
    r"\b(?:bi-?directional(?:ly)?|both (?:ways|directions)|duplex|total bandwidth)\b", re.IGNORECASE
)
_ONE_WAY = re.compile(
    r"\b(?:uni-?directional(?:ly)?|one[- ]way|per direction|each (?:way|direction)|in each direction)\b", re.IGNORECASE
)
_PER = (
    (
        "gpu",
        r"GPUs?|chips?|accelerators?|TPUs?|XPUs?|NPUs?|OAM|packages?|devices?|cards?|ASIC|"
        r"graphics process(?:ing unit|or)s?",
    ),
    ("superchip", r"superchips?|modules?"),
    ("die", r"dies?|chiplets?"),
    ("board", r"boards?|baseboards?"),
    ("rack", r"racks?|cabinets?|NVL\d+"),
    ("node", r"nodes?|trays?|blades?|boxe?s?"),
    ("system", r"servers?|systems?|instances?|UltraServers?|units?|supercomputer"),
    ("pod", r"pods?|superpods?"),
    ("domain", r"domains?"),
    ("port", r"ports?|links?|NICs?|transceivers?"),
    ("power shelf", r"power shel(?:f|ves)"),
    ("user", r"users?"),
    ("MW", r"MW|megawatts?"),
    ("cpu", r"CPUs?|sockets?|processors?"),
    ("cluster", r"clusters?|sites?|campus"),
)
_PER_WORDS = tuple((name, re.compile(rf"^(?:[\w-]+\s)*(?:{words})$", re.IGNORECASE)) for name, words in _PER)
_PER_BEFORE = re.compile(
    r"(?:\b(?:(?:per|each|every)[ -]|a single\s|(?:an?|the)\s(?:full|whole|entire|largest)\s)|\d-(?:chip|"
    r"GPU|accelerator)\s)(?:[\w-]+\s){0,3}?(?P<what>GPU|chip|accelerator|die|rack|node|"
    r"server|package|TPU|pod|superchip|cabinet|UltraServer|module|tray|blade)\b(?!\s(?:v?\d\w*\s)?(?:super)?pod)",
    re.IGNORECASE,
)
_HOLDER_BEFORE = re.compile(
    r"\b(?:each|every|per)\s(?:[\w-]+\s){0,3}?"
    r"(?P<what>node|server|rack|cabinet|pod|UltraServer|system|unit|tray|blade|baseboard|superchip|module)s?\b",
    re.IGNORECASE,
)
# 'a superpod connects 9,600 chips and reaches 121 exaflops'
_A_WHOLE = re.compile(
    r"(?:\b(?:an?|one|the)\s(?:full\s)?|^\W*)(?P<what>superpods?|pods?|racks?|UltraServers?|node|server)\s"
    r"(?:scale|connect|hold|reach|connects|holds|houses|has|contains|reaches|delivers|provides|offers|packs|scales|totals)\b",
    re.IGNORECASE,
)
_IS_OF_WHOLE = re.compile(r"\s(?P<what>pod|superpod|rack|node|server)\b")  # 'a 256-chip pod'
_LEAST_OF_RACK = 40  # kW; no single package draws as much
_FASTEST_PORT = 3.2  # Tb/s
_MATRIX = re.compile(r"\b(?:tensor cores?|matrix|vector)\b", re.IGNORECASE)
_BENCHMARKS = re.compile(r"\b(?:HPL|Linpack|LINPACK|HPCG|MLPerf(?: Training| Inference)?(?: v?\d\.\d)?)\b")
_WHOLE_OF = {
    "accelerator": "gpu",
    "product": "gpu",
    "generation": "gpu",
    "cpu": "cpu",
    "site": "system",
    "network": "port",
}


def qualifiers_of(metric: str, place: Place, subject: Mention, content: Mention | None) -> dict[str, str]:
    """What the words say beside the value; what must be stated and is not is marked 'unstated'."""
    quantity = place.quantity
    found: dict[str, str] = {}
    if quantity.bound:
        found["bound"] = quantity.bound
    if quantity.is_approximate:
        found["approx"] = "true"
    reader = _READERS.get(metric)
    if reader is not None:
        reader(found, place, subject)
    if content is not None and metric in ("accelerator_count", "cluster_size", "units_shipped"):
        found["accelerator"] = content.name
    if metric in ("accelerator_count", "scale_up_domain_size", "units_shipped"):
        noun = quantity.noun.casefold()
        found["counted_as"] = (
            "dies"
            if re.search(r"\bdies?\b", noun)
            else "packages"
            if re.search(r"package|superchip|module|socket|device", noun)
            else "unstated"
        )
    return found


def per_of(metric: str, place: Place, subject: Mention) -> str:
    """What a figure is per: as said, else what the subject is."""
    quantity = place.quantity
    said = per_word(quantity.per)
    if said:
        return said
    if quantity.per.casefold() in ("each", "apiece") and quantity.per:
        noun = next((q for q in reversed(place.others) if q.at.end <= quantity.at.start and q.noun_class), None)
        word = {"accelerator": "gpu", "chip": "gpu", "node": "node", "rack": "rack"}.get(
            noun.noun_class if noun else "", ""
        )
        if word:
            return word
    shelf = f"{place.near_before[-30:]} {place.setting.label}"
    if metric == "power" and re.search(r"\bshel(?:f|ves)\b", shelf) and "total" not in place.near_after:
        return "power shelf"
    first = _PER_BEFORE.match(place.before.lstrip(' *•-"“'))
    before = list(_PER_BEFORE.finditer(place.before[-70:])) or ([first] if first is not None else [])
    after = re.search(r"\bper (?P<what>rack|GPU|chip|node|pod)\b", place.near_after, re.IGNORECASE)
    above = _PER_BEFORE.search(place.setting.intro[-80:]) if place.setting.intro else None
    is_chip = subject.kind in ("accelerator", "product")
    for match in (before[-1] if before else None, after, above):
        word = per_word(match["what"]) if match is not None else ""
        if word and not (match is above and is_chip and word not in ("gpu", "die")):
            return "rack" if word == "system" and default_per(subject) == "rack" else word
    whole = list(_A_WHOLE.finditer(place.before))
    if whole and metric in ("compute", "memory_capacity", "memory_bandwidth", "power") and is_chip:
        return per_word(whole[-1]["what"])
    if re.search(r"\bsuperchip\b", place.near_after[:40], re.IGNORECASE):
        return "superchip"
    is_large = metric == "power" and quantity.unit == "kW" and quantity.low >= _LEAST_OF_RACK
    if (
        is_large
        and subject.kind in ("accelerator", "generation")
        and subject in place.mentions
        and "rack" in place.words
    ):
        return "rack"
    if metric == "power" and re.search(r"\bracks?\b", place.near_before[-30:] + place.near_after[:24]):
        return "rack"
    return default_per(subject)


def default_per(subject: Mention) -> str:
    """What a figure about a subject is per when nothing else is said."""
    name = subject.name.casefold()
    if "superchip" in name:
        return "superchip"
    if name.endswith(" pod") or "superpod" in name:
        return "pod"
    if subject.kind == "system":
        return "rack" if re.search(r"nvl ?\d{2,3}|helios|rack|kyber|cloudmatrix|oberon", name) else "system"
    return _WHOLE_OF.get(subject.kind, "")


def per_word(words: str) -> str:
    """The one word for what a figure is per, '' when the words name nothing known."""
    return next((name for name, pattern in _PER_WORDS if pattern.match(words.strip())), "") if words else ""


def precision_of(place: Place) -> str:
    """The number formats a figure holds for, joined by '/', lower case."""
    quantity = place.quantity
    own = place.text[quantity.digits.end : quantity.at.end]
    for words in (own, _until_clause(place.near_after), place.near_before[-44:], place.setting.label):
        found = list(cues.PRECISION.finditer(words))
        if not found:
            continue
        names = [_clean(match["one"]) for match in found]
        if quantity.place:
            return names[quantity.place - 1] if len(names) >= quantity.place else names[-1]
        if words is not own and words is not place.setting.label:
            names = _together(found, words)
        return "/".join(dict.fromkeys(names))
    width = cues.WIDTH.match(place.after)
    if width is not None:
        return f"fp{width['bits']}"
    earlier = [q for q in place.others if q.dimension == "flops" and q.at.end <= quantity.at.start]
    found = list(cues.PRECISION.finditer(place.before)) if not earlier else []
    return _clean(found[-1]["one"]) if len(found) == 1 else ""


def _until_clause(words: str) -> str:
    cut = re.search(r"\b(?:and \d|while|compared|than|vs|versus)\b", words)
    return words[: cut.start()] if cut is not None else words


def _together(found: list[re.Match[str]], words: str) -> list[str]:
    """Formats joined by '/', 'and' or a comma hold for one figure; others do not."""
    names = [_clean(found[0]["one"])]
    for one, two in pairwise(found):
        if re.fullmatch(r"\s?(?:/|and|&|,|or)\s?", words[one.end() : two.start()]) is None:
            break
        names.append(_clean(two["one"]))
    return names


def _clean(word: str) -> str:
    return re.sub(r"[ -]", "", word).casefold().replace("bfloat16", "bf16")


def sparsity_of(place: Place) -> str:
    """'dense', 'sparse' or 'unstated'."""
    own = place.text[place.quantity.at.start : place.quantity.at.end] + place.near_after
    if place.quantity.place:
        formats = list(cues.PRECISION.finditer(own))
        index = min(place.quantity.place, len(formats)) - 1
        own = own[formats[index].start() : formats[index].end()] if formats else own
    earlier = any(q.dimension == "flops" and q.at.end <= place.quantity.at.start for q in place.others)
    for words in (own, place.near_before[-60:] if earlier else place.before[-80:]):
        if _DENSE.search(words) is not None:
            return "dense"
        if _SPARSE.search(words) is not None:
            return "sparse"
    return "unstated"


def _compute(found: dict[str, str], place: Place, subject: Mention) -> None:
    precision = precision_of(place)
    is_theory = re.search(r"\b(?:theoretical|peak)\b", place.near_before + place.near_after[:24], re.IGNORECASE)
    benchmark = _BENCHMARKS.search(place.words) if is_theory is None else None
    if benchmark is not None and "MLPerf" not in benchmark[0]:
        found["benchmark"] = "HPL" if benchmark[0].casefold() in ("hpl", "linpack") else benchmark[0]
        precision = precision or "fp64"
    found["precision"] = precision or "unstated"
    found["sparsity"] = sparsity_of(place)
    found["per"] = per_of("compute", place, subject) or "unstated"
    unit = _MATRIX.search(place.near_after)
    if unit is not None:
        found["unit_kind"] = "vector" if unit[0].casefold() == "vector" else "matrix"


def _memory(found: dict[str, str], place: Place, subject: Mention) -> None:
    own = place.text[place.quantity.digits.end : place.quantity.at.end]
    for words in (own + place.near_after, place.near_before[-30:], place.setting.label, *place.setting.parents):
        kind = cues.MEMORY_TYPE.search(words)
        if kind is not None:
            found["memory_type"] = kind[1].replace(" ", "")
            break
    found.setdefault("memory_type", "unstated")
    found["per"] = per_of("memory_capacity", place, subject) or "unstated"
    if re.search(r"^\s?(?:of )?CPU memory", place.near_after):
        found["memory_kind"], found["per"] = "CPU", "superchip"
    if (
        re.search(r"\b(?:memory domain|rack|aggregate|shared memory)\b", place.near_after)
        and subject.kind != "accelerator"
    ):
        found["per"] = found["per"] if found["per"] in ("gpu", "rack", "system") else "domain"


def _memory_bandwidth(found: dict[str, str], place: Place, subject: Mention) -> None:
    found["per"] = per_of("memory_bandwidth", place, subject) or "unstated"


def _scale_up(found: dict[str, str], place: Place, subject: Mention) -> None:
    words = f"{place.near_before[-40:]} {place.near_after}"
    found["direction"] = (
        "both-ways" if _BOTH_WAYS.search(words) else "one-way" if _ONE_WAY.search(words) else "unstated"
    )
    if place.quantity.per == "" and place.quantity.unit in ("TB/s", "PB/s") and place.quantity.low >= 40:
        found["per"] = "domain"
    elif re.match(r"\slinks?\b", place.near_after):
        found["per"] = "port"
    else:
        said = per_of("scale_up_bandwidth", place, subject)
        found["per"] = said if place.quantity.per or said not in ("rack", "system", "port") else "gpu"


def _scale_out(found: dict[str, str], place: Place, subject: Mention) -> None:
    said = per_word(place.quantity.per)
    is_port = subject.kind == "network" or re.search(
        r"\b(?:NICs?|DPUs?|ports?|CX|ConnectX|Ethernet|InfiniBand|GbE)",
        f"{place.near_before[-30:]}{place.near_after}{place.text[place.quantity.digits.end : place.quantity.at.end]}",
        re.IGNORECASE,
    )
    is_whole = place.quantity.unit in ("TB/s", "PB/s") or (
        place.quantity.unit == "Tb/s" and place.quantity.low > _FASTEST_PORT
    )  # a whole switch or rack: no port of today carries as much
    whole = "system" if subject.kind == "network" else default_per(subject)
    found["per"] = "port" if is_port and not is_whole else said or whole or "unstated"


def _with_per(found: dict[str, str], place: Place, subject: Mention) -> None:
    found["per"] = per_of("", place, subject) or "unstated"


def _ports(found: dict[str, str], place: Place, subject: Mention) -> None:
    found["per"] = per_word(place.quantity.per) or "unstated"


def _power(found: dict[str, str], place: Place, subject: Mention) -> None:
    found["per"] = per_of("power", place, subject) or "unstated"
    if re.search(r"\bTDP|TBP|TGP\b", place.near):
        found["power_basis"] = "tdp"


def _count(found: dict[str, str], place: Place, subject: Mention) -> None:
    said = per_word(place.quantity.per)
    befores = list(_HOLDER_BEFORE.finditer(place.before))
    before = befores[-1] if befores else None
    after = re.search(
        r"\b(?:per|in (?:a|each|one)(?: single)?)\s(?P<what>node|server|rack|cabinet|pod|UltraServer|system|box)\b",
        place.near_after,
        re.IGNORECASE,
    )
    whole = _IS_OF_WHOLE.match(place.near_after)
    holder_said = list(_A_WHOLE.finditer(place.before)) if subject.kind == "accelerator" else []
    said_before = holder_said[-1] if holder_said else before
    word = next((per_word(m["what"]) for m in (whole, after, said_before) if m is not None), "")
    if not word and place.quantity.per == "each":
        holder = next((q for q in reversed(place.others) if q.at.end <= place.quantity.at.start and q.noun_class), None)
        word = {"node": "node", "rack": "rack"}.get(holder.noun_class, "") if holder is not None else ""
    if said in ("node", "rack", "pod", "system", "domain", "superchip", "board"):
        word = said
    if word == "system" and default_per(subject) == "rack":
        word = "rack"  # 'each unit' of a rack is the rack
    found["per"] = word or default_per(subject) if subject.kind != "accelerator" or word else "superchip"


_READERS = {
    "compute": _compute,
    "memory_capacity": _memory,
    "memory_bandwidth": _memory_bandwidth,
    "scale_up_bandwidth": _scale_up,
    "scale_out_bandwidth": _scale_out,
    "power": _power,
    "accelerator_count": _count,
    "cpu_count": _count,
    "port_count": _ports,
    "price": _with_per,
    "token_rate": _with_per,
    "gpu_hour_price": _with_per,
}
