"""How the sources do, asked of the published file: what is wrong with them, what they gave, what was set aside."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pipelines.frozen import frozen
from warehouse.answers import Ask
from warehouse.answers.news import NewsItem, entry_id
from warehouse.outcome import Ending
from warehouse.statements import statements

SQL = statements(Path(__file__).with_suffix(".sql"))
# Verdicts of marts.source_health that a person should look at.
FAILING = ("failing", "gone", "refused by robots", "challenge page")
MOST_NAMED = 5
PAGE = "sources"


@frozen
class Health:
    """The sources that fail, and the open rows of evidence.quarantine."""

    failing: Sequence[dict[str, Any]]
    aside: Sequence[dict[str, Any]]

    @property
    def left_out(self) -> list[dict[str, Any]]:
        """Sources that are set aside as a whole, or whose last reading broke off."""
        return [row for row in self.aside if row["kind"] == "source"]

    @property
    def is_well(self) -> bool:
        """Whether every source answers and is shown as it stands. Single rows set aside are no fault of the run."""
        return not self.failing and not self.left_out

    @property
    def words(self) -> list[str]:
        """What fails and what was set aside, a line each; nothing where all is well."""
        named = [f"{row['source_id']} ({row['says']})" for row in self.failing]
        named += [f"{row['source_id']} ({row['reason']})" for row in self.left_out]
        lines = [f"{_counted(len(named), 'source fails', 'sources fail')}: {_first(named)}"] if named else []
        rows = [row for row in self.aside if row["kind"] != "source"]
        if rows:
            by_source = Counter(str(row["source_id"] or row["table"]) for row in rows)
            places = [f"{source} {count}" for source, count in by_source.most_common()]
            lines.append(f"{_counted(len(rows), 'row is', 'rows are')} set aside: {_first(places)}")
        return lines


def health(ask: Ask) -> Health:
    """The state of a published file."""
    return Health(
        [dict(row) for row in ask(SQL["sources"], (list(FAILING),))], [dict(row) for row in ask(SQL["open"], ())]
    )


def entries(state: Health, ending: Ending | None, built_at: dt.datetime) -> list[NewsItem]:
    """A feed's entries: a refused build, each failing source, and what each source has had set aside, day by day."""
    made: list[NewsItem] = []
    if ending is not None and not ending.is_well:
        title = "The last run was refused; the version before keeps serving"
        words = ". ".join(ending.says.splitlines()) + "."
        made.append(_entry("run", title, words, ending.at.date(), ending.at.isoformat()))
    for row in state.failing:
        since = f"{row['failed_runs']} runs in a row" if row["failed_runs"] > 1 else "the last run"
        words = f"{row['says']}. So for {since}."
        day = (row["at"] or built_at).date()
        made.append(_entry("source", f"{row['title']}: {row['verdict']}", words, day, row["source_id"], row["verdict"]))
    groups: dict[tuple[dt.date, str], list[dict[str, Any]]] = {}
    for row in state.aside:
        key = ((row["first_seen"] or built_at).date(), str(row["source_id"] or row["table"]))
        groups.setdefault(key, []).append(row)
    for (day, source), rows in groups.items():
        words = _first([f"{row['kind']} {row['quarantine_id']}: {row['reason']}" for row in rows])
        title = f"{source}: {_counted(len(rows), 'thing is', 'things are')} set aside"
        made.append(_entry("quarantine", title, words, day, source, day, *sorted(r["quarantine_id"] for r in rows)))
    return sorted(made, key=lambda entry: (entry.day, entry.id), reverse=True)


def _entry(kind: str, title: str, words: str, day: dt.date, *parts: object) -> NewsItem:
    why = "`rackledger doctor` and the page on sources say the same, and what to do."
    if kind != "run":
        why = "The rest is published; `rackledger quarantine list` and the page on sources say more."
    return NewsItem(entry_id("health", kind, *parts), kind, title, words, why, day, "derived", PAGE, "")


def _counted(count: int, one: str, many: str) -> str:
    return f"{count:,} {one if count == 1 else many}"


def _first(words: Sequence[str]) -> str:
    more = f"; and {len(words) - MOST_NAMED} more" if len(words) > MOST_NAMED else ""
    return "; ".join(word if len(word) <= 160 else f"{word[:157]}..." for word in words[:MOST_NAMED]) + more


def set_aside(ask: Ask) -> list[dict[str, Any]]:
    """Every row of the quarantine, whole sources first, then the newest."""
    return [dict(row) for row in ask(SQL["aside"], ())]


def newest_captures(ask: Ask) -> dict[str, dt.datetime]:
    """The newest capture of each source, in UTC."""
    rows = ask(SQL["captures"], ())
    return {str(row["source_id"]): dt.datetime.fromtimestamp(row["micros"] / 1e6, dt.UTC) for row in rows}


def claims_given(ask: Ask) -> dict[str, int]:
    """How many claims each source gave."""
    return {str(row["source_id"]): int(row["n"]) for row in ask(SQL["claims"], ())}


def unmatched_names(ask: Ask) -> Sequence[Mapping[str, Any]]:
    """Names that look like products and match nothing in the registry, with places where they stand."""
    return ask(SQL["unmatched"], ())
