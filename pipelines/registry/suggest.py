"""Names that documents bear and the registry does not: the most frequent ones, as YAML for a person to complete.

Pure. What cannot be known from a name is left as FILL, which the loader refuses: nothing enters half done.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pipelines.registry.names import name_key

_EXAMPLES = 2
_SLUG = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True, slots=True)
class Unmatched:
    """One place where a document names something unknown; `start..end` are characters of its text."""

    name: str
    document_id: str
    url: str
    start: int
    end: int
    maker_id: str = ""


def most_frequent(found: Iterable[Unmatched], most: int) -> list[tuple[Unmatched, ...]]:
    """Mentions grouped by name, first the names that most documents bear, then those with most mentions."""
    groups: defaultdict[str, list[Unmatched]] = defaultdict(list)
    for item in found:
        groups[name_key(item.name)].append(item)
    ordered = sorted(
        groups.items(), key=lambda pair: (-len({item.document_id for item in pair[1]}), -len(pair[1]), pair[0])
    )
    return [tuple(items) for _, items in ordered[:most]]


def as_yaml(groups: Iterable[Sequence[Unmatched]]) -> str:
    """One entry a name in the form of accelerators_others.yaml, with where it was read as a comment."""
    return "\n".join(line for items in groups for line in _entry(items))


def _entry(items: Sequence[Unmatched]) -> Iterable[str]:
    name = items[0].name
    documents = len({item.document_id for item in items})
    yield f"  # {len(items)} mentions in {documents} documents"
    for item in items[:_EXAMPLES]:
        yield f"  # {item.url or item.document_id} [{item.start}:{item.end}]"
    maker = next((item.maker_id for item in items if item.maker_id), "")
    slug = _SLUG.sub("-", name.casefold()).strip("-")
    full = f"{maker or 'FILL'} {name}"
    yield (
        f'  - {{id: {maker or "FILL"}-{slug}, vendor: {maker or "FILL"}, name: "{full}", model: "{name}", '
        f'kind: FILL, tokens: ["{name}"]}}'
    )
