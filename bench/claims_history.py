"""Build time, as-of and page queries over claims grown to many mentions; prints times a row and the most memory.

The claims are made up: each is mentioned some times, a fifth is about things of the registry, the rest about things
that the registry does not know, whose number grows with the claims. They lie in Parquet partitions as the lake keeps
them, and the warehouse's own SQL files build every table and mart, with a memory limit beyond which DuckDB spills to
disk. Nothing of it is published.

    python bench/claims_history.py [--rows 10_000_000] [--memory 2GB] [--threads 2] [--folder FOLDER] [--repeat 5]
"""

from __future__ import annotations

import argparse
import statistics
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import duckdb  # noqa: E402
import pyarrow as pa  # noqa: E402

from bench.grown import main, peak, timed  # noqa: E402
from pipelines.problems import Problem  # noqa: E402
from pipelines.registry import registry_rows  # noqa: E402
from pipelines.sources import source_rows  # noqa: E402
from warehouse import survival  # noqa: E402
from warehouse.build import run_file  # noqa: E402
from warehouse.quarantine import stage_decisions  # noqa: E402
from warehouse.staging import LAKE_TABLES, stage, stage_rows  # noqa: E402

MENTIONS_A_CLAIM = 5
CLAIMS_A_THING = 60
FILES = 40
PAGES = {
    "what was known on a day, counted": "SELECT metric, count(*) FROM evidence.as_of(DATE '2026-06-15') GROUP BY ALL",
    "history of one thing's power": "FROM evidence.history('nvidia-gb200-nvl72', 'power') LIMIT 200",
    "one system's sheet as of a day": """
        FROM marts.cells_as_of(DATE '2026-06-15', subjects := ['nvidia-gb200-nvl72'])""",
    "one system's sheet, from the mart": "FROM marts.systems WHERE system_id = 'nvidia-gb200-nvl72'",
    "newest conflicts": "FROM evidence.conflicts ORDER BY opened_on DESC, conflict_id LIMIT 50",
    "one metric's claims, newest first": """
        SELECT claim_id, subject, value, unit, claimant, evidence, stated_on FROM evidence.claims
        WHERE metric = 'power' ORDER BY stated_on DESC, claim_id LIMIT 100""",
    "density, from the mart": "SELECT * FROM marts.density WHERE metric = 'power' AND per = 'rack' LIMIT 500",
    "density as of a day": """
        SELECT * FROM marts.density_as_of(DATE '2026-06-15') WHERE metric = 'power' AND per = 'rack' LIMIT 500""",
    "roadmap of one vendor, from the mart": "FROM marts.roadmap WHERE vendor = 'amd' ORDER BY stated_on DESC LIMIT 200",
    "roadmap of one vendor as of a day": """
        FROM marts.roadmap_as_of(DATE '2026-06-15') WHERE vendor = 'amd' ORDER BY stated_on DESC LIMIT 200""",
    "slips by party": "FROM marts.slips_by_party",
    "slips of one vendor as of a day": "FROM marts.slips_as_of(DATE '2026-06-15') WHERE vendor = 'amd' LIMIT 200",
    "layers as of a day, by quarter": """
        SELECT layer, date_trunc('quarter', observed_on), generation, count(*)
        FROM marts.stratification_as_of(DATE '2026-06-15') GROUP BY ALL""",
    "forecast scores": "FROM marts.forecast_scores",
    "per die": "FROM marts.per_die",
    "control plane": "FROM marts.control_plane ORDER BY stated_on DESC LIMIT 200",
    "claimed gains": "FROM marts.claimed_speedups ORDER BY stated_on DESC LIMIT 200",
}
MAKE = """
    WITH numbered AS (
        SELECT i, i // $each AS c, (hash(i // $each) % 4611686018427387903)::BIGINT AS h
        FROM range($first, $last) AS r(i)
    ),
    drawn AS (
        SELECT
            i, c, h, k.id, k.name, k.kind, h % 5 = 0 AS is_known,
            ['power', 'memory_capacity', 'memory_bandwidth', 'compute', 'available_from', 'weight', 'statement',
             'deployed_on', 'scheduling', 'speedup', 'scale_up_domain_size', 'production_from'][1 + (h // 7) % 12]
                AS metric,
            'thing ' || (h // 11) % $things AS thing,
            DATE '2018-01-01' + ((h // 13) % 3000)::INTEGER AS said_on,
            ['rack', 'accelerator', 'node', 'unstated'][1 + (h // 17) % 4] AS per
        FROM numbered LEFT JOIN known AS k ON k.n = CASE WHEN h % 5 = 0 THEN (h // 11) % $known END
    ),
    valued AS (
        SELECT
            *,
            metric IN ('available_from', 'deployed_on', 'production_from') AS is_date,
            metric IN ('statement', 'scheduling') AS is_text,
            said_on + ((h // 19) % 700)::INTEGER - 100 AS day,
            h % 40 = 3 AS is_forecast
        FROM drawn
    )
    SELECT
        md5(c::VARCHAR) AS claim_id, coalesce(name, thing) AS subject, coalesce(id, '') AS subject_id,
        coalesce(kind, 'other') AS subject_kind, metric,
        CASE WHEN NOT is_date AND NOT is_text THEN (1 + (h // 23) % 40) * (1 + (h // 29) % 3 * 0.1) END AS value,
        CASE WHEN is_text THEN 'text ' || (h // 23) % 50 ELSE '' END AS value_text,
        CASE WHEN is_date THEN day END AS value_start, CASE WHEN is_date THEN day + 90 END AS value_end,
        NULL::DOUBLE AS value_low, NULL::DOUBLE AS value_high, 'kW' AS unit,
        '{"accelerator": "NVIDIA GB200", "per": "' || per || '"}' AS qualifiers,
        ['announced', 'expected', 'shipping', 'deployed', 'measured'][1 + (h // 31) % 5] AS modality,
        'claimant ' || (h // 37) % 300 AS claimant, '' AS claimant_id,
        ['audited', 'measured', 'vendor', 'observed', 'reported', 'estimated', 'unverified'][1 + (h // 41) % 7]
            AS evidence,
        said_on + (i % $each)::INTEGER * 9 AS stated_on, 'day' AS stated_on_precision,
        NULL::DATE AS period_start, NULL::DATE AS period_end, []::VARCHAR[] AS caveats, '' AS doubt,
        'document ' || i // 20 AS document_id, 'source_' || c % 40 AS source_id,
        'https://example.org/' || i // 20 AS url,
        'publisher ' || c % 500 AS publisher, 'characters ' || i AS locator, i AS locator_start, i + 9 AS locator_end,
        i - 40 AS context_start, i + 40 AS context_end, 'as printed' AS printed, 'rules' AS method,
        'rules' AS extractor,
        '1' AS extractor_version, 0.9::DOUBLE AS confidence, stated_on::TIMESTAMP AS first_seen,
        stated_on::TIMESTAMP AS last_seen, stated_on AS read_on, NULL::DATE AS stated_not_after,
        'publisher ' || c % 500 AS printed_by, '' AS ref, '' AS origin_ref,
        CASE WHEN is_forecast THEN said_on + 400 END AS due_on,
        CASE WHEN is_forecast THEN 'what decides it' ELSE '' END AS criterion,
        CASE WHEN is_forecast THEN ['open', 'met', 'missed'][1 + (h // 43) % 3] ELSE '' END AS state,
        '' AS arithmetic, '' AS formula, '' AS note
    FROM valued
"""


