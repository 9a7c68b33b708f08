"""The warehouse as Dagster assets: every table and mart with its lineage, built and published by one step."""

# No `from __future__ import annotations` here: Dagster reads the annotations of an asset's arguments.

from collections.abc import Iterator

import dagster as dg

from pipelines.assets.attempts import ATTEMPTS
from pipelines.assets.ledger import LEDGER
from pipelines.assets.mlperf import LAKE
from pipelines.assets.reading import CLAIMS, COPIES, DOCUMENTS, MARKET
from pipelines.model.lake_tables import MARKET_TABLES
from pipelines.settings import Run, Settings
from pipelines.source_rows import source_rows
from warehouse.build import BuildPlan, BuildRefused, BuildReport, build
from warehouse.declared import all_checks
from warehouse.lineage import BuiltTable, built_tables

COMMITTED = dg.AssetKey(["committed", "facts"])
REGISTRY = dg.AssetKey(["registry", "yaml"])
SOURCES = dg.AssetKey(["committed", "sources"])


def table_key(name: str) -> dg.AssetKey:
    """`facts.mlperf_training` → facts/mlperf_training."""
    return dg.AssetKey(name.split("."))


# Which assets write a table of the lake; the others are written by the step of the MLPerf rounds alone.
LAKE_WRITERS = {
    "lake_documents": (DOCUMENTS,),
    "lake_captures": (DOCUMENTS, LAKE),
    "lake_problems": (ATTEMPTS, DOCUMENTS, LAKE, LEDGER, MARKET),
    "lake_attempts": (ATTEMPTS,),
    "lake_mentions": (CLAIMS, LEDGER),
    "lake_unmatched": (CLAIMS,),
    "lake_copies": (COPIES,),
    **{f"lake_{name}": (MARKET,) for name in ("market_captures", *MARKET_TABLES)},
}


def _upstream(name: str) -> tuple[dg.AssetKey, ...]:
    """The assets behind an input of the SQL: the lake, the committed facts, the registry's YAML, or another table."""
    if name.startswith("lake_"):
        return LAKE_WRITERS.get(name, (LAKE,))
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
        group_name=table.name.split(".")[0],
        kinds={"duckdb", "sql"},
        description=table.question or f"Table {table.name}.",
        metadata={"sql": dg.MetadataValue.md(f"```sql\n{table.path.read_text(encoding='utf-8')}\n```")},
    )


def _check_specs() -> list[dg.AssetCheckSpec]:
    return [
        dg.AssetCheckSpec(c.name, asset=table_key(c.table), description=c.says, blocking=c.refuses)
        for c in all_checks()
    ]


def plan_of(settings: Settings, run: Run, *, accept_shrink: bool) -> BuildPlan:
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
    )


def warehouse_assets() -> list[dg.AssetsDefinition | dg.AssetSpec]:
    """One step that builds all tables, runs all checks and publishes."""

    class BuildConfig(dg.Config):
        accept_shrink: bool = False

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
        try:
            report = build(plan_of(settings, run, accept_shrink=config.accept_shrink))
        except BuildRefused as error:
            raise dg.Failure(str(error), allow_retries=False) from error
        context.log.info("version %s, %s", report.version, "published" if report.is_new else "unchanged")
        yield from _results(report)

    specs = [
        dg.AssetSpec(COMMITTED, group_name="committed", description="Committed facts, reviewed in the repository."),
        dg.AssetSpec(SOURCES, group_name="committed", description="The list of sources, sources.yaml."),
        dg.AssetSpec(REGISTRY, group_name="registry", description="The curated registry, pipelines/registry/*.yaml."),
    ]
    return [warehouse, *specs]


def _results(report: BuildReport) -> Iterator[dg.MaterializeResult[None] | dg.AssetCheckResult]:
    for table in built_tables():
        yield dg.MaterializeResult(
            asset_key=table_key(table.name),
            metadata={"rows": report.rows[table.name], "version": report.version},
        )
    for result in report.checks:
        yield dg.AssetCheckResult(
            asset_key=table_key(result.check.table),
            check_name=result.check.name,
            passed=result.passed,
            severity=dg.AssetCheckSeverity.ERROR if result.check.refuses else dg.AssetCheckSeverity.WARN,
            metadata={
                "offending_rows": result.failures,
                "examples": "\n".join(result.examples),
                "state": "compared" if result.was_run else "nothing to compare with yet",
            },
        )
