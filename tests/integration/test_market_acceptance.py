"""What the product promises of the ledger and its marts, one test a promise, on a build of all committed facts."""

from __future__ import annotations

import datetime as dt
from typing import Any

import duckdb
import pytest

from pipelines.claims.arithmetic import INCONSISTENT, checks_in
from pipelines.registry.comparability import Compared, compare
from warehouse.answers.evidence import mlperf_footnote
from warehouse.read import Warehouse


def tuples(warehouse: Warehouse, sql: str, *parameters: Any) -> list[tuple[Any, ...]]:
    return [tuple(row.values()) for row in warehouse.rows(sql, list(parameters))]


def test_a_claim_ledger_that_only_grows(market: Warehouse) -> None:
    """The brand of Vera Rubin by day; both names remain; nobody who reads can change or delete."""
    names = """SELECT name FROM registry.system_names WHERE system_id = 'nvidia-vera-rubin-nvl72'
               AND coalesce(valid_from, DATE '0001-01-01') <= $1 AND coalesce(valid_to, DATE '9999-12-31') >= $1"""
    assert tuples(market, names, dt.date(2025, 12, 31)) == [("Vera Rubin NVL144",)]
    assert tuples(market, names, dt.date(2026, 2, 1)) == [("Vera Rubin NVL72",)]
    both = "SELECT name FROM registry.system_names WHERE system_id = 'nvidia-vera-rubin-nvl72' ORDER BY valid_from"
    assert [name for (name,) in tuples(market, both)] == ["Vera Rubin NVL144", "Vera Rubin NVL72"]
    by_old, by_new = (
        tuples(market, "SELECT claim_id FROM evidence.history(?, 'scale_up_domain_size')", name)
        for name in ("Vera Rubin NVL144", "Vera Rubin NVL72")
    )
    assert by_old == by_new != []
    for statement in (
        "UPDATE evidence.claims SET value = 1",
        "DELETE FROM evidence.claims",
        "UPDATE registry.system_names SET name = 'x'",
        "DELETE FROM evidence.mentions",
    ):
        with pytest.raises(duckdb.Error, match="read-only"):
            market.connection.execute(statement)


def test_rival_values_with_the_pick_and_why(market: Warehouse) -> None:
    seeds = tuples(
        market,
        """SELECT count(DISTINCT s.conflict_id) FROM evidence.conflict_sides AS s
           JOIN evidence.claims AS c USING (claim_id) WHERE c.ref LIKE 'C%'""",
    )
    assert seeds[0][0] >= 15
    (mass,) = market.rows(
        """SELECT k.likely_cause, k.rule, k.unit, list(c.value ORDER BY c.value) AS said,
                  any_value(c.value) FILTER (s.is_resolved) AS pick,
                  any_value(c.claimant) FILTER (s.is_resolved) AS whose
           FROM evidence.conflicts AS k JOIN evidence.conflict_sides AS s USING (conflict_id)
           JOIN evidence.claims AS c USING (claim_id)
           WHERE k.subject_id = 'nvidia-gb200-nvl72' AND k.metric = 'weight' GROUP BY ALL"""
    )
    assert (mass["said"], mass["unit"], mass["likely_cause"]) == ([1.36, 1.5, 2.0], "t", "tonne or short ton")
    assert mass["rule"] == "what stands by the rule of docs/method.md"
    assert (mass["pick"], mass["whose"]) == (1.36, "Yahoo")


def test_a_slip_with_both_sources_and_a_median_with_its_count(market: Warehouse) -> None:
    (slip,) = market.rows(
        "SELECT * FROM marts.slips WHERE subject_id = 'nvidia-quantum-x-photonics' AND milestone = 'launch'"
    )
    assert slip["first_stated_on"] == dt.date(2025, 3, 18)
    assert (slip["first_start"].year, slip["first_end"].year, slip["latest_start"]) == (2025, 2025, dt.date(2026, 1, 1))
    assert 0 < slip["slip_low_days"] <= slip["slip_days"] <= slip["slip_high_days"]
    assert (slip["state"], slip["revisions"]) == ("overdue", 1)
    urls = {slip["first_url"], slip["latest_url"]}
    assert len(urls) == 2
    assert all(url.startswith("https://") for url in urls)
    before = "SELECT state, slip_days FROM marts.milestones_as_of(?) WHERE subject_id = ? AND milestone = 'launch'"
    assert tuples(market, before, dt.date(2025, 4, 1), "nvidia-quantum-x-photonics") == [("promised", None)]
    parties = market.rows("SELECT * FROM marts.slips_by_party")
    assert all((row["median_slip_days"] is None) == (row["slips"] == 0) for row in parties)
    assert all(row["is_thin"] == (row["on_time"] + row["late"] < 8) for row in parties)
    assert next(row["slips"] for row in parties if row["party_id"] == "nvidia") >= 5


