"""Where a request may go: redirects, schemes, hosts, ports, and the addresses that names resolve to."""

from __future__ import annotations

import socket

import pytest

from pipelines.problems import Fault, Reason
from tests.collect_kit import HOST, Collected, Dialler, Names, Site, make_source, redirect, reply

PUBLIC = "93.184.216.34"


def failure(site: Site, collected: Collected, names: Names | None = None, *hosts: str) -> Fault:
    """The one failure of a local source that starts at /a; nothing may have been archived."""
    source = make_source("news", site.url("/a"), allowed_hosts=[HOST, *hosts])
    row = collected.run(source, names=names).row("news")
    assert (row.fetched, row.failed) == (0, 1)
    assert collected.captures() == []
    return row.failures[0]


def test_a_circle_of_redirects(site: Site, collected: Collected) -> None:
    site.routes |= {"/a": redirect("/b"), "/b": redirect("/a")}
    found = failure(site, collected)
    assert found.reason == Reason.TOO_MANY_REDIRECTS
    assert found.detail == f"redirects run in a circle: {site.url('/a')} → {site.url('/b')} → {site.url('/a')}"
    assert site.paths() == ["/a", "/b"]


def test_redirects_without_end(site: Site, collected: Collected) -> None:
    site.routes |= {f"/{'a' * n}": redirect(f"/{'a' * (n + 1)}") for n in range(1, 20)}
    found = failure(site, collected)
    assert found == Fault(site.url("/a"), Reason.TOO_MANY_REDIRECTS, "more than 10 redirects")
    assert len(site.paths()) == 11


@pytest.mark.parametrize(
    ("address", "what"),
    [
        ("10.0.0.7", "10.0.0.7 is private"),
        ("192.168.1.1", "192.168.1.1 is private"),
        ("169.254.169.254", "169.254.169.254 is link-local"),
        ("127.0.0.2", "127.0.0.2 is loopback"),
        ("::ffff:127.0.0.1", "::ffff:7f00:1 is IPv4-mapped"),
        ("::ffff:93.184.216.34", "::ffff:5db8:d822 is IPv4-mapped"),
        ("fe80::1%eth0", "fe80::1%eth0 is bound to an interface"),
        ("64:ff9b::a00:7", "64:ff9b::a00:7 stands for 10.0.0.7 is private"),
        ("2002:a00:7::1", "2002:a00:7::1 is 6to4"),
    ],
)
def test_a_redirect_to_a_name_with_such_an_address_is_refused_even_to_a_local_source(
    address: str, what: str, site: Site, collected: Collected
) -> None:
    site.routes["/a"] = redirect(site.url("/secret", host="inside.example"))
    found = failure(site, collected, Names({"inside.example": [address]}), "inside.example")
    assert found.reason == Reason.ADDRESS_REFUSED
    assert found.detail == f"inside.example resolves to an address that is not public: {what}"
    assert "/secret" not in site.paths()


def test_a_redirect_to_an_address_in_place_of_a_name_needs_the_host_to_be_allowed(
    site: Site, collected: Collected
) -> None:
    site.routes["/a"] = redirect(f"http://169.254.169.254:{site.port}/latest/meta-data")
    found = failure(site, collected)
    assert found.reason == Reason.HOST_NOT_ALLOWED
    assert "169.254.169.254 is not among the allowed hosts (news.example)" in found.detail


@pytest.mark.parametrize(
    "target", ["ftp://news.example/a", "file:///etc/passwd", "data:text/html,hello", "javascript:alert(1)"]
)
def test_a_redirect_to_another_scheme(target: str, site: Site, collected: Collected) -> None:
    site.routes["/a"] = redirect(target)
    found = failure(site, collected)
    assert found.reason == Reason.SCHEME_NOT_ALLOWED
    assert f"redirected to {target.replace('///', '/')}" in found.detail


@pytest.mark.parametrize(
    "target",
    [
        "//elsewhere.example/a",
        "http://news.example.elsewhere.example/",
        "http://elsewhere.example\\@news.example/",
        "http://user:word@news.example/",
        "http://[::1",
    ],
)
def test_a_redirect_that_leaves_the_allowed_hosts(target: str, site: Site, collected: Collected) -> None:
    site.routes["/a"] = redirect(target)
    names = Names()
    found = failure(site, collected, names)
    assert found.reason == Reason.HOST_NOT_ALLOWED
    assert set(names.looked_up) == {HOST}
    assert site.paths() == ["/a"]


