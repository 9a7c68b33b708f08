"""Named things as the reader takes them: found by the registry, widened to subjects, named as printed. Pure.

'HGX' before a model, 'NVL576' after one, 'series', 'Superchip', and products that the registry does not know yet. A
name with a further number or word is another thing's: 'Maia 2' is not Maia, 'TPU v6e' not TPU v6, 'ABCI' not ABCI 3.0.
Each is an unknown name of its own, never folded into the one that the registry knows.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import filterfalse

from pipelines.extract.names.coined import of_others, products, proper_names
from pipelines.extract.names.mention import DocumentNames, Mention
from pipelines.extract.names.parted import with_parted
from pipelines.extract.names.short import NUMBERED_KINDS, racks_whole, shortened, whole_name
from pipelines.extract.sentences import DIGITS
from pipelines.extract.values.counted import counted_at
from pipelines.extract.values.languages import without_notes
from pipelines.model.claim import Origin
from pipelines.model.document import BlockKind, Document
from pipelines.registry import load_registry
from pipelines.registry.field_words import load_field_words
from pipelines.registry.mentions import NameFinder
from pipelines.registry.metric_entries import load_lexicon
from pipelines.registry.names import NameHit, is_of_word
from pipelines.registry.phrases import phrases
from pipelines.registry.product_like import is_name, product_like
from pipelines.registry.spellings import spellings

_NVL_AFTER = re.compile(r"[ -]NVL[ -]?\d{1,3}(?:[ -]?CPX)?\b")
_BOARD_BEFORE = re.compile(r"(?:(?:NVIDIA|Nvidia)\s)?(?P<board>HGX|MGX)[™®]?[ -]$")
# machines that are named by a rule: what must stand in the text, the words, the name and its maker in the registry
_BY_RULE = tuple((signs, re.compile(pattern), name, vendor) for signs, pattern, name, vendor in (
    (("NVL",), r"(?<![\w-])(?:(?P<head>HGX|MGX|DGX|[A-Z]{2}\d{3}[A-Z]?)[ -])?NVL[ -]?(?P<size>\d{1,3}(?: CPX)?)\b",
     r"NVIDIA \g<head> NVL\g<size>", "nvidia"),
    (("DGX", "HGX"), r"(?<![\w-])(?P<board>[DH]GX)[ -](?P<code>[A-Z]{1,2}\d{2,3}[A-Z]?)(?![\w-])",
     r"NVIDIA \g<board> \g<code>", "nvidia"),
    ((".large", "xlarge", ".metal", "xmetal"),
     r"(?<![\w.-])(?:[Tt]rn|[Ii]nf|[PpGg]|dl|DL)\d[a-z]{0,3}(?:-[a-z]{0,2}\d{2,3})?\.(?:\d{1,2}x)?(?:large|metal)\b",
     r"AWS \g<0>", "aws"),
    (("M.GPU",), r"(?<![\w.-])[BV]M\.GPU\d?(?:\.[A-Z0-9]+(?:-[A-Z0-9]+)?)?\.\d{1,2}\b", r"OCI \g<0>", "oracle"),
    (("Standard_N", "_v"), r"(?<![\w.-])(?:Standard_N[A-Z]\w*|N[CDGV]\d+\w*_v\d)\b", r"Azure \g<0>", "azure"),
    (("gpu-", "-standard-", "tpu-"),
     r"(?<![\w.-])(?:[ag]\d[a-z]?-(?:high|ultra|mega|max|edge)gpu-\d{1,2}g|ct\d[a-z]{0,2}-(?:hightpu|standard)-\d{1,2}t|"
     r"g\d-standard-\d{1,3})\b", r"Google Cloud \g<0>", "google"),
    (("TPU",), r"(?<![\w-])(?:Google )?(?:Cloud )?TPU (v\d[a-z]?-\d{1,5})(?![\w-])", r"Google TPU \1", "google"),
    (("Trn",), r"(?:Amazon |AWS )?(?:EC2 )?(Trn\d) instances?\b", r"AWS \1 instance", "aws"),
    (("Trn",), r"(?:Amazon |AWS )?(?:EC2 )?(Trn\d(?: Gen\d)?)(?: UltraServers?|(?<= Gen\d)(?: instances?)?)\b",
     r"AWS \1 UltraServer", "aws"),
))  # fmt: skip
_LATER = re.compile(r"(?P<word>[ -](?:series|[Ss]uperchips?|[Ss]uper[Pp][Oo][Dd]s?|[Ss]uper[Nn]odes?|POD|CPX))\b")
_WHOLE = frozenset({"superpod", "supernode", "pod"})
# 'a 100 W part' and 'a 30% rise' are no A100 and no A30
_GENERATION = re.compile(r"[ -]?(?:[Gg]en(?:\.|eration)?)[ -]?(?P<number>\d{1,2})(?![\w.]*\d)")
_COUNT_BEFORE = re.compile(r"(?:\d|\b(?:one|two|three|four|six|eight|ten|twelve|sixteen))[ -]?[x×]?\s?$")
_NO_NAME = re.compile(r"[aA][ -]\d.*|[Ss]uper-?pods?|SuperPoDs?", re.DOTALL)
_NUMBERED = re.compile(r"\d+[a-z]*")
# what may follow a name and makes it another one: 'v.1', '1.5', 'v2'; a unit after it does not
_TAIL = re.compile(
    r"(?:[ -]?[vV]\.?\d+(?:\.\d+)?[A-Za-z]?|[ -]\d{1,2}(?:\.\d)?[A-FH-WYZa-wyz]?|[ -][a-wyz]\d{3}[a-z]?|"
    r"(?!s(?!\w))[A-Za-z]\d?|\+|[ -](?:Turbo|Ultra|Super|Max|Pro|Plus|Mini|Nano|Ti|CPX|Lite|I{2,3}|IV|VI{1,3}|IX))"
    r"(?![\w%×]|[.,]\d|-[a-zGC]|[ -]?"
    r"(?:[KMGTPE]i?[Bb]|[kMG]?W|GHz|MHz|nm|[xX×]|TB/s|years|months|days|hours|weeks|[KMGTPE]?(?:FLOPS?|OPS)|"
    r"times|percent|million|billion|in(?:ch)?\b))"
)
# a code behind a name makes it another one too: 'Dojo D1', 'Atlas 900 A3'; a format, a form or a date does not
_CODE_TAIL = re.compile(r"[ -](?P<code>[A-Z][A-Za-z]{0,3}\d{1,4}[A-Za-z]?)(?![\w.,]*\d|[\w%]|-)")
_NO_CODE = re.compile(r"SXM\d|OAM\d|NVL\d+|[HNEX]DR\d+|O?Q?SFP\d*")
_BUILT = ("hbm", "gddr", "sxm", "oam", "pcie")
_OF_PARTIES = ("Platforms", "Systems", "Technologies")
_SHORT = 2  # digits of a number that a generation has
_COUNTING = ("system", "site", "generation")  # kinds whose names rarely end in a number of their own
_PROCESSOR = re.compile(
    r"(?:[®™]|\((?:R|TM)\))?(?: (?:CPU|Processors?|Scalable|Gold|Silver|Bronze|Platinum|Max|Rome|Milan|Genoa|Turin|"
    r"GOLD|SILVER|PLATINUM)){0,3}[ -](?:[EWD]\d?[ -])?\d[0-9A-Z]\d{2}[A-Z+]{0,3}(?: ?[vV]\d)?(?![\w.,]*\d)(?!\w)"
)
_PROSE = frozenset({BlockKind.PARAGRAPH, BlockKind.LIST_ITEM})  # where a name of anything may be whose figures follow
_MEMORY = re.compile(
    r"(?<![\w-])(?:(?:SK ?Hynix|Samsung|Micron) )?(?:HBM\d?[eE]?|GDDR\d[xX]?)"
    r"(?: (?:Shinebolt|Icebolt|Flashbolt))?(?!\w)"
)


def find_mentions(text: str, finder: NameFinder, context: str = "") -> list[Mention]:
    """All named things in a text, in order, without overlap."""
    known = finder.find(text, context)
    unknown = product_like(text, known, finder.makers)
    others = of_others(text, known)
    known = [hit for hit in known if text[hit.start : hit.end] not in others and not _is_other_thing(text, hit)]
    known = [_one_of_many(text, hit, finder) for hit in known]
    widened = [_of_generation(text, _widened(text, hit), finder) for hit in known]
    found = _merged(widened, [*_systems(text, finder), *products(text, known, unknown)])
    found = _merged(found, list(shortened(text, found, finder)))
    memories = _MEMORY.finditer(text) if "HBM" in text or "GDDR" in text else ()
    starts = {each.start for each in found if each.subject_id}
    named = [_with_tail(text, _as_printed(text, each), starts) for each in found]
    whole = _with_head(text, racks_whole(named))
    return _merged(whole, [Mention(m.start(), m.end(), m[0], "memory") for m in memories])


def names_of(document: Document, origin: Origin, finder: NameFinder) -> DocumentNames:
    """Every named thing of a document; the title helps to read the text, and its beginning to read the title."""
    title = document.title or ""
    texts = (document.text, title), (title, document.text[:800]), (origin.publisher, "")
    own, *others = (find_mentions(without_notes(text), finder, context) if text else [] for text, context in texts)
    prose = [(block.start, block.end) for block in document.blocks if block.kind in _PROSE and block.table is None]
    named = _merged(own, proper_names(document.text, own, prose))
    return DocumentNames(with_parted(document, named, finder), *others)


def _is_other_thing(text: str, hit: NameHit) -> bool:
    """Whether what is spelled like a name is none.

    'a 100 W part' is no A100; 'superpods' are a kind of machine and a SuperPoD is Huawei's, unlike NVIDIA's SuperPOD;
    L1 and L2 are levels of a cache where one is spoken of.
    """
    printed = text[hit.start : hit.end]
    if len(printed) == 2 and printed[0] == "L" and printed[1].isdecimal():
        return phrases("cache").are_in(text[max(0, hit.start - 24) : hit.end + 32])
    return _NO_NAME.fullmatch(printed) is not None


def _one_of_many(text: str, hit: NameHit, finder: NameFinder) -> NameHit:
    """'4 V100s' are several V100, not the model V100S."""
    is_counted = text[hit.end - 1] == "s" and _COUNT_BEFORE.search(text, max(0, hit.start - 12), hit.start) is not None
    one = whole_name(text[hit.start : hit.end - 1], finder) if is_counted else None
    return hit if one is None else replace(one, start=hit.start, end=hit.end)


def _display_name(text: str, hit: NameHit) -> str:
    """The name a claim carries: canonical, unless another model is printed ('MI450' of the MI400 series)."""
    printed = text[hit.start : hit.end].strip(" ()")
    if printed in load_field_words().tickers:
        return load_field_words().tickers[printed]
    inside = DIGITS.findall(printed)
    if hit.kind == "network" and hit.vendor_id and not inside and DIGITS.search(hit.name) is not None:
        return named_by(hit.name, printed)
    named = DIGITS.findall(hit.name)
    others = [number for number in inside if number not in named]
    is_other = others or (hit.kind == "system" and set(named) - set(inside))
    is_switch = hit.kind == "network" and hit.vendor_id and any(len(number) > _SHORT for number in others)  # 'QM9700'
    if (hit.kind in ("accelerator", "system") and inside and is_other) or is_switch:
        return named_by(hit.name, printed.removesuffix("s") if printed[-2:-1].isdecimal() else printed)
    is_spelled_out = hit.name.isupper() and "".join(word[:1] for word in printed.split()) == hit.name  # 'AWS'
    is_in_name = printed.casefold() in hit.name.casefold() or _is_whole_party(printed, hit.name)
    is_plain = printed.islower() or not is_of_word(printed[0])
    if hit.kind == "organisation" and not (is_spelled_out or is_in_name or is_plain):
        return printed.removesuffix("'s").removesuffix("’s")
    return hit.name


def _is_whole_party(printed: str, name: str) -> bool:
    """Whether a party is printed with no more than its form: 'Meta Platforms', 'Intel Corporation'."""
    first, *form = printed.replace(",", " ").split()
    return first == name and load_field_words().legal_forms.union(_OF_PARTIES).issuperset(form)


def named_by(name: str, printed: str) -> str:
    """A printed name with the maker of the full one in front, once."""
    maker = name.split(" ")[0]
    return printed if printed.casefold().startswith(maker.casefold()) else f"{maker} {printed}"


def _widened(text: str, hit: NameHit) -> Mention:
    start, end, name, kind = hit.start, hit.end, _display_name(text, hit), hit.kind
    board = _BOARD_BEFORE.search(text, max(0, start - 12), start) if kind == "accelerator" else None
    if board is not None:
        printed = text[hit.start : hit.end].split(" ")[-1]
        start, kind = board.start(), "system"
        name = f"NVIDIA {board['board']} {printed.removesuffix('s') if printed[:1].isupper() else printed}"
    nvl = _NVL_AFTER.match(text, end) if kind in ("accelerator", "generation", "system") and "NVL" not in name else None
    if nvl is not None:
        name = f"{name.removesuffix(' GPU')}{nvl[0].replace('-', ' ')}"
        return Mention(start, nvl.end(), name, "system", "", hit.vendor_id)
    later = _LATER.match(text, end) if kind in ("accelerator", "generation") else None
    if later is not None and later["word"].strip(" -").casefold().rstrip("s") not in name.casefold():
        word = later["word"].strip(" -").removesuffix("s") if "series" not in later["word"] else "series"
        end, name = later.end(), f"{name} {word}"
        if word.casefold() in _WHOLE:
            return Mention(start, end, name, "system", "", hit.vendor_id)
    return Mention(start, end, name, kind, hit.subject_id, hit.vendor_id)


def _of_generation(text: str, mention: Mention, finder: NameFinder) -> Mention:
    """'NVLink Gen 5' is NVLink 5, where the registry has one."""
    said = _GENERATION.match(text, mention.end) if mention.kind in NUMBERED_KINDS else None
    hit = whole_name(f"{text[mention.start : mention.end]} {said['number']}", finder) if said is not None else None
    if said is None or hit is None:
        return mention
    return Mention(mention.start, said.end(), hit.name, hit.kind, hit.subject_id, hit.vendor_id)


def _systems(text: str, finder: NameFinder) -> Iterator[Mention]:
    """Systems of NVIDIA and of the large clouds, which are named by a rule."""
    for signs, pattern, name, vendor in _BY_RULE:
        for match in pattern.finditer(text) if any(sign in text for sign in signs) else ():
            whole = " ".join(match.expand(name).split())
            hit = whole_name(whole, finder)  # 'EC2 Trn3 Gen1 UltraServers' are the registry's
            yield Mention(*match.span(), whole, "system", hit.subject_id if hit is not None else "", vendor)


def _merged(mentions: Sequence[Mention], extra: Sequence[Mention]) -> list[Mention]:
    """Both in order; where they overlap the longer wins, and of two equal ones the registry's."""
    kept: list[Mention] = []
    for mention in sorted([*mentions, *extra], key=lambda each: (each.start, -each.end)):  # stable
        if not kept or mention.start >= kept[-1].end:
            kept.append(mention)
        elif mention.end - mention.start > kept[-1].end - kept[-1].start:
            kept[-1] = mention
    return kept