def run(arguments: argparse.Namespace, folder: Path) -> None:
    config: dict[str, Any] = {
        "memory_limit": arguments.memory,
        "threads": arguments.threads,
        "temp_directory": str(folder / "spill"),
        "preserve_insertion_order": "false",
    }
    seconds = timed(lambda: make_lake(folder / "lake", arguments.rows, config))
    size = sum(path.stat().st_size for path in (folder / "lake").rglob("*.parquet"))
    print(f"{arguments.rows:,} mentions, {size / 1e6:,.0f} MB of Parquet made in {seconds:.0f} s")
    print(f"limit {arguments.memory}, {arguments.threads} threads")
    with duckdb.connect(str(folder / "claims.duckdb"), config=config) as connection:
        (folder / "facts").mkdir()
        survival.register(connection)
        connection.execute("SET VARIABLE built_at = TIMESTAMP '2027-01-01'")
        stage(connection, lake=folder / "lake", facts=folder / "facts", sources=source_rows(ROOT / "sources.yaml"))
        stage_rows(connection, "build_problems", [], Problem)
        stage_decisions(connection, {})
        build(connection, arguments.rows)
        connection.execute("CHECKPOINT")
        ask(connection, arguments.repeat)
    file_size = (folder / "claims.duckdb").stat().st_size
    print(f"file {file_size / 1e6:,.0f} MB, {file_size / size:.2f} of the lake; {peak()}")