def test_a_public_source_on_a_name_with_a_private_address(site: Site, collected: Collected) -> None:
    source = make_source("news", f"http://{HOST}/a", is_local=False)
    dialler = Dialler(site.port)
    row = collected.run(source, names=Names({HOST: ["127.0.0.1"]}), dialler=dialler).row("news")
    detail = "news.example resolves to an address that is not public: 127.0.0.1 is loopback"
    assert row.failures == (Fault(f"http://{HOST}/a", Reason.ADDRESS_REFUSED, detail),)
    assert dialler.dialled == []
    assert collected.captures() == []


def test_one_private_address_among_public_ones_is_enough_to_refuse(site: Site, collected: Collected) -> None:
    source = make_source("news", f"http://{HOST}/a", is_local=False)
    dialler = Dialler(site.port)
    row = collected.run(source, names=Names({HOST: [PUBLIC, "10.1.2.3"]}), dialler=dialler).row("news")
    assert [found.reason for found in row.failures] == [Reason.ADDRESS_REFUSED]
    assert dialler.dialled == []


def test_the_address_that_was_judged_is_the_one_connected_to(site: Site, collected: Collected) -> None:
    site.routes["/a"] = reply(b"<p>public</p>")
    source = make_source("news", f"http://{HOST}/a", is_local=False)
    names, dialler = Names({HOST: [PUBLIC]}), Dialler(site.port)
    row = collected.run(source, names=names, dialler=dialler).row("news")
    assert row.fetched == 1
    assert set(dialler.dialled) == {PUBLIC}
    assert len(names.looked_up) == len(dialler.dialled)


def test_a_name_that_changes_its_address_between_two_requests_is_refused_then(site: Site, collected: Collected) -> None:
    site.routes["/a"] = reply(b"<p>public</p>")

    class Rebinding(Names):
        async def __call__(self, host: str, port: int) -> list[str]:
            self.looked_up.append(host)
            return [PUBLIC] if len(self.looked_up) == 1 else ["127.0.0.1"]

    dialler = Dialler(site.port)
    source = make_source("news", f"http://{HOST}/a", is_local=False)
    row = collected.run(source, names=Rebinding(), dialler=dialler).row("news")
    assert site.paths(with_robots=True) == ["/robots.txt"]
    assert dialler.dialled == [PUBLIC]
    assert [found.reason for found in row.failures] == [Reason.ADDRESS_REFUSED]


def test_a_public_source_that_is_redirected_inside(site: Site, collected: Collected) -> None:
    site.routes["/a"] = redirect("http://inside.example/secret")
    site.routes["/b"] = redirect(f"http://{HOST}:8080/")
    source = make_source(
        "news", f"http://{HOST}/a", f"http://{HOST}/b", is_local=False, allowed_hosts=[HOST, "inside.example"]
    )
    names = Names({HOST: [PUBLIC], "inside.example": ["192.168.0.1"]})
    row = collected.run(source, names=names, dialler=Dialler(site.port)).row("news")
    assert [(found.reason, found.place) for found in row.failures] == [
        (Reason.ADDRESS_REFUSED, f"http://{HOST}/a"),
        (Reason.HOST_NOT_ALLOWED, f"http://{HOST}/b"),
    ]
    assert site.paths() == ["/a", "/b"]


def test_the_next_address_is_tried_when_the_first_does_not_answer(site: Site, collected: Collected) -> None:
    site.routes["/a"] = reply(b"x")
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        source = make_source("news", site.url("/a"))
        # nothing listens on ::1 at this port
        row = collected.run(source, names=Names({HOST: ["::1", "127.0.0.1"]})).row("news")
    assert (row.fetched, row.failed) == (1, 0)


def test_a_host_that_refuses_connections_is_given_up_and_says_so(site: Site, collected: Collected) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
        urls = [f"http://{HOST}:{port}/a", f"http://{HOST}:{port}/b"]
        row = collected.run(make_source("news", *urls)).row("news")
    assert [found.reason for found in row.failures] == [Reason.CONNECT_FAILED] * 2
    assert row.failures[0].detail == f"no connection to {HOST} (127.0.0.1, port {port}): Connection refused"
    assert row.why == "connect_failed"