def _as_printed(text: str, mention: Mention) -> Mention:
    """A model or machine with a number that its entry lacks bears its printed name and no id.

    A memory, its size and a form are no model's: 'A100-SXM4-40GB' keeps the id.
    """
    printed = text[mention.start : mention.end].strip(" ()")
    if mention.kind == "site" and not set(DIGITS.findall(mention.name)) <= set(DIGITS.findall(printed)):
        return mention._replace(name=printed, subject_id="")
    known = _codes_of_entries().get(mention.subject_id)
    codes = _codes(printed)
    if mention.kind not in ("accelerator", "system") or known is None or codes <= known:
        return mention
    name = mention.name if codes <= _codes(mention.name) else named_by(mention.name, printed)
    plain = " ".join(filterfalse(_is_of_build, printed.replace("-", " ").split()))
    is_same = _codes(plain.casefold().replace("ti", " ti")) <= known  # '3080Ti' is the 3080 Ti
    return mention._replace(name=name, subject_id=mention.subject_id if is_same else "")


def _is_of_build(word: str) -> bool:
    """Whether a word of a name says how it is built: '80GB', 'HBM3', 'SXM5', 'PCIe'."""
    return word.casefold().startswith(_BUILT) or (word[:1].isdecimal() and word.casefold().endswith(("gb", "g")))


