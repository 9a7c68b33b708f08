"""Names that the registry does not know, found by how a text writes them and uses them. Pure.

Products: a maker's name with a code, a word with a code ('Halcyon H3'), a code that comes again. Machines: what is
called a supercomputer, a cluster or a system. At last names of anything: what has a capital inside a sentence.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from pipelines.extract.names.mention import Mention
from pipelines.extract.sentences import DIGITS, LETTERS
from pipelines.registry.field_words import load_field_words
from pipelines.registry.names import NameHit
from pipelines.registry.phrases import phrases
from pipelines.registry.plain_words import load_plain_words
from pipelines.registry.product_like import ProductLike, is_name

# an ideograph beside a code is no part of it
_NUMBERED = re.compile(
    r"(?<![\w-])(?P<word>[A-Z][a-z]{2,}[A-Za-z]*(?=[- ])|[A-Z][a-z](?=-))[- ]\d{1,4}[A-Za-z]?(?![\w%.,]*\d)(?!\w)",
    re.ASCII,
)
_CODED = re.compile(
    r"(?<![\w./:@#-])(?:(?P<word>[A-Z][a-z]{2,}[A-Za-z]*)[ -])?"
    r"(?P<code>(?:[A-Z]{1,4}-?\d{1,4}|[A-Z][a-z]\d{3})(?:[A-Z]{1,2}|[a-rt-z])?(?:-[A-Z]\w{0,3})?|"
    r"(?<=[ -])\d{1,4}[A-Z]{1,2}|[a-wyz]\d{2,4}[a-rt-z]?)"
    r"(?=s?(?!\w))(?![%=]|[.,]\d|-\d|/s)",
    re.ASCII,
)
# no thing's code: ways to split a job, percentiles, levels, settings, standards, plugs, sizes of models or with a unit
_NO_CODE = re.compile(
    r"(?:[TDPECSF]P|[MG]?BS|[CGN]PU|IP|[LWVRHQN]|[CF]Y|SM|PM|CUDA|SHA|MD|UTF|UTC|RAID|AVX|JESD|DOI|OM|AWG|SMT|PAM|NV|RJ|IO|"
    r"[EHNX]DR)-?\d{1,4}(?:[A-Za-z]?|-IB)|[QO]?SFP\w*|SXM\d|[Pp][59]\d|[A-Z]0|[A-Z]\d[A-Z]|W\dA\d+|\d+[A-Z]?[ABDGHKMTVW]|.*\dB|"
    r"[A-Za-z]+(?:19|20)\d\d"
)
_SURE_CODE = re.compile(r"[A-Z]{1,4}-?\d{3}|[A-Z]{2,4}-\d")  # no thing's but a model's: 'S5000', 'BX-16'
# a word with a capital behind another word, right before a code: 'the Nova A2'
_WORD_INSIDE = re.compile(r"[a-z,;] (?P<word>[A-Z][a-z]{2,})[ -]$")
_HALVES = ("H1", "H2")
_SYSTEM_NAME = r"[A-Z][a-z]{2,}[A-Za-z]*(?:[- ](?:AI|II|III|\d{1,2}))?"
# read backwards from the words for a machine, for they are rarer than capitals
_SYSTEM_WORD = re.compile(
    r"\s(?:(?P<super>super(?:computer|cluster))|cluster|system|machine|(?:GPU|CPU|compute|login) nodes)\b"
)
_NAME_BEFORE = re.compile(rf"(?<![\w-])(?P<name>{_SYSTEM_NAME})$")
_SUBJECT_BEFORE = re.compile(
    rf"(?<![\w-])(?<![Ii]n )(?<!Since )(?<!Near )(?<!From )(?<!By )(?P<name>{_SYSTEM_NAME})"
    r"(?:\sis|,)\s(?:an?|the|our|[A-Z][\w-]*['’]s)\s(?P<kind>(?:[\w.,-]+\s){0,5}?[\w-]+)$"
)
# '2,048-GPU', '100k H100', 'central HPC'
_COMPUTING = re.compile(r"\b(?:\d[\d,.]*k?[ -](?:GPU|node|chip|accelerator|[A-Z]\w*\d)|(?:HPC|AI|GPU|Cray)\b)")
_CALLED = re.compile(rf",?\s(?:is\s)?(?:known as|called|named|dubbed|christened)\s(?P<name>{_SYSTEM_NAME})(?![\w-])")
_CAPITALISED = re.compile(rf"(?<![\w-]){_SYSTEM_NAME}(?![\w-])")
_SHORT = 3  # characters of a code that names of other makers may share
_OFTEN = 3  # places of a name that only 'system', 'cluster' or the like makes a machine's
_COUNTS = frozenset(("two", "three", "four", "five", "six", "eight", "ten", "twelve", "sixteen"))
_DETERMINERS = frozenset(("Each", "The", "This", "Every", "All", "Both", "These", "Our", "Its", "One"))
_DETERMINERS |= {word.capitalize() for word in _COUNTS}
_ARTICLES = _DETERMINERS | {"A", "An"}
_LONGEST_ARTICLE = 10  # characters, with the spaces around it
_PROPER = re.compile(
    rf"(?<![A-Za-z\d_.-])(?!(?:{'|'.join(sorted(_DETERMINERS))}) )"
    r"(?P<series>[A-Z]{1,4}\d{0,3}-)?[A-ZÀ-ÖØ-Þ][a-zß-öø-ÿ]{2,}[A-Za-zß-öø-ÿ\d]*"
    r"(?:[ -](?:[A-ZÀ-ÖØ-Þ]\w+|I{2,3}))*"
    r"(?:[ -]\d{1,3}(?![A-Za-z\d_%]|[.,]\d| [A-Z]| kW))?(?![A-Za-zß-öø-ÿ\d_]|\.,)"
)
_MACHINE = re.compile(  # 'MX-Rack 96', 'Helix Pod 64', 'K3-Rack'
    r".*?(?:[Rr]ack|[Pp]od|SuperNode|Supernode)[ -]\d{1,3}|.*[a-z\d-](?:Rack|Pod|Node|Server)"
)
_APPOSED = re.compile(
    r"\s?[(–—]|,\s(?:an?|the|its|their|[A-Z]\w+['’]s)\s|\sis\s(?:an?|the|our|[A-Z]\w+['’]s)\s(?:(?!of\s)[\w.,-]+\s){0,6}?"
    r"(?:system|(?:super)?(?:computer|cluster|chip)|machine|server|rack|accelerator|processor|GPU|NPU|ASIC)\b"
)
_WRITTEN_SMALL = re.compile(r"(?<![\w./@-])[a-z]{3,}(?![\w\[]|[-./@]\w)")  # not in 'calder-g[001-428]', 'x.calder.org'
_OF_WORDS = ("ly", "ing", "ed")  # endings
_TRACKED = frozenset({"ticket", "issue", "bug", "incident"})  # whose numbers look like names: 'ticket NPCS-2291'


def products(text: str, known: Sequence[NameHit], unknown: Sequence[ProductLike]) -> list[Mention]:
    """Products and machines that the registry does not know, in no order."""
    found = []
    makers = {hit.subject_id: hit.name for hit in known if hit.kind == "organisation"}
    for item in unknown:
        is_chip = item.maker_id or phrases("chip").start(text, item.end + 1)
        if item.text.split(" ")[0] not in _DETERMINERS and is_chip:
            name = f"{makers.get(item.maker_id, '')} {item.text}".strip()
            found.append(Mention(item.start, item.end, name, "product", "", item.maker_id))
    printed = frozenset(text[hit.start : hit.end] for hit in known)
    return [*found, *_numbered(text), *_coded(text, known), *_machines(text, printed)]


def of_others(text: str, known: Sequence[NameHit]) -> frozenset[str]:
    """Short codes of the registry that a text gives another family's word, and never their maker: 'the Nova A2'."""
    ends = frozenset(hit.end for hit in known)
    found, own = set[str](), set[str]()
    for hit in known:
        printed = text[hit.start : hit.end] if hit.kind == "accelerator" else ""
        if not _is_short(printed):
            own.update(printed.split())  # 'NVIDIA A2' somewhere: it is that one
            continue
        word = _WORD_INSIDE.search(text, max(0, hit.start - 40), hit.start)
        if word is not None and word.end("word") not in ends and _is_word_of_name(word["word"]):
            found.add(printed)
    return frozenset(found - own)


