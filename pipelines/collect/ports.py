"""What collecting needs from outside, and what passes between its modules: settings, stores, clock, resolver, failure.

No request is made here and nothing is stored.
"""

from __future__ import annotations

import ssl
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol

from pipelines.frozen import frozen
from pipelines.model.capture import Exchange, Validators
from pipelines.problems import Reason

PRODUCT = "rackledger"

Clock = Callable[[], datetime]
"""Gives the present as an aware UTC instant."""

Resolver = Callable[[str, int], Awaitable[Sequence[str]]]
"""Host and port → every address of the name, as text; raises OSError when there is none."""


@frozen
class CollectSettings:
    """How a run asks. Times in seconds, `_bytes` in bytes; ValueError for a contact that no header can carry.

    `connect_s` covers looking the name up and connecting; `read_s` is the longest silence; `total_s` bounds one attempt
    with its body (`large_total_s` for a tarball). A host that asks for a longer pause than `max_pause_s` (Retry-After,
    crawl-delay) is left for another run. While nobody could be connected to: after
    `patience_s` many failed hosts mean that there is no network, after `silence_s` any number, if all failed.
    """

    contact: str = ""
    version: str = "0.1.0"
    connect_s: float = 8.0
    read_s: float = 30.0
    total_s: float = 180.0
    large_total_s: float = 3600.0
    attempts: int = 3
    wait_initial_s: float = 1.0
    wait_max_s: float = 30.0
    wait_jitter_s: float = 1.0
    max_pause_s: float = 60.0
    max_redirects: int = 10
    robots_cap_bytes: int = 2_000_000
    patience_s: float = 2.0
    silence_s: float = 11.0
    in_memory_bytes: int = 1 << 20
    spool: Path | None = None
    tls: ssl.SSLContext | None = None

    def __post_init__(self) -> None:
        if not self.contact.isascii() or not self.contact.isprintable():
            raise ValueError(f"contact goes into a header and must be plain ASCII on one line: {self.contact!r}")

    @property
    def user_agent(self) -> str:
        """Who asks, and how its owner can be reached."""
        return f"{PRODUCT}/{self.version}" + (f" (+{self.contact})" if self.contact else "")


class TarballStore(Protocol):
    """Where the body of a repository archive goes when it is not kept whole."""

    def takes(self, url: str) -> bool:
        """Whether this store keeps what is at that address."""

    def validators(self, url: str) -> Validators | None:
        """What a conditional request for an address may say."""

    def keep(self, exchange: Exchange) -> bool:
        """Read the body and keep what is needed; False when the very bytes were kept before. Raises InputError."""


@dataclass(eq=False)
class FetchError(Exception):
    """A request that gave nothing to keep: the reason, and what was found in words.

    `is_passing`: trying again may help. `is_unreachable`: no connection could be had; it counts towards 'no network'.
    `closes_host`: the host is not to be asked again in this run. `retry_after_s`: how long it asked to be left alone.
    `status`: the HTTP status, where there was an answer.
    """

    reason: Reason
    detail: str
    _: KW_ONLY
    is_passing: bool = False
    is_unreachable: bool = False
    closes_host: bool = False
    retry_after_s: float | None = None
    status: int | None = None

    def __str__(self) -> str:
        return f"{self.detail} ({self.reason})"
