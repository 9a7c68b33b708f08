"""News from the committed facts: what a feed says stands is what SQL says stands, and the command prints the same."""

from __future__ import annotations

import datetime as dt
import functools
import json
from collections.abc import Mapping, Sequence
from typing import Any

import feedparser
import pytest
from typer.testing import CliRunner

from pipelines.cli import app
from pipelines.settings import Settings
from warehouse.answers import claim_words
from warehouse.answers.news import PRICE_STEP, SQL, brief, watch
from warehouse.read import Warehouse

TODAY = dt.date(2026, 11, 21)
RUNNER = CliRunner()


RESOLVED = "evidence.resolved(?, subjects := [?::VARCHAR])"


def asker(market: Warehouse) -> Any:
    @functools.cache
    def stood(day: dt.date | None, subject: str) -> str:
        """All that stood of a subject on a day, kept: each figure of it asks again."""
        name = f'"{subject} {day}"'
        market.connection.execute(f"CREATE OR REPLACE TEMP TABLE {name} AS FROM {RESOLVED}", [day, subject])
        return name

    @functools.cache  # a later day of a figure asks for its earlier days again
    def ask(sql: str, parameters: tuple[Any, ...]) -> Sequence[Mapping[str, Any]]:
        before, resolved, after = sql.partition(RESOLVED)
        if resolved:
            place = before.count("?")
            day, subject = parameters[place : place + 2]
            sql = before + stood(day, subject) + after
            parameters = (*parameters[:place], *parameters[place + 2 :])
        return market.rows(sql, list(parameters))

    return ask


@pytest.mark.parametrize("subject", ["nvidia-gb200-nvl72", "amd-instinct-mi300x"])
def test_the_last_entry_of_a_figure_is_what_stands(market: Warehouse, subject: str) -> None:
    """By the macro on each day on which something was stated: same claims stand, seen from both sides."""
    ask = asker(market)
    rows = ask("SELECT DISTINCT metric, stated_on FROM evidence.claims WHERE subject_id = ? ORDER BY ALL", (subject,))
    assert rows
    for metric in {str(row["metric"]) for row in rows}:
        for day in {row["stated_on"] for row in rows if row["metric"] == metric}:
            stands = {
                claim_words.value_words(row)
                for row in ask(
                    """SELECT *, qualifiers['bound'] AS bound, qualifiers['approx'] AS approx
                       FROM evidence.resolved(?, subjects := [?::VARCHAR])""",
                    (day, subject),
                )
                if row["metric"] == metric
            }
            told = [entry.words for entry in watch(ask, subject, metric, day)]
            for value in stands:
                assert any(words.startswith(f"{value}, ") for words in told), f"{metric} on {day}: {value}"


def test_a_brief_holds_what_was_stated_in_its_days(market: Warehouse) -> None:
    since = dt.date(2025, 1, 1)
    entries = brief(asker(market), since, TODAY)
    assert {"claim", "dispute", "benchmark round", "promise moved", "renamed"} <= {entry.kind for entry in entries}
    assert all(since <= entry.day <= TODAY for entry in entries)
    assert [entry.day for entry in entries] == sorted((entry.day for entry in entries), reverse=True)
    assert len({entry.id for entry in entries}) == len(entries)
    assert all(entry.why and entry.tag and entry.path for entry in entries)


def test_price_moves_of_a_day_have_one_order(market: Warehouse) -> None:
    moves = market.rows(SQL["price_steps"], [dt.date(2020, 1, 1), TODAY, PRICE_STEP])
    keys = [(-row["day"].toordinal(), row["accelerator_model"], row["source_id"]) for row in moves]
    assert len({day for day, _, _ in keys}) < len(keys), "no day with several moves"
    assert keys == sorted(keys)


@pytest.fixture
def published(settings: Settings, market: Warehouse) -> Settings:
    settings.warehouse.parent.mkdir(parents=True, exist_ok=True)
    settings.warehouse.symlink_to(market.path)
    return settings


def test_the_command_prints_the_brief_in_each_form(published: Settings) -> None:
    options = ["brief", "--since", "2026-01-01", "--until", "2026-01-31"]
    text = RUNNER.invoke(app, options)
    assert text.exit_code == 0, text.output
    assert "2026-01-05" in text.stdout
    items = json.loads(RUNNER.invoke(app, [*options, "-f", "json"]).stdout)["items"]
    read = feedparser.parse(RUNNER.invoke(app, [*options, "-f", "atom", "--root", "https://example.org"]).stdout)
    assert not read.bozo
    assert [entry["id"] for entry in read.entries] == [item["id"] for item in items]
    assert all(entry["link"].startswith("https://example.org/") for entry in read.entries)


def test_a_quiet_time_says_so(published: Settings) -> None:
    before = ["brief", "--since", "1999-01-01", "--until", "1999-01-31"]
    assert RUNNER.invoke(app, before).stdout.strip() == "Nothing new was stated from 1999-01-01 to 1999-01-31."
    quiet = ["brief", "--since", "2017-01-01", "--until", "2017-01-31"]
    told, day = RUNNER.invoke(app, quiet).stdout.strip().rsplit(" ", 1)
    assert told.startswith("Nothing new was stated from 2017-01-01 to 2017-01-31.")
    assert RUNNER.invoke(app, ["brief", "--since", day, "--until", day]).stdout.strip().startswith(day)
    (item,) = json.loads(RUNNER.invoke(app, [*quiet, "-f", "json"]).stdout)["items"]
    assert item["title"].startswith("Nothing new")


def test_a_day_that_is_none_is_named(published: Settings) -> None:
    result = RUNNER.invoke(app, ["brief", "--since", "yesterday"])
    assert result.exit_code == 2
    assert "--since: expected a day" in result.stderr
