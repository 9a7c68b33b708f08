"""Published versions beside one another: which there are, and what was added, went or changed, with reasons.

A reason is told only from what both files hold: days, tags, and what was set aside.
"""

from __future__ import annotations

import datetime as dt
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path
from typing import Any

import duckdb

from pipelines.frozen import frozen
from warehouse.dictionary import load_dictionary

DATABASE, DESCRIPTOR, LATEST = "rackledger.duckdb", "datapackage.json", "latest.json"
OLDER, NEWER = "older", "newer"
CARRIED = ("evidence", "claimant", "stated_on", "url")  # what is told of the row itself
# Columns that change because something was looked at again, and those that count what others say.
SEEN = {"first_seen", "last_seen", "read_on", "captured_at", "capture_id", "last_stated_on", "mentions", "documents",
        "observed_on", "extractor_version", "content_hash", "row_count"}  # fmt: skip
COUNTED = {"claimants", "all_claimants", "said_in", "caveats", "is_copied", "losers", "conflict_id", "n_offers",
           "n_providers"}  # fmt: skip
GRADED = {"evidence", "modality", "confidence", "reading_state"}
NAMED = {"subject_id", "subject_key", "claimant_id", "claimant_key", "organisation_id", "organisation", "generation",
         "generation_name", "vendor", "layer", "accelerator", "accelerator_model", "party_id", "names"}  # fmt: skip


class NoSuchVersion(LookupError):
    """A version that is not there; says which are."""


@frozen
class Version:
    """A published version: when it was built, in UTC, how large its DuckDB file is, and whether it is the newest."""

    version: str
    built_at: str
    bytes: int
    is_latest: bool


@frozen
class Change:
    """One row that differs: `added`, `gone` or `changed`, its key, the columns that differ with both cells, and why."""

    table: str
    change: str
    key: str
    columns: tuple[str, ...]
    before: Mapping[str, Any]
    after: Mapping[str, Any]
    reason: str
    row: Mapping[str, Any]


def versions(published: Path) -> list[Version]:
    """The versions of a folder, the newest first."""
    latest = (
        json.loads((published / LATEST).read_text(encoding="utf-8"))["folder"] if (published / LATEST).is_file() else ""
    )
    found = []
    for folder in sorted(published.iterdir() if published.is_dir() else (), reverse=True):
        if (folder / DESCRIPTOR).is_file() and (folder / DATABASE).is_file():
            told = json.loads((folder / DESCRIPTOR).read_text(encoding="utf-8"))
            size = (folder / DATABASE).stat().st_size
            found.append(Version(folder.name, str(told["created"]), size, folder.name == latest))
    return found


def version_file(published: Path, name: str) -> Path:
    """The DuckDB file of a version by name, by `latest` or `previous`. Raises NoSuchVersion; a name is never a path."""
    known = versions(published)
    if name in ("latest", "previous"):
        newest = next((place for place, each in enumerate(known) if each.is_latest), 0)
        place = newest + (name == "previous")
        if place >= len(known):
            raise NoSuchVersion(f"There is no {name} version; there are {_listed(known)}.")
        return published / known[place].version / DATABASE
    if name not in {each.version for each in known}:
        raise NoSuchVersion(f"There is no version {name!r}; there are {_listed(known)}.")
    return published / name / DATABASE


def _listed(known: Sequence[Version]) -> str:
    return ", ".join(each.version for each in known) or "none"


def diff(older: Path, newer: Path, table: str = "") -> list[Change]:
    """What differs between two files, table by table; of one table only where it is named.

    Raises duckdb.Error for a file that is no published one, and ValueError for a table that neither has.
    """
    with duckdb.connect(config={"threads": 1}) as connection:
        connection.execute("SET autoinstall_known_extensions = false")
        for path, name in ((older, OLDER), (newer, NEWER)):
            quoted = str(path).replace("'", "''")
            connection.execute(f"ATTACH '{quoted}' AS {name} (READ_ONLY)")
        connection.execute("SET enable_external_access = false")
        hashes = [_hashes(connection, name) for name in (OLDER, NEWER)]
        tables = sorted({*hashes[0], *hashes[1]})
        if table and table not in tables:
            raise ValueError(f"there is no table {table!r}; there are {', '.join(tables)}")
        asked = [each for each in tables if each == table or not table]
        since, aside = _built_on(connection), _set_aside(connection)
        differing = [each for each in asked if hashes[0].get(each) != hashes[1].get(each)]
        return [change for each in differing for change in _changes(connection, each, hashes, since, aside)]


def counts(changes: Sequence[Change]) -> list[tuple[str, str, str, int]]:
    """How many rows of each table were added, went or changed, by reason."""
    found = Counter((each.table, each.change, each.reason) for each in changes)
    return [(*key, number) for key, number in sorted(found.items())]


def _hashes(connection: duckdb.DuckDBPyConnection, name: str) -> dict[str, str]:
    sql = f'SELECT "table", content_hash FROM {name}.meta.tables'  # noqa: S608 - one of the two names above
    found = connection.execute(sql).fetchall()
    return {str(table): str(content) for table, content in found if not str(table).startswith("meta.")}


def _built_on(connection: duckdb.DuckDBPyConnection) -> str:
    row = connection.execute("SELECT built_at::DATE FROM older.meta.publication").fetchone()
    return str(row[0]) if row else ""


