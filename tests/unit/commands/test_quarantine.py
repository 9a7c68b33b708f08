"""`rackledger quarantine`: what is listed, what a person may decide, and what is refused with its reason."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from pipelines.commands import quarantine as command
from pipelines.settings import Settings
from warehouse.decisions import read_decisions


def row(quarantine_id: str, **change: Any) -> dict[str, Any]:
    return {
        "quarantine_id": quarantine_id,
        "kind": "row",
        "state": "open",
        "source_id": "web",
        "table": "facts.t",
        "row_key": "a",
        "check": "facts_t_rules",
        "first_seen": dt.datetime(2026, 3, 1, tzinfo=dt.UTC),
        "reason": "price > 0 is not met",
        "is_waivable": True,
        "row_json": '{"price": -1}',
    } | change


ASIDE = [
    row("ab12", source_id="web"),
    row("ab34", source_id="feed", is_waivable=False, reason="no JSON", row_json='{"price": '),
    row("cd56", state="dropped"),
]


@pytest.fixture(autouse=True)
def aside(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    rows = list(ASIDE)
    monkeypatch.setattr(command, "_rows", lambda: rows)
    return rows


def run(*arguments: str) -> Result:
    return CliRunner().invoke(command.app, list(arguments))


def said(result: Result) -> str:
    return " ".join(result.output.split())


def test_only_what_is_open_is_listed_unless_all_is_asked_for() -> None:
    def ids(*arguments: str) -> list[str]:
        return [item["quarantine_id"] for item in json.loads(run("list", "--json", *arguments).stdout)]

    assert ids() == ["ab12", "ab34"]
    assert ids("--all") == ["ab12", "ab34", "cd56"]
    assert ids("--source", "feed") == ["ab34"]


def test_an_empty_list_says_so(aside: list[dict[str, Any]]) -> None:
    aside.clear()
    assert said(run("list")) == "nothing is set aside"


def test_a_row_cut_short_is_shown_as_it_is_and_a_whole_one_line_by_line() -> None:
    assert '{"price":' in run("show", "ab34").output
    assert '"price": -1' in run("show", "ab12").output.splitlines()[-2]


@pytest.mark.parametrize("verdict", ["release", "drop"])
def test_a_decision_is_kept_with_its_reason_and_place(settings: Settings, verdict: str) -> None:
    assert run(verdict, "ab1", "--reason", " seen on the page ").exit_code == 0
    (decision,) = read_decisions(settings.quarantine_decisions).values()
    assert (decision.quarantine_id, decision.verdict, decision.reason) == ("ab12", verdict, "seen on the page")
    assert decision.place == "facts.t a: facts_t_rules"
    assert run("reopen", "ab12", "--reason", "too soon").exit_code == 0
    assert read_decisions(settings.quarantine_decisions) == {}


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("release", "ab34", "--reason", "it is right"), 1, "ab34 cannot be let in: no JSON."),
        (("drop", "ab12", "--reason", "  "), 2, "--reason: say why in a few words"),
        (("drop", "ab", "--reason", "why"), 2, "2 ids begin with 'ab': ab12, ab34"),
        (("show", "ab13"), 2, "nothing is set aside under 'ab13'; did you mean 'ab34' or 'ab12'?"),
        (("show", ""), 2, "3 ids begin with ''"),
    ],
)
def test_what_cannot_be_decided_is_refused_and_nothing_is_kept(
    settings: Settings, arguments: tuple[str, ...], code: int, words: str
) -> None:
    result = run(*arguments)
    assert result.exit_code == code
    assert words in said(result)
    assert not settings.quarantine_decisions.exists()


def test_a_file_of_decisions_that_cannot_be_written_is_named(settings: Settings) -> None:
    settings.quarantine_decisions.parent.parent.mkdir(parents=True)
    settings.quarantine_decisions.parent.write_text("a file where a folder should be")
    result = run("drop", "ab12", "--reason", "why")
    assert result.exit_code == 1
    assert "quarantine.jsonl" in result.output.replace("\n", "")
