"""One step builds the warehouse: a new file from lake and committed facts, checked, then put in place with a rename.

What fails a row check is set aside (quarantine.py), and so is a source that alone makes a build check fail (blame.py).
A build whose build checks fail all the same is not published; the last good one keeps serving. A build with the content
of the published one changes nothing.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import duckdb
from filelock import FileLock

from pipelines.frozen import frozen
from pipelines.lake import code_version, copy_file, sync_file, sync_folder
from pipelines.model.source_row import SourceRow
from pipelines.problems import Problem
from warehouse import survival
from warehouse.blame import BuildFailed, Failure, culprits, is_meant, last_good, named_by, suspects_of
from warehouse.checks import BUILD, ROW, CheckResult, run_checks
from warehouse.decisions import read_decisions
from warehouse.declared import all_checks, constrain
from warehouse.dictionary import META, describe, load_declarations
from warehouse.last_day import LastDay
from warehouse.leaving import LeftOut, restore
from warehouse.lineage import writes
from warehouse.outcome import PUBLISHED, REFUSED, UNCHANGED, Ending, note
from warehouse.quarantine import OwnFault, own_places, set_aside, stage_decisions, write_unread
from warehouse.quarantine import results as row_results
from warehouse.read import SCHEMA_VERSION, Warehouse, WarehouseMissing, WarehouseUnreadable
from warehouse.reuse import Inputs, Made, NotReusable, Reuse, made_before
from warehouse.sql_files import macro_of, sql_files
from warehouse.staging import stage, stage_rows
from warehouse.unlogged import open_unlogged

HERE = Path(__file__).parent


class BuildRefused(Exception):
    """Checks failed or the SQL did not run; nothing was published. Says which, who is responsible and what to do."""


@frozen
class BuildPlan:
    """Inputs and outputs of one build. `decisions` is the file of what a person decided about rows set aside."""

    lake: Path
    facts: Path
    sources: Sequence[SourceRow]
    target: Path
    scratch: Path
    memory_limit: str
    threads: int
    run_id: str
    built_at: dt.datetime
    accept_shrink: bool = False
    decisions: Path | None = None
    is_full: bool = False  # make every table, whatever the published file holds


@frozen
class BuildReport:
    """What the build holds; `is_new` is False when the published content was the same already.

    `quarantined` counts what is open in evidence.quarantine; `left_out` are the sources that are set aside as a whole;
    `made` names the tables that were made, where the others were taken over from the version before.
    """

    version: str
    content_hash: str
    is_new: bool
    rows: dict[str, int]
    checks: tuple[CheckResult, ...]
    problems: int
    quarantined: int = 0
    left_out: tuple[LeftOut, ...] = ()
    made: tuple[str, ...] = ()


def build(plan: BuildPlan) -> BuildReport:
    """Build, check and publish, one build of a target at a time. Raises BuildRefused; then the file in place stays.

    What fails a row check is set aside. Where a source alone makes a build check fail, it is set aside at its last good
    state, or as a whole, and the rest is built again.
    """
    plan.target.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(f"{plan.target}.lock"):
        _remove_leftovers(plan)
        try:
            report = _build(plan)
        except BuildRefused as refused:
            note(plan.target, Ending(REFUSED, plan.built_at, str(refused)))
            raise
        note(plan.target, Ending(PUBLISHED if report.is_new else UNCHANGED, plan.built_at))
        return report


def _build(plan: BuildPlan) -> BuildReport:
    building = plan.target.with_name(f"{plan.target.name}.{plan.run_id}.building")
    left: dict[str, LeftOut] = {}
    before = {} if plan.is_full else made_before(plan.target)
    report: BuildReport | None = None
    while report is None:
        try:
            report = _fill(plan, building, left, before)
        except (BuildFailed, NotReusable) as failed:
            if before or not isinstance(failed, BuildFailed):
                before = {}  # nothing is judged by what was taken over: a build of everything tells what is wrong
                continue
            more = _responsible(plan, failed.failure, left)
            if not more:
                raise _refused(plan, building, failed.failure) from failed
            left |= more  # each source goes back to its last good state, then out: this comes to an end
    plan.target.with_name(f"{plan.target.name}.refused").unlink(missing_ok=True)  # a good build has come after it
    published = published_hash(plan.target)
    if published is not None and published[1] == report.content_hash:
        building.unlink()
        return replace(report, version=published[0], is_new=False)
    put_in_place(building, plan.target)
    return report


def put_in_place(building: Path, target: Path) -> None:
    """The atomic publication: fsync, rename, fsync of the folder. Everybody may read it, whatever the umask."""
    building.chmod(building.stat().st_mode | 0o644)
    sync_file(building)
    building.replace(target)
    sync_folder(target.parent)


def published_hash(target: Path) -> tuple[str, str] | None:
    """Version and content hash of the published file; None where there is none that can be read."""
    try:
        with Warehouse(target) as warehouse:
            return warehouse.publication.version, warehouse.publication.content_hash
    except (WarehouseMissing, WarehouseUnreadable):
        return None


def _remove_leftovers(plan: BuildPlan) -> None:
    """A killed build leaves its unfinished file and what memory could not hold; under the lock both are dead."""
    target = plan.target
    for path in (*target.parent.glob(f"{target.name}.*.building*"), *plan.scratch.glob("duckdb_temp_*")):
        path.unlink(missing_ok=True)


def _refused(plan: BuildPlan, building: Path, failure: Failure) -> BuildRefused:
    """The refusal in words, a line each; a build that came as far as its checks is kept for a look."""
    lines = ["not published, the last good version keeps serving", failure.says]
    if failure.sources:
        addresses = f" ({', '.join(failure.urls)})" if failure.urls else ""
        lines.append(f"Responsible: {', '.join(sorted(failure.sources))}{addresses}")
    if building.exists() and failure.is_checked:
        aside = plan.target.with_name(f"{plan.target.name}.refused")
        building.replace(aside)
        lines.append(f"The refused build is kept at {aside.name} for a look")
    building.unlink(missing_ok=True)
    return BuildRefused("\n".join(lines))


def _responsible(plan: BuildPlan, failure: Failure, left: Mapping[str, LeftOut]) -> dict[str, LeftOut]:
    """The sources to set aside so that the rest can be published; none where the fault is our own."""
    held = [source_id for source_id in failure.suspects if source_id not in left or left[source_id].shown_until]
    named = [source_id for source_id in held if source_id in failure.sources]
    if not failure.sources and held:
        trial = plan.target.with_name(f"{plan.target.name}.{plan.run_id}.trial.building")
        named = sorted(culprits(held, lambda out: _passes(plan, trial, failure, left, out)))
    good = last_good(plan.target)
    return {
        source_id: LeftOut(source_id, good.get(source_id) if source_id not in left else None, failure.says)
        for source_id in named
    }


def _passes(plan: BuildPlan, trial: Path, failure: Failure, left: Mapping[str, LeftOut], out: frozenset[str]) -> bool:
    """Whether a build without these sources gets past what failed."""
    without = {source_id: LeftOut(source_id, None, "") for source_id in out}
    try:
        _fill(plan, trial, {**left, **without}, until=failure.path)
    except BuildFailed as failed:
        # who is left out is missed by checks that compare: what counts is whether the same checks still fail
        return not set(failure.what.split()) & set(failed.failure.what.split())
    finally:
        trial.unlink(missing_ok=True)
    return True


def _fill(
    plan: BuildPlan,
    building: Path,
    left: Mapping[str, LeftOut],
    before: Mapping[str, Made] = MappingProxyType({}),
    *,
    until: Path | None = None,
) -> BuildReport:
    """Build one file, with `until` no further than that SQL file; with `before` from a copy of the published one.

    Raises BuildFailed, NotReusable where what is `before` does not fit, BuildRefused for own faults.
    """
    building.unlink(missing_ok=True)
    plan.scratch.mkdir(parents=True, exist_ok=True)
    if before:
        copy_file(plan.target, building)
    with _open(plan, building) as connection:
        try:
            _stage(connection, plan, left)
            reuse = Reuse(connection, Inputs(plan.lake, plan.facts, f"{plan.built_at:%Y-%m-%d}"), before)
            _make_tables(connection, plan, left, reuse, until)
            if until is not None:
                return BuildReport("", "", False, {}, (), 0)
            write_unread(connection)
            digest, version = _describe(connection, plan, reuse, is_whole=not left)
            of_rows = row_results(connection, [check for check in all_checks() if check.kind == ROW])
            results = [*of_rows, *_check(connection, plan, reuse)]
            return _report(connection, version, digest, results, left, reuse.made)
        except OwnFault as fault:
            building.unlink(missing_ok=True)
            raise BuildRefused(
                f"not published: facts that were typed here break a rule. {own_places(fault, plan.facts)}"
            ) from fault
        except (duckdb.Error, ValueError) as error:
            raise BuildFailed(Failure(f"the warehouse could not be built: {error}", "build")) from error


def _stage(connection: duckdb.DuckDBPyConnection, plan: BuildPlan, left: Mapping[str, LeftOut]) -> None:
    survival.register(connection)
    connection.execute("SET VARIABLE built_at = ?::TIMESTAMP", [plan.built_at.replace(tzinfo=None)])
    refused = stage(connection, lake=plan.lake, facts=plan.facts, sources=plan.sources, left=left.values())
    stage_rows(connection, "build_problems", refused, Problem)
    stage_decisions(connection, read_decisions(plan.decisions))


def _make_tables(
    connection: duckdb.DuckDBPyConnection,
    plan: BuildPlan,
    left: Mapping[str, LeftOut],
    reuse: Reuse,
    until: Path | None,
) -> None:
    """Run the SQL files whose tables are not taken over; each table is checked and constrained as soon as it stands."""
    dictionary = load_declarations().tables
    last_day = LastDay(connection)

    def made(table: str) -> None:
        restore(connection, table, left.values(), plan.target)
        set_aside(connection, table, dictionary[table])
        constrain(connection, table, dictionary[table])

    for file in sql_files():
        names = [name for name in file.made if name in dictionary]
        try:
            if not reuse.keeps(file):
                standing = reuse.clear(file, plan.target)
                run_file(connection, file.path, names, made, last_day.before, standing)
                reuse.note(file)
        except (duckdb.Error, ValueError) as error:
            says = f"{file.name}: {str(error).splitlines()[0]}"
            suspects = suspects_of(connection, names)
            raise BuildFailed(Failure(says, file.path.name, suspects=tuple(suspects), path=file.path)) from error
        if file.path == until:
            return
    last_day.give_back()


@contextmanager
def _open(plan: BuildPlan, building: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    connection = open_unlogged(
        building,
        memory_limit=plan.memory_limit,
        threads=plan.threads,
        temp_directory=str(plan.scratch),
    )
    connection.execute("SET enable_progress_bar = false")  # the run says itself what it does
    try:
        yield connection
    finally:
        connection.close()


def run_file(
    connection: duckdb.DuckDBPyConnection,
    path: Path,
    tables: Sequence[str] = (),
    made: Callable[[str], None] = lambda table: None,
    before: Callable[[str], None] = lambda statement: None,
    standing: Collection[str] = (),
) -> None:
    """Run the statements of one SQL file but for those that make macros which stand; `before` is told of each, `made`
    of each table after the last one that writes to it."""
    extracted = connection.extract_statements(path.read_text(encoding="utf-8"))
    statements = [one.query for one in extracted if not standing or macro_of(one.query) not in standing]
    last = {table: max(n for n, text in enumerate(statements) if writes(text, table)) for table in tables}
    for number, text in enumerate(statements):
        before(text)
        connection.execute(text)
        for table in tables:
            if last[table] == number:
                made(table)


def _describe(
    connection: duckdb.DuckDBPyConnection, plan: BuildPlan, reuse: Reuse, *, is_whole: bool
) -> tuple[str, str]:
    """Write the dictionary and the version; returns the content's digest and the version.

    A build that leaves sources out is no ground for the next: it does not say what it was made of.
    """
    connection.execute(META)
    describe(connection, reuse.contents, reuse.made if reuse.is_begun_with_copy else None)
    if is_whole:
        reuse.write()
    digest = _total_hash(connection)
    version = f"{plan.built_at:%Y%m%dT%H%M%SZ}-{digest[:8]}"
    connection.execute(
        "INSERT INTO meta.publication VALUES (?, ?, ?, ?, ?, ?)",
        [version, plan.built_at.replace(tzinfo=None), digest, SCHEMA_VERSION, code_version(HERE), plan.run_id],
    )
    return digest, version


def _total_hash(connection: duckdb.DuckDBPyConnection) -> str:
    row = connection.execute(
        """SELECT md5(string_agg("table" || content_hash, '' ORDER BY "table")
                  || (SELECT string_agg("table" || "column" || data_type || says || unit, '' ORDER BY "table", position)
                      FROM meta.columns))
           FROM meta.tables"""
    ).fetchone()
    assert row is not None
    return str(row[0])


def _report(
    connection: duckdb.DuckDBPyConnection,
    version: str,
    digest: str,
    results: Sequence[CheckResult],
    left: Mapping[str, LeftOut],
    made: Sequence[str],
) -> BuildReport:
    counts = connection.execute('SELECT "table", row_count FROM meta.tables ORDER BY 1').fetchall()
    rows = {str(name): int(count) for name, count in counts}
    opened = connection.execute("SELECT count(*) FROM evidence.quarantine WHERE state = 'open'").fetchone()
    assert opened is not None
    connection.execute("CHECKPOINT")
    problems = rows["evidence.problems"]
    return BuildReport(
        version, digest, True, rows, tuple(results), problems, int(opened[0]), tuple(left.values()), tuple(made)
    )


def _check(connection: duckdb.DuckDBPyConnection, plan: BuildPlan, reuse: Reuse) -> list[CheckResult]:
    """Run the build checks; raises BuildFailed where one blocks. Those that compare look at the version in place;
    with `accept_shrink` a smaller build is meant."""
    is_published = reuse.is_begun_with_copy or published_hash(plan.target) is not None
    has_previous = is_published and not plan.accept_shrink
    if has_previous:
        quoted = str(plan.target).replace("'", "''")
        connection.execute(f"ATTACH '{quoted}' AS previous (READ_ONLY)")
    try:
        checks = [check for check in all_checks() if check.kind == BUILD]
        found = run_checks(connection, checks, has_previous=has_previous)
        results = [replace(r, is_meant=has_previous and r.blocks and is_meant(connection, r.check)) for r in found]
        blocking = [result for result in results if result.blocks]
        if blocking:
            raise BuildFailed(_failure(connection, blocking))
    finally:
        if has_previous:
            connection.execute("DETACH previous")
    return results


def _failure(connection: duckdb.DuckDBPyConnection, blocking: Sequence[CheckResult]) -> Failure:
    """What failed and who is responsible; where any check names nobody, it is to be found out."""
    lines = [
        f"{r.check.name} on {r.check.table} ({r.check.says}): {r.failures} rows, e.g. {r.examples[0]}" for r in blocking
    ]
    named = [named_by(connection, result.check) for result in blocking]
    is_told = all(found for found, _ in named)
    sources = frozenset(source for found, _ in named for source in found if is_told)
    urls = tuple(dict.fromkeys(url for _, addresses in named for url in addresses))
    suspects = suspects_of(connection, {result.check.table for result in blocking})
    what = " ".join(result.check.name for result in blocking)
    return Failure(f"Checks failed: {'; '.join(lines)}", what, sources, urls, tuple(suspects), is_checked=True)