def _is_short(code: str) -> bool:
    """'A2', 'H100' not: a letter and a number that many makers have."""
    return len(code) <= _SHORT and code[:1].isupper() and code[1:].isdecimal()


def _numbered(text: str) -> list[Mention]:
    """A word with a number that comes again and is tied to it or once called a chip: 'Corsair 8', 'Haneul-1'.

    Tied to another number the word comes again too: 'Haneul-1 and Haneul-2'.
    """
    coined = [match for match in _NUMBERED.finditer(text) if _is_word_of_name(match["word"])]
    count = Counter(match[0] for match in coined)
    tied = {name: name.partition("-")[0] for name in count if "-" in name and name[-1].isdecimal()}
    often = Counter(tied.values())
    again = [match for match in coined if count[match[0]] > 1 or often[tied.get(match[0], "")] > 1]
    chips = {match[0] for match in again if phrases("chip").are_in(text[match.end() : match.end() + 48])}
    return [Mention(*match.span(), match[0], "product") for match in again if match[0] in chips or "-" in match[0]]


def _is_word_of_name(word: str) -> bool:
    return word.lower() not in load_field_words().no_product and word not in _DETERMINERS


def _coded(text: str, known: Sequence[NameHit]) -> Iterator[Mention]:
    """A word with a code; a code that is long, comes again or is called a chip: it bears the word it has elsewhere."""
    taken = frozenset(at for hit in known for at in range(hit.start, hit.end))
    coded = [match for match in _CODED.finditer(text) if match.start("code") not in taken]
    count = Counter(name for match in coded for name in {match["code"], match[0]})
    whole = [match for match in coded if match.start() not in taken and _is_whole(match, count)]
    names = {match["code"]: match[0] for match in reversed(whole)}
    for match in whole:
        yield Mention(*match.span(), match[0], "product")
    things = {match["code"] for match in coded if _is_thing(text, match, is_again=count[match["code"]] > 1)}
    letters = {DIGITS.sub("", code) for code in (*things, *names)}
    for match in coded:
        code = match["code"]
        is_of_one = _word_before(text, match.start("code")).casefold() == "the"
        is_sibling = is_of_one and DIGITS.sub("", code) in letters and _is_code(code)
        if code in names or code in things or (is_sibling and code[0].isalpha()):  # 'the K4' where the K5 is spoken of
            yield Mention(*match.span("code"), names.get(code, code), "product")


