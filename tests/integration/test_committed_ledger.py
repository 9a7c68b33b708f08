"""What the committed ledger says on a first run without a network: claims, conflicts, slips, as of any day."""

from __future__ import annotations

import datetime as dt

import duckdb
import pytest

from pipelines.settings import PROJECT_ROOT
from warehouse.read import Warehouse

SEED = PROJECT_ROOT.parent / "shared" / "facts" / "seed_claims.csv"


@pytest.fixture
def ledger(market: Warehouse) -> Warehouse:
    return market


def test_every_seed_row_is_in_the_ledger(ledger: Warehouse) -> None:
    refs = {row["ref"] for row in ledger.rows("SELECT ref FROM evidence.mentions WHERE ref LIKE 'C%'")}
    assert refs == {f"C{number:03d}" for number in range(1, 246)}


@pytest.mark.skipif(not SEED.exists(), reason="the shared list of seed claims is not beside the project")
def test_numbers_of_the_seed_are_those_of_the_ledger(ledger: Warehouse) -> None:
    """Same numeral, whatever the unit was made into; ranges and words are compared by hand."""
    ours = {
        r["ref"]: r["printed"]
        for r in ledger.rows("SELECT ref, printed FROM evidence.mentions WHERE value IS NOT NULL")
    }
    listed = duckdb.connect().execute(
        "SELECT claim_id, value FROM read_csv(?, all_varchar = true) WHERE regexp_matches(value, '^[0-9.]+$')",
        [str(SEED)],
    )
    compared = [(ref, value) for ref, value in listed.fetchall() if ref in ours]
    assert len(compared) > 60
    assert [ref for ref, value in compared if not ours[ref].startswith(value)] == []


def test_what_was_known_on_a_day(ledger: Warehouse) -> None:
    early = ledger.rows("SELECT max(stated_on) AS last FROM evidence.as_of(DATE '2025-03-31')")[0]["last"]
    assert early <= dt.date(2025, 3, 31)
    resolved = (
        """SELECT value FROM evidence.resolved(?) WHERE subject_id = 'nvidia-rubin-ultra' AND metric = 'die_count'"""
    )
    assert [r["value"] for r in ledger.rows(resolved, [dt.date(2026, 1, 1)])] == [4.0]
    row = ledger.rows(
        """SELECT value, range_low, range_high, losers FROM evidence.resolved(DATE '2026-11-21')
           WHERE subject_id = 'nvidia-rubin-ultra' AND metric = 'die_count'"""
    )[0]
    assert (row["value"], row["range_low"], row["range_high"]) == (4.0, 2.0, 4.0)
    lost = ledger.rows("SELECT value FROM evidence.claims WHERE claim_id IN (SELECT unnest(?))", [row["losers"]])
    assert 2.0 in {each["value"] for each in lost}


@pytest.mark.parametrize(
    ("day", "subject", "metric", "value", "start"),
    [
        ("2025-10-14", "nvidia-dgx-spark", "price", 3000.0, None),
        ("2026-11-22", "nvidia-dgx-spark", "price", 3999.0, None),
        ("2025-06-01", "nvidia-quantum-x-photonics", "available_from", None, dt.date(2025, 3, 18)),
        ("2026-11-22", "nvidia-quantum-x-photonics", "available_from", None, dt.date(2026, 1, 1)),
        ("2026-11-22", "nvidia-rubin", "memory_bandwidth", 22.0, None),
    ],
)
def test_what_stands_on_a_day(
    ledger: Warehouse, day: str, subject: str, metric: str, value: float | None, start: dt.date | None
) -> None:
    found = ledger.rows(
        "SELECT value, value_start FROM evidence.resolved(?::DATE) WHERE subject_id = ? AND metric = ?",
        [day, subject, metric],
    )
    assert [(row["value"], row["value_start"]) for row in found] == [(value, start)]