def build(connection: duckdb.DuckDBPyConnection, made: int) -> None:
    """Every SQL file of the warehouse; the files that take a second and more are shown."""
    total = 0.0
    for layer in ("macros", "tables", "marts"):
        for path in sorted((ROOT / "warehouse" / layer).glob("*.sql")):
            seconds = timed(lambda path=path: run_file(connection, path))  # type: ignore[misc]
            total += seconds
            if seconds >= 1:
                name = f"{layer}/{path.name}"
                print(f"  {name:<36} {seconds:8.1f} s  {1e9 * seconds / made:8.0f} ns a mention, {peak()}", flush=True)
    print(f"  {'all':<36} {total:8.1f} s  {1e9 * total / made:8.0f} ns a mention")
    for table in ("evidence.mentions", "evidence.claims", "evidence.conflicts", "marts.roadmap", "marts.systems"):
        (count,) = connection.execute(f"SELECT count(*) FROM {table}").fetchone() or (0,)
        print(f"  {table:<36} {count:12,} rows")


def ask(connection: duckdb.DuckDBPyConnection, repeat: int) -> None:
    for name, sql in PAGES.items():
        seconds = statistics.median(timed(lambda sql=sql: connection.execute(sql).fetchall()) for _ in range(repeat))  # type: ignore[misc]
        print(f"  {name:<44} {1000 * seconds:8.0f} ms", flush=True)


def make_lake(lake: Path, rows: int, config: dict[str, Any]) -> None:
    """Write the partitions of `mentions`."""
    registry = registry_rows()
    known = [(row.accelerator_id, row.name, "accelerator") for row in registry["accelerators"]]
    known += [(row.system_id, row.name, "system") for row in registry["systems"]]
    names = pa.table(
        {"n": range(len(known))} | {key: [row[at] for row in known] for at, key in enumerate(("id", "name", "kind"))}
    )
    (lake / "mentions").mkdir(parents=True)
    columns = ", ".join(LAKE_TABLES["mentions"].names)
    with duckdb.connect(config=config) as connection:
        connection.register("known", names)
        for number in range(FILES):
            path = lake / "mentions" / f"{number:03}.parquet"
            connection.execute(
                f"COPY (SELECT {columns} FROM ({MAKE})) TO '{path}' (FORMAT parquet, COMPRESSION zstd)",
                {
                    "first": rows * number // FILES,
                    "last": rows * (number + 1) // FILES,
                    "each": MENTIONS_A_CLAIM,
                    "known": len(known),
                    "things": max(1, rows // MENTIONS_A_CLAIM // CLAIMS_A_THING),
                },
            )


if __name__ == "__main__":
    main(__doc__, "mentions (a fifth as many claims)", run)
