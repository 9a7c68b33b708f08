"""What was put right between two published versions: what stood, what stands, when and why.

A newer statement is news and no correction. Compared are the sheets of all things, events of who has what, and reviewed
results, from the published tables of two versions; nothing is kept here.
"""

from __future__ import annotations

import datetime as dt
import itertools
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import duckdb

from pipelines.frozen import frozen
from warehouse.answers import claim_words, formats
from warehouse.read import rows_of
from warehouse.statements import statements

SQL = statements(Path(__file__).with_suffix(".sql"))
THING, ORGANISATION, BENCHMARK = "thing", "org", "benchmark"  # what a correction is on the page of
# Whose it is, and which row.
KEYS = {
    THING: ("subject_id", "claim_id"), ORGANISATION: ("organisation_id", "row_key"),
    BENCHMARK: ("benchmark_id", "result_key"),
}  # fmt: skip
NOTHING = "nothing stands"  # in words, where no row stands any more
EVENTS, RESULTS = "facts.adoption", "facts.mlperf_results"
NEEDED = ("marts.cells", "evidence.claims", "evidence.decisions")
READ_ANEW = "the reading before was corrected, or is no longer in what was read"
_NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")
_VERSION = re.compile(r"\d{8}T\d{6}Z-[0-9a-z]{1,40}")


@frozen
class Correction:
    """A figure of a thing, an event of an organisation or a result of a benchmark (`family`): as it stood, as it
    stands ('' where nothing does), the day of the version, and why; `claim_id` is the row that stands now."""

    subject_id: str
    figure: str
    before: str
    after: str
    day: str
    why: str
    url: str
    claim_id: str
    version: str
    family: str = THING


def of_reading(row: Mapping[str, Any]) -> Correction:
    """What a person did to a reading, from a row of the question `corrected`."""
    is_corrected = row["decision"] == "correct"
    told = _read_words(row["value"], row["unit"])
    was = _read_words(row["was"], row["was_unit"]) if is_corrected else told
    return Correction(
        str(row["subject_id"] or ""),
        str(row["metric_title"]),
        f"{was}, read as something else" if is_corrected and was == told else was,
        told if is_corrected else "taken back",
        str(row["decided_on"]),
        str(row["note"] or ""),
        str(row["url"] or ""),
        str(row["becomes"] or ""),
        "",
    )


def _read_words(value: Any, unit: Any) -> str:
    text = str(value or "")
    return formats.quantity(float(text), str(unit or "")) if _NUMBER.fullmatch(text) else text.replace("..", " to ")


def on_pages(
    found: Iterable[Correction], family: str, page_of: Mapping[str, str] | None = None
) -> dict[str, list[Correction]]:
    """Those of a kind of page by the id of their page; `page_of` leads from the id of a variant to it."""
    made: dict[str, list[Correction]] = defaultdict(list)
    for one in found:
        name = one.subject_id if page_of is None else page_of.get(one.subject_id)
        if one.family == family and name:
            made[name].append(one)
    return made


def marks(found: Iterable[Correction]) -> dict[str, str]:
    """By the row that stands now, that it was corrected, when, and how it stood; the latest counts."""
    return {
        one.claim_id: f"corrected on {one.day}, was {one.before}" if one.before else f"corrected on {one.day}"
        for one in found
        if one.claim_id
    }


def is_version(name: str) -> bool:
    """Whether a folder's name is that of a version."""
    return _VERSION.fullmatch(name) is not None


def day_of(version: str) -> dt.date:
    """The day on which a version was built, from its name."""
    return dt.datetime.strptime(version[:8], "%Y%m%d").replace(tzinfo=dt.UTC).date()


def pairs(published: Path) -> Iterator[tuple[Path, Path]]:
    """Each published version whose tables can be compared, with the one before it."""
    held = [
        path
        for path in (published.iterdir() if published.is_dir() else ())
        if is_version(path.name) and all((path / f"{name}.parquet").is_file() for name in NEEDED)
    ]
    return itertools.pairwise(sorted(held))


