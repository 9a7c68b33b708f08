"""Parts of the site by hand: which versions stay, what a former page says, previews, search, figures put right."""

from __future__ import annotations

import json
from pathlib import Path

import duckdb
import pytest

from pipelines.publish import site_links, site_previews, site_versions
from pipelines.settings import PROJECT_ROOT
from warehouse.answers import corrections
from warehouse.answers.corrections import Correction
from warehouse.answers.plain_html import Outside, SitePage, Table, path_of

OLD, NEW = "20260601T000000Z-aaaaaaaa", "20260702T000000Z-bbbbbbbb"
HOSTILE = "</script>\u202e<img src=x onerror=alert(1)>\x00"


def page(told: str = "142 kW") -> SitePage:
    row = ("Electric power", told, "vendor: Maker, 2026-05-01", Outside("https://example.org/"))
    table = Table("What stands", ("Figure", "Standing value", "Evidence, who, when", "Source"), (row,))
    return SitePage(path_of("thing", "x1"), "X1", "rack", "One figure.", "Product", 1, (table,))


def test_the_newest_twelve_and_the_last_of_each_month_stay() -> None:
    days = [f"2026{month:02}{day:02}T000000Z-a" for month in (1, 2) for day in range(1, 16)]
    assert site_versions.kept(days) == {"20260115T000000Z-a", *(f"202602{day:02}T000000Z-a" for day in range(4, 16))}
    assert site_versions.kept([]) == set()
    assert [corrections.is_version(name) for name in (OLD, "latest", "../x", ".x.writing")] == [
        True,
        False,
        False,
        False,
    ]


def test_a_former_version_stays_as_it_was_and_says_what_it_is(tmp_path: Path) -> None:
    kept = tmp_path / "thing" / "x1.html"
    kept.parent.mkdir()
    kept.write_text(page().html("https://ledger.test/"), encoding="utf-8")
    (tmp_path / "preview").mkdir()
    (tmp_path / "preview" / "x1.png").write_bytes(b"1")
    held = {"thing/x1.html": "a", "preview/x1.png": "b", "search/x.json": "c", "files/latest/marts.cells.parquet": "d"}
    site_versions.keep_pages(tmp_path, OLD, held)
    before = tmp_path / "v" / OLD / "thing" / "x1.html"
    first = before.read_text(encoding="utf-8")
    assert f"This is version {OLD} of 1 June 2026" in first
    assert 'href="../../../thing/x1.html">The newest</a>' in first
    assert 'src="../../../search.js"' in first
    assert "142 kW" in first
    assert sorted(each.name for each in (tmp_path / "v" / OLD).rglob("*.*")) == [".made", "x1.html", "x1.png"]
    kept.unlink()
    kept.write_text(page("132 kW").html("https://ledger.test/"), encoding="utf-8")
    site_versions.keep_pages(tmp_path, NEW, {**held, "thing/x1.html": "e"})
    assert before.read_text(encoding="utf-8") == first
    assert "132 kW" in (tmp_path / "v" / NEW / "thing" / "x1.html").read_text(encoding="utf-8")
    assert site_versions.last_with(tmp_path, "thing/x1.html") == NEW
    assert [site_versions.last_with(tmp_path, path) for path in ("thing/x2.html", "../x.html", "index.html")] == [
        ""
    ] * 3
    led = site_versions.gone_page("thing/x1.html", OLD).html("https://ledger.test/")
    assert f'href="../v/{OLD}/thing/x1.html"' in led
    listed = site_versions.list_page(tmp_path, NEW)
    assert [row[:2] for row in listed.tables[0].rows] == [("2 July 2026", NEW), ("1 June 2026", OLD)]


