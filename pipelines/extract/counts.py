"""Which metric a count is: accelerators of a machine, of a domain, of a fleet; dies, ports, parts, failures. Pure."""

from __future__ import annotations

import re

from pipelines.extract.place import Place
from pipelines.extract.quantities import Quantity
from pipelines.extract.subjects import Mention

_DOMAIN = re.compile(
    r"\b(?:scale-?up (?:domain|world|configuration|network)|NVLink (?:domain|network|fabric|"
    r"world)|single (?:NVLink|scale-up)|(?:NVLink|scale-up) domains|"
    r"(?:as|into|in) (?:a|one) single(?!\s(?:[\w-]+\s){0,2}(?:racks?|fabric|clusters?|cabinet|site|"
    r"building|campus|board|data))|"
    r"scale[- ]?up cluster|act(?:s|ing)? as (?:a|one)|UALink|"
    r"shared[- ]memory architecture|(?:via|using|over) NV-?[Ll]ink|"
    r"ICI scales|connect(?:ing|s)? up to|all-to-all|coherent)\b",
    re.IGNORECASE,
)
_SHIPPED = re.compile(
    r"\b(?:ship(?:s|ped|ping|ments?)?|sold|sell(?:s|ing)?|deliver(?:ed|ies)|per (?:week|month|"
    r"quarter|year)|units|orders?|forecasts?|"
    r"deploying nearly|produc(?:e|ed|ing))\b",
    re.IGNORECASE,
)
_FLEET = re.compile(
    r"\b(?:cluster|deploy\w*|train(?:ed|ing)? (?:on|across|over|with|using)|fleet|operat\w+|buil(?:d|t|"
    r"ding)|purchas\w+|"
    r"order\w*|bought|buy(?:ing|s)?|install\w*|"
    r"campus|uses?|access to|data ?cent(?:er|re)s?|rent\w*|own(?:s|ed)?|expand\w*|supercomputer|run(?:s|ning)? on|"
    r"using|users? with|house[sd]?|equivalents?|"
    r"acquire\w*|secur(?:e|ed|ing)|stitch(?:es|ing|ed)|commit(?:s|ted|ting|ments?)? (?:to|for))\b",
    re.IGNORECASE,
)
_CONTAINS = re.compile(
    r"\b(?:ha(?:s|ve)|with|contain(?:s|ing)?|includ(?:es|ing)|features?|featuring|pack(?:s|ing)?|"
    r"hous(?:es|ing)|compris(?:es|ed|ing)|"
    r"consist(?:s|ing)? of|equipped with|integrat(?:es|ing)|combin(?:es|ing)|connect(?:s|ing|ed)?|"
    r"unit(?:es|ing)|links?|"
    r"configured with|pairs?|holds?|total of|find|scal(?:es?|ed|ing) (?:up )?to|grows? to|provid(?:es|ing)|"
    r"offers?|offering|"
    r"supports?|accommodates?|employ(?:s|ing)?|utili[sz](?:es|ing)|"
    r"made up of|built (?:with|from)|delivers?|uses?|using|limited to|resulting in|deployment of|"
    r"total(?:l?ing)?(?: of)?|spread across|group(?:s|ed|ing)?|each|per)\b",
    re.IGNORECASE,
)
_PER_MACHINE = re.compile(
    r"\b(?:pods?|superpods?|racks?|cabinets?|nodes?|servers?|systems?|boxe?s?|baseboards?|trays?|"
    r"blades?|boards?|UltraServers?|"
    r"instances?|domains?|clusters?|superchips?|configuration)\b",
    re.IGNORECASE,
)
_A_MACHINE_HAS = re.compile(
    r"^\W*(?:[Ss]uperpods|[Pp]ods|[Rr]acks|UltraServers)\s[a-z]+\s(?:up\s)?(?:to\s)?$|"
    r"\b(?:[Ee]ach|[Ee]very)\s(?:\w+\s)?(?:rack|pod|superpod|UltraServer|cabinet)\b[^,;]{0,48}$|"
    r"\b(?:[Aa]n?|[Oo]ne|[Tt]he)\s(?:full\s)?(?:superpod|pod|rack|UltraServer)\s(?:can\s|will\s)?[a-z]+\s(?:up\sto\s)?$"
)
_IN_ONE = re.compile(r"\s(?:in|per) (?:an?|one|each|a single) (?:racks?|pods?|systems?|cabinets?)\b")
_BENCHED = re.compile(
    r"\b(?:MLPerf|submission|benchmark(?: configuration|ed)?|baseline|would be|simulat\w+|"
    r"projected (?:performance|speed|time)|vs\.?|scaled (?:over|to)|"
    r"compared (?:to|with))\b",
    re.IGNORECASE,
)
# A benchmark's run, not a machine.
_RUN = re.compile(r"\bMLPerf\b|\bminutes?\b|[-‑ ](?:GPU|chip) run\b|\btime[- ]to[- ]train\b", re.IGNORECASE)
_IN_NODE = re.compile(
    r"\b(?:each|every|per)\s(?:[\w-]+\s){0,3}(?:node|server|tray|blade|board|instance)\b", re.IGNORECASE
)
_PER_PIECE = re.compile(r"(?:\w+ )?(?:packages?|dies?|chips?|devices?|sockets?)", re.IGNORECASE)
_PER_NODE = re.compile(r"(?:node|server|tray|blade|instance)s?", re.IGNORECASE)
_MOST_ON_A_BOARD, _SMALLEST_FLEET = 8, 256
_HOLDS = re.compile(
    r"\b(?:pairs?|pairing|combin\w+|contain\w*|integrat\w+|has|have|with|includ\w+|hous\w+|"
    r"features?|each|comprises?)\s(?:[\w-]+\s){0,5}$",
    re.IGNORECASE,
)
_IN_DEVICES = re.compile(
    r"\b(?:devices|packages|chips|modules|superchips)\s(?:containing|with|of|having)\s*$", re.IGNORECASE
)
_SUPERCHIP = re.compile(r"\bG[BH]\d|[Ss]uperchip|MI300A|Vera Rubin$")
_STANDARD = re.compile(r"UALink|NVLink Fusion|ESUN")
_DIES = re.compile(
    r"\b(?:compute|GPU|reticle[\w-]*|dual|single|two|four|large|identical|silicon|dies|chiplets?)\b", re.IGNORECASE
)
_NOT_DIES = re.compile(
    r"\b(?:HBM|memory|I/?O|base|network|SoC|stacks?)\s(?:dies?|chiplets?)|mm|cost|yield", re.IGNORECASE
)
_FAILED = re.compile(
    r"\b(?:experienced|observed|counted|noted|logged|explicit|identified|had|recorded|saw|suffered|encountered|reported|hardware|unexpected)\b",
    re.IGNORECASE,
)


