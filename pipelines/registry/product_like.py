"""What looks like a product of this field and is no name of the registry, and the entries it might become. Pure.

Two signs: a maker's name followed by a coined word or code, and a code of capitals and digits beside a word for what
it is ('accelerator', 'rack', 'switch'). Units, formats, dates, standards and model sizes are no products. It guesses
nothing about what they are: what cannot be known from a name is left as FILL, which the loader refuses.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence

from pipelines.frozen import frozen
from pipelines.registry.names import NameHit, name_key

# capitals, digits, at most a short tail: MI455X, BR106, SN50L, WSE-4, TPU v9, Ascend 980
_CODE = r"(?:[A-Z][A-Za-z]{1,9}[ -])?(?:[A-Z]{1,6}[a-z]?|[A-Z][a-z]{2,9})-?\d{1,4}[A-Za-z]{0,3}"
_CLASS = (
    r"(?:GPUs?|NPUs?|TPUs?|XPUs?|LPUs?|DPUs?|IPUs?|ASICs?|CPUs?|SuperNICs?|NICs?|accelerators?|superchips?|AI chips?|"
    r"chips?|processors?|racks?|rack-scale systems?|servers?|switch(?:es)?|supercomputers?|superpods?|pods?)"
)
_BESIDE = re.compile(rf"\b(?P<name>{_CODE})(?=[ -](?:AI |inference |training |rack-scale |network )?{_CLASS}\b)")
_AFTER_MAKER = re.compile(
    rf"[ \u00a0](?:®|™)?(?P<name>{_CODE}"
    rf"|[A-Z][a-z]{{2,11}}[ -](?:{_CODE}|\d{{1,4}}[A-Za-z]{{0,2}}\b|[A-Z][a-z]{{2,9}}(?= {_CLASS}\b))"
    r"|[A-Z]{2,5}(?: [A-Z]{2,5})? (?!(?:199|20[0-4])\d\b)\d{3,4}[A-Z]{0,2}(?: [A-Z][a-z]+ Generation)?"  # no year
    rf"|[A-Z][a-z]{{3,11}}(?= (?:AI )?{_CLASS}\b))(?![\w%])"
)
_FORMATS = (
    r"(?:NV|MX|E\dM\d)?(?:FP|BF|TF|INT|UINT|MXFP|NVFP)-?\d+|HBM\d?[eE]?|L?P?G?DDR\d\w*|PCI\w*|Gen ?\d|USB\d?|"
    r"N\d[A-Z]*|\d+LP[PE]?"
)
_DATES = (
    r"[12]H ?\d{2,4}|[QH][1-4]|Q[1-4] ?\d*|FY ?\d+|January.*|February.*|March.*|April.*|May .*|June.*|July.*|August.*"
    r"|September.*|October.*|November.*|December.*"
)
_OTHERS = (
    r"\d+A|IEEE.*|ISO.*|RFC.*|COVID.*|GPT.*|CO2|S3|EC2|V\d|R\d|Llama.*|Section.*|Figure.*|Table.*|Chapter.*|Top500|GTC.*"
    r"|CES.*|AI|HPC|Computex.*|(?:Cloud |Hot )?(?:Next|Chips|Summit|Conference|Ignite|Build|Vision|World|"
    r"Connect)[ -]?\d*|"
    r"Phase.*|Version.*|Series.*|Model.*|Gen.*|Page.*|Part.*|Step.*|Level.*|Tier.*"
)
_NEVER = re.compile(rf"(?:{_FORMATS}|{_DATES}|{_OTHERS})", re.IGNORECASE)
_STOP = frozenset(
    {"The", "This", "Its", "New", "And", "With", "For", "From", "Has", "Data", "Tensor", "Open", "Core", "Inc", "Corp"}
)


@frozen
class ProductLike:
    """A stretch of text that looks like a product; `maker_id` where a maker's name stands before it."""

    start: int
    end: int
    text: str
    maker_id: str


def product_like(text: str, known: Sequence[NameHit], makers: Collection[str]) -> list[ProductLike]:
    """What looks like a product and overlaps no known name, in order, without overlap."""
    found = sorted(
        (*_after_makers(text, known, makers), *_beside_class_words(text)), key=lambda item: (item.start, -item.end)
    )
    taken = [(hit.start, hit.end) for hit in known]
    kept: list[ProductLike] = []
    at = 0
    for item in found:
        while at < len(taken) and taken[at][1] <= item.start:
            at += 1
        is_free = at >= len(taken) or taken[at][0] >= item.end
        if is_free and (not kept or kept[-1].end <= item.start):
            kept.append(item)
    return kept


def _after_makers(text: str, known: Sequence[NameHit], makers: Collection[str]) -> Iterator[ProductLike]:
    for hit in known:
        if hit.kind != "organisation" or hit.subject_id not in makers:
            continue
        match = _AFTER_MAKER.match(text, hit.end)
        if match is not None and is_name(match["name"]):
            yield ProductLike(match.start("name"), match.end("name"), match["name"], hit.subject_id)


def _beside_class_words(text: str) -> Iterator[ProductLike]:
    for match in _BESIDE.finditer(text):
        if is_name(match["name"]):
            yield ProductLike(match.start("name"), match.end("name"), match["name"], "")


def is_name(text: str) -> bool:
    """Whether words that are formed like a name are none of a format, a date, a standard or a size of a model."""
    words = text.split()
    return words[0] not in _STOP and all(_NEVER.fullmatch(part) is None for part in (text, *words))


_EXAMPLES = 2
_SLUG = re.compile(r"[^a-z0-9]+")


@frozen
class Example:
    """One place where a name stands: the document's URL or name, and the characters of its text."""

    place: str
    start: int
    end: int


@frozen
class Unmatched:
    """A name that looks like a product and is unknown, with how often it stands in how many documents."""

    name: str
    occurrences: int
    documents: int
    examples: tuple[Example, ...]
    maker_id: str = ""


def tally(found: Iterable[tuple[str, Example, str]]) -> list[Unmatched]:
    """One row a name out of (name, place, maker id) of every mention; spellings of one key are one name."""
    groups: defaultdict[str, list[tuple[str, Example, str]]] = defaultdict(list)
    for item in found:
        groups[name_key(item[0])].append(item)
    return [
        Unmatched(
            name=items[0][0],
            occurrences=len(items),
            documents=len({example.place for _, example, _ in items}),
            examples=tuple(example for _, example, _ in items[:_EXAMPLES]),
            maker_id=next((maker for _, _, maker in items if maker), ""),
        )
        for items in groups.values()
    ]


def most_frequent(found: Iterable[Unmatched], most: int) -> list[Unmatched]:
    """The names that most documents bear, then those with most mentions, then by name."""
    return sorted(found, key=lambda each: (-each.documents, -each.occurrences, name_key(each.name)))[:most]


def as_yaml(found: Sequence[Unmatched]) -> str:
    """One entry a name in the form of accelerators_others.yaml, with where it was read as a comment."""
    return "\n".join(line for each in found for line in _entry(each))


def _entry(each: Unmatched) -> Iterable[str]:
    yield f"  # {each.occurrences} mentions in {each.documents} documents"
    for example in each.examples[:_EXAMPLES]:
        yield f"  # {example.place} [{example.start}:{example.end}]"
    maker = each.maker_id or "FILL"
    slug = _SLUG.sub("-", each.name.casefold()).strip("-")
    yield (
        f'  - {{id: {maker}-{slug}, vendor: {maker}, name: "{maker} {each.name}", model: "{each.name}", '
        f'kind: FILL, tokens: ["{each.name}"]}}'
    )