def test_tables_of_a_version_stay_after_the_package_went(tmp_path: Path) -> None:
    published, folder = tmp_path / "published", tmp_path / "site"
    (published / OLD).mkdir(parents=True)
    (published / OLD / "datapackage.json").write_text("{}", encoding="utf-8")
    (published / OLD / "marts.cells.parquet").write_bytes(b"old")
    site_versions.keep_tables(folder, published)
    (published / OLD / "marts.cells.parquet").unlink()
    assert (folder / "files" / OLD / "marts.cells.parquet").read_bytes() == b"old"
    (folder / "files" / f".{NEW}.writing").mkdir()
    site_versions.forget(folder)
    assert sorted(path.name for path in (folder / "files").iterdir()) == [OLD]


def test_a_preview_is_drawn_alike_and_words_of_others_are_only_drawn() -> None:
    (made,), (file,) = site_previews.with_previews([page()], "https://ledger.test/")
    assert (made.image, file.path) == ("preview/thing/x1.png", "preview/thing/x1.png")
    assert file.content() == file.content()
    assert file.content().startswith(b"\x89PNG")
    assert "142 kW" in file.made_of
    (_,), (other,) = site_previews.with_previews([page("132 kW")], "https://ledger.test/")
    assert other.made_of != file.made_of
    hostile = site_previews.preview((HOSTILE * 40, "", ((HOSTILE * 9, HOSTILE * 9),) * 4, "https://ledger.test/"))
    assert hostile.startswith(b"\x89PNG")
    assert b"onerror" not in hostile


def test_any_name_leads_to_its_page_and_stands_on_the_shelf_of_its_first_letters() -> None:
    named = [
        {"id": "x1", "name": "X1", "kind": "rack", "names": ["Éclair 9", "Old Name"], "says": "", "weight": 5},
        {"id": "gone", "name": "Gone", "kind": "rack", "names": [], "says": "", "weight": 5},
    ]
    places = {"thing?id=x1": "thing/x1.html"}
    (entry,) = site_links.entries(named, [page()], places)
    assert entry == {
        "name": "X1", "kind": "rack", "href": "thing/x1.html", "names": ["x1", "Éclair 9", "Old Name"], "weight": 5,
    } | {"names": sorted(["x1", "Éclair 9", "Old Name"])}  # fmt: skip
    files = {file.path: file.content() for file in site_links.search_files(named, [page()], places)}
    held = {path for path, content in files.items() if path.endswith(".json") and json.loads(content)}
    assert held == {f"search/{name}.json" for name in ("x", "r", "9", "o", "n", "other")}


def version_of(folder: Path, name: str, *cells: str, claims: str, decision: str = "") -> Path:
    """The three tables of a version that are compared."""
    columns = (
        "subject_id, subject_key, metric, metric_title, topic, qualifiers, value, value_text, value_start, value_end, "
        "unit, claim_id, claimant, stated_on, stated_not_after, url, range_low, value_low, value_high"
    )
    values = ", ".join(f"('x1', 'x1', {cell}, NULL, 'https://example.org/', NULL, NULL, NULL)" for cell in cells)
    (folder / name).mkdir()
    with duckdb.connect() as connection:
        connection.execute(f"CREATE TABLE cells AS SELECT * FROM (VALUES {values}) AS t({columns})")
        connection.execute("ALTER TABLE cells ALTER stated_not_after TYPE DATE")
        connection.execute(f"CREATE TABLE claims AS SELECT unnest([{claims}]) AS claim_id")
        connection.execute(
            "CREATE TABLE decisions AS SELECT 'b' AS claim_id, 'reject' AS decision, "
            f"'{decision}' AS note, true AS counts WHERE '{decision}' <> ''"
        )
        for table, path in zip(("cells", "claims", "decisions"), corrections.NEEDED, strict=True):
            connection.execute(f"COPY {table} TO '{folder / name / path}.parquet' (FORMAT parquet)")
    return folder / name


