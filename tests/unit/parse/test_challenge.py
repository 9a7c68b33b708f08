"""Checks of the visitor and walls are told from pages; a page that speaks of them is a page."""

from __future__ import annotations

import pytest

from pipelines.parse.challenge import challenge_in

CHECK = b"<html><head><title>Just a moment...</title></head><body><noscript>Turn on scripts.</noscript></body></html>"
MACHINERY = (
    b'<html><head><title>news.example</title><script src="/cdn-cgi/challenge-platform/x.js"></script></head></html>'
)
STORY = (
    b"<html><head><title>Racks that ship</title></head><body><p>"
    + b"A rack of seventy-two packages draws power. " * 60
    + b"</p><script src='https://www.google.com/recaptcha/api.js'></script></body></html>"
)
ABOUT = b"<html><head><title>Verify you are human: how checks work</title></head><body>" + b"<p>word</p> " * 300


@pytest.mark.parametrize(("body", "sign"), [(CHECK, "Just a moment"), (MACHINERY, "challenge-platform")])
def test_a_check_of_the_visitor_is_seen(body: bytes, sign: str) -> None:
    found = challenge_in(body, "text/html; charset=utf-8")
    assert found is not None
    assert sign in found


@pytest.mark.parametrize("body", [STORY, ABOUT, b"", b"<title>GB300 ships</title><p>short note</p>"])
def test_a_page_is_a_page(body: bytes) -> None:
    assert challenge_in(body, "text/html") is None


def test_only_html_is_looked_at() -> None:
    assert challenge_in(CHECK, "application/json") is None