def _set_aside(connection: duckdb.DuckDBPyConnection) -> dict[tuple[str, str], str]:
    """What the newer version set aside, by table and key, with the reason."""
    sql = 'SELECT "table", row_key, reason FROM newer.evidence.quarantine WHERE row_key IS NOT NULL'
    return {(str(table), str(key)): str(reason) for table, key, reason in connection.execute(sql).fetchall()}


def _changes(
    connection: duckdb.DuckDBPyConnection,
    table: str,
    hashes: Sequence[Mapping[str, str]],
    since: str,
    aside: Mapping[tuple[str, str], str],
) -> Iterator[Change]:
    if any(table not in each for each in hashes):
        change = "added" if table in hashes[1] else "gone"
        yield Change(table, change, "", (), {}, {}, "the table itself", {})
        return
    for key, before, after in connection.execute(_sql(connection, table)).fetchall():
        old, new = json.loads(before or "{}"), json.loads(after or "{}")
        names = tuple(name for name in new if old.get(name) != new[name]) if old and new else ()
        kind = "changed" if old and new else "added" if new else "gone"
        why = _why_changed(table, names) if kind == "changed" else _why(table, kind, str(key), new, since, aside)
        yield Change(
            table, kind, str(key), names, {n: old[n] for n in names}, {n: new[n] for n in names}, why, new or old
        )


def _sql(connection: duckdb.DuckDBPyConnection, table: str) -> str:
    """Rows of both files by their declared key, else by all they hold; columns that one file lacks are left out."""
    held = [[row[0] for row in connection.execute(f"DESCRIBE {name}.{table}").fetchall()] for name in (OLDER, NEWER)]
    common = [column for column in held[0] if column in held[1]]
    declared = load_dictionary().get(table)
    whole = "md5(to_json(t)::VARCHAR)"
    key = whole
    if declared is not None and declared.key and {part.partition("[")[0] for part in declared.key} <= set(common):
        parts = ", ".join(f"coalesce(({part if '[' in part else _quoted(part)})::VARCHAR, '')" for part in declared.key)
        key = f"CASE WHEN {declared.key_where} THEN concat_ws(' | ', {parts}) ELSE {whole} END"
    columns = ", ".join(_quoted(column) for column in common)
    both = [
        f"SELECT {key} AS k, any_value(to_json(t)::VARCHAR) AS r "  # noqa: S608 - names come from catalog and dictionary
        f"FROM (SELECT {columns} FROM {name}.{table}) AS t GROUP BY k"
        for name in (OLDER, NEWER)
    ]
    return (
        f"WITH a AS ({both[0]}), b AS ({both[1]}) SELECT coalesce(a.k, b.k) AS k, a.r, b.r "  # noqa: S608
        "FROM a FULL JOIN b ON a.k = b.k WHERE a.r IS DISTINCT FROM b.r ORDER BY k"
    )


def _quoted(column: str) -> str:
    return '"' + column.replace('"', '""') + '"'


def _why(
    table: str, kind: str, key: str, row: Mapping[str, Any], since: str, aside: Mapping[tuple[str, str], str]
) -> str:
    if kind == "gone":
        reason = aside.get((table, key))
        return f"set aside: {reason}" if reason else "no longer in what was read or computed"
    if table.startswith("marts."):
        return "computed from new rows"
    stated = str(row.get("stated_on") or row.get("stated_not_after") or "")[:10]
    if not stated:
        return "new"
    return "stated since" if _day(stated) > _day(since) else "stated before, read since"


def _why_changed(table: str, names: Sequence[str]) -> str:
    """Why a row changed, by the columns that did; the weightiest first."""
    changed = set(names)
    rest = changed - SEEN - COUNTED - GRADED - NAMED
    if table.startswith("marts."):
        return "computed anew" if changed - SEEN - COUNTED else "others say more or less of it"
    for group, words in (
        (rest, "corrected or read anew"),
        (changed & GRADED, "graded anew"),
        (changed & NAMED, "named anew"),
    ):
        if group:
            return words
    return "others say more or less of it" if changed & COUNTED else "seen again"


def _day(text: str) -> dt.date:
    return dt.date.fromisoformat(text[:10])


def answer(name: str, values: Mapping[str, Any], published: Path) -> list[dict[str, Any]]:
    """The rows of a question that files answer, `versions` or `diff`. Raises NoSuchVersion; ValueError for a table."""
    if name == "versions":
        return [asdict(each) for each in versions(published)]
    files = [version_file(published, str(values[side])) for side in (OLDER, NEWER)]
    return [_row(change) for change in _kept_diff(files[0], files[1], str(values["table"] or ""))]


@lru_cache(maxsize=4)
def _kept_diff(older: Path, newer: Path, table: str) -> tuple[Change, ...]:
    """A difference is kept: published versions never change."""
    return tuple(diff(older, newer, table))


def _row(change: Change) -> dict[str, Any]:
    told = {"table": change.table, "change": change.change, "key": change.key, "columns": list(change.columns)}
    cells = {name: json.dumps(dict(getattr(change, name)), ensure_ascii=False) for name in ("before", "after")}
    return {**told, **cells, "reason": change.reason, **{name: change.row.get(name) for name in CARRIED}}
