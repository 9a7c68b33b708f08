"""The run as a whole: sources side by side, no network, a disk that refuses, terms, repository archives."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpcore
import pytest

from pipelines.archive.store import Archive
from pipelines.collect.address import resolve_by_system
from pipelines.collect.ports import CollectSettings
from pipelines.collect.report import CollectedSource
from pipelines.collect.run import collect
from pipelines.model.capture import Capture, Exchange, Validators
from pipelines.problems import Fault, InputError, Reason
from pipelines.source_model import Source
from tests.collect_kit import Collected, Dialler, Names, Site, make_source, redirect, reply, reset

UNKNOWN = socket.gaierror(socket.EAI_NONAME, "Name or service not known")


def public(name: str, *paths: str) -> Source:
    """A source that is not local, on a host of its own."""
    host = f"{name}.example"
    urls = [f"http://{host}{path}" for path in paths or ("/a",)]
    return make_source(name, *urls, is_local=False, allowed_hosts=[host])


def test_one_failing_source_stops_no_other(site: Site, collected: Collected) -> None:
    site.routes |= {"/ok": reply(b"fine"), "/bad": reset}
    report = collected.run(
        make_source("bad", site.url("/bad", host="bad.example"), allowed_hosts=["bad.example"]),
        make_source("ok", site.url("/ok")),
    )
    assert [row.source_id for row in report.rows] == ["bad", "ok"]
    assert (report.row("bad").fetched, report.row("bad").why) == (0, "connect_failed")
    assert (report.row("ok").fetched, report.row("ok").why) == (1, "")
    assert (report.has_network, report.line) == (True, "")
    (problem,) = report.problems()
    assert (problem.source_id, problem.place, problem.reason) == (
        "bad",
        site.url("/bad", host="bad.example"),
        Reason.CONNECT_FAILED,
    )


def test_a_source_that_terms_forbid_is_never_asked(site: Site, collected: Collected) -> None:
    site.routes["/a"] = reply(b"x")
    report = collected.run(make_source("denied", site.url("/a"), status="skip"))
    assert report.row("denied").is_skipped
    assert site.asked == []


def test_unproven_sources_are_asked(site: Site, collected: Collected) -> None:
    site.routes["/a"] = reply(b"x")
    assert collected.run(make_source("news", site.url("/a"), status="unproven")).row("news").fetched == 1


def test_without_network_it_ends_at_once_with_one_line(collected: Collected) -> None:
    names = Names({f"s{n}.example": UNKNOWN for n in range(5)})
    sources = [public(f"s{n}", "/a", "/b", "/c") for n in range(5)]
    report = collected.run(*sources, names=names, wait_initial_s=600.0, wait_max_s=600.0)
    assert not report.has_network
    assert report.line == (
        "no network: none of 5 hosts could be reached "
        "(first: the name s0.example cannot be resolved: Name or service not known)"
    )
    # the waits before a second attempt were not sat out
    assert report.seconds < 300
    assert sorted(names.looked_up) == [f"s{n}.example" for n in range(5)]
    for row in report.rows:
        assert [failure.reason for failure in row.failures] == [Reason.NO_NETWORK]
    assert collected.captures() == []


def test_a_network_that_swallows_everything_ends_as_soon(collected: Collected, site: Site) -> None:
    class Silent(Dialler):
        async def connect_tcp(self, host: str, *args: Any, **more: Any) -> httpcore.AsyncNetworkStream:
            await asyncio.sleep(600)
            waited.append(host)
            return await super().connect_tcp(host, *args, **more)

    waited: list[str] = []
    names = Names({f"s{n}.example": ["93.184.216.34", "2606:2800:220:1::1"] for n in range(4)})
    report = collected.run(*[public(f"s{n}") for n in range(4)], names=names, dialler=Silent(1), connect_s=0.3)
    assert waited == []
    assert not report.has_network
    assert report.line.endswith("(first: no connection to s0.example in time (0.3 s))")


def test_a_look_up_that_hangs_does_not_hold_the_run(collected: Collected, monkeypatch: pytest.MonkeyPatch) -> None:
    ended, waited = threading.Event(), list[object]()

    def hanging(*args: object, **_more: object) -> list[object]:
        if not ended.wait(300):
            waited.append(args)
        return []

    monkeypatch.setattr(socket, "getaddrinfo", hanging)

    class System(Names):
        async def __call__(self, host: str, port: int) -> list[str]:
            return list(await resolve_by_system(host, port))

    report = collected.run(*[public(f"s{n}") for n in range(3)], names=System(), connect_s=0.3)
    ended.set()
    assert waited == []
    assert not report.has_network


def test_one_unknown_name_alone_is_asked_three_times_before_there_is_no_network(collected: Collected) -> None:
    names = Names({"s.example": UNKNOWN})
    report = collected.run(public("s"), names=names)
    assert names.looked_up == ["s.example"] * 3
    assert report.line.startswith("no network: the only host asked could not be reached (first: the name s.example")


def test_dead_names_beside_a_living_one_are_failures_of_their_own(site: Site, collected: Collected) -> None:
    site.routes["/a"] = reply(b"x")
    names = Names({f"s{n}.example": UNKNOWN for n in range(4)} | {"live.example": ["93.184.216.34"]})
    sources = [public(f"s{n}", "/a", "/b") for n in range(4)]
    report = collected.run(*sources, public("live"), names=names, dialler=Dialler(site.port))
    assert report.has_network
    assert report.row("live").fetched == 1
    detail = "the name s1.example cannot be resolved: Name or service not known"
    assert report.row("s1").failures == (
        Fault("http://s1.example/a", Reason.CONNECT_FAILED, detail),
        Fault("http://s1.example/b", Reason.CONNECT_FAILED, detail),
    )


def test_a_local_source_is_collected_without_network(site: Site, collected: Collected) -> None:
    site.routes["/a"] = reply(b"x")
    names = Names({f"s{n}.example": UNKNOWN for n in range(3)})
    report = collected.run(*[public(f"s{n}") for n in range(3)], make_source("news", site.url("/a")), names=names)
    assert not report.has_network
    assert report.row("news").fetched == 1


def break_archive(patch: pytest.MonkeyPatch, error: Exception, of: Callable[[Exchange], bool]) -> None:
    """Let the archive fail on some exchanges, and take the others as ever."""
    append = Archive.append

    def broken(self: Archive, exchange: Exchange) -> Capture:
        if of(exchange):
            raise error
        return append(self, exchange)

    patch.setattr(Archive, "append", broken)


def test_a_disk_that_refuses_is_a_failure_of_that_page(
    site: Site, collected: Collected, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.routes |= {"/a": reply(b"a"), "/b": reply(b"b")}
    break_archive(monkeypatch, OSError(28, "No space left on device"), lambda exchange: exchange.url.endswith("/a"))
    row = collected.run(make_source("news", site.url("/a"), site.url("/b"))).row("news")
    detail = "answered, but the archive could not take it: [Errno 28] No space left on device"
    assert row.failures == (Fault(site.url("/a"), Reason.ARCHIVE_REFUSED, detail),)
    assert row.fetched == 1


def test_a_fault_of_ours_in_one_source_is_a_row(
    site: Site, collected: Collected, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.routes |= {"/a": reply(b"a"), "/b": reply(b"b")}
    break_archive(monkeypatch, KeyError("oops"), lambda exchange: exchange.source_id == "one")
    report = collected.run(make_source("one", site.url("/a")), make_source("two", site.url("/b")))
    assert report.row("one").failures == (Fault(site.url("/a"), Reason.COLLECT_BROKE_OFF, "KeyError: 'oops'"),)
    assert report.row("two").fetched == 1


class Packs:
    """A store of repository archives in memory; takes what is below /archive/."""

    def __init__(self) -> None:
        self.bodies: dict[str, bytes] = {}
        self.said: dict[str, Validators] = {}

    def takes(self, url: str) -> bool:
        return "/archive/" in url

    def validators(self, url: str) -> Validators | None:
        return self.said.get(url)

    def keep(self, exchange: Exchange) -> bool:
        body = exchange.body if isinstance(exchange.body, bytes) else exchange.body.read_bytes()
        if not body.startswith(b"tar"):
            raise InputError(Reason.NOT_AN_ARCHIVE, exchange.url, "no archive")
        headers = {name.lower(): value for name, value in exchange.response_headers}
        self.said[exchange.url] = Validators(headers.get("etag"), None, "")
        is_new = self.bodies.get(exchange.url) != body
        self.bodies[exchange.url] = body
        return is_new


def test_a_repository_archive_goes_to_its_own_store_and_then_costs_one_304(site: Site, collected: Collected) -> None:
    site.routes["/archive/round.tar.gz"] = redirect("/code/round")
    site.routes["/code/round"] = [reply(b"tar" * 1000, ETag='"r"'), reply(status="304 Not Modified")]
    site.routes["/archive/broken.tar.gz"] = reply(b"<html>rate limited</html>")
    urls = [site.url("/archive/round.tar.gz"), site.url("/archive/broken.tar.gz")]
    source = make_source("rounds", *urls, kind="tarball")
    packs = Packs()
    first = collected.run(source, tarballs=packs, in_memory_bytes=100).row("rounds")
    second = collected.run(source, tarballs=packs).row("rounds")
    assert (first.fetched, first.new, first.unchanged) == (1, 1, 0)
    assert first.failures == (Fault(urls[1], Reason.NOT_AN_ARCHIVE, "no archive"),)
    assert (second.fetched, second.unchanged) == (0, 1)
    assert packs.bodies == {urls[0]: b"tar" * 1000}
    asked = [asked.headers for asked in site.asked if asked.path == "/code/round"]
    assert [headers["accept-encoding"] for headers in asked] == ["identity"] * 2
    assert asked[1]["if-none-match"] == '"r"'
    assert collected.captures() == []


def test_a_run_tells_of_each_source_as_it_ends(site: Site, tmp_path: Path) -> None:
    site.routes["/a"] = reply(b"a")
    seen: list[CollectedSource] = []
    with Archive(tmp_path / "archive", run_stamp="20260301T120000Z") as archive:
        report = collect(
            [make_source("one", site.url("/a"))],
            archive,
            settings=CollectSettings(),
            clock=lambda: datetime(2026, 3, 1, 12, tzinfo=UTC),
            resolver=Names(),
            on_row=seen.append,
        )
    assert tuple(seen) == report.rows
    (capture,) = Archive(tmp_path / "archive").captures()
    assert capture.captured_at == datetime(2026, 3, 1, 12, tzinfo=UTC)


def test_a_contact_that_no_header_can_carry_is_refused() -> None:
    with pytest.raises(ValueError, match="contact goes into a header"):
        CollectSettings(contact="me\r\nX-Evil: 1")


def test_many_dead_hosts_are_enough_when_others_hang(collected: Collected) -> None:
    names = Names({f"s{n}.example": UNKNOWN for n in range(10)})

    class Hanging(Names):
        async def __call__(self, host: str, port: int) -> list[str]:
            if host == "s10.example":
                await asyncio.sleep(600)
            return list(await names(host, port))

    sources = [public(f"s{n}") for n in range(11)]
    report = collected.run(*sources, names=Hanging(), connect_s=600.0, patience_s=0.2, silence_s=600.0)
    assert not report.has_network
    assert report.line.startswith("no network: none of 10 hosts could be reached")
    assert report.seconds < 300
    assert {row.why for row in report.rows} == {"no_network"}