def _is_whole(match: re.Match[str], count: Mapping[str, int]) -> bool:
    """Whether a code and the word before it are one name.

    'Halcyon H2' of a text that keeps naming it is no half of a year, 'Vireo V3' no version.
    """
    word, code = match["word"], match["code"]
    if word is None or code[0].islower() or not (_is_word_of_name(word) and is_name(word)):
        return False
    often = (name for name in (match[0], code) if name not in _HALVES)
    return _is_code(code) or (_is_short(code) and code[0] in "HVR" and any(count[name] > 1 for name in often))


def _is_thing(text: str, match: re.Match[str], *, is_again: bool) -> bool:
    """Whether a code alone names something."""
    code = match["code"]
    is_known_form = (is_again and not code[0].isdigit()) or _SURE_CODE.match(code) is not None
    *_, before, gap = ["", "", *text[max(0, match.start("code") - 9) : match.start("code")].casefold().split(" ")]
    is_counted = gap == "" and before in _COUNTS and code[0].isupper()
    is_named = is_known_form or is_counted or phrases("chip").start(text, match.end() + 1)
    return is_named and _is_code(code) and not (gap == "" and before in _TRACKED)


def _is_code(code: str) -> bool:
    return is_name(code) and _NO_CODE.fullmatch(code) is None


