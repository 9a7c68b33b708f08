"""The warehouse as Dagster assets: every table and mart with its lineage, built and published by one step."""

# No `from __future__ import annotations` here: Dagster reads the annotations of an asset's arguments.

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any, TypeVar

import dagster as dg
from pydantic import Field

from pipelines.assets.lake_assets import ATTEMPTS, CLAIMS, COPIES, DOCUMENTS, LEDGER, MARKET, ROUNDS
from pipelines.assets.partition_step import failed_partitions
from pipelines.dagster_home import forget_old_runs
from pipelines.lake import Lake
from pipelines.model.lake_tables import MARKET_TABLES
from pipelines.publish.metrics import write_metrics
from pipelines.publish.package import publish_package
from pipelines.remote import fetch
from pipelines.settings import Run, Settings
from pipelines.sources import source_rows
from pipelines.upkeep import manifest
from pipelines.upkeep.lock import hold
from warehouse.build import BuildPlan, BuildRefused, BuildReport, build
from warehouse.catalog import CatalogError, share
from warehouse.checks import CheckResult
from warehouse.declared import all_checks
from warehouse.lineage import BuiltTable, built_tables
from warehouse.read import Warehouse

Item = TypeVar("Item")
BUILD_JOB = "build"
COMMITTED = dg.AssetKey(["committed", "facts"])
REGISTRY = dg.AssetKey(["registry", "yaml"])
SOURCES = dg.AssetKey(["committed", "sources"])


def table_key(name: str) -> dg.AssetKey:
    """`facts.mlperf_training` → facts/mlperf_training."""
    return dg.AssetKey(name.split("."))


# Which assets write a table of the lake; the others are written by the step of the MLPerf rounds alone.
LAKE_WRITERS = {
    "lake_documents": (DOCUMENTS,),
    "lake_captures": (DOCUMENTS, ROUNDS),
    "lake_problems": (ATTEMPTS, CLAIMS, DOCUMENTS, ROUNDS, LEDGER, MARKET),
    "lake_attempts": (ATTEMPTS,),
    "lake_mentions": (CLAIMS, LEDGER),
    "lake_unmatched": (CLAIMS,),
    "lake_copies": (COPIES,),
    **{f"lake_{name}": (MARKET,) for name in ("market_captures", *MARKET_TABLES)},
}


def _upstream(name: str) -> tuple[dg.AssetKey, ...]:
    """The assets behind an input of the SQL: the lake, the committed facts, the registry's YAML, or another table."""
    if name.startswith("lake_"):
        return LAKE_WRITERS.get(name, (ROUNDS,))
    if name == "listed_sources":
        return (SOURCES,)
    if name.startswith("committed_"):
        return (COMMITTED,)
    if name.startswith("registry_"):
        return (REGISTRY,)
    return (table_key(name),)


def _spec(table: BuiltTable) -> dg.AssetSpec:
    upstream = sorted({key for name in table.reads for key in _upstream(name)}, key=lambda key: key.to_user_string())
    return dg.AssetSpec(
        table_key(table.name),
        deps=[dg.AssetDep(key) for key in upstream],
        skippable=True,
        group_name=table.name.split(".")[0],
        kinds={"duckdb", "sql"},
        description=table.question or f"Table {table.name}.",
        metadata={"sql": dg.MetadataValue.md(f"```sql\n{table.path.read_text(encoding='utf-8')}\n```")},
    )


FOUND = "found"  # of a check's metadata: each rule that is broken, in words
CHECK = "rules"  # one check a table: each costs Dagster three events, and there are hundreds of rules


def _check_specs() -> list[dg.AssetCheckSpec]:
    return [
        dg.AssetCheckSpec(
            CHECK,
            asset=table_key(table),
            description="\n".join(f"{check.name}: {check.says}" for check in checks),
            blocking=any(check.refuses for check in checks),
        )
        for table, checks in _by_table(all_checks(), lambda check: check.table)
    ]


def _by_table(items: Iterable[Item], table: Callable[[Item], str]) -> list[tuple[str, list[Item]]]:
    return [(name, list(found)) for name, found in groupby(sorted(items, key=table), table)]


def plan_of(settings: Settings, run: Run, *, accept_shrink: bool, is_full: bool = False) -> BuildPlan:
    """Where a build of this run reads and writes."""
    return BuildPlan(
        lake=settings.lake,
        facts=settings.facts,
        sources=source_rows(settings.sources),
        target=settings.warehouse,
        scratch=settings.builds,
        memory_limit=settings.memory_limit,
        threads=settings.workers,
        run_id=run.run_id,
        built_at=run.run_at,
        accept_shrink=accept_shrink,
        decisions=settings.quarantine_decisions,
        is_full=is_full,
    )


