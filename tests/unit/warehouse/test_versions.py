"""Two published versions beside one another: which rows differ, and the reason of each."""

from __future__ import annotations

import json
from pathlib import Path

import duckdb
import pytest

from warehouse.versions import Change, NoSuchVersion, counts, diff, version_file, versions

CLAIM = (
    "(claim_id VARCHAR, subject_id VARCHAR, value DOUBLE, evidence VARCHAR, claimants INTEGER, last_seen DATE, "
    "stated_on DATE)"
)


def write(path: Path, built_on: str, claims: list[tuple[object, ...]], aside: str = "", more: str = "") -> Path:
    """A file with one table of claims, and what every published file has."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE SCHEMA meta; CREATE SCHEMA evidence; CREATE SCHEMA marts")
        connection.execute("CREATE TABLE meta.publication AS SELECT ?::TIMESTAMP AS built_at", [built_on])
        connection.execute(f"CREATE TABLE evidence.claims {CLAIM}")
        connection.executemany("INSERT INTO evidence.claims VALUES (?, ?, ?, ?, ?, ?, ?)", claims)
        connection.execute('CREATE TABLE evidence.quarantine ("table" VARCHAR, row_key VARCHAR, reason VARCHAR)')
        if aside:
            connection.execute("INSERT INTO evidence.quarantine VALUES ('evidence.claims', ?, 'no unit')", [aside])
        tables = [("evidence.claims", str(hash(tuple(claims)))), *([(more, "1")] if more else [])]
        connection.execute('CREATE TABLE meta.tables ("table" VARCHAR, content_hash VARCHAR)')
        connection.executemany("INSERT INTO meta.tables VALUES (?, ?)", tables)
    return path


def claim(name: str, **more: object) -> tuple[object, ...]:
    told: dict[str, object] = {
        "subject_id": "rack", "value": 120.0, "evidence": "vendor", "claimants": 1, "last_seen": "2026-01-01",
        "stated_on": "2025-05-01",
    }  # fmt: skip
    return (name, *{**told, **more}.values())


@pytest.fixture
def changes(tmp_path: Path) -> dict[str, Change]:
    older = [claim(name) for name in ("same", "gone", "aside", "value", "grade", "name", "others", "seen")]
    newer = [
        claim("same"), claim("value", value=132.0), claim("grade", evidence="measured"),
        claim("name", subject_id="rack-2"), claim("others", claimants=2), claim("seen", last_seen="2026-02-01"),
        claim("new", stated_on="2026-01-20"), claim("late", stated_on="2024-03-18"), claim("undated", stated_on=None),
    ]  # fmt: skip
    first = write(tmp_path / "a.duckdb", "2026-01-10", older)
    second = write(tmp_path / "b.duckdb", "2026-02-10", newer, aside="aside", more="marts.density")
    return {each.key: each for each in diff(first, second)}


@pytest.mark.parametrize(
    ("key", "change", "columns", "reason"),
    [
        ("gone", "gone", (), "no longer in what was read or computed"),
        ("aside", "gone", (), "set aside: no unit"),
        ("value", "changed", ("value",), "corrected or read anew"),
        ("grade", "changed", ("evidence",), "graded anew"),
        ("name", "changed", ("subject_id",), "named anew"),
        ("others", "changed", ("claimants",), "others say more or less of it"),
        ("seen", "changed", ("last_seen",), "seen again"),
        ("new", "added", (), "stated since"),
        ("late", "added", (), "stated before, read since"),
        ("undated", "added", (), "new"),
        ("", "added", (), "the table itself"),
    ],
)
def test_a_row_that_differs_has_its_reason(
    changes: dict[str, Change], key: str, change: str, columns: tuple[str, ...], reason: str
) -> None:
    found = changes[key]
    assert (found.change, found.columns, found.reason) == (change, columns, reason)


def test_only_rows_that_differ_are_named_with_both_cells(changes: dict[str, Change]) -> None:
    assert "same" not in changes
    assert len(changes) == 11
    assert (changes["value"].before, changes["value"].after) == ({"value": 120.0}, {"value": 132.0})
    assert changes["gone"].row["evidence"] == "vendor"
    assert ("evidence.claims", "changed", "graded anew", 1) in counts(list(changes.values()))


def test_a_table_that_neither_has_is_refused(tmp_path: Path) -> None:
    files = [write(tmp_path / name, "2026-01-10", [claim("x")]) for name in ("a.duckdb", "b.duckdb")]
    assert diff(files[0], files[1], "evidence.claims") == []
    with pytest.raises(ValueError, match=r"no table 'facts\.rumours'"):
        diff(files[0], files[1], "facts.rumours")


def test_versions_are_listed_newest_first_and_a_name_is_no_path(tmp_path: Path) -> None:
    for day in ("20260110", "20260210"):
        write(tmp_path / "published" / day / "rackledger.duckdb", "2026-01-10", [claim("x")])
        told = json.dumps({"created": f"{day}T000000Z"})
        (tmp_path / "published" / day / "datapackage.json").write_text(told, encoding="utf-8")
    published = tmp_path / "published"
    (published / "latest.json").write_text(json.dumps({"folder": "20260210"}), encoding="utf-8")
    (tmp_path / "secret").mkdir()
    assert [(each.version, each.is_latest) for each in versions(published)] == [("20260210", True), ("20260110", False)]
    assert version_file(published, "previous") == published / "20260110" / "rackledger.duckdb"
    assert version_file(published, "latest") == published / "20260210" / "rackledger.duckdb"
    for name in ("../secret", "", "20260310", "/etc", "20260210/.."):
        with pytest.raises(NoSuchVersion, match="20260210, 20260110"):
            version_file(published, name)
    assert versions(tmp_path / "none") == []
