"""Build time, as-of and page queries over a price history grown to many looks; prints times a row and ratios.

The history is made up: price lists of many providers, each looked at again and again; now and then a price changes, an
offer goes, or comes back. It lies in Parquet partitions as the lake keeps it, and the warehouse's own SQL files build
the tables from it, with a memory limit beyond which DuckDB spills to disk.

Reference for the queries: the same question put to all observations as they were captured, one row an offer and look.

    python bench/price_history.py [--rows 10_000_000] [--memory 2GB] [--threads 2] [--folder FOLDER] [--repeat 5]
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
from pipelines.lake import arrow_schema  # noqa: E402
from pipelines.model.market import (  # noqa: E402  # noqa: E402
    CloudLook,
    CloudOffer,
    InferencexRun,
    MarketCapture,
    MarketProvenance,
)
from warehouse.names import stage_market_names  # noqa: E402
from warehouse.price_weeks import keep  # noqa: E402
from warehouse.staging import declare_types, registry_tables  # noqa: E402

LOOKS = 500  # of each scope; more rows are more offers
OFFERS_A_SCOPE = 250
FILES = 40

SETUP = ("tables/10_types.sql", "tables/11_registry.sql", "tables/44_market_parties.sql")
BUILD = ("tables/45_cloud_looks.sql", "tables/45_cloud_offers.sql", "marts/24_prices.sql")

MAKE_LOOKS = f"""
    SELECT
        'source_' || (scope % 5) AS source_id, 'scope_' || scope AS scope,
        TIMESTAMP '2026-10-31 06:00:00' - ({LOOKS} - 1 - look)::INTEGER * INTERVAL 1 DAY AS looked_at,
        looked_at::DATE AS stated_on, {OFFERS_A_SCOPE} AS offers, true AS is_fresh,
        'https://example.org/' || look AS url, looked_at AS captured_at, 'capture-' || look AS capture_id,
        'sha-' || look AS payload_sha256, 'reported' AS evidence, scope AS scope_number, look AS look_number
    FROM range($first, $last) AS s(scope), range({LOOKS}) AS l(look)