def metric_of_count(place: Place, owner: Mention | None) -> str:
    """The metric of a count, given whom it seems to be about; '' when it is none or not clear."""
    reader = _READERS.get(place.quantity.noun_class)
    if place.quantity.low <= 0 or reader is None:
        return ""
    return reader(place, owner)


def _accelerators(place: Place, owner: Mention | None) -> str:
    quantity = place.quantity
    if re.search(r"\bseparate\b", quantity.noun) is not None:
        return ""  # 'eight dies as eight separate GPUs': counted otherwise before
    if _is_gcds(quantity, owner):
        return "die_count"
    if _is_no_machine_count(place, owner):
        return ""
    if re.match(r"\s(?:\w+\s)?(?:super)?clusters?\b", place.after) and quantity.low >= _SMALLEST_FLEET:
        return "cluster_size" if owner is not None else ""
    is_in_node = _PER_NODE.fullmatch(quantity.per) is not None or _IN_NODE.search(place.before[-160:]) is not None
    if quantity.low >= 4 and not is_in_node and _DOMAIN.search(f"{place.before[-60:]} {place.after[:56]}") is not None:
        return "scale_up_domain_size"
    if owner is None or owner.kind == "network":
        return ""
    if _SHIPPED.search(f"{place.near_before[-70:]} {place.near_after[:70]}") is not None and owner.kind != "site":
        return "units_shipped" if quantity.low >= 100 else ""
    is_of_machine = (
        _PER_MACHINE.search(f"{quantity.per} {place.near_after[:40]}") is not None
        or _A_MACHINE_HAS.search(place.before) is not None
    )
    is_run = _BENCHED.search(_around(place)) is not None and _PER_MACHINE.search(quantity.per) is None
    if is_run or (_RUN.search(place.words) is not None and not is_of_machine):
        return ""
    return _of_owner(place, owner, is_of_machine)


