"""Which addresses a source may ask, and one spelling for each. Pure."""

from __future__ import annotations

import re
from urllib.parse import urlsplit, urlunsplit

import httpx

from pipelines.collect.ports import FetchError
from pipelines.problems import Reason
from pipelines.source_model import Source

_PORTS = {"http": 80, "https": 443}
_TRACKING = re.compile(r"(utm_[a-z]+|fbclid|gclid|mc_cid|mc_eid)=[^&]*&?", re.IGNORECASE)


def host_of(url: str) -> str:
    """The host that a request to this address goes to, in lower case; empty when there is none."""
    try:
        return httpx.URL(url).raw_host.decode("ascii").lower()
    except httpx.InvalidURL:
        return ""


def origin_of(url: str) -> str:
    """Scheme, host and port: what a robots.txt speaks for."""
    parts = httpx.URL(url)
    return str(parts.copy_with(raw_path=b"/", fragment=None, username=None, password=None))


def check_allowed(source: Source, url: str) -> None:
    """Raise FetchError when the source may not ask this address: scheme, host, port, user."""
    try:
        parts = httpx.URL(url)
    except httpx.InvalidURL as error:
        raise FetchError(Reason.HOST_NOT_ALLOWED, f"{url[:200]!r} is no address: {error}") from error
    if parts.scheme not in _PORTS:
        raise FetchError(Reason.SCHEME_NOT_ALLOWED, f"{parts.scheme or 'no scheme'}, only http and https: {url[:200]}")
    host = host_of(url)
    if host not in {allowed.strip("[]") for allowed in source.allowed_hosts}:
        detail = f"{host or 'no host'} is not among the allowed hosts ({', '.join(source.allowed_hosts)})"
        raise FetchError(Reason.HOST_NOT_ALLOWED, detail)
    if parts.userinfo:
        raise FetchError(Reason.HOST_NOT_ALLOWED, f"an address with a user: {host}")
    if not source.is_local and parts.port not in (None, _PORTS[parts.scheme]):
        raise FetchError(Reason.HOST_NOT_ALLOWED, f"port {parts.port} of {host}, only the scheme's own")


def is_allowed(source: Source, url: str) -> bool:
    """Whether the source may ask this address."""
    try:
        check_allowed(source, url)
    except FetchError:
        return False
    return True


def canonical(url: str) -> str | None:
    """One spelling of an http(s) address, without fragment and campaign marks; None for anything else."""
    try:
        text = str(httpx.URL(url.strip()).copy_with(fragment=None))
    except (httpx.InvalidURL, ValueError):
        return None
    parts = urlsplit(text)
    if parts.scheme not in _PORTS or not parts.netloc:
        return None
    query = parts.query
    if _TRACKING.search(query):
        query = "&".join(part for part in query.split("&") if not _TRACKING.fullmatch(part))
    return urlunsplit((parts.scheme, parts.netloc, parts.path or "/", query, ""))


def rewritten(source: Source, url: str) -> str:
    """The address with its host as the source's `host_rewrites` say."""
    parts = httpx.URL(url)
    host = source.items.host_rewrites.get(parts.host)
    return str(parts.copy_with(host=host)) if host else url