def cell(metric: str, value: str, claim: str, day: str) -> str:
    return (
        f"'{metric}', 'Title of {metric}', 't', MAP {{'per': 'rack'}}, {value}, NULL::VARCHAR, NULL::DATE, NULL::DATE, "
        f"'kW', '{claim}', 'Maker', DATE '{day}'"
    )


def test_a_figure_that_was_put_right_is_told_and_news_is_not(tmp_path: Path) -> None:
    """Power was misread, weight is said anew later, memory was taken back, price is as it was."""
    before = [cell("power", "132", "a", "2026-05-01"), cell("memory", "9", "b", "2026-05-01"),
              cell("weight", "2", "c", "2026-05-01"), cell("price", "1", "d", "2026-05-01")]  # fmt: skip
    after = [cell("power", "142", "e", "2026-05-01"), cell("weight", "3", "f", "2026-06-20"),
             cell("price", "1", "d", "2026-05-01")]  # fmt: skip
    version_of(tmp_path, OLD, *before, claims="'a', 'b', 'c', 'd'")
    version_of(tmp_path, NEW, *after, claims="'c', 'd', 'e', 'f'", decision="a slip of the pen")
    site = tmp_path / "site"
    found = site_versions.corrections(site, tmp_path)
    url, day = "https://example.org/", "2026-07-02"
    assert found == [
        Correction("x1", "Title of memory, per rack", "9 kW", "", day, "a slip of the pen", url, "", NEW),
        Correction("x1", "Title of power, per rack", "132 kW", "142 kW", day,
                   "the reading before was corrected, or is no longer in what was read", url, "e", NEW),
    ]  # fmt: skip
    for name in (OLD, NEW):
        for path in (tmp_path / name).iterdir():
            path.unlink()
    assert site_versions.corrections(site, tmp_path) == found  # old versions go, what was put right stays told


EVENT = (
    "row_key, organisation_id, generation, generation_name, kind, system, on_low, on_high, accelerators, claimant, "
    "url, stated_on, stated_not_after"
)
RESULT = (
    "result_key, suite, round, origin, benchmark_id, submitter, system, system_name, mode, result, unit, accelerators, "
    "commit, archive_sha256, url"
)


def event(generation: str, system: str, day: str, *, count: int = 8, stated: str = "2026-05-01") -> str:
    key, name = f"{generation} {system} {day} {count}", generation.title()
    return (
        f"('{key}', 'x', '{generation}', '{name}', 'in service', '{system}', DATE '{day}', DATE '{day}', {count}, "
        f"'Maker', 'https://example.org/', DATE '{stated}', DATE '{stated}')"
    )


def result(system: str, value: float, *, commit: str = "c1", round_: str = "v5.0") -> str:
    return (
        f"('{round_}/{system}', 'inference', '{round_}', 'archive', 'llm', 'Submitter', '{system}', NULL, 'Offline', "
        f"{value}, 'tokens/s', 8, '{commit}', 's', 'https://example.org/')"
    )


def add_table(folder: Path, name: str, columns: str, *rows: str) -> None:
    with duckdb.connect() as connection:
        told = f"SELECT * FROM (VALUES {', '.join(rows)}) AS t({columns})"
        connection.execute(f"COPY ({told}) TO '{folder / name}.parquet' (FORMAT parquet)")


def two_versions(folder: Path) -> list[Path]:
    one = cell("price", "1", "d", "2026-05-01")
    return [version_of(folder, name, one, claims="'d'") for name in (OLD, NEW)]


