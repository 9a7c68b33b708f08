"""The shape of a metric's card: unit, tolerance, qualifiers, words, owners and the ranges that are believable.

Beside it the lexicon of things that hold accelerators or are counted: one table for prose and tables. Turning printed
units into the canonical one is `pipelines.units`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, Literal, Self

from pydantic import Field, StringConstraints, field_validator, model_validator

from pipelines.registry.entries import Entry
from pipelines.registry.read_yaml import HERE, read_model


class Thing(Entry):
    """One kind of thing; `per` and `counts` are the words that qualifiers of metrics use."""

    id: str
    per: str
    counts: str = ""
    words: tuple[str, ...] = Field(min_length=1)

    @model_validator(mode="before")
    @classmethod
    def _counts_itself(cls, data: Mapping[str, object]) -> Mapping[str, object]:
        return {"counts": data.get("id", ""), **data}


class _File(Entry):
    things: tuple[Thing, ...]


class Lexicon:
    """Look-up from a word, in singular or plural and any case, to its thing; immutable."""

    def __init__(self, things: tuple[Thing, ...]) -> None:
        self.things = things
        self._by_word: dict[str, Thing] = {}
        for thing in things:
            for word in thing.words:
                if word in self._by_word:
                    raise ValueError(f"{thing.id}: {word!r} is also {self._by_word[word].id}'s")
                self._by_word[word] = thing
        self.longest = max(word.count(" ") + 1 for word in self._by_word)

    def thing(self, word: str) -> Thing | None:
        """The thing that a word or a phrase names; None for any other word."""
        folded = word.casefold()
        found = self._by_word.get(folded)
        if found is None and folded.endswith("s"):
            found = self._by_word.get(folded[:-1])
        return found

    def per_word(self, word: str) -> str:
        """What a figure per such a thing is per: 'GPU', 'chips' and 'package' are all 'accelerator'."""
        found = self.thing(word.strip())
        return found.per if found is not None else word.strip().casefold()


@lru_cache(maxsize=1)
def load_lexicon() -> Lexicon:
    """The lexicon that ships with the code, read once; raises `RegistryError` for a mistake in the file."""
    return Lexicon(read_model(HERE / "lexicon.yaml", _File).things)


MetricKind = Literal["quantity", "count", "ratio", "money", "date", "text"]
MetricId = Annotated[str, StringConstraints(pattern=r"^[a-z]+(_[a-z]+)*$")]

OwnerKind = Literal[
    "accelerator", "generation", "product", "system", "board", "cpu", "network", "organisation", "site", "software"
]


class RangeEntry(Entry):
    """The lowest and highest believable value for one kind of subject and one `per`; an empty one fits all."""

    subject: str | None = None
    per: str | None = None
    low: float = Field(ge=0)
    high: float = Field(gt=0)

    @model_validator(mode="after")
    def _is_a_range(self) -> Self:
        if self.low > self.high:
            raise ValueError("a low end that is not above the high one")
        return self


class MetricEntry(Entry):
    """The card of one metric.

    `tolerance` is relative; `requires` names qualifiers that are stated or marked 'unstated'. `owners` are the kinds of
    thing that it is a figure of, `counts` the lexicon's things that a count of it counts. `prose` and `heads` are the
    words that point to it, `not_prose` and `not_heads` those that point away. `charted` names the marts that ask
    for it. `by_hand`: typed into the ledger only, never read.
    """

    id: MetricId
    title: str
    kind: MetricKind
    unit: str
    tolerance: Annotated[float, Field(ge=0, lt=1)] = 0.0
    requires: tuple[str, ...] = ()
    owners: tuple[OwnerKind, ...] = ()
    counts: tuple[str, ...] = ()
    prose: tuple[str, ...] = ()
    not_prose: tuple[str, ...] = ()
    heads: tuple[str, ...] = ()
    not_heads: tuple[str, ...] = ()
    charted: tuple[str, ...] = ()
    by_hand: bool = False
    ranges: tuple[RangeEntry, ...] = ()

    @field_validator("counts")
    @classmethod
    def _are_things(cls, counts: tuple[str, ...]) -> tuple[str, ...]:
        unknown = sorted(set(counts) - {thing.id for thing in load_lexicon().things} - {"product"})
        if unknown:
            raise ValueError(f"things of the lexicon, and {', '.join(unknown)} is none")
        return counts

    @property
    def is_number(self) -> bool:
        """Whether its values are numbers in `unit`, not dates or texts."""
        return self.kind not in ("date", "text")

    def range_for(self, subject_kind: str = "", per: str = "") -> RangeEntry | None:
        """The first range that fits a kind of subject and a `per` word; None where none is curated."""
        counted = load_lexicon().per_word(per)
        return next(
            (entry for entry in self.ranges if entry.subject in (None, subject_kind) and entry.per in (None, counted)),
            None,
        )

    def is_plausible(self, value: float, subject_kind: str = "", per: str = "") -> bool:
        """Whether a value in the canonical unit lies inside the range that fits; True where none is curated."""
        found = self.range_for(subject_kind, per)
        return found is None or found.low <= value <= found.high