def test_layers_of_march_2025(market: Warehouse) -> None:
    view = """SELECT DISTINCT layer, unnest(models) AS model FROM marts.stratification_as_of(DATE '2025-03-31')
              WHERE kind = 'announced deployment' AND observed_on >= DATE '2025-03-01' ORDER BY ALL"""
    assert tuples(market, view) == [
        ("hyperscale", "nvidia-gb200"),
        ("neocloud", "nvidia-b200"),
        ("neocloud", "nvidia-h200"),
        ("science", "nvidia-a100"),
        ("science", "nvidia-gh200"),
    ]
    eights = """SELECT c.qualifiers['system'] FROM marts.stratification_as_of(DATE '2025-03-31') AS s
                JOIN evidence.claims AS c ON c.claim_id = s.what
                WHERE s.layer = 'neocloud' AND list_contains(s.models, 'nvidia-b200')"""
    assert set(tuples(market, eights)) == {("NVIDIA DGX B200",), (None,)}  # the page also says B200 without a system


def test_a_neocloud_of_the_first_wave(market: Warehouse) -> None:
    """CoreWeave stands in both layers, and among the first that are seen with Blackwell."""
    layers = "SELECT DISTINCT layer FROM marts.stratification WHERE organisation_id = 'coreweave' ORDER BY 1"
    assert tuples(market, layers) == [("hyperscale",), ("neocloud",)]
    first = """SELECT organisation_id FROM marts.stratification
               WHERE generation = 'nvidia-blackwell' AND kind = 'announced deployment' AND organisation_id IS NOT NULL
               QUALIFY observed_on = min(observed_on) OVER () ORDER BY 1"""
    assert tuples(market, first) == [("azure",), ("coreweave",), ("google",), ("meta",), ("oracle",)]
    held = "SELECT layer FROM marts.layer_rows(DATE '2025-03-31') WHERE organisation_id = 'coreweave' ORDER BY 1"
    assert tuples(market, held) == [("hyperscale",), ("neocloud",)]


def test_lag_in_months_with_its_interval(market: Warehouse) -> None:
    rows = market.rows("FROM marts.ageing_thesis")
    assert {row["verdict"] for row in rows} <= {"later", "earlier", "no order shown"}
    for row in rows:
        assert row["low_months"] <= row["lag_months"] <= row["high_months"]
        assert (row["verdict"] == "later") == (row["low_months"] > 0)
        assert (row["verdict"] == "earlier") == (row["high_months"] < 0)
    latest = {(row["generation"], row["earlier_layer"], row["later_layer"]) for row in rows if row["is_latest"]}
    assert {("nvidia-hopper", "hyperscale", "neocloud"), ("all", "hyperscale", "science")} <= latest
    ages = market.rows("FROM marts.age_at_adoption")
    for row in ages:
        assert row["is_thin"] == (row["organisations"] - row["known_by_only"] < 5) == (row["median_months"] is None)
    (verdict,) = tuples(market, "SELECT sentence FROM marts.ageing_verdict WHERE is_latest")
    assert "known only as" in verdict[0]


def test_each_partner_of_a_joint_submission_counts_in_its_own_layer(market: Warehouse) -> None:
    """CoreWeave with NVIDIA on 3,584 H100 in June 2023: a neocloud had Hopper by then."""
    rows = tuples(
        market,
        """SELECT organisation_id, layer, accelerators FROM facts.adoption
           WHERE origin = 'MLPerf training' AND system = 'training v3.0' AND generation = 'nvidia-hopper'
             AND organisation_id IN ('coreweave', 'nvidia') ORDER BY 1""",
    )
    assert rows == [("coreweave", "neocloud", 3584), ("nvidia", "vendor", 3584)]


def test_nearly_every_adopter_has_a_layer(market: Warehouse) -> None:
    (share,) = tuples(
        market,
        """SELECT count(DISTINCT organisation_id) FILTER (layer IS NULL) / count(DISTINCT organisation_id)
           FROM facts.adoption""",
    )
    assert share[0] < 0.05


def test_adoption_as_of_a_day_knows_nothing_later(market: Warehouse) -> None:
    day = "DATE '2023-12-31'"
    (late,) = tuples(
        market, f"SELECT count(*) FROM marts.adoption_as_of({day}) WHERE stated_not_after > {day} OR on_high > {day}"
    )
    (some,) = tuples(market, f"SELECT count(*) FROM marts.adoption_as_of({day})")
    assert late == (0,)
    assert some[0] > 20


@pytest.mark.parametrize("mart", ["stratification_share", "age_at_adoption", "prices"])
def test_thin_layers_say_so(market: Warehouse, mart: str) -> None:
    counted = tuples(market, f"SELECT DISTINCT is_thin, list_contains(caveats, 'thin') FROM marts.{mart} ORDER BY 1")
    assert counted == [(False, False), (True, True)]


