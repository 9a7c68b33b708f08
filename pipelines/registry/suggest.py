"""Names that documents bear and the registry does not: the most frequent ones, as YAML for a person to complete.

Pure. What cannot be known from a name is left as FILL, which the loader refuses: nothing enters half done.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

from pipelines.frozen import frozen
from pipelines.registry.names import name_key

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
