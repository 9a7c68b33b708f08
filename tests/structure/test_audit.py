"""The audit of the locked packages: licences without a network, vulnerabilities by a source of this machine."""

from __future__ import annotations

import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.served import answering

AUDIT: dict[str, Any] = runpy.run_path(str(Path(__file__).resolve().parents[2] / ".ci" / "audit.py"))
PACKAGES = {"good": "1.0", "bad": "2.0"}


def test_every_locked_package_that_is_installed_has_an_allowed_licence() -> None:
    packages = AUDIT["locked"](AUDIT["LOCK"].read_text(encoding="utf-8"))
    wrong, absent = AUDIT["refused"](packages)
    assert wrong == []
    assert absent < len(packages) / 10


@pytest.mark.parametrize(
    ("told", "classifiers", "named"),
    [
        ({"License-Expression": "MPL-2.0 AND (Apache-2.0 OR MIT)"}, [], ["mpl-2.0", "apache-2.0", "mit"]),
        ({"License": "x"}, ["License :: OSI Approved :: Apache Software License"], ["apache"]),
        ({}, ["License :: OSI Approved :: Mozilla Public License 2.0 (MPL 2.0)"], ["mozilla public license 2.0"]),
        ({"License": "GPL-3.0-only\nmore"}, [], ["gpl-3.0-only"]),
        ({}, [], []),
    ],
)  # fmt: skip
def test_a_licence_is_read_from_what_the_package_says(told: Any, classifiers: list[str], named: list[str]) -> None:
    assert AUDIT["licences"](told, classifiers) == named
    assert "gpl-3.0-only" not in AUDIT["ALLOWED"]


@pytest.fixture
def source() -> Iterator[tuple[str, list[bytes]]]:
    """A source of this machine that answers what the list holds, once each."""
    answers: list[bytes] = []

    def answer(asked: dict[str, Any]) -> tuple[int, bytes]:
        assert [each["package"]["name"] for each in asked["queries"]] == list(PACKAGES)
        return 200, answers.pop()

    with answering(answer) as address:
        yield f"{address}v1/querybatch", answers


def test_what_is_known_is_named_and_what_is_no_answer_is_refused(source: tuple[str, list[bytes]]) -> None:
    address, answers = source
    answers += [b"<html>", b'{"results": [{}]}', b'{"results": [{}, {"vulns": [{"id": "A-1"}]}]}']
    assert AUDIT["advisories"](PACKAGES, address) == ["bad 2.0: A-1"]
    for _ in range(2):
        with pytest.raises(ValueError):
            AUDIT["advisories"](PACKAGES, address)
    with pytest.raises(ValueError, match="https"):
        AUDIT["advisories"](PACKAGES, "file:///etc/passwd")


def test_without_a_source_that_answers_nothing_fails(capsys: pytest.CaptureFixture[str]) -> None:
    assert AUDIT["main"]("") == 0
    assert "names no source" in capsys.readouterr().out
    assert AUDIT["main"]("http://127.0.0.1:1/") == 0
    assert "nothing is known" in capsys.readouterr().out