def _machines(text: str, known: frozenset[str]) -> list[Mention]:
    """Supercomputers that the registry does not know: 'the Henri system' of a text that keeps naming it."""
    sure: dict[str, bool] = {}
    no_name = known | load_field_words().no_machine
    for word in _SYSTEM_WORD.finditer(text):
        is_super = word["super"] is not None
        named = _NAME_BEFORE.search(text, max(0, word.start() - 32), word.start())
        told = _SUBJECT_BEFORE.search(text, max(0, word.start() - 90), word.start()) if named is None else None
        is_sure = is_super or (told is not None and _COMPUTING.search(told["kind"]) is not None)
        if named is None and is_sure:
            named = told or _CALLED.match(text, word.end())
        if named is not None and named["name"] not in no_name:
            sure[named["name"]] = sure.get(named["name"], False) or is_sure
    if not sure:
        return []
    plain = set(_WRITTEN_SMALL.findall(text))  # 'operating system': a word that is written small elsewhere
    places = [m for m in _CAPITALISED.finditer(text) if m[0] in sure and m[0].lower() not in plain]
    count = Counter(match[0] for match in places)
    return [Mention(*m.span(), m[0], "site") for m in places if sure[m[0]] or count[m[0]] >= _OFTEN]


def _is_inside(text: str, at: int) -> bool:
    """Whether a word that begins there stands inside its sentence."""
    before = text[max(0, at - 2) : at]
    is_in_chinese = before[-1:] >= "\u4e00"  # where words are not kept apart
    is_after_word = before[1:] == " " and ("a" <= before[0] <= "z" or before[0] in ",;")
    return is_in_chinese or (is_after_word and _word_before(text, at) not in _DETERMINERS - {"Our"})


def _word_before(text: str, at: int) -> str:
    """The word that ends before the space at which another begins."""
    return text[max(0, at - _LONGEST_ARTICLE) : at].rpartition("\n")[2].removesuffix(" ").rpartition(" ")[2]


def _is_key(text: str, match: re.Match[str]) -> bool:
    """Whether words are the key of a value: 'Process Node: 12nm'."""
    return text[match.end() : match.end() + 2].lstrip()[:1] in (":", "：", "=")


def _is_headword(text: str, match: re.Match[str]) -> bool:
    """Whether a paragraph or an item begins with a name that the rest is about: 'Marlin-2 has', 'Palomar, a switch'."""
    return not match[0].isalpha() or _APPOSED.match(text, match.end()) is not None


def _is_of_one(text: str, match: re.Match[str]) -> bool:
    """Whether a determiner stands before what no word of a language looks like: 'The K3-Rack', 'A GroqNode'."""
    is_word = match[0].isalpha() and match[0].istitle()
    return not is_word and _word_before(text, match.start()) in _ARTICLES


def _is_no_word(name: str) -> bool:
    """Whether no part of a name is a word that is written small somewhere, nor formed like one: 'Kittatinny'."""
    parts = [part.lower() for part in LETTERS.findall(name)]
    is_strange = load_plain_words().isdisjoint(parts) and not any(part.endswith(_OF_WORDS) for part in parts)
    return is_strange and len(name) > _SHORT


def _is_taken(match: re.Match[str], taken: Mapping[int, Mention], *, is_first: bool) -> bool:
    """Whether a known name stands there, or behind a first word: 'Added Trainium3', but 'Pallister P4' is no P4."""
    if match.start() in taken or not is_first:
        return match.start() in taken
    inside = taken.get(match.end() - 1)
    return inside is not None and inside.end - inside.start > _SHORT


def proper_names(text: str, known: Iterable[Mention], spans: Iterable[tuple[int, int]]) -> list[Mention]:
    """Words that a text writes with a capital inside a sentence, and never small: names of anything.

    Looked for in `spans`, beside the names that are known.
    """
    taken = {at: name for name in known for at in range(name.start, name.end)}
    own = list(spans)
    first = frozenset(start for start, _ in own)
    places = [match for start, end in own for match in _PROPER.finditer(text, start, end)]
    places = [match for match in places if not _is_taken(match, taken, is_first=match.start() in first)]
    plain = frozenset(_WRITTEN_SMALL.findall(text)) | load_field_words().no_product if places else frozenset()
    inside = {match[0] for match in places if _is_inside(text, match.start())}
    alone = [match for match in places if not _is_key(text, match)]
    inside |= {match[0] for match in alone if match.start() in first and _is_headword(text, match)}
    inside |= {match[0] for match in alone if _is_of_one(text, match) or _is_no_word(match[0])}
    return [
        Mention(*match.span(), match[0], "system" if _MACHINE.fullmatch(match[0]) is not None else "unknown")
        for match in places
        if match[0] in inside
        and (match["series"] or plain.isdisjoint(word.lower() for word in LETTERS.findall(match[0])))
    ]
