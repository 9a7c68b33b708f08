"""The typed schema of one source: what a YAML entry may say, with its units and defaults.

Pure: types and the checks of a single entry. Reading the file and checking entries against each other is
`pipelines.sources`.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StrictBool,
    ValidationInfo,
    field_validator,
)

from pipelines.model.evidence import Evidence
from pipelines.model.reading import Reading

_ID = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
_ORGANISATION = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_HOST = re.compile(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*")
_LOCAL_HOST = re.compile(r"\[?[0-9a-f:.]+\]?|localhost")
_CADENCE = re.compile(r"([1-9]\d*) ?([hd])")
_SIZE = re.compile(r"([1-9]\d*(?:\.\d+)?) ?(B|kB|KB|MB|GB|KiB|MiB|GiB)")
_HOURS = {"h": 1, "d": 24}
_BYTES = {"B": 1, "kB": 10**3, "KB": 10**3, "MB": 10**6, "GB": 10**9, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}


# the market layer a source speaks about, and what it can show
Layer = Literal["hyperscale", "neocloud", "enterprise", "science", "vendor", "all"]
Signal = Literal["stratification", "density", "roadmap", "price", "performance", "capex"]
# what sort of publisher stands behind a source, or that it is documentation or a filing
Group = Literal[
    "accelerator_maker", "memory_maker", "network_maker", "server_maker", "rack_maker", "foundry", "cloud",
    "documentation", "standards_body", "benchmark_body", "hpc_centre", "hpc_list", "press", "analyst", "data_project",
    "filings",
]  # fmt: skip


class Kind(StrEnum):
    """How a source is fetched: feeds and listings lead to new items, the rest is what it is."""

    FEED = "feed"
    LISTING = "listing"
    PAGE = "page"
    TABLE = "table"
    TARBALL = "tarball"
    API = "api"


class Status(StrEnum):
    """`active` is fetched; `unproven` is fetched and marked until it was seen to work; `skip` is never fetched."""

    ACTIVE = "active"
    UNPROVEN = "unproven"
    SKIP = "skip"


def parse_cadence(value: Any) -> Any:
    """'6h', '30d' → timedelta; anything else that is no timedelta is refused."""
    if isinstance(value, dt.timedelta):
        return value
    match = _CADENCE.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        raise ValueError("a number of hours or days such as 6h, 1d, 30d")
    return dt.timedelta(hours=int(match[1]) * _HOURS[match[2]])


def parse_size(value: Any) -> Any:
    """'50 MB' or a plain number → bytes. MB is 10^6, MiB is 2^20."""
    match = _SIZE.fullmatch(value) if isinstance(value, str) else None
    if match is not None:
        return round(float(match[1]) * _BYTES[match[2]])
    if isinstance(value, int) and not isinstance(value, bool) and value > 0:
        return value
    raise ValueError("a size such as 50 MB, 3 GB or a whole number of bytes")


def _check_host(host: str, info: ValidationInfo) -> str:
    """A bare host name in lower case; an address or `localhost` only where the source is declared local."""
    if info.data.get("is_local") and _LOCAL_HOST.fullmatch(host):
        return host
    last = host.rpartition(".")[2]
    if not _HOST.fullmatch(host) or "." not in host or last.isdigit():
        raise ValueError("a bare host name such as www.example.org, lower-case, without scheme, port, path or *")
    return host


def _check_url(url: str, info: ValidationInfo) -> str:
    """https (http only where nothing better is served), no user, no fragment, no white space, an allowed host."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise ValueError("a URL such as https://www.example.org/feed") from error
    is_local = bool(info.data.get("is_local"))
    if parts.scheme not in ("https", "http") or not host or re.search(r"[\s{}]", url):
        raise ValueError("a URL such as https://www.example.org/feed, spaces and braces encoded")
    if parts.username is not None or parts.fragment or (port is not None and not is_local):
        raise ValueError("a URL without user, port or #fragment")
    allowed = info.data.get("allowed_hosts")
    if allowed is not None and host not in allowed:
        raise ValueError(f"a URL whose host is one of allowed_hosts ({', '.join(allowed)})")
    return url


def _of_form(form: re.Pattern[str], says: str) -> AfterValidator:
    """That a text has a form, which the words tell."""

    def check(text: str) -> str:
        if not form.fullmatch(text):
            raise ValueError(says)
        return text

    return AfterValidator(check)


def _check_pattern(pattern: str) -> str:
    try:
        re.compile(pattern)
    except re.error as error:
        raise ValueError(f"a regular expression ({error})") from error
    return pattern


def _check_unique(values: tuple[str, ...]) -> tuple[str, ...]:
    if len(set(values)) != len(values):
        raise ValueError("each entry once")
    return values


