"""What a reviewer decided about candidates: meanings of names and wordings, corrections, refusals with reasons."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

import yaml
from pydantic import BaseModel, ConfigDict, Field, model_validator

from pipelines.candidates.checks import RefusedCandidate, check_page
from pipelines.model.promise import MilestoneKind

Shape = TypeVar("Shape", bound=BaseModel)
PAGES = "pages.yaml"


class Decisions(BaseModel):
    """What a person wrote down: frozen, and a misspelt field is a mistake."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Subject(Decisions):
    """What a candidate's subject is, who answers for its milestones, and whose word counts as theirs beside them."""

    id: str
    kind: str
    party: str
    voices: tuple[str, ...] = ()


class Correction(Decisions):
    """Fields of any candidate that the reviewer sets; `why` where it is not plain from the field."""

    claimant: str | None = None
    printed_by: str | None = None
    printed_by_kind: str | None = None
    stated_on: str | None = None
    url: str | None = None
    why: str = ""


class PromiseCorrection(Correction):
    """What the reviewer sets of a promise or outcome."""

    subject: str | None = None
    kind: MilestoneKind | None = None
    variant: str | None = None
    modality: str | None = None
    period: str | None = None
    superseded_by: str | None = None
    disputed: bool = False


class Reviewed(Decisions):
    """What every review decides; a row is named by its id in the candidates' file."""

    read_on: dt.date
    no_page: dict[str, str] = Field(default_factory=dict)  # a part of an address → why such a page is not cited
    only_page: dict[str, str] = Field(default_factory=dict)  # a row that stands on such a page → why, nonetheless
    hosts: dict[str, str] = Field(default_factory=dict)  # a host that delivers a site's pages → the site
    dated: frozenset[str] = frozenset()
    refused: dict[str, str] = Field(default_factory=dict)

    def admit(self, ref: str) -> None:
        """Raise RefusedCandidate with the reviewer's reason where he refused the row."""
        if ref in self.refused:
            raise RefusedCandidate(self.refused[ref])

    def address(self, ref: str, url: str) -> str:
        """The page's address at its own site. Raises RefusedCandidate for a page that the review does not cite."""
        check_page(url, {} if ref in self.only_page else self.no_page)
        return at_its_site(url, self.hosts)


def at_its_site(url: str, hosts: Mapping[str, str]) -> str:
    """The address with the site's host in place of one that only delivers its pages."""
    host = urlsplit(url).netloc
    return url.replace(host, hosts[host], 1) if host in hosts else url


class Review(Reviewed):
    """The decisions of a review of promises and outcomes."""

    own_words: tuple[str, ...] = ()
    subjects: dict[str, Subject] = Field(default_factory=dict)
    kinds: dict[MilestoneKind, tuple[str, ...]] = Field(default_factory=dict)
    parts: dict[str, tuple[MilestoneKind, str]] = Field(default_factory=dict)
    rows: dict[str, PromiseCorrection] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _decides_once(self) -> Review:
        worded = [wording for wordings in self.kinds.values() for wording in wordings] + list(self.parts)
        twice = sorted({wording for wording in worded if worded.count(wording) > 1})
        if twice:
            raise ValueError(f"a wording has two meanings: {', '.join(twice)}")
        both = sorted(set(self.refused) & set(self.rows))
        if both:
            raise ValueError(f"a row is refused and corrected: {', '.join(both)}")
        return self

    def meaning(self, wording: str) -> tuple[MilestoneKind, str] | None:
        """The stage and part that a page's wording means; None where no meaning was decided."""
        if wording in self.parts:
            return self.parts[wording]
        return next(((kind, "") for kind, wordings in self.kinds.items() if wording in wordings), None)


def read_review(path: Path, shape: type[Shape]) -> Shape:
    """Read a review, and which pages no review cites, from `pages.yaml` beside it.

    Raises pydantic's ValidationError with the place of every mistake.
    """
    decided = yaml.safe_load(path.read_text(encoding="utf-8"))
    pages = path.parent / PAGES
    common = yaml.safe_load(pages.read_text(encoding="utf-8")) if pages.exists() else {}
    return shape.model_validate(common | decided)