def _is_no_machine_count(place: Place, owner: Mention | None) -> bool:
    quantity = place.quantity
    at = quantity.at.end
    if place.before.endswith("leaving ") or re.match(r"\s(?:jobs?|runs?|workloads?|training)\b", place.after):
        return True
    if "-" in place.text[quantity.digits.end : quantity.digits.end + 1] and any(
        m.kind == "accelerator" and m.start - at == 1 for m in place.mentions
    ):
        return True  # 'an eight-GPU H100 server'
    is_few = (
        quantity.low <= 1
        or _PER_PIECE.fullmatch(quantity.per) is not None
        or ("gcd" in quantity.noun.casefold() and quantity.low <= 2)
    )
    is_link = owner is not None and owner.kind == "network" and _STANDARD.search(owner.name) is None
    is_other = re.search(r"\bother\b", quantity.noun) is not None or _IN_DEVICES.search(place.before) is not None
    return is_few or is_link or is_other


def _is_gcds(quantity: Quantity, owner: Mention | None) -> bool:
    """The two graphics compute dies of one package."""
    is_few = 2 <= quantity.low <= _MOST_ON_A_BOARD and _PER_NODE.fullmatch(quantity.per) is None
    return "gcd" in quantity.noun.casefold() and is_few and owner is not None and owner.kind == "accelerator"


def _of_owner(place: Place, owner: Mention, is_of_machine: bool) -> str:
    """Accelerators of a board, a fleet or a machine, by whose they are."""
    quantity = place.quantity
    if owner.kind in ("accelerator", "generation") and not is_of_machine:
        is_board = _SUPERCHIP.search(owner.name) is not None and quantity.low <= _MOST_ON_A_BOARD
        return "accelerator_count" if is_board and _HOLDS.search(place.before) is not None else ""
    if quantity.low <= 2 and _HOLDS.search(place.before) is None:
        return ""
    if owner.kind == "organisation":
        return "cluster_size" if quantity.low >= _SMALLEST_FLEET and _FLEET.search(place.words) is not None else ""
    hedge = place.text[quantity.at.start : quantity.digits.start]
    words = f"{place.before[-70:]}{hedge} {place.near_after[:70]}"
    if owner.kind == "site" and quantity.low >= _SMALLEST_FLEET and _FLEET.search(place.words) is not None:
        return "accelerator_count"
    is_alone = not place.before.strip() and not place.after.strip(" .")  # a sentence of its own: '72 GPUs.'
    is_listed = quantity.per != "" or place.setting.block.level > 0 or is_alone
    is_listed = is_listed or _IN_ONE.match(place.near_after) is not None
    return "accelerator_count" if is_listed or _CONTAINS.search(words) is not None else ""


def _around(place: Place) -> str:
    """The words within reach of a count, in which a benchmark's configuration would be named."""
    return f"{place.before[-60:]} {place.quantity.noun} {place.after[:48]}"


def _chips(place: Place, owner: Mention | None) -> str:
    noun = place.quantity.noun.casefold()
    if re.search(r"\b(?:chip|device|package|module|superchip|apu)s?\b", noun) is None:
        return ""
    is_bare = noun.strip("s-") in ("chip", "device", "package", "module")
    if is_bare and place.quantity.low < 16 and _PER_MACHINE.search(place.quantity.per) is None:
        return ""
    at = place.quantity.noun_at
    if any(m.kind in ("network", "cpu") and at.start <= m.start < at.end for m in place.mentions):
        return ""
    if re.search(r"\b(?:key|new|different|memory|storage|mobile|custom|network|switch)\b", noun):
        return ""
    return _accelerators(place, owner)