def test_a_headline_without_precision_fills_no_cell_of_one(ledger: Warehouse) -> None:
    (row,) = ledger.rows(
        """SELECT value, lost FROM evidence.resolved(DATE '2026-11-22')
           WHERE subject_id = 'nvidia-gb200-nvl72' AND metric = 'compute' AND qualifiers['precision'] = 'fp4'"""
    )
    assert row["value"] == 1440.0
    assert sorted(lost["why"] for lost in row["lost"]) == ["a limit, no value", "does not say all that is asked"]


def test_a_quarter_is_no_rival_of_its_year(ledger: Warehouse) -> None:
    quarters = """SELECT count(*) AS quarters FROM evidence.claims
                  WHERE metric = 'capex' AND subject_id = 'meta' AND period_end - period_start < 100"""
    assert ledger.rows(quarters)[0]["quarters"] >= 8
    assert not ledger.rows("SELECT conflict_id FROM evidence.conflicts WHERE metric = 'capex' AND subject_id = 'meta'")


def test_a_figure_on_a_workload_is_no_rival_of_the_rated_one(ledger: Warehouse) -> None:
    """Gaudi 3 is rated at 0.9 kW and takes 0.6 kW on inference: both are right."""
    sides = """SELECT c.value, c.qualifiers['workload'] IS NOT NULL AS is_measured_so FROM evidence.claims AS c
               WHERE c.subject_id = 'intel-gaudi3' AND c.metric = 'power'"""
    assert {bool(row["is_measured_so"]) for row in ledger.rows(sides)} == {True, False}
    assert not ledger.rows("SELECT 1 FROM evidence.conflicts WHERE subject_id = 'intel-gaudi3' AND metric = 'power'")


def test_no_superseded_side_of_a_conflict_is_picked(ledger: Warehouse) -> None:
    assert not ledger.rows(
        """SELECT k.conflict_id FROM evidence.conflicts AS k
           JOIN evidence.conflict_sides AS s USING (conflict_id)
           JOIN evidence.claims AS c USING (claim_id)
           JOIN evidence.claims AS r ON r.claim_id = k.resolved_claim_id
           WHERE k.likely_cause = 'older statement superseded' AND s.why LIKE 'superseded%'
             AND c.claimant_key = r.claimant_key AND c.stated_on > r.stated_on"""
    )
    assert not ledger.rows(
        """SELECT a.claim_id FROM evidence.arithmetic AS a
           JOIN evidence.claims AS c ON list_contains(a.input_ids, c.claim_id)
           WHERE a.verdict = 'inconsistent' AND c.method = 'hand'"""
    )


def test_figures_of_two_variants_are_no_disagreement(ledger: Warehouse) -> None:
    """The H200 draws 0.7 kW, as NVL 0.6: what claims say of the variant; memories the registry tells."""
    causes = {
        (row["subject_id"], row["metric"]): row["causes"]
        for row in ledger.rows("SELECT subject_id, metric, causes FROM evidence.conflicts")
    }
    memories = [(name, "memory_capacity") for name in ("nvidia-a100", "nvidia-a100-pcie", "nvidia-v100")]
    apart = [*memories, ("nvidia-h200", "power")]
    assert [causes[key] for key in apart] == [["different thing"]] * 4


def test_memory_built_in_and_memory_that_can_be_used_are_two_things(ledger: Warehouse) -> None:
    """One source says of both which they are; so the pages that print only a figure do not contradict each other."""
    sets = ledger.rows("SELECT subject_id, kind, likely_cause FROM evidence.conflicts WHERE metric = 'memory_capacity'")
    told = {row["subject_id"]: (row["kind"], row["likely_cause"]) for row in sets}
    for name in ("nvidia-b200", "nvidia-gb200", "nvidia-gb300", "nvidia-h200"):
        assert told[name] == ("qualified", "different thing")
    # nobody says it of these 270 GB
    assert told["nvidia-b300"] == ("contradiction", "real disagreement")