def test_density_by_width_and_marks_that_differ(market: Warehouse) -> None:
    power = """SELECT value, evidence::VARCHAR, basis, modality FROM marts.density
               WHERE system_id = ? AND metric = 'power' AND per = ? ORDER BY value"""
    # what a cabinet can carry is a limit, and so is its share of a width
    assert [row[:3] for row in tuples(market, power, "hpe-cray-ex4000", "rack")] == [(400.0, "estimated", "limit")]
    assert [row[:3] for row in tuples(market, power, "hpe-cray-ex4000", "rack width")] == [(200.0, "derived", "limit")]
    dell = tuples(market, power, "dell-ir7000", "rack")
    assert [(value, modality) for value, _, _, modality in dell] == [(264.0, "shipping"), (480.0, "announced")]
    (rack,) = market.rows(
        "SELECT DISTINCT accelerators, dies FROM marts.density WHERE system_id = 'nvidia-gb200-nvl72'"
    )
    assert (rack["accelerators"], rack["dies"]) == (72, 144)
    memory = """SELECT DISTINCT c.qualifiers['memory_basis'] FROM evidence.claims AS c
                WHERE c.subject_id = 'nvidia-b200' AND c.metric = 'memory_capacity'
                  AND c.qualifiers['memory_basis'] IS NOT NULL ORDER BY 1"""
    assert tuples(market, memory) == [("nominal",), ("usable",)]


def test_the_guard_refuses_with_the_rule(market: Warehouse) -> None:
    mlperf = Compared("mlperf", "training", "v0.7", "gnmt")
    refused = {
        "only with other MLPerf results": [Compared("mlperf", "inference", "v6.1"), Compared("inferencex")],
        "MLCommons lists the versions as compatible": [mlperf, Compared("mlperf", "training", "v0.5", "gnmt")],
        "never a rated power such as TDP": [Compared("mlperf", "inference", "v6.1", power_basis="rated")],
    }
    for words, figures in refused.items():
        assert words in compare(figures).refusal
    gains = tuples(
        market,
        """SELECT DISTINCT suite, benchmark, '', round, previous_round FROM marts.mlperf_training_best
           WHERE speedup_over_previous_generation IS NOT NULL
           UNION SELECT DISTINCT 'inference', benchmark_id, scenario, round, previous_round
           FROM marts.mlperf_inference_best WHERE per_accelerator_gain IS NOT NULL""",
    )
    assert len(gains) > 300
    for suite, benchmark, scenario, one, other in gains:
        pair = [Compared("mlperf", suite, round_, benchmark, scenario) for round_ in (one, other)]
        assert compare(pair).is_allowed, (suite, benchmark, scenario, one, other)


def test_every_mlperf_mart_row_can_carry_its_footnote(market: Warehouse) -> None:
    (row,) = market.rows(
        """SELECT f.* FROM marts.mlperf_normalised AS m
           JOIN facts.mlperf_inference AS f ON f.result_key = m.best_result_key
           WHERE m.generation = 'nvidia-rubin' AND m.benchmark = 'deepseek-r1' AND m.mode = 'Offline'"""
    )
    text = mlperf_footnote(row, is_derived=True)
    assert "MLPerf" in text
    assert "v6.1" in text
    unkeyed = """SELECT count(*) FROM marts.mlperf_normalised AS m
                 LEFT JOIN facts.mlperf_inference AS i ON i.result_key = m.best_result_key
                 LEFT JOIN facts.mlperf_training AS t ON t.result_key = m.best_result_key
                 WHERE i.result_key IS NULL AND t.result_key IS NULL"""
    assert tuples(market, unkeyed) == [(0,)]


def test_a_claimed_gain_stands_beside_and_never_in_a_ratio(market: Warehouse) -> None:
    """Rubin: 3.3 claimed by its maker, 1.74 at equal count between MLPerf results: two marts, two kinds."""
    claimed = """SELECT value, is_makers_own, evidence::VARCHAR, workload, mlperf_rows > 0 FROM marts.claimed_speedups
                 WHERE generation = 'nvidia-rubin' AND baseline_generation = 'nvidia-blackwell-ultra'"""
    assert tuples(market, claimed) == [(3.3, True, "reported", "FP4 and FP8 peak", True)]
    measured = """SELECT best_result, best_accelerators, best_per_accelerator, ratio_evidence::VARCHAR,
                         previous_generation, compared_counts, round(speedup_median, 2),
                         list_contains(warnings, 'preview')
                  FROM marts.mlperf_normalised
                  WHERE generation = 'nvidia-rubin' AND benchmark = 'deepseek-r1' AND mode = 'Offline'"""
    ((rate, count, per_accelerator, *rest),) = tuples(market, measured)
    assert (round(rate, 2), count, round(per_accelerator, 1)) == (1_183_326.85, 72, 16_435.1)
    assert rest == ["derived", "nvidia-blackwell-ultra", [72], 1.74, True]
    mixed = compare([Compared("claim"), Compared("mlperf", "inference", "v6.1", "deepseek-r1", "Offline")])
    assert "only with other MLPerf results" in mixed.refusal