@lru_cache(maxsize=32)  # published versions never change
def between(older: Path, newer: Path) -> tuple[Correction, ...]:
    """What was put right between two versions, from the folders of their tables."""
    files = {
        f"{side}_{name.partition('.')[2]}": str(place / f"{name}.parquet")
        for side, place, names in (("older", older, NEEDED[:2]), ("newer", newer, NEEDED))
        for name in names
    }
    since, found = day_of(older.name), []
    given: dict[str, Any]
    with duckdb.connect(config={"threads": 1}) as connection:
        found += [
            _of_cell(row, newer.name) for row in rows_of(connection.execute(SQL["cells"], {**files, "since": since}))
        ]
        for table, sql, made in ((EVENTS, SQL["events"], _of_event), (RESULTS, SQL["results"], _of_result)):
            of_table = {side: place / f"{table}.parquet" for side, place in (("older", older), ("newer", newer))}
            if all(path.is_file() for path in of_table.values()) and _are_alike(connection, *of_table.values()):
                given = {side: str(path) for side, path in of_table.items()}
                given |= {"since": since} if "$since" in sql else {}
                found += [made(row, newer.name) for row in rows_of(connection.execute(sql, given))]
    return tuple(found)


def _are_alike(connection: duckdb.DuckDBPyConnection, older: Path, newer: Path) -> bool:
    """Whether two files of a table have the same columns: what is kept otherwise since cannot be compared."""
    names = [
        [column[0] for column in connection.read_parquet(str(path)).limit(0).description] for path in (older, newer)
    ]
    return names[0] == names[1]


def _of_cell(row: Mapping[str, Any], version: str) -> Correction:
    before = row["before"]
    qualifiers = [f"{key} {word}" for key, word in sorted(before["qualifiers"].items())
                  if key not in ("bound", "approx") and word != "unstated"]  # fmt: skip
    what = (before["metric_title"] or before["metric"], *qualifiers)
    return _put_right(row, version, THING, what, _words, _why(row))


def _words(cell: Mapping[str, Any]) -> str:
    bounds = {name: cell["qualifiers"].get(name) for name in ("bound", "approx")}
    return claim_words.value_words({**cell, **bounds})


def _why(row: Mapping[str, Any]) -> str:
    """Why, from what the two versions hold: a person's word first, then what was read otherwise."""
    if row["decision"]:
        return str(row["note"] or "the reading was put right")
    if row["is_read_anew"]:
        return READ_ANEW
    if row["is_read_since"]:
        after: Mapping[str, Any] = row["after"]
        return f"a statement of before was read since: {after['claimant']}"
    return "no longer stands by the written rule" if row["is_gone"] else "another statement stands by the written rule"


def _of_event(row: Mapping[str, Any], version: str) -> Correction:
    before = row["before"]
    told = f"a statement of before was read since: {row['after']['claimant']}" if row["is_of_another"] else READ_ANEW
    what = (before["generation_name"] or before["generation"], before["kind"], before["system"])
    return _put_right(row, version, ORGANISATION, what, event_words, told)


def _of_result(row: Mapping[str, Any], version: str) -> Correction:
    before = row["before"]
    told = "the organisers' files of the round changed" if row["is_of_another"] else READ_ANEW
    what = (before["round"], before["submitter"], before["system_name"] or before["system"], before["mode"])
    return _put_right(row, version, BENCHMARK, what, _result_words, told)


def _put_right(
    row: Mapping[str, Any],
    version: str,
    page: str,
    what: Iterable[object],
    words: Callable[[Mapping[str, Any]], str],
    why: str,
) -> Correction:
    """A row that another version tells otherwise or no longer."""
    before, after = row["before"], {} if row["is_gone"] else row["after"]
    owner, key = KEYS[page]
    return Correction(
        str(before[owner]),
        ", ".join(str(each) for each in what if each),
        words(before),
        words(after) if after else "",
        day_of(version).isoformat(),
        why,
        str((after or before)["url"] or ""),
        str(after.get(key) or ""),
        version,
        page,
    )


def event_words(event: Mapping[str, Any]) -> str:
    """When an event was, or by when it was known, and with how many accelerators."""
    when = claim_words.period_words(event["on_low"] or event["on_high"], event["on_high"])
    count = f"{event['accelerators']:,} accelerators" if event["accelerators"] else ""
    return ", ".join(each for each in (count, when or f"by {event['stated_not_after']}") if each)


def _result_words(result: Mapping[str, Any]) -> str:
    value = "no value" if result["result"] is None else formats.quantity(result["result"], str(result["unit"] or ""))
    return f"{value} with {result['accelerators']:,} accelerators" if result["accelerators"] else value
