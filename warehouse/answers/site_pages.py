"""What the pages of the site say: things, organisations and benchmarks from the rows of the declared questions."""

from __future__ import annotations

import datetime as dt
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from warehouse.answers import claim_words, formats
from warehouse.answers.corrections import (
    BENCHMARK,
    NOTHING,
    ORGANISATION,
    THING,
    Correction,
    event_words,
    of_reading,
    on_pages,
)
from warehouse.answers.corrections import marks as marks_of
from warehouse.answers.plain_html import Cell, Outside, Own, SitePage, Table, path_of
from warehouse.answers.questions import SQL, plain, questions

SECONDS = 600.0
_FILE = re.compile(r"[a-z0-9][a-z0-9_-]*(?:\.[a-z0-9_-]+)*")
LAST = ("Evidence, who, when", "Source")
Row = Mapping[str, Any]


Within = Callable[[float, str, Mapping[str, Any]], list[dict[str, Any]]]


def pages(within: Within, day: dt.date, put_right: Sequence[Correction] = ()) -> list[SitePage]:
    """A page for everything of which something is known, as known on the day of the build, by path.

    `within` asks the record; `put_right` is what stood otherwise in a version of before.
    """

    def asked(sql: str, parameters: Iterable[str] = ()) -> list[dict[str, Any]]:
        return [plain(row) for row in within(SECONDS, sql, {**dict.fromkeys(parameters), "as_of": day})]

    def ask(name: str) -> list[dict[str, Any]]:
        return asked(SQL[name], questions()[name].parameters)

    entries = list(within(SECONDS, SQL["entries"], {}))
    promises = ask("promises")
    corrected = [*map(of_reading, asked(SQL["corrected"])), *put_right]
    of_things, organisations = (
        [row for row in entries if row["family"] == family] for family in ("thing", "organisation")
    )
    things = thing_pages(of_things, ask("sheet"), promises, asked(SQL["lost"]), corrected)
    links = links_to(things, of_things)
    named = within(SECONDS, SQL["named"], {})
    benchmarks = {str(row["id"]): str(row["name"]) for row in named if row["kind"] == BENCHMARK}
    made = [
        *things,
        *organisation_pages(organisations, ask("adoption"), promises, links, put_right),
        *benchmark_pages(ask("benchmarks"), links, benchmarks, put_right),
    ]
    return sorted(made, key=lambda page: page.path)


def thing_pages(
    entries: Iterable[Row],
    sheet: Iterable[Row],
    promises: Iterable[Row],
    lost: Iterable[Row] = (),
    put_right: Iterable[Correction] = (),
) -> list[SitePage]:
    """Accelerators with their variants, systems, networks, sites, processors.

    `lost` are statements beside those that stand, each with why; `put_right` what a person took back of what was read,
    and figures that stood otherwise in a version of before.
    """
    page_of = {row["own_id"]: row["id"] for row in entries}
    cells_of, promised = _by(sheet, "subject_id", page_of), _by(promises, "subject_id", page_of)
    others, stood = _by(lost, "subject_id", page_of), on_pages(put_right, THING, page_of)
    made = []
    for row in entries:
        name, kind, cells, stages = row["name"], row["kind"], cells_of[row["id"]], promised[row["id"]]
        if row["own_id"] != row["id"] or not _is_named(row["id"]) or not (cells or stages):
            continue
        says = f"What is stated of {name} ({kind}): {len(cells)} figures, each with who said it, and when."
        tables = (
            *_said(row["id"], cells, others[row["id"]], stood[row["id"]]),
            _corrections(stood[row["id"]]),
            Table("What was promised, what came", ("Stage", "State", *LAST), tuple(map(_promise, stages))),
        )
        path, figures = path_of(THING, row["id"]), len(cells) + len(stages)
        made.append(SitePage(path, name, kind, says, "Product", figures, tables))
    return made


def _said(
    thing: str, cells: Sequence[Row], others: Sequence[Row], put_right: Sequence[Correction]
) -> tuple[Table, Table]:
    """What stands, and what was said otherwise with why it does not; each row is named by its claim, once on a page.

    A figure that was put right says so where it stands.
    """
    stands = {row.get("claim_id"): claim_words.standing_words(row) for row in cells}
    names = _once([str(row.get("claim_id") or "") for row in (*cells, *others)])
    beside = tuple(
        (
            _figure(row, thing),
            claim_words.value_words(row),
            stands.get(row["stands_id"], ""),
            str(row["why"]),
            *_told(row),
        )
        for row in others
    )
    heads = ("Figure", "Said", "Shown instead", "Why", *LAST)
    marks = marks_of(put_right)
    standing = tuple(_cell(row, thing, marks.get(str(row.get("claim_id") or ""), "")) for row in cells)
    return (
        Table("What stands", ("Figure", "Standing value", *LAST), standing, names[: len(cells)]),
        Table("What was said beside it", heads, beside, names[len(cells) :]),
    )


def _corrections(found: Iterable[Correction]) -> Table:
    """How each figure stood before, how it stands, and why."""
    heads = ("Figure", "Before", "Now", "Day", "Why", "Source")
    rows = ((one.figure, one.before, one.after or NOTHING, one.day, one.why, Outside(one.url)) for one in found)
    return Table("Corrections", heads, tuple(rows))


def links_to(things: Iterable[SitePage], entries: Iterable[Row]) -> dict[str, Own]:
    """By id, the link to the page of a thing or of the model that it is a variant of, with its own name."""
    paths = {page.path for page in things}
    return {row["own_id"]: Own(row["name"], path) for row in entries if (path := path_of(THING, row["id"])) in paths}


