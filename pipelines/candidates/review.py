"""What every candidate must hold, and what a reviewer decided: meanings of names, corrections, reasons of refusals."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

import yaml
from pydantic import BaseModel, ConfigDict, Field, model_validator

from pipelines.ledger.fields import read_date
from pipelines.ledger.row import check_url
from pipelines.model.evidence import Evidence
from pipelines.model.promise import MilestoneKind
from pipelines.registry.entries import Precision, precision_of
from pipelines.registry.printers import allowed_tag, printed_by

# A list of articles or commits changes under the statement it was cited for; a release on GitHub is a page of its own.
LISTING = re.compile(
    r"^https?://(?:(?!github\.com)[^/]+/(?:[^/]+/)*(?:tag|tags|category|author)/[^/]+/?$|github\.com/[^/]+/[^/]+/commits/)"
)
# A date that an address spells: with separators, or as eight digits that are no part of a longer number.
SPELLED = re.compile(
    r"(?<!\d)(20\d\d)(?:([-/_.])(0?[1-9]|1[0-2])(?:\2(0?[1-9]|[12]\d|3[01]))?|(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01]))(?!\d)"
)
ARCHIVED = re.compile(r"/web/\d{14}/")  # the day on which a copy was kept, which says nothing of the page's own
COMMIT = "/commit/"  # in the address of one change of a repository
OWN_PAGES = {"maker": Evidence.VENDOR, "operator": Evidence.OPERATOR, "filing": Evidence.AUDITED}


class RefusedCandidate(ValueError):
    """A candidate that does not hold; the message says what was expected and found."""


def check_page(url: str, no_page: Mapping[str, str]) -> None:
    """Raises RefusedCandidate for a page that the review does not cite: a list, a copy, one without sources."""
    if LISTING.match(url):
        raise RefusedCandidate("url: a list of articles, not the page; cite the article")
    for part, why in no_page.items():
        if part in url:
            raise RefusedCandidate(f"url: {why}")


def is_dated_by(url: str, stated: str) -> bool:
    """Whether the address spells the date, to the precision in which it is given; a clock may follow eight digits."""
    parts = [f"0?{int(part)}" if index else part for index, part in enumerate(stated.split("-"))]
    compact = stated.replace("-", "") if precision_of(stated) == "day" else ""
    url = ARCHIVED.sub("/", url)
    if compact and re.search(rf"(?<!\d){compact}(?=\d{{4}})", url):
        return True
    return re.search(r"(?<!\d)" + r"[-/_.]?".join(parts) + r"(?!\d)", url) is not None


def spelled_date(url: str) -> str:
    """The day or month that the address spells; empty where it spells none."""
    found = SPELLED.search(ARCHIVED.sub("/", url))
    if found is None:
        return ""
    year, _, month, day, packed_month, packed_day = found.groups()
    return "-".join([year, *(f"{int(part):02d}" for part in (month or packed_month, day or packed_day) if part)])


def stated(text: str, url: str, is_known: bool, read_on: dt.date) -> tuple[dt.date | None, Precision | None, dt.date]:
    """Day, its precision and the latest possible day of a statement; the day only where page or address gives it.

    An address that spells less than the date given dates the statement to what it spells; a commit has a day itself.
    """
    check_url(url)
    text = text or spelled_date(url)
    if not text:
        return None, None, read_on
    last = read_date("stated_on", text)[0]
    if last > read_on and precision_of(text) == "day":
        raise RefusedCandidate(f"stated_on: {text} lies after the day of reading, {read_on}")
    bound = min(last, read_on)
    if is_known or COMMIT in url or is_dated_by(url, text):
        return bound, precision_of(text), bound
    if spelled_date(url) == text[:7]:
        return bound, "month", bound
    return None, None, bound


def tag(name: str, kind: str, claimant: str, url: str) -> Evidence:
    """The evidence tag by who printed it: a maker's or operator's word only on its own page, a relay is a relay.

    A printer written 'Name (carrier)' is a relay: the carrier's page holds another's text.
    """
    own = claimant.split()[0].casefold() in name.casefold()
    if kind == "aggregator":
        return Evidence.UNVERIFIED
    if kind in OWN_PAGES and own and "(" not in name:
        return own_word(kind, claimant, url, name)
    if kind == "analyst" and own:
        return Evidence.ESTIMATED
    return Evidence.REPORTED


def printer_kind(name: str, kind: str, url: str) -> str:
    """What kind of page it is: a maker's, an operator's or a filing only on a domain that the registry knows so."""
    return printed_by(url, name, kind).kind if kind in OWN_PAGES else kind


def own_word(kind: str, claimant: str, url: str, name: str) -> Evidence:
    """The tag of a word on the claimant's own page, if the page's domain is the claimant's."""
    return allowed_tag(OWN_PAGES[kind], claimant, printed_by(url, name, kind))


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

    def corrected(self, record: Mapping[str, str], given: Mapping[str, str]) -> dict[str, str]:
        """The record with what the reviewer gave. Raises RefusedCandidate with his reason where he refused the row."""
        if record["id"] in self.refused:
            raise RefusedCandidate(self.refused[record["id"]])
        return {**record, **given}

    def cited(self, record: Mapping[str, str], *needed: str) -> dict[str, str]:
        """The record, with all that it needs to be cited, under its page's address at its own site.

        Raises RefusedCandidate for a page that the review does not cite.
        """
        absent = [field for field in needed if not record.get(field, "").strip()]
        if absent:
            raise RefusedCandidate(f"no {', '.join(absent)}: a statement needs all of them")
        url = record["url"]
        check_page(url, {} if record["id"] in self.only_page else self.no_page)
        host = urlsplit(url).netloc
        return {**record, "url": url.replace(host, self.hosts.get(host, host), 1)}


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