Text = Annotated[str, Field(min_length=1)]
Id = Annotated[str, _of_form(_ID, "lower-case letters, digits and single underscores, a letter first")]
OrganisationId = Annotated[
    str, _of_form(_ORGANISATION, "an organisation's id: lower-case letters, digits and single hyphens")
]
Host = Annotated[str, AfterValidator(_check_host)]
Url = Annotated[str, AfterValidator(_check_url)]
Pattern = Annotated[str, AfterValidator(_check_pattern)]
Cadence = Annotated[dt.timedelta, BeforeValidator(parse_cadence)]
Size = Annotated[int, BeforeValidator(parse_size)]


class _Entry(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)


class Politeness(_Entry):
    """How gently a source is asked: seconds between two requests to one host, new items fetched in one run."""

    delay_s: Annotated[float, Field(strict=True, ge=0, le=600)] = 2.0
    max_new_items: Annotated[int, Field(strict=True, ge=0, le=1000)] = 20


class Expected(_Entry):
    """Floors below which a capture counts as silently broken."""

    min_rows: Annotated[int, Field(strict=True, ge=1)] | None = None
    min_items: Annotated[int, Field(strict=True, ge=1)] | None = None
    newest_within: Cadence | None = None


class ItemRules(_Entry):
    """Which links of a feed or listing are its items; patterns are searched in the item's URL."""

    include: Pattern | None = None
    exclude: Pattern | None = None
    host_rewrites: Mapping[str, str] = Field(default_factory=dict)


class DeniedProvider(_Entry):
    """A provider whose owners forbid collection: its rows are dropped from every table, whoever publishes them."""

    provider: Text
    names: tuple[Text, ...]
    reason: Text


class Source(_Entry):
    """One source. `id` is the YAML key, the asset key, the fixture folder and the `source_id` of every row.

    `urls` may be empty, and `parser` missing, only where nothing is ever fetched (status `skip`). `parser` names a file
    of pipelines/parse and `read_as` says what it reads. `size_cap_bytes` caps a body both as sent and as decompressed.
    `terms` says what the owner allows and how it is obeyed. What an aggregator carries has publishers of its own.
    """

    id: Id
    title: Text
    publisher: OrganisationId
    producer: Text
    group: Group
    layer: Layer
    signals: Annotated[tuple[Signal, ...], Field(min_length=1), AfterValidator(_check_unique)]
    kind: Kind
    evidence: Evidence
    status: Status
    parser: Annotated[Id | None, Field(validate_default=True)] = None
    read_as: Reading = Reading.DOCUMENT
    # before allowed_hosts and urls: their checks ask for these
    is_local: StrictBool = False
    allowed_hosts: Annotated[tuple[Host, ...], AfterValidator(_check_unique)]
    urls: Annotated[tuple[Url, ...], AfterValidator(_check_unique)]
    page_url: Annotated[str, Field(pattern=r"^https?://\S+$")] | None = None
    cadence: Cadence
    terms: Text
    licence: Text
    citation: Text | None = None
    published_on: dt.date | None = None
    link_only: StrictBool = False
    is_aggregator: StrictBool = False
    size_cap_bytes: Size = 20 * 10**6
    politeness: Politeness = Politeness()
    expected: Expected = Expected()
    items: Annotated[ItemRules, Field(validate_default=True)] = ItemRules()

    @field_validator("parser", "urls")
    @classmethod
    def _given_unless_skipped(cls, value: Any, info: ValidationInfo) -> Any:
        if not value and info.data.get("status") is not Status.SKIP:
            needed = "at least one URL" if info.field_name == "urls" else "the parser that reads it"
            raise ValueError(f"{needed} (none only with status skip)")
        return value

    @field_validator("items")
    @classmethod
    def _listing_says_its_items(cls, items: ItemRules, info: ValidationInfo) -> ItemRules:
        if info.data.get("kind") is Kind.LISTING and items.include is None:
            raise ValueError("items.include, the pattern of the links that are a listing's items")
        if info.data.get("kind") not in (Kind.LISTING, Kind.FEED, None) and items != ItemRules():
            raise ValueError("no items: only a feed or a listing leads to items")
        return items

    @property
    def max_new_items(self) -> int:
        return self.politeness.max_new_items

    @property
    def parser_name(self) -> str:
        return self.parser or ""

    @property
    def cadence_hours(self) -> int:
        return int(self.cadence.total_seconds() // 3600)

    @property
    def least_rows(self) -> int | None:
        """The fewest rows that a table of it has, where that is declared."""
        return self.expected.min_rows

    @property
    def cited_as(self) -> str:
        """The citation to print: the source's own words for it, else producer, title and page."""
        page = self.page_url or (self.urls[0] if self.urls else "")
        return self.citation or ", ".join(part for part in (self.producer, self.title, page) if part)

    @property
    def is_fetched(self) -> bool:
        return self.status is not Status.SKIP