def _with_tail(text: str, mention: Mention, starts: Collection[int]) -> Mention:
    """A name with an unread tail is another name: 'Titan v.1' is not Titan, 'Intel Xeon Gold 8358' not any Xeon."""
    is_cpu = mention.kind == "cpu"
    way = _PROCESSOR if is_cpu else _TAIL if mention.kind in NUMBERED_KINDS else None
    tail = way.match(text, mention.end) if way is not None else None
    if tail is not None and not is_cpu and _is_figure(text, mention, tail):
        tail = None
    if tail is None and mention.kind in NUMBERED_KINDS - {"generation"}:
        code = _CODE_TAIL.match(text, mention.end)
        tail = code if code is not None and code.start("code") not in starts and _is_code(code["code"]) else None
    if tail is None or (mention.kind == "generation" and tail[0][0] not in " -"):
        return mention
    printed = text[mention.start : mention.end]
    if is_cpu:
        name = named_by(mention.name, _without_marks(f"{printed}{tail[0]}"))
    else:
        is_its_end = mention.name.casefold().endswith(printed.casefold())
        name = f"{mention.name if is_its_end else named_by(mention.name, printed)}{tail[0]}"
    kind = "product" if mention.kind in ("accelerator", "generation") else mention.kind
    return mention._replace(end=tail.end(), name=name, kind=kind, subject_id="")