def warehouse_assets() -> list[dg.AssetsDefinition | dg.AssetSpec]:
    """One step that builds all tables, runs all checks and publishes."""

    class BuildConfig(dg.Config):
        """`inputs`: what the run is made of, taken before it read anything; noted when all of it was read."""

        accept_shrink: bool = False
        is_full: bool = False
        inputs: dict[str, str] = Field(default_factory=dict)

    @dg.multi_asset(
        name="warehouse",
        specs=[_spec(table) for table in built_tables()],
        check_specs=_check_specs(),
        can_subset=False,
    )
    def warehouse(
        context: dg.AssetExecutionContext,
        config: BuildConfig,
        settings: dg.ResourceParam[Settings],
        run: dg.ResourceParam[Run],
    ) -> Iterator[dg.MaterializeResult[None] | dg.AssetCheckResult]:
        # what tidies up before a run must not meet a package half written
        with hold(settings.data, run.run_id, wait=True):
            fetch(settings)
            plan = plan_of(settings, run, accept_shrink=config.accept_shrink, is_full=config.is_full)
            report = _build(settings, plan, config.inputs)
        context.log.info("version %s, %s", report.version, "published" if report.is_new else "unchanged")
        forget_old_runs(context.instance, run.run_at, context.run.run_id)
        yield from _results(report)

    specs = [
        dg.AssetSpec(COMMITTED, group_name="committed", description="Committed facts, reviewed in the repository."),
        dg.AssetSpec(SOURCES, group_name="committed", description="The list of sources, sources.yaml."),
        dg.AssetSpec(REGISTRY, group_name="registry", description="The curated registry, pipelines/registry/*.yaml."),
    ]
    return [warehouse, *specs]


def published_tables(settings: Settings) -> tuple[str, dict[str, int]]:
    """Version of the published file and the rows of its tables. Raises WarehouseMissing, WarehouseUnreadable."""
    with Warehouse(settings.warehouse) as warehouse:
        return warehouse.publication.version, warehouse.row_counts()


def _build(settings: Settings, plan: BuildPlan, inputs: Mapping[str, str]) -> BuildReport:
    """Build, publish the file and its package, and note the inputs where all of them could be read."""
    try:
        report = build(plan)
    except BuildRefused as error:
        write_metrics(settings)
        raise dg.Failure(str(error), allow_retries=False) from error
    publish_package(settings.warehouse, settings.published)
    write_metrics(settings)
    if settings.catalog:
        try:
            share(Lake(settings.lake), settings.catalog, settings.catalog_files)
        except CatalogError as error:
            raise dg.Failure(f"published, but {error}", allow_retries=False) from error
    if inputs and not failed_partitions(settings.lake):
        manifest.record(settings, inputs, report.version)
    return report


def build_config(inputs: Mapping[str, str], *, accept_shrink: bool = False, is_full: bool = False) -> dict[str, Any]:
    """The configuration of a build of these inputs."""
    chosen = {"accept_shrink": accept_shrink, "is_full": is_full, "inputs": dict(inputs)}
    return {"ops": {"warehouse": {"config": chosen}}}


def _results(report: BuildReport) -> Iterator[dg.MaterializeResult[None] | dg.AssetCheckResult]:
    """The tables that this build made (one that was taken over stays that of the run that made it), and all checks."""
    for table in built_tables():
        if table.name in report.made:
            yield dg.MaterializeResult(
                asset_key=table_key(table.name),
                metadata={"rows": report.rows[table.name], "version": report.version},
            )
    for name, results in _by_table(report.checks, lambda result: result.check.table):
        found = [result for result in results if not result.passed]
        yield dg.AssetCheckResult(
            asset_key=table_key(name),
            check_name=CHECK,
            passed=not found,
            severity=_severity(found),
            metadata={
                "rules": len(results),
                "not compared": [result.check.name for result in results if not result.was_run],
                FOUND: [f"{r.check.name}: {r.failures} rows, e.g. {r.examples[0].splitlines()[0]}" for r in found],
            },
        )


def _severity(found: Iterable[CheckResult]) -> dg.AssetCheckSeverity:
    """A loss that is meant is told as a warning: an error would end a run that has published."""
    is_grave = any(result.check.refuses and not result.is_meant for result in found)
    return dg.AssetCheckSeverity.ERROR if is_grave else dg.AssetCheckSeverity.WARN