def _dies(place: Place, owner: Mention | None) -> str:
    is_of_machine = owner is not None and owner.kind == "system" and place.quantity.low > _MOST_ON_A_BOARD
    if is_of_machine and re.search(r"\b(?:GPU|compute)\s", place.quantity.noun):
        return "accelerator_count"  # a maker that counts its dies
    words = (
        f"{place.near_before[-30:]} {place.text[place.quantity.digits.start : place.quantity.at.end]} "
        f"{place.near_after[:16]}"
    )
    if place.quantity.low > 64 or _NOT_DIES.search(words) is not None:
        return ""
    return "die_count" if _DIES.search(words) is not None else ""


def _cpus(place: Place, owner: Mention | None) -> str:
    if re.search(r"[gtnxrli]pu\b|rdu\b", place.quantity.noun.casefold()):
        return _accelerators(place, owner)
    if _BENCHED.search(_around(place)) is not None or owner is None or owner.kind in ("organisation", "network"):
        return ""
    is_superchip = owner.kind == "accelerator" and _SUPERCHIP.search(owner.name) is not None
    if owner.kind in ("accelerator", "generation") and not (is_superchip and _CONTAINS.search(place.near) is not None):
        return ""
    if place.quantity.low <= 1 and not is_superchip:
        return ""
    return "cpu_count"


def _ports(place: Place, owner: Mention | None) -> str:
    if place.quantity.low <= 1:
        return ""
    return "port_count" if owner is not None and owner.kind != "organisation" else ""


def _transistors(place: Place, owner: Mention | None) -> str:
    return "transistor_count" if place.quantity.low >= 1e8 else ""


def _components(place: Place, owner: Mention | None) -> str:
    return "part_count" if owner is not None and place.quantity.low >= 100 else ""


def _cables(place: Place, owner: Mention | None) -> str:
    return "cable_count" if owner is not None and place.quantity.low >= 16 else ""


def _failures(place: Place, owner: Mention | None) -> str:
    return "failure_count" if _FAILED.search(place.near) is not None else ""


def _parts(place: Place, owner: Mention | None) -> str:
    """Parts count only where a list of a machine's contents gives them: 'N x part'."""
    line = place.before.rpartition("\n")[2]
    is_listed = place.setting.block.level > 0 and not line.strip(" *-•·")
    is_times = re.match(r"\s?[x×]", place.text[place.quantity.digits.end : place.quantity.digits.end + 2]) is not None
    at = place.quantity.noun_at
    named = any("PCI" not in m.name for m in place.mentions if at.start <= m.start < at.end)
    is_tray = re.search(
        r"\b(?:compute|switch|NVLink\w*|GPU) (?:switch )?(?:trays?|blades?)\b", place.quantity.noun, re.IGNORECASE
    )
    if place.quantity.low < 2 or not (named or is_tray):
        return ""
    is_part = owner is not None and owner.kind == "system" and is_listed and is_times
    return "part_count" if is_part and re.search(r"\d+ ?(?:GbE?|Gb/s)", place.quantity.noun) is None else ""


def _racks(place: Place, owner: Mention | None) -> str:
    is_shipped = _SHIPPED.search(f"{place.near_before[-60:]} {place.near_after[:40]}") is not None
    return (
        "units_shipped"
        if is_shipped and place.quantity.low >= 100 and owner is not None and owner.kind == "system"
        else ""
    )


_READERS = {
    "accelerator": _accelerators, "chip": _chips, "die": _dies, "cpu": _cpus, "socket": _cpus, "port": _ports,
    "transistor": _transistors, "component": _components, "cable": _cables, "failure": _failures, "part": _parts,
    "rack": _racks,
}  # fmt: skip