def _with_head(text: str, names: Sequence[Mention]) -> list[Mention]:
    """A known name tied to an unread head is another name too: 'VS8125-MI355X' is a server."""
    found: list[Mention] = []
    for name in names:
        head = found[-1] if found else name
        is_code = not head.subject_id and name.kind == "accelerator"
        if is_code and text[head.end : name.start] == "-":
            name = Mention(head.start, name.end, f"{head.name}-{text[name.start : name.end]}", "product")
            found.pop()
        found.append(name)
    return found


def _is_figure(text: str, mention: Mention, tail: re.Match[str]) -> bool:
    """Whether a number behind a name is none of its: 'each B200 18 links', 'H100 42.4, H200 41.2'."""
    number = tail[0].strip(" -")
    is_long = tail[0][0] == " " and len(number) > 1 and number.replace(".", "").isdecimal()
    return (is_long and text[mention.end - 1].isdecimal()) or (
        number.isdecimal() and _is_count(text, mention, tail.end())
    )


def _is_count(text: str, mention: Mention, end: int) -> bool:
    """Whether a number behind a name counts what follows: 'each B200 18 links', 'Selene 36 nodes'; not 'Maia 3 chips'.

    A number is rarely the second of a name.
    """
    counted = counted_at(text, end)
    if counted is None or not counted.thing or not text[counted.start : counted.end].endswith("s"):
        return False
    is_whole = mention.kind in _COUNTING or any(map(str.isdecimal, text[mention.start : mention.end]))
    return is_whole or load_lexicon().per_word(counted.thing) != "accelerator"


def _without_marks(words: str) -> str:
    """Words without the signs of trade marks."""
    for sign in ("®", "™", "(R)", "(TM)"):
        words = words.replace(sign, " ")
    return " ".join(words.split())


def _is_code(word: str) -> bool:
    return is_name(word) and _NO_CODE.fullmatch(word) is None


def _codes(name: str) -> set[str]:
    """Numbers with the letters that follow them: '6e' of 'TPU v6e' is not the '6' of 'TPU v6'."""
    return set(_NUMBERED.findall(name.casefold().replace("ec2 ", "").removesuffix("s")))


@lru_cache(maxsize=1)
def _codes_of_entries() -> Mapping[str, set[str]]:
    """The codes of each entry's canonical name, by its id."""
    return {each.subject_id: _codes(each.name) for each in spellings(load_registry().entries) if each.subject_id}
