"""Briefs on one thing, maker or topic, and rules in plain words: what meets them, told once to webhook and file."""

from __future__ import annotations

import datetime as dt
import email
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from pipelines.cli import app
from pipelines.settings import PREFIX, Settings
from tests.served import answering
from warehouse.answers import feeds, rules
from warehouse.answers.news import NewsItem, only_about
from warehouse.answers.questions import Wrong
from warehouse.read import Warehouse


def item(title: str, about: tuple[str, ...], kind: str = "claim", url: str = "https://example.org/a") -> NewsItem:
    day = dt.date(2026, 3, 1)
    return NewsItem(
        f"tag:{title}", kind, title, "Says NVIDIA.", "why", day, "vendor", "evidence?claim=1", url, (), about
    )


NEWS = [
    item("GB300 NVL72, electric power: 132 kW", ("nvidia-gb300-nvl72", "nvidia")),
    item("Helios, electric power: 140 kW", ("amd-helios", "amd")),
    item("Helios, first availability: now 2026-H2", ("amd-helios", "amd"), "promise moved"),
]


@pytest.fixture
def on_market(settings: Settings, market: Warehouse, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.setenv(PREFIX + "WAREHOUSE", str(market.path))
    return settings


def test_a_brief_holds_what_is_about_the_thing_and_the_topic() -> None:
    assert only_about(NEWS, []) == NEWS
    assert only_about(NEWS, ["amd"]) == NEWS[1:]
    assert only_about(NEWS, ["amd"], "Power") == [NEWS[1]]
    assert only_about(NEWS, [], "promise moved") == [NEWS[2]]


def test_outside_text_is_text_in_markdown_and_in_html() -> None:
    hostile = [item('<img src=x onerror=alert(1)> [a](javascript:b) "q"', (), url="https://example.org/?a=1&b=2")]
    made = feeds.page("brief", "https://ledger.test/", hostile)
    assert "<img" not in made
    assert "&lt;img src=x" in made
    assert made.count("<svg") == 2
    assert "<script" not in made
    written = feeds.markdown("brief", "https://ledger.test/", hostile)
    assert "\\<img" in written  # a backslash makes it text
    assert written.count("<img") == 1
    assert "[a](javascript" not in written
    assert "Nothing new" in feeds.page("brief", "", [])


@pytest.mark.usefixtures("on_market")
def test_the_command_writes_each_form_on_one_maker() -> None:
    for form in ("markdown", "html", "atom", "json", "text"):
        asked = ["brief", "--since", "2026-01-01", "--until", "2026-06-30", "--maker", "AMD", "-f", form]
        found = CliRunner().invoke(app, asked)
        assert found.exit_code == 0, found.output
        assert "AMD" in found.output
    wrong = CliRunner().invoke(app, ["brief", "--thing", "GB300 NVL27"])
    assert wrong.exit_code == 2


@pytest.mark.parametrize(
    ("text", "kind", "name", "side", "bound"),
    [
        ("B200 hour under 3 USD", "hour", "B200", "under", 3.0),
        ("H100  Hour over 2.50", "hour", "H100", "over", 2.5),
        ("any slip of Helios", "slip", "Helios", "", 0.0),
        ("anything new on GB300 NVL72", "news", "GB300 NVL72", "", 0.0),
    ],
)
def test_a_rule_is_read_from_its_words(text: str, kind: str, name: str, side: str, bound: float) -> None:
    rule = rules.parse(text)
    assert (rule.kind, rule.name, rule.side, rule.bound) == (kind, name, side, bound)


@pytest.mark.parametrize("text", ["", "B200 under 3", "slip of Helios", "B200 hour under three USD", "any slip of "])
def test_other_words_are_refused_with_the_forms(text: str) -> None:
    with pytest.raises(rules.RuleError, match="hour under 3 USD"):
        rules.parse(text)


def test_a_price_meets_a_rule_where_the_newest_median_of_a_source_does(market: Warehouse) -> None:
    def found(text: str) -> list[rules.Alert]:
        return rules.alerts(rules.parse(text), market.rows, named(market), market.publication.built_at.date())

    newest = market.rows(
        """SELECT source_id, median_usd_per_gpu_hour AS median FROM marts.prices
           WHERE period = 'day' AND accelerator_grain = 'model' AND accelerator_model = 'nvidia-h100'
             AND price_type = 'on_demand' AND layer = 'all'
           QUALIFY row_number() OVER (PARTITION BY source_id ORDER BY period_start DESC) = 1 AND NOT is_thin"""
    )
    assert newest
    bound = max(row["median"] for row in newest) + 0.01
    assert len(found(f"H100 hour under {bound} USD")) == len(newest)
    assert found(f"H100 hour over {bound} USD") == []
    for alert in found(f"H100 hour under {bound} USD"):
        assert alert.url.startswith("https://")
        assert alert.tag in {"derived", "reported", "operator"}
    with pytest.raises(Wrong, match="nvidia-"):
        found("H1000 hour under 3 USD")


def named(market: Warehouse) -> Any:
    def ask(sql: str, given: Mapping[str, Any]) -> list[dict[str, Any]]:
        return market.within(60, sql, given)

    return ask


def test_a_slip_is_what_is_late_moved_or_past_due(market: Warehouse) -> None:
    late = market.rows(
        """SELECT subject_id AS id, count(*) AS n FROM marts.milestones
           WHERE overdue_days > 0 AND subject_kind = 'system' GROUP BY 1 ORDER BY 1 LIMIT 1"""
    )[0]
    today = market.publication.built_at.date()
    found = rules.alerts(rules.parse(f"any slip of {late['id']}"), market.rows, named(market), today)
    assert len(found) >= late["n"]
    assert any("overdue" in each.words for each in found)


@pytest.fixture
def webhook() -> Iterator[tuple[str, list[dict[str, Any]]]]:
    taken: list[dict[str, Any]] = []

    def take(told: dict[str, Any]) -> tuple[int, bytes]:
        taken.append(told)
        return 204, b""

    with answering(take) as address:
        yield address, taken


@pytest.mark.usefixtures("on_market")
def test_an_alert_is_told_once_to_a_webhook_and_to_a_file(
    webhook: tuple[str, list[dict[str, Any]]], tmp_path: Path
) -> None:
    address, taken = webhook
    mail = tmp_path / "alert.eml"
    asked = [
        "alerts",
        "H100 hour under 1000 USD",
        "--webhook",
        address,
        "--mail",
        str(mail),
        "--root",
        "https://ledger.test",
    ]
    first = CliRunner().invoke(app, asked)
    assert first.exit_code == 0, first.output
    assert taken[0]["alerts"][0]["rule"] == "H100 hour under 1000 USD"
    message = email.message_from_bytes(mail.read_bytes())
    assert message["Subject"].startswith("rackledger: ")
    assert "https://ledger.test/prices?" in message.get_payload(decode=True).decode()  # type: ignore[union-attr]
    second = CliRunner().invoke(app, asked)
    assert "Nothing new" in second.output
    assert len(taken) == 1
    assert CliRunner().invoke(app, ["alerts", "H100 soon"]).exit_code == 2