def test_normalised_rows_of_training(market: Warehouse) -> None:
    row = market.rows(
        """FROM marts.mlperf_normalised
           WHERE suite = 'training' AND round = 'v5.0' AND benchmark = 'llama31_405b'
             AND generation = 'nvidia-blackwell'"""
    )[0]
    assert (row["counts"], row["n_results"]) == ([256, 512, 1024, 1536, 2048, 2496], 7)
    assert row["best_accelerators"] == 2496
    assert row["best_per_accelerator_count"] == 256
    assert row["best_per_accelerator"] <= row["median_per_accelerator"]
    assert row["compared_counts"] == [512, 1024, 2048]
    assert 2.0 < row["speedup_low"] <= row["speedup_median"] <= row["speedup_high"] < 2.2
    scaling = tuples(
        market,
        """SELECT accelerators, base_accelerators, scaling_efficiency FROM marts.mlperf_scaling
           WHERE suite = 'training' AND round = 'v5.0' AND benchmark = 'llama31_405b'
             AND generation = 'nvidia-blackwell'
           ORDER BY 1""",
    )
    # the largest run is one of three makers' together: it is set beside theirs at 512, not beside another's at 256
    assert [(count, base) for count, base, _ in scaling] == [(n, 512) for n in (1024, 1536, 2048, 2496)]
    assert [round(kept, 3) for *_, kept in scaling] == [0.976, 0.951, 0.928, 0.909]
    unlike = """SELECT count(*) FROM marts.mlperf_scaling AS s
                JOIN facts.mlperf_training AS t ON t.result_key = s.best_result_key
                JOIN facts.mlperf_training AS b ON b.result_key = s.base_result_key
                WHERE (t.submitter, t.accelerator, t.round) <> (b.submitter, b.accelerator, b.round)
                   OR s.scaling_efficiency > 1 + 1e-9 OR b.accelerators > t.accelerators"""
    assert tuples(market, unlike) == [(0,)]


def test_arithmetic_of_each_claim_with_parts(market: Warehouse) -> None:
    verdicts = {
        (formula, stated): verdict
        for formula, stated, verdict in tuples(market, "SELECT formula, stated, verdict FROM evidence.arithmetic")
    }
    assert verdicts["72 x 1.8 TB/s = 129.6", 130.0] == "consistent"
    assert verdicts["72 packages x 2 dies = 144", 144.0] == "consistent"
    flagged = tuples(market, "SELECT count(*) FROM evidence.claims WHERE arithmetic = 'inconsistent'")[0][0]
    assert flagged == sum(verdict == "inconsistent" for verdict in verdicts.values())
    (check,) = checks_in("Of the interruptions, 148 of 419 (30.1%) were faulty GPUs.")
    assert (check.verdict, check.formula, check.stated) == (INCONSISTENT, "148 / 419 = 35.3 %", 30.1)


def test_forecasts_with_what_decides_them(market: Warehouse) -> None:
    rows = market.rows("FROM marts.forecasts")
    assert len(rows) >= 6
    assert all(row["criterion"] and row["due_on"] > row["stated_on"] for row in rows)
    assert {row["state"] for row in rows} == {"open", "missed"}
    (fp4,) = (row for row in rows if row["subject"].startswith("FP4"))
    assert (fp4["state"], fp4["judged_by"], fp4["decided_on"]) == ("missed", fp4["decided_on"], dt.date(2026, 4, 30))
    assert fp4["decided_by"] in fp4["later_ids"]
    assert all((row["judged_by"] is None) == (row["state"] == "open") for row in rows)
    (hopper,) = (row for row in rows if row["subject"].startswith("Hopper"))
    assert hopper["state"] == "open", "its last day has not come"
    assert {"nvidia-h100", "nvidia-h200"} <= set(hopper["price_series"])
    listed = """SELECT min(median_usd_per_gpu_hour) FROM marts.prices WHERE accelerator = 'nvidia-h100'
                AND accelerator_grain = 'model' AND layer = 'all' AND price_type = 'on_demand' AND observed_on > ?"""
    assert tuples(market, listed, hopper["stated_on"])[0][0] > 1
    scores = tuples(market, "SELECT sum(forecasts), sum(met + missed + ambiguous + open) FROM marts.forecast_scores")
    assert scores == [(len(rows), len(rows))]
