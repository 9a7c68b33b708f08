"""Example statements of the SQL page. Each runs on a build of the committed facts alone; a test runs them all."""

from __future__ import annotations

from pipelines.frozen import frozen


@frozen
class Example:
    """A statement and the question it answers."""

    id: str
    title: str
    sql: str


EXAMPLES = (
    Example(
        "tables",
        "Which tables are there?",
        """-- Every table, what one row of it is, and how many rows it has.
SELECT "table", title, grain, row_count
FROM meta.tables
ORDER BY 1""",
    ),
    Example(
        "fastest",
        "Fastest closed result of each benchmark in the newest round",
        """SELECT benchmark_id, submitter, accelerator, accelerators, score_minutes, evidence, url
FROM facts.mlperf_training
WHERE suite = 'training' AND division = 'closed' AND score_minutes IS NOT NULL
  AND stated_on = (SELECT max(stated_on) FROM facts.mlperf_training WHERE suite = 'training')
QUALIFY row_number() OVER (PARTITION BY benchmark_id ORDER BY score_minutes) = 1
ORDER BY benchmark_id""",
    ),
    Example(
        "gains",
        "What each generation gained over the one before",
        """-- Computed here, not verified by MLCommons.
SELECT benchmark, generation, previous_generation, round, accelerators,
       round(speedup_over_previous_generation, 2) AS speedup
FROM marts.mlperf_training_best
WHERE speedup_over_previous_generation IS NOT NULL
ORDER BY stated_on DESC, speedup DESC""",
    ),
    Example(
        "entries",
        "Results by accelerator generation and round",
        """PIVOT (
    SELECT round, coalesce(generation, 'none') AS generation, result_key
    FROM facts.mlperf_training WHERE suite = 'training' AND stated_on >= DATE '2023-01-01'
) ON generation IN ('nvidia-ampere', 'nvidia-hopper', 'nvidia-blackwell', 'amd-cdna3', 'google-tpu-v5')
USING count(result_key)
GROUP BY round ORDER BY round""",
    ),
    Example(
        "sources",
        "Sources by evidence and state",
        """SELECT evidence, status, count(*) AS sources, list(source_id ORDER BY source_id) AS which
FROM evidence.sources
GROUP BY ALL ORDER BY evidence, status""",
    ),
    Example(
        "column",
        "Which columns speak of accelerators?",
        """SELECT "table", "column", data_type, unit, says
FROM meta.columns
WHERE says ILIKE '%accelerator%' ORDER BY 1, 2""",
    ),
)
