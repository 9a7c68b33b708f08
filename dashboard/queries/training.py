"""SQL of the page on MLPerf Training results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pandas as pd

from dashboard.queries import Ledger, first_row

RESULTS = """
SELECT result_key, suite, round, stated_on, benchmark_id AS benchmark, division, availability, submitter, system,
       accelerator_raw, accelerator, coalesce(generation, accelerator) AS generation,
       coalesce(vendor, 'none') AS vendor, accelerators, nodes, score_minutes, n_runs, n_not_converged, scaling_factor,
       evidence::VARCHAR AS evidence,       origin, problem, "table", url
FROM facts.mlperf_training
"""


@dataclass(frozen=True, slots=True)
class Choices:
    """What the filters offer; empty tuples mean 'all'."""

    suite: str
    benchmark: str
    rounds: tuple[str, ...] = ()
    divisions: tuple[str, ...] = ()
    availabilities: tuple[str, ...] = ()
    submitters: tuple[str, ...] = ()
    generations: tuple[str, ...] = ()


def rounds(ledger: Ledger) -> pd.DataFrame:
    """Suites and rounds, newest first."""
    return ledger.frame(
        """SELECT suite, round, stated_on, count(*) AS n_results FROM facts.mlperf_training
           GROUP BY ALL ORDER BY stated_on DESC, suite DESC"""
    )


def benchmarks(ledger: Ledger, suite: str) -> pd.DataFrame:
    """Benchmarks of a suite with their titles, those of the newest round with most results first."""
    return ledger.frame(
        """SELECT f.benchmark_id AS benchmark, coalesce(any_value(b.title), f.benchmark_id) AS title,
                  max(f.stated_on) AS last_on, count(*) AS n_results
           FROM facts.mlperf_training AS f
           LEFT JOIN registry.mlperf_benchmarks AS b ON b.suite = f.suite AND b.benchmark_id = f.benchmark_id
           WHERE f.suite = ? GROUP BY f.benchmark_id
           ORDER BY last_on DESC, count(*) FILTER (f.stated_on = (SELECT max(stated_on) FROM facts.mlperf_training
                                                                 WHERE suite = ?)) DESC, 1""",
        (suite, suite),
    )


def generation_names(ledger: Ledger) -> pd.DataFrame:
    """Generations that have results, with vendor, name and place in their line."""
    return ledger.frame(
        """SELECT g.generation_id AS generation, g.vendor_id AS vendor, coalesce(o.name, g.vendor_id) AS vendor_name,
                  g.name, g.ordinal
           FROM registry.generations AS g LEFT JOIN registry.organisations AS o ON o.organisation_id = g.vendor_id
           WHERE g.generation_id IN (SELECT generation FROM facts.mlperf_training)
           ORDER BY g.vendor_id, g.ordinal"""
    )


def results(ledger: Ledger, choices: Choices) -> pd.DataFrame:
    """Results that fit the filters, fastest first."""
    clauses, parameters = ["suite = ?", "benchmark_id = ?"], [choices.suite, choices.benchmark]
    columns = {
        "round": choices.rounds,
        "division": choices.divisions,
        "availability": choices.availabilities,
        "submitter": choices.submitters,
        "coalesce(generation, accelerator)": choices.generations,
    }
    for column, wanted in columns.items():
        if wanted:
            clauses.append(f"{column} IN ({', '.join('?' * len(wanted))})")
            parameters += wanted
    where = " AND ".join(clauses)
    return ledger.frame(f"{RESULTS} WHERE {where} ORDER BY score_minutes NULLS LAST, result_key", tuple(parameters))


def best_by_round(ledger: Ledger, suite: str, benchmark: str, accelerators: int) -> pd.DataFrame:
    """Best closed-division time per generation and round at one accelerator count."""
    return ledger.frame(
        """SELECT round, stated_on, vendor, generation, accelerators, best_minutes, median_minutes, n_results,
                  best_submitter, best_system, evidence::VARCHAR AS evidence, speedup_over_previous_generation,
                  previous_generation, previous_round, scaling_efficiency, url
           FROM marts.mlperf_training_best
           WHERE suite = ? AND benchmark = ? AND accelerators = ? AND "table" = 'strong'
           ORDER BY stated_on, generation""",
        (suite, benchmark, accelerators),
    )


def counts_over_rounds(ledger: Ledger, suite: str, benchmark: str) -> pd.DataFrame:
    """Accelerator counts with how many rounds and generations have a result at that count, most first."""
    return ledger.frame(
        """SELECT accelerators, count(DISTINCT round) AS n_rounds, count(DISTINCT generation) AS n_generations
           FROM marts.mlperf_training_best WHERE suite = ? AND benchmark = ? AND "table" = 'strong'
           GROUP BY ALL ORDER BY n_rounds DESC, n_generations DESC, accelerators""",
        (suite, benchmark),
    )


def result(ledger: Ledger, result_key: str) -> dict[str, Any] | None:
    """Everything about one result; None when this version has none of that key."""
    frame = ledger.frame(
        """SELECT f.* EXCLUDE (evidence, caveats, member_paths), f.evidence::VARCHAR AS evidence,
                  array_to_string(f.caveats, ', ') AS caveats, to_json(f.member_paths)::VARCHAR AS member_paths,
                  m.branch, s.raw_json AS system_json, s.url AS system_url
           FROM facts.mlperf_training AS f
           LEFT JOIN registry.mlperf_rounds AS m USING (suite, round)
           LEFT JOIN facts.mlperf_systems AS s
                  ON s.suite = f.suite AND s.round = f.round AND s.system_path = f.system_path
           WHERE f.result_key = ?""",
        (result_key,),
    )
    return None if frame.empty else first_row(frame)