def test_an_event_that_was_put_right_is_told_and_news_is_not(tmp_path: Path) -> None:
    """A day and a count were misread, one event was taken back; one is told anew later, and one is as it was."""
    older, newer = two_versions(tmp_path)
    before = [event("ada", "A", "2025-03-01"), event("ada", "C", "2025-05-01"), event("ada", "D", "2025-06-01"),
              event("bell", "E", "2025-07-01"), event("curie", "G", "2025-08-01")]  # fmt: skip
    after = [event("ada", "A", "2025-03-09", count=1_024), event("ada", "C", "2025-05-08", stated="2026-06-20"),
             event("ada", "D", "2025-06-01"), event("bell", "F", "2026-06-10", stated="2026-06-20")]  # fmt: skip
    add_table(older, corrections.EVENTS, EVENT, *before)
    add_table(newer, corrections.EVENTS, EVENT, *after)
    found = [one for one in corrections.between(older, newer) if one.family == corrections.ORGANISATION]
    told = [(one.subject_id, one.figure, one.before, one.after, one.why, one.claim_id) for one in found]
    assert told == [
        ("x", "Ada, in service, A", "8 accelerators, 2025-03-01", "1,024 accelerators, 2025-03-09",
         corrections.READ_ANEW, "ada A 2025-03-09 1024"),
        ("x", "Curie, in service, G", "8 accelerators, 2025-08-01", "", corrections.READ_ANEW, ""),
    ]  # fmt: skip


def test_a_result_that_was_put_right_is_told_with_who_changed_it(tmp_path: Path) -> None:
    """The organisers changed one file, one was misread, one went; a round that is not at hand any more says nothing."""
    older, newer = two_versions(tmp_path)
    rows = [result("A", 100), result("B", 200), result("C", 300), result("D", 400)]
    add_table(older, corrections.RESULTS, RESULT, *rows, result("E", 500, round_="v4.1"))
    add_table(newer, corrections.RESULTS, RESULT, result("A", 101, commit="c2"), result("B", 250), result("D", 400))
    found = [one for one in corrections.between(older, newer) if one.family == corrections.BENCHMARK]
    assert [(one.figure, one.before, one.after, one.why) for one in found] == [
        ("v5.0, Submitter, A, Offline", "100 tokens/s with 8 accelerators", "101 tokens/s with 8 accelerators",
         "the organisers' files of the round changed"),
        ("v5.0, Submitter, B, Offline", "200 tokens/s with 8 accelerators", "250 tokens/s with 8 accelerators",
         corrections.READ_ANEW),
        ("v5.0, Submitter, C, Offline", "300 tokens/s with 8 accelerators", "", corrections.READ_ANEW),
    ]  # fmt: skip
    columns = RESULT.replace("mode", "scenario")
    add_table(newer, corrections.RESULTS, columns, result("A", 101))
    corrections.between.cache_clear()
    assert [one for one in corrections.between(older, newer) if one.family == corrections.BENCHMARK] == []
    assert corrections.marks(found) == {
        "v5.0/A": "corrected on 2026-07-02, was 100 tokens/s with 8 accelerators",
        "v5.0/B": "corrected on 2026-07-02, was 200 tokens/s with 8 accelerators",
    }


@pytest.mark.parametrize("content", ["", "{", "[]x"])
def test_a_torn_list_of_corrections_is_begun_anew(tmp_path: Path, content: str) -> None:
    (tmp_path / "files").mkdir()
    (tmp_path / site_versions.FILE).write_text(content, encoding="utf-8")
    assert site_versions.corrections(tmp_path, tmp_path / "nothing") == []


def test_what_npm_brings_is_fixed_by_version_and_digest() -> None:
    folder = PROJECT_ROOT / "deploy" / "site-sql"
    asked = json.loads((folder / "package.json").read_text(encoding="utf-8"))["dependencies"]
    locked = json.loads((folder / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    assert set(asked) == {"@duckdb/duckdb-wasm", "apache-arrow", "parquet-wasm"}
    assert {name: locked[f"node_modules/{name}"]["version"] for name in asked} == asked
    held = [entry for name, entry in locked.items() if name]
    assert all(entry["integrity"].startswith("sha512-") and "resolved" not in entry for entry in held)
    served = {locked[f"node_modules/{name}"]["license"] for name in asked}  # the others are tools of Arrow's command
    assert served == {"MIT", "Apache-2.0", "MIT OR Apache-2.0"}
