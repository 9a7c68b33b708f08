"""The rule of what stands, clause by clause, on small cases; the own sample and the judged list."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from pipelines.cli import app
from pipelines.ledger.cases import read_cases
from warehouse.resolution import resolve_cases

SAMPLE = Path(__file__).parents[2] / "fixtures" / "resolution" / "cases.jsonl"
JUDGED = Path(__file__).parents[4] / "shared" / "gold" / "judged.jsonl"
CASES = [json.loads(line) for line in SAMPLE.read_text(encoding="utf-8").splitlines()]


def _verdict(case: dict[str, Any]) -> dict[str, Any]:
    [verdict] = resolve_cases(list(read_cases([json.dumps({"id": "x", "as_of": "2026-11-22", **case})])))
    return verdict


def _said(value: object, claimant: str = "Acme", stated_on: str | None = "2025-03-01", **more: Any) -> dict[str, Any]:
    qualifiers = {"per": "rack", **more.pop("qualifiers", {})}
    told = {"value": value, "unit": "kW", "modality": "announced", "claimant": claimant, "printed_by": claimant}
    return {**told, "printed_by_kind": "press", "stated_on": stated_on, "qualifiers": qualifiers, **more}


def _power(*statements: dict[str, Any], **asked: str) -> dict[str, Any]:
    return _verdict(
        {"subject": "Some rack", "metric": "power", "qualifiers": asked or {"per": "rack"}, "statements": statements}
    )


def _dates(*statements: dict[str, Any], **asked: str) -> dict[str, Any]:
    told = [{**statement, "unit": "date", "qualifiers": statement["qualifiers"]} for statement in statements]
    return _verdict({"subject": "Some rack", "metric": "deployed_on", "qualifiers": asked, "statements": told})


@pytest.fixture(scope="module")
def sampled() -> dict[str, dict[str, Any]]:
    """The verdict on each case of the own sample."""
    return {verdict["id"]: verdict for verdict in resolve_cases(list(read_cases(map(json.dumps, CASES))))}


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["id"]))
def test_the_own_sample(case: dict[str, Any], sampled: dict[str, dict[str, Any]]) -> None:
    verdict = sampled[case["id"]]
    meant = case["stands"] if isinstance(case["stands"], list) else [case["stands"]]
    assert verdict["stands"] in meant
    assert verdict["superseded"] == case["superseded"]
    assert verdict["cause"] in (case["cause"], *case["cause_also"])


def test_a_later_word_of_another_claimant_supersedes_nothing() -> None:
    found = _power(_said(100, "Northern Post"), _said(140, "Southern Post", "2025-06-01"))
    assert (found["stands"], found["superseded"]) == (None, [])
    assert found["reason"].startswith("disputed")


def test_a_confirmation_supersedes_nothing() -> None:
    found = _power(_said(100), _said(100, stated_on="2025-06-01"))
    assert (found["superseded"], found["cause"]) == ([], None)


def test_a_later_rounder_word_does_not_replace_the_exact_one() -> None:
    found = _dates(
        _said("2026-H2", modality="promised"), _said("2026", modality="promised", stated_on="2025-06-01")
    )  # fmt: skip
    assert (found["stands"], found["superseded"], found["cause"]) == (0, [], "rounded")


def test_a_later_range_replaces_an_earlier_one_also_where_others_relay_both() -> None:
    found = _power(
        _said(None, value_low=200, value_high=230, printed_by="Northern Post"),
        _said(None, stated_on="2025-11-01", value_low=120, value_high=140, printed_by="Northern Post"),
        per="rack",
    )
    assert (found["stands"], found["superseded"], found["cause"]) == (1, [0], "older statement superseded")


def test_dates_to_the_month_order_nothing_within_it() -> None:
    found = _power(_said(100, stated_on="2025-03"), _said(140, stated_on="2025-03-20"))
    assert (found["stands"], found["superseded"]) == (None, [])


def test_an_unqualified_figure_does_not_stand_in_a_qualified_cell_with_another() -> None:
    found = _power(
        _said(140, stated_on="2025-06-01"), _said(100, qualifiers={"basis": "typical"}), basis="typical", per="rack"
    )
    assert found["stands"] == 1


def test_a_figure_that_does_not_say_its_precision_stands_in_no_cell_of_a_precision() -> None:
    told = {**_said(1), "unit": "EFLOP/s"}
    case = {"subject": "Some rack", "metric": "compute", "statements": [told]}
    assert _verdict({**case, "qualifiers": {"per": "rack", "precision": "fp4"}})["stands"] is None
    assert _verdict({**case, "qualifiers": {"per": "rack"}})["stands"] == 0


def test_measured_before_operator_before_maker_before_press() -> None:
    press, maker = _said(100, "Northern Post"), _said(110, printed_by_kind="maker")
    operator = _said(120, "Some Cloud", printed_by_kind="operator")
    measured = _said(130, "Some Lab", modality="measured")
    assert _power(press, maker)["stands"] == 1
    assert _power(press, maker, operator)["stands"] == 2
    assert _power(press, maker, operator, measured)["stands"] == 3


def test_an_undated_outcome_beats_a_dated_promise() -> None:
    found = _dates(
        _said("2025-H2", modality="promised"), _said("2026-03", "Northern Post", None, modality="actual")
    )  # fmt: skip
    assert found["stands"] == 1


def test_what_is_dated_after_it_was_said_is_a_promise_whatever_it_is_called() -> None:
    found = _dates(
        _said("2025-05-02", "Northern Post", "2025-05-10", modality="deployed"),
        _said("2026-05-02", "Southern Post", "2025-06-10", modality="deployed"),
    )
    assert found["stands"] == 0


def test_another_milestone_is_another_thing() -> None:
    found = _dates(
        _said(
            "2025-05",
            "Some Lab",
            modality="actual",
            stated_on="2025-06-10",
            qualifiers={"milestone": "phase 1 energised"},
        ),
        _said(
            "2026-05",
            "Some Lab",
            modality="promised",
            stated_on="2025-07-10",
            qualifiers={"milestone": "phase 2 energised"},
        ),
        milestone="phase 2 energised",
    )
    assert (found["stands"], found["superseded"], found["cause"]) == (1, [], "different thing")


def test_a_unit_slip_is_named_only_when_it_fits_to_rounding() -> None:
    def memory(low: float, high: float) -> object:
        told = [{**_said(v, c), "unit": "GB"} for v, c in ((low, "Northern Post"), (high, "Southern Post"))]
        case = {"subject": "Some rack", "metric": "memory_capacity", "qualifiers": {"per": "rack"}, "statements": told}
        return _verdict(case)["cause"]

    assert memory(64, 68.7) == "GB/GiB"
    assert memory(46, 48) == "GB/GiB"  # a driver's 45,634 MiB, told in thousands
    assert memory(270, 288) == "real disagreement"


def test_statements_later_than_the_day_are_unknown() -> None:
    case = {
        "as_of": "2025-04-01", "subject": "Some rack", "metric": "power", "qualifiers": {},
        "statements": [_said(100)],
    }  # fmt: skip
    found = _verdict(case | {"statements": [*case["statements"], _said(150, stated_on="2025-05-01")]})
    assert (found["stands"], found["cause"], found["reason"]) == (0, None, "the only statement known")


def test_nothing_known_is_no_pick() -> None:
    assert _verdict(
        {"as_of": "2024-01-01", "subject": "Some rack", "metric": "power", "qualifiers": {}, "statements": [_said(1)]}
    ) == {"id": "x", "stands": None, "superseded": [], "cause": None, "reason": "nothing is known on this day"}


def test_the_command_answers_cases_without_answers_and_scores_those_with(tmp_path: Path) -> None:
    bare = tmp_path / "bare.jsonl"
    bare.write_text("".join(
        json.dumps({k: v for k, v in case.items() if k not in ("stands", "superseded", "cause", "cause_also")}) + "\n"
        for case in CASES
    ))  # fmt: skip
    result = CliRunner().invoke(app, ["resolve", str(bare)])
    assert result.exit_code == 0
    assert [json.loads(line)["id"] for line in result.stdout.splitlines()] == [case["id"] for case in CASES]
    refused = CliRunner().invoke(app, ["resolve", str(bare), "--score"])
    assert (refused.exit_code, "carries no answer" in " ".join(refused.stderr.split())) == (1, True)
    scored = CliRunner().invoke(app, ["resolve", str(SAMPLE), "--score"])
    assert f"stands: {len(CASES)} of {len(CASES)} right" in scored.stderr


def _many(cases: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    lines = [
        json.dumps({"id": name, "subject": "Some rack", "as_of": "2026-11-22", **case}) for name, case in cases.items()
    ]
    return {verdict["id"]: verdict for verdict in resolve_cases(list(read_cases(lines)))}


def _day(value: object, modality: str, stated_on: str | None, **qualifiers: str) -> dict[str, Any]:
    said = _said(value, modality=modality, stated_on=stated_on)
    return {**said, "unit": "date", "qualifiers": qualifiers}


def _cell(metric: str, *statements: dict[str, Any], **asked: str) -> dict[str, Any]:
    return {"metric": metric, "qualifiers": asked, "statements": list(statements)}


def test_what_speaks_of_another_part_variant_or_period_neither_replaces_nor_contradicts() -> None:
    later, rack = "2025-06-01", {"per": "rack"}
    found = _many(
        {
            "parts": _cell(
                "power",
                _said(12, qualifiers={"part": "pump"}),
                _said(30, stated_on=later, qualifiers={"part": "chiller"}),
                **rack,
            ),
            "memory": _cell(
                "power",
                _said(30, qualifiers={"memory_type": "HBM2"}),
                _said(40, stated_on=later, qualifiers={"memory_type": "HBM2e"}),
                **rack,
            ),
            "family": _cell(
                "power",
                _said(30, qualifiers={"memory_type": "HBM"}),
                _said(40, stated_on=later, qualifiers={"memory_type": "HBM2e"}),
                **rack,
            ),
            "fuller name": _cell(
                "power",
                _said(30, qualifiers={"variant": "B300"}),
                _said(40, stated_on=later, qualifiers={"variant": "Acme B300"}),
                **rack,
            ),
            "extra": _cell(
                "power", _said(50, qualifiers={"support": "1 year"}), _said(40, "Other", qualifiers={}), **rack
            ),
            "quarters": _cell("power", _said(3, period="2025-Q1"), _said(4, stated_on=later, period="2025-Q2"), **rack),
            "generations": _cell(
                "deployed_on",
                _day("2025-03", "deployed", "2025-04-01", accelerator="A1"),
                _day("2025", "expected", "2025-04-01", accelerator="A2"),
            ),
        }
    )
    assert {name: (v["stands"] is None, v["superseded"], v["cause"]) for name, v in found.items()} == {
        "parts": (True, [], "different thing"),
        "memory": (True, [], "different thing"),
        "family": (False, [0], "older statement superseded"),
        "fuller name": (False, [0], "older statement superseded"),
        "extra": (False, [], "different thing"),
        "quarters": (True, [], "different thing"),
        "generations": (False, [], "different thing"),
    }
    assert found["extra"]["stands"] == 1


def test_words_without_a_value_limits_and_delays_supersede_only_what_they_contradict() -> None:
    open_, second = {"milestone": "opening"}, {"milestone": "second hall complete"}
    found = _many(
        {
            "called off twice": _cell(
                "deployed_on",
                _day("2025", "promised", "2024-01-01", **open_),
                _day(None, "cancelled", "2025-01-30", **open_),
                _day(None, "cancelled", "2025-02-02", **open_),
                **open_,
            ),
            "own delay": _cell(
                "deployed_on",
                _day("2026-02", "promised", None, **open_),
                _day("2026-04", "delayed_report", None, **open_),
                **open_,
            ),
            "second of two": _cell(
                "deployed_on",
                _day("2026-06-23", "actual", "2026-06-24", milestone="first hall complete"),
                _day("2028", "promised", "2026-06-01", **second),
                milestone="first hall complete",
            ),
            "promised publication": _cell(
                "announced_on",
                _day("2025-Q1", "promised", "2025-01-20", **open_),
                _day("2025-04-08", "actual", "2025-04-08", **open_),
                **open_,
            ),
            "limit kept": _cell("power", _said(None, value_high=14.3), _said(12.1, stated_on="2025-06-01"), per="rack"),
            "limit broken": _cell("power", _said(None, value_high=14.3), _said(16, stated_on="2025-06-01"), per="rack"),
        }
    )
    assert {name: (v["stands"], v["superseded"], v["cause"]) for name, v in found.items()} == {
        "called off twice": (2, [0], "older statement superseded"),
        "own delay": (1, [0], "older statement superseded"),
        "second of two": (0, [], "different thing"),
        "promised publication": (1, [0], "older statement superseded"),
        "limit kept": (1, [], "limit not value"),
        "limit broken": (1, [0], "older statement superseded"),
    }


def test_figures_counted_otherwise_and_slips_of_a_relay_replace_nothing() -> None:
    later, fp8 = "2025-06-01", {"per": "rack", "precision": "fp8"}
    own, relay = {"printed_by_kind": "maker"}, {"printed_by": "Gazette", "stated_on": later}

    def rate(value: int, sparsity: str, **more: Any) -> dict[str, Any]:
        return _said(value, unit="PFLOP/s", qualifiers={"precision": "FP8", "sparsity": sparsity}, **more)

    bandwidth = [_said(figure, unit="TB/s", **more) for figure, more in ((4, own), (32, relay))]
    found = _many(
        {
            "sparse and dense": _cell("compute", rate(500, "sparse"), rate(250, "dense", stated_on=later), **fp8),
            "dense in words": _cell(
                "compute", rate(500, "with sparsity"), rate(250, "without sparsity"), **fp8, sparsity="dense"
            ),
            "basis": _cell(
                "power",
                _said(40, qualifiers={"basis": "typical"}),
                _said(60, stated_on=later, qualifiers={"basis": "rated"}),
                per="rack",
            ),
            "thousandfold": _cell("power", _said(130, **own), _said(130_000, **relay), per="rack"),
            "bits for bytes": _cell("memory_bandwidth", *bandwidth, per="rack"),
            "a part": _cell("power", _said(40), _said(12, stated_on=later, qualifiers={"of": "switches"}), per="rack"),
        }
    )
    assert {name: (v["stands"], v["superseded"], v["cause"]) for name, v in found.items()} == {
        "sparse and dense": (None, [], "dense or sparse"),
        "dense in words": (1, [], "dense or sparse"),
        "basis": (None, [], "different thing"),
        "thousandfold": (0, [], "unit slip"),
        "bits for bytes": (0, [], "unit slip"),
        "a part": (0, [], "different thing"),
    }


def test_the_memories_of_two_variants_are_two_things() -> None:
    accelerator = {"per": "accelerator"}

    def memory(*figures: int) -> dict[str, Any]:
        said = [_said(gb, f"Centre {gb}", unit="GB", qualifiers=accelerator) for gb in figures]
        return _cell("memory_capacity", *said, **accelerator) | {"subject": "NVIDIA A100"}

    found = _many({"of variants": memory(40, 80), "of none": memory(40, 64)})
    assert [verdict["cause"] for verdict in found.values()] == ["different thing", "real disagreement"]


def test_a_cluster_twice_as_large_is_not_one_counted_by_dies_and_a_rating_is_no_older_word() -> None:
    size = [_said(100_000, unit="count"), _said(200_000, "Other", "2026-01-02", unit="count")]
    rated = [_said(29, "Acme"), {**_said(21, "Bench"), "printed_by_kind": "measured", "modality": "measured"}]
    found = _many({"size": _cell("cluster_size", *size), "rated": _cell("power", *rated, per="rack")})
    assert found["size"]["cause"] == "real disagreement"
    assert (found["rated"]["stands"], found["rated"]["cause"]) == (1, "real disagreement")


def test_a_bad_file_is_refused_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "bad.jsonl").write_text(json.dumps(CASES[0]) + "\n[]\n")
    result = CliRunner().invoke(app, ["resolve", str(tmp_path / "bad.jsonl")])
    assert (result.exit_code, "line 2: expected a JSON object" in " ".join(result.stderr.split())) == (1, True)


@pytest.mark.skipif(not JUDGED.exists(), reason="the judged cases are not beside the project; the own sample is")
def test_the_judged_cases_keep_their_floor() -> None:
    cases = list(read_cases(JUDGED.read_text(encoding="utf-8").splitlines()))
    verdicts = resolve_cases(cases)
    right = sum(
        verdict["stands"] in (case["stands"] if isinstance(case["stands"], list) else [case["stands"]])
        for (case, _), verdict in zip(cases, verdicts, strict=True)
    )
    assert right / len(cases) >= 0.95


def test_a_memory_that_leaves_its_basis_open_is_the_one_that_those_who_say_it_give_this_figure_to() -> None:
    def gigabytes(value: int, claimant: str, **qualifiers: str) -> dict[str, Any]:
        return {**_said(value, claimant, None, qualifiers=qualifiers), "unit": "GB"}

    open_ = (gigabytes(180, "Northern Post"), gigabytes(192, "Southern Post"))
    built_in, usable = (
        gigabytes(value, "Some Lab", memory_basis=basis) for value, basis in ((192, "nominal"), (180, "usable"))
    )
    asked = {"per": "rack"}
    found = _many(
        {
            "nobody says": _cell("memory_capacity", *open_, **asked),
            "both said": _cell("memory_capacity", *open_, built_in, usable, **asked),
            "one said": _cell("memory_capacity", *open_, usable, **asked),
        }
    )
    assert {name: verdict["cause"] for name, verdict in found.items()} == {
        "nobody says": "real disagreement",
        "both said": "different thing",
        "one said": "real disagreement",
    }


def test_a_factor_of_two_names_a_cause_only_where_the_words_leave_room_for_it() -> None:
    def rate(value: float, per: str) -> dict[str, Any]:
        return {**_said(value, f"Paper of {value}"), "unit": "Gb/s", "qualifiers": {"per": per}}

    def flops(value: float, **sparsity: str) -> dict[str, Any]:
        return {**_said(value), "unit": "PFLOP/s", "qualifiers": {"per": "rack", "precision": "fp8", **sparsity}}

    found = _many(
        {
            "of a port": _cell("scale_out_bandwidth", rate(800, "port"), rate(400, "port"), per="port"),
            "of a chip": _cell("scale_out_bandwidth", rate(800, "chip"), rate(400, "chip"), per="chip"),
            "beside its sparse rate": _cell(
                "compute", flops(2.5, sparsity="sparse"), flops(0.7), per="rack", precision="fp8", sparsity="sparse"
            ),
        }
    )
    assert {name: verdict["cause"] for name, verdict in found.items()} == {
        "of a port": "real disagreement",
        "of a chip": "one-way or both-ways",
        "beside its sparse rate": "dense or sparse",
    }


def test_what_an_undated_page_plans_for_after_the_event_is_another_event() -> None:
    happened, planned = _day("2020-07", "deployed", None), _day("2023-07", "announced", None)
    found = _many({"lots": _cell("deployed_on", happened, planned)})["lots"]
    assert (found["stands"], found["superseded"], found["cause"]) == (0, [], "different thing")