def test_rivals_of_the_five_documents(ledger: Warehouse) -> None:
    sets = ledger.rows(
        """SELECT k.subject_id, k.subject, k.metric, k.low, k.high, k.likely_cause, k.kind
           FROM evidence.conflicts AS k
           WHERE EXISTS (SELECT 1 FROM evidence.conflict_sides AS s JOIN evidence.claims AS c USING (claim_id)
                         WHERE s.conflict_id = k.conflict_id AND c.ref LIKE 'C%')"""
    )
    assert len(sets) >= 15
    by_key = {(row["subject_id"] or row["subject"], row["metric"]): row for row in sets}
    mass = by_key["nvidia-gb200-nvl72", "weight"]
    assert (mass["low"], mass["high"], mass["likely_cause"]) == (1.36, 2.0, "tonne or short ton")
    assert by_key["nvidia-gb200-nvl72", "part_count"]["high"] == 1_200_000
    assert by_key["nvidia-kyber-blade", "accelerator_count"]["likely_cause"] == "package or die"
    assert by_key["nvidia-gb200-nvl72", "speedup"]["kind"] == "qualified"
    assert by_key["nvidia-quantum-x-photonics", "part_count"]["low"] == 2
    assert by_key["AI data center scale-out", "part_count"]["likely_cause"] == "altered copy"
    assert by_key["nvidia-vera-rubin-nvl72", "scale_up_domain_size"]["kind"] == "qualified"


def test_mass_keeps_every_value_that_was_said(ledger: Warehouse) -> None:
    said = ledger.rows(
        """SELECT DISTINCT value FROM evidence.claims
           WHERE subject_id = 'nvidia-gb200-nvl72' AND metric = 'weight' ORDER BY value"""
    )
    assert [row["value"] for row in said] == [1.36, 1.5, 2.0]


def test_altered_figures_of_a_copy_corroborate_nothing(ledger: Warehouse) -> None:
    rows = ledger.rows("SELECT ref, is_copied, claimants, caveats FROM evidence.claims WHERE ref IN ('C186', 'C189')")
    assert sorted((row["ref"], row["is_copied"], row["claimants"]) for row in rows) == [
        ("C186", True, 0),
        ("C189", True, 0),
    ]
    assert all("altered" in row["caveats"] for row in rows)


def test_totals_against_their_parts(ledger: Warehouse) -> None:
    verdicts = {
        (row["formula"], row["stated"]): row["verdict"]
        for row in ledger.rows("SELECT formula, stated, verdict FROM evidence.arithmetic")
    }
    assert verdicts["72 x 1.8 TB/s = 129.6", 130.0] == "consistent"
    assert verdicts["72 packages x 2 dies = 144", 144.0] == "consistent"
    # twenty terabytes are the usable memory of 72 packages; the nominal one would be 20.7
    assert verdicts["72 x 278 GB = 20016", 20000.0] == "consistent"
    # with sparsity left open no sum is judged wrong: the rate of the rack is sparse, that of the parts dense
    assert ("72 x 10 PFLOP/s = 720", 1440.0) not in verdicts


def test_per_die_table_of_the_conference_notes(ledger: Warehouse) -> None:
    rows = ledger.rows(
        """SELECT model_id, dies_per_package, dense_fp4_per_die_pflops, memory_per_die_gb,
               dies_per_domain FROM marts.per_die
           WHERE model_id IN ('nvidia-b200', 'nvidia-b300', 'nvidia-rubin',
                  'nvidia-rubin-ultra') ORDER BY released_start"""
    )
    assert [tuple(row.values()) for row in rows] == [
        ("nvidia-b200", 2.0, 5.0, 96.0, 144.0),
        ("nvidia-b300", 2.0, 7.5, 144.0, 144.0),
        ("nvidia-rubin", 2.0, 25.0, 144.0, 144.0),
        ("nvidia-rubin-ultra", 4.0, 25.0, 256.0, 576.0),
    ]
