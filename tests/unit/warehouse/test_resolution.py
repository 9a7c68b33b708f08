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


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["id"]))
def test_the_own_sample(case: dict[str, Any]) -> None:
    [verdict] = resolve_cases(list(read_cases([json.dumps(case)])))
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