"""
# A price holds for about twenty looks, an offer is gone for one look in fifty.
MAKE_OFFERS = f"""
    SELECT
        l.* EXCLUDE (offers, is_fresh, scope_number, look_number),
        ['coreweave', 'nebius', 'lambda', 'crusoe', 'aws', 'gcp', 'azure', 'ovh', 'vultr', 'spheron'][
            1 + scope_number % 10] AS provider,
        'instance-' || offer AS offered_as,
        ['h100-sxm', 'h200', 'b200', 'b300', 'gb200', 'a100-sxm-80', 'l40s', 'mi300x', 'mi355x', 'gb300'][
            1 + offer % 10] AS accelerator_raw,
        [8, 8, 8, 8, 4, 8, 4, 8, 8, 4][1 + offer % 10]::BIGINT AS accelerators,
        NULL::DOUBLE AS memory_gb, 128.0::DOUBLE AS vcpus, 2048.0::DOUBLE AS ram_gb,
        'region-' || (offer // 40) AS region,
        ['on_demand', 'spot', 'serverless'][1 + offer % 3] AS price_type, 'kind' AS price_type_raw,
        NULL::BIGINT AS term_months,
        (20 + hash(scope_number, offer) % 60
            + (hash(scope_number, offer, (look_number + offer) // 20) % 100) / 20)::DOUBLE AS price,
        'instance' AS price_per, 'USD' AS currency, '' AS offer_url, []::VARCHAR[] AS caveats
    FROM ({MAKE_LOOKS}) AS l, range({OFFERS_A_SCOPE}) AS o(offer)
    WHERE hash(scope_number, offer, look_number, 'gone') % 50 <> 0
"""

PAGES = {
    "sheet of all prices as of a day": "FROM marts.prices_as_of(DATE '2026-06-15')",
    "one accelerator's weeks, from the mart": """
        SELECT period_start, source_id, low_usd_per_gpu_hour, median_usd_per_gpu_hour, high_usd_per_gpu_hour, n_offers
        FROM marts.prices WHERE period = 'week' AND accelerator = 'nvidia-h100' AND accelerator_grain = 'model'
          AND layer = 'all' AND price_type = 'on_demand' ORDER BY ALL""",
    "newest day of every accelerator, from the mart": """
        FROM marts.prices WHERE period = 'day' AND period_start = DATE '2026-10-31' AND layer = 'all'""",
    "what one provider lists now": """
        SELECT accelerator, region, price_type, gpu_hour_price_usd, first_seen FROM facts.cloud_offers
        WHERE provider_id = 'nebius' AND is_listed_now ORDER BY ALL LIMIT 200""",
    "first day of each generation in each layer": """
        SELECT generation, layer, min(first_seen), count(*) FROM facts.cloud_offers GROUP BY ALL ORDER BY ALL""",
}
OBSERVED_SHEET = """
    SELECT source_id, price_type, accelerator_raw, min(price / accelerators), median(price / accelerators),
           max(price / accelerators), count(*), count(DISTINCT provider)
    FROM lake_cloud_offers
    JOIN (SELECT source_id, scope, max(looked_at) AS looked_at FROM lake_cloud_looks
          WHERE looked_at < TIMESTAMP '2026-06-16' GROUP BY ALL) USING (source_id, scope, looked_at)
    GROUP BY ALL"""


def run(arguments: argparse.Namespace, folder: Path) -> None:
    lake = folder / "lake"
    config: dict[str, Any] = {
        "memory_limit": arguments.memory,
        "threads": arguments.threads,
        "temp_directory": str(folder / "spill"),
    }
    made = make_lake(lake, arguments.rows, config)
    size = sum(path.stat().st_size for path in lake.rglob("*.parquet"))
    print(
        f"{made:,} observations, {size / 1e6:,.0f} MB of Parquet; limit {arguments.memory}, {arguments.threads} threads"
    )
    with duckdb.connect(str(folder / "prices.duckdb"), config=config) as connection:
        declare_types(connection)
        stage(connection, lake)
        for name in SETUP:
            run_file(connection, name)
        make_sources(connection)
        total = 0.0
        for name in BUILD:
            seconds = timed(lambda name=name: run_file(connection, name))  # type: ignore[misc]
            total += seconds
            print(f"  {name:<32} {seconds:8.1f} s  {1e9 * seconds / made:8.0f} ns an observation, {peak()}")
        print(f"  {'all':<32} {total:8.1f} s  {1e9 * total / made:8.0f} ns an observation")
        for table in ("facts.cloud_looks", "facts.cloud_offers", "marts.prices"):
            (count,) = connection.execute(f"SELECT count(*) FROM {table}").fetchone() or (0,)
            print(f"  {table:<32} {count:12,} rows, 1 of {made / max(count, 1):.1f} observations")
        connection.execute("CHECKPOINT")
        ask(connection, arguments.repeat)
    one_look_more(folder, lake, config)
    file_size = (folder / "prices.duckdb").stat().st_size
    print(f"file {file_size / 1e6:,.0f} MB, {file_size / size:.2f} of the lake; {peak()}")


def one_look_more(folder: Path, lake: Path, config: dict[str, Any]) -> None:
    """What the price mart costs when each scope was looked at once more than in the published file."""
    published = folder / "before.duckdb"
    for path, kept in ((published, "looked_at < TIMESTAMP '2026-10-31'"), (folder / "after.duckdb", "true")):
        with duckdb.connect(str(path), config=config) as connection:
            declare_types(connection)
            stage(connection, lake, kept)
            for name in SETUP:
                run_file(connection, name)
            make_sources(connection)
            connection.execute('CREATE TABLE evidence.quarantine ("table" VARCHAR)')
            for name in BUILD[:2]:
                run_file(connection, name)
            if path == published:
                run_file(connection, BUILD[2])
                continue
            connection.execute(f"ATTACH '{published}' AS old (READ_ONLY)")
            connection.execute("CREATE TABLE marts.prices AS FROM old.marts.prices; DETACH old")
            held = timed(lambda: keep(connection, published))
            made = timed(lambda: run_file(connection, BUILD[2]))
            print(f"  {'the mart, one look more':<32} {held + made:8.1f} s, {held:.1f} of it to find what stays")


def ask(connection: duckdb.DuckDBPyConnection, repeat: int) -> None:
    """Page queries, and the as-of sheet put to all observations for comparison."""
    times = {}
    for name, sql in PAGES.items():
        times[name] = statistics.median(timed(lambda sql=sql: fetch(connection, sql)) for _ in range(repeat))  # type: ignore[misc]
        print(f"  {name:<48} {1000 * times[name]:8.0f} ms")
    reference = statistics.median(timed(lambda: fetch(connection, OBSERVED_SHEET)) for _ in range(max(1, repeat // 2)))
    ratio = reference / times[next(iter(PAGES))]
    print(f"  {'the same from all observations':<48} {1000 * reference:8.0f} ms, {ratio:.1f} times as long")


def fetch(connection: duckdb.DuckDBPyConnection, sql: str) -> int:
    return len(connection.execute(sql).fetchall())


def run_file(connection: duckdb.DuckDBPyConnection, name: str) -> None:
    connection.execute((ROOT / "warehouse" / name).read_text(encoding="utf-8"))


def make_lake(lake: Path, rows: int, config: dict[str, Any]) -> int:
    """Write the partitions; returns the observations made."""
    scopes = max(1, round(rows / (LOOKS * OFFERS_A_SCOPE * 0.98)))
    files = min(FILES, scopes)
    made = 0
    (lake / "cloud_offers").mkdir(parents=True)
    (lake / "cloud_looks").mkdir()
    with duckdb.connect(config=config) as connection:
        for number in range(files):
            bounds = {"first": scopes * number // files, "last": scopes * (number + 1) // files}
            offers, looks = (lake / table / f"{number:03}.parquet" for table in ("cloud_offers", "cloud_looks"))
            connection.execute(f"COPY ({MAKE_OFFERS}) TO '{offers}' (FORMAT parquet, COMPRESSION zstd)", bounds)
            looks_sql = f"SELECT * EXCLUDE (scope_number, look_number) FROM ({MAKE_LOOKS})"
            connection.execute(f"COPY ({looks_sql}) TO '{looks}' (FORMAT parquet, COMPRESSION zstd)", bounds)
            (count,) = connection.execute(f"SELECT count(*) FROM '{offers}'").fetchone() or (0,)
            made += count
    return made


def stage(connection: duckdb.DuckDBPyConnection, lake: Path, kept: str = "true") -> None:
    """The views that the warehouse's SQL reads, of looks that are `kept`."""
    for table, row_type in (("cloud_offers", CloudOffer), ("cloud_looks", CloudLook), ("inferencex", InferencexRun)):
        schema: pa.Schema = arrow_schema(row_type, MarketProvenance)
        connection.register(f"committed_{table}", schema.empty_table())
        if (lake / table).exists():
            connection.execute(
                f"CREATE TEMP VIEW lake_{table} AS FROM read_parquet('{lake / table}/*.parquet') WHERE {kept}"
            )
        else:
            connection.register(f"lake_{table}", schema.empty_table())
    connection.register("lake_market_captures", arrow_schema(MarketCapture).empty_table())
    for name, table in registry_tables().items():
        connection.register(f"registry_{name}", table)
    stage_market_names(connection)


def make_sources(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute(
        """CREATE TABLE facts.hardware_specs AS
           SELECT 'nvidia-h200' AS accelerator, 'nvidia-h200' AS accelerator_model, 0.9895 AS tensor_fp16_pflops,
                  true AS is_latest;
           CREATE TABLE evidence.sources AS
           SELECT 'source_' || n AS source_id, 'https://example.org/' || n AS page_url FROM range(5) AS r(n)"""
    )


if __name__ == "__main__":
    main(__doc__, "observations", run)
