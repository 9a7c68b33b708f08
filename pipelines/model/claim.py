"""A claim as an extractor states it, and the closed words that go with it.

A claim is one value of one metric of one subject, as one claimant says it for one period; its mention is the place in
a document that carries it. Types only: nothing here reads text, judges or stores.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from enum import StrEnum
from typing import Protocol

from pipelines.frozen import frozen
from pipelines.model.document import Document


class Modality(StrEnum):
    """How firm the thing said is, from promise to record."""

    EXPECTED = "expected"
    ANNOUNCED = "announced"
    SAMPLING = "sampling"
    SHIPPING = "shipping"
    DEPLOYED = "deployed"
    MEASURED = "measured"
    WITHDRAWN = "withdrawn"


CONFIDENT = 0.95  # calibrated confidence from which a claim needs no person's decision
TOLD = 0.65  # from which `rackledger extract` tells it: nine of ten such readings were right on repositories left out
CLEAR = 0.9  # a document without one reading as sure as this tells nothing: it may hold no claims at all


class Method(StrEnum):
    """How a mention was read."""

    READER = "reader"
    MODEL = "model"
    LOOKUP = "lookup"
    HAND = "hand"


@frozen(order=True)
class Span:
    """Characters of a document's text, start inclusive, end exclusive."""

    start: int
    end: int


@frozen
class Origin:
    """What is known of a document from outside it: who published it, when, where. All may be unknown."""

    document: str  # name or id by which results refer to it
    publisher: str = ""
    published_on: dt.date | None = None
    url: str = ""


@frozen
class ExtractedClaim:
    """One claim with the place it was read from.

    Exactly one of `value` (a number in the metric's canonical `unit`), `value_text` and `period_start`/`period_end`
    (for metrics that are dates) is what is claimed; a number may carry a period too: when it holds. `qualifiers` are
    sorted name-value pairs. `value_at` covers the digits (or words) of the value, `context` the shortest span that
    carries the claim. `doubt` says why the claim belongs on the review list; empty: it may be published.
    """

    subject: str  # canonical name, maker included
    subject_id: str  # registry id; '' when the registry does not know it
    subject_kind: str
    metric: str
    value: float | None
    unit: str
    value_at: Span
    context: Span
    printed: str
    modality: Modality
    claimant: str
    method: Method
    confidence: float
    value_text: str = ""
    value_low: float | None = None
    value_high: float | None = None
    qualifiers: tuple[tuple[str, str], ...] = ()
    period_start: dt.date | None = None
    period_end: dt.date | None = None
    is_attributed: bool = False  # the text names the claimant; else it is the publisher
    is_illustrative: bool = False
    caveats: tuple[str, ...] = ()
    doubt: str = ""
    is_confirmed: bool = False  # a person who read the page before says the same

    @property
    def state(self) -> str:
        """'candidate' where something speaks against it or nothing suffices; 'confident' by the calibrated confidence,
        'accepted' where a person's reading of the page says the same."""
        if self.doubt:
            return "candidate"
        if self.confidence >= CONFIDENT:
            return "confident"
        return "accepted" if self.is_confirmed else "candidate"

    def qualifier(self, name: str) -> str:
        """A qualifier's value, '' when it has none."""
        return next((value for key, value in self.qualifiers if key == name), "")


class Extractor(Protocol):
    """The one door for a way of reading claims: pure, deterministic, a document in, claims out."""

    name: str
    version: str

    def extract(self, document: Document, origin: Origin) -> Iterable[ExtractedClaim]:
        """The claims of a document; every `value_at` lies inside `document.text`."""
        ...


def told(claims: Iterable[ExtractedClaim]) -> list[ExtractedClaim]:
    """What `extract` tells of one document: undoubted readings from TOLD on, figures only where one is CLEAR."""
    fair = [claim for claim in claims if not claim.doubt and claim.confidence >= TOLD]
    is_clear = any(claim.confidence >= CLEAR for claim in fair)
    return [claim for claim in fair if is_clear or claim.value_text]