def organisation_pages(
    entries: Iterable[Row],
    adoption: Iterable[Row],
    promises: Iterable[Row],
    links: Mapping[str, Own],
    put_right: Iterable[Correction] = (),
) -> list[SitePage]:
    """Who has which generation, and what each maker promised; `links` lead to pages of things.

    `put_right` are events that stood otherwise in a version of before.
    """
    had, promised = _by(adoption, "organisation_id"), _by(promises, "maker_id")
    stood = on_pages(put_right, ORGANISATION)
    made = []
    for row in entries:
        events, milestones, otherwise = had[row["id"]], promised[row["id"]], stood[row["id"]]
        if not _is_named(row["id"]) or not (events or milestones or otherwise):
            continue
        marks = marks_of(otherwise)
        stages = tuple((links.get(each["subject_id"], str(each["subject"])), *_promise(each)) for each in milestones)
        says = (
            f"{row['name']}: {len(events)} events of generations that it has or plans to have, {len(milestones)} "
            "milestones of what it makes or promised, each with who said it, and when."
        )
        has = tuple(_event(each, marks) for each in events)
        tables = (
            Table("What it has", ("Generation", "What happened", *LAST), has),
            _corrections(otherwise),
            Table("What was promised, what came", ("Of", "Stage", "State", *LAST), stages),
        )
        path, figures = path_of(ORGANISATION, row["id"]), len(events) + len(milestones)
        made.append(SitePage(path, row["name"], "organisation", says, "Organization", figures, tables))
    return made


def benchmark_pages(
    results: Iterable[Row], links: Mapping[str, Own], names: Mapping[str, str], put_right: Iterable[Correction] = ()
) -> list[SitePage]:
    """The best closed result of each benchmark by round, generation and size; each suite and scenario is a table.

    `names` by id tell benchmarks of two suites apart where both bear one title; `put_right` are results of any system
    that stood otherwise in a version of before.
    """
    made: list[SitePage] = []
    stood = on_pages(put_right, BENCHMARK)
    for name, rows in sorted(_by(results, "benchmark_id").items()):
        if not _is_named(name):
            continue
        title, marks = names.get(name, str(rows[0]["benchmark"])), marks_of(stood[name])
        results_of: dict[str, list[tuple[Cell, ...]]] = defaultdict(list)
        for row in rows:
            words = [row["suite"], row["category"], row["scenario"], row["accuracy_class"]]
            table = "MLPerf " + ", ".join(str(each) for each in words if each)
            results_of[table].append((str(row["round"]), *_result(row, links, marks)))
        heads = ("Round", "Accelerator", "Result", *LAST)
        tables = [Table(words, heads, tuple(found)) for words, found in sorted(results_of.items())]
        says = f"{title}: the best closed MLPerf result of each round by generation and number of accelerators."
        path, shown = path_of(BENCHMARK, name), (*tables, _corrections(stood[name]))
        made.append(SitePage(path, title, BENCHMARK, says, "Dataset", len(rows), shown))
    return made


def _by(rows: Iterable[Row], column: str, page_of: Mapping[str, str] | None = None) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        name = row[column] if page_of is None else page_of.get(row[column])
        if name:
            found[str(name)].append(row)
    return found


def _once(claims: Iterable[str]) -> tuple[str, ...]:
    """The claims of rows; '' where an earlier row has it: a page names a place once."""
    found: list[str] = []
    for name in claims:
        found.append("" if name in found else name)
    return tuple(found)


def _is_named(name: str) -> bool:
    """Whether an id can be the name of a file."""
    return _FILE.fullmatch(name) is not None


def _figure(row: Row, thing: str) -> str:
    words = row["metric_title"] or row["metric"], claim_words.variant_words(row, thing), row["qualifiers"]
    return ", ".join(filter(None, words))


def _cell(row: Row, thing: str, mark: str) -> tuple[Cell, ...]:
    return _figure(row, thing), claim_words.standing_words(row), *_marked(row, mark)


def _promise(row: Row) -> tuple[Cell, ...]:
    stage = str(row["milestone"]).replace("_", " ") + (f", {row['variant']}" if row["variant"] else "")
    start, end = row["actual_start"] or row["latest_start"], row["actual_end"] or row["latest_end"]
    when = claim_words.period_words(start or end, end)
    return stage, f"{row['state']}{', ' + when if when else ''}", *_told(row)


def _event(row: Row, marks: Mapping[str, str]) -> tuple[Cell, ...]:
    words = ", ".join(each for each in (str(row["kind"]), str(row["system"] or ""), event_words(row)) if each)
    return str(row["generation_name"] or row["generation"]), words, *_marked(row, marks.get(str(row["row_key"]), ""))


def _result(row: Row, links: Mapping[str, Own], marks: Mapping[str, str]) -> tuple[Cell, ...]:
    value = formats.quantity(row["value"], str(row["unit"]))
    size = f" with {row['accelerators']:,} accelerators" if row["accelerators"] else ""
    return (
        links.get(row["accelerator"], str(row["accelerator"] or "")),
        f"{value}{size}, {row['system']}",
        *_marked(row, marks.get(str(row["result_key"]), "")),
    )


def _marked(row: Row, mark: str) -> tuple[str, Outside]:
    """Who said a row and when, and that it was corrected."""
    told, source = _told(row)
    return f"{told}; {mark}" if mark else told, source


def _told(row: Row) -> tuple[str, Outside]:
    day = row["stated_on"] or (f"by {row['stated_not_after']}" if row["stated_not_after"] else "undated")
    return f"{row['evidence']}: {row['claimant']}, {day}", Outside(str(row["url"] or ""))
