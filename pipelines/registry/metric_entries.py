"""The shape of a metric: canonical unit, tolerance, needed qualifiers and the range that is believable.

Shapes and the range look-up only; turning printed units into the canonical one is `pipelines.units`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, Self

from pydantic import Field, StringConstraints, model_validator

from pipelines.registry.entries import Entry

MetricKind = Literal["quantity", "count", "ratio", "money", "date", "text"]
MetricId = Annotated[str, StringConstraints(pattern=r"^[a-z]+(_[a-z]+)*$")]

# what documents call the thing a figure is for, as the one word that ranges and qualifiers use
_PER: Mapping[str, str] = {
    "gpu": "accelerator",
    "chip": "accelerator",
    "package": "accelerator",
    "device": "accelerator",
    "card": "accelerator",
    "tpu": "accelerator",
    "superchip": "board",
    "module": "board",
    "blade": "board",
    "tray": "node",
    "server": "node",
    "instance": "node",
    "box": "node",
    "cabinet": "rack",
    "superpod": "pod",
    "link": "port",
    "nic": "port",
    "cluster": "site",
    "processor": "cpu",
}


class RangeEntry(Entry):
    """The lowest and highest believable value for one kind of subject and one `per`; an empty one fits all."""

    subject: str | None = None
    per: str | None = None
    low: float = Field(ge=0)
    high: float = Field(gt=0)

    @model_validator(mode="after")
    def _is_a_range(self) -> Self:
        if self.low > self.high:
            raise ValueError("low is above high")
        return self


class MetricEntry(Entry):
    """One metric; `tolerance` is relative, `requires` names qualifiers that are stated or marked 'unstated'."""

    id: MetricId
    title: str
    kind: MetricKind
    unit: str
    tolerance: Annotated[float, Field(ge=0, lt=1)] = 0.0
    requires: tuple[str, ...] = ()
    ranges: tuple[RangeEntry, ...] = ()

    @property
    def is_number(self) -> bool:
        """Whether its values are numbers in `unit`, not dates or texts."""
        return self.kind not in ("date", "text")

    def range_for(self, subject_kind: str = "", per: str = "") -> RangeEntry | None:
        """The first range that fits a kind of subject and a `per` word; None where none is curated."""
        counted = per_word(per)
        return next(
            (entry for entry in self.ranges if entry.subject in (None, subject_kind) and entry.per in (None, counted)),
            None,
        )

    def is_plausible(self, value: float, subject_kind: str = "", per: str = "") -> bool:
        """Whether a value in the canonical unit lies inside the range that fits; True where none is curated."""
        found = self.range_for(subject_kind, per)
        return found is None or found.low <= value <= found.high


def per_word(per: str) -> str:
    """The registry's word for what a figure is counted by: 'gpu', 'chip' and 'package' are all 'accelerator'."""
    word = per.strip().casefold()
    return _PER.get(word, word)
