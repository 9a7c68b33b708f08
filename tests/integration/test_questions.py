"""The declared questions on the committed facts: columns, evidence on every row, names, and the values of the pages."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any

import pytest

from dashboard.queries import Ledger
from dashboard.queries import claims as claim_queries
from dashboard.queries import things as thing_queries
from pipelines.model.evidence import Evidence
from pipelines.settings import PROJECT_ROOT
from warehouse.answers.questions import PAGE_OF_ROWS, Question, Wrong, parameters_in_words, questions, read, rows
from warehouse.read import TookTooLong, Warehouse

DAY = dt.date(2026, 3, 1)
# A question of each kind that the committed facts answer.
ASKED: dict[str, dict[str, list[str]]] = {
    "search": {"q": ["gb300 nvl"]},
    "thing": {"thing": ["GB300 NVL72"]},
    "sheet": {"thing": ["GB300 NVL72"]},
    "claims": {},
    "series": {"thing": ["GB200 NVL72"], "metric": ["power"]},
    "conflicts": {},
    "promises": {},
    "adoption": {},
    "prices": {"thing": ["B200"]},
    "benchmarks": {"suite": ["training"]},
    "compare": {"things": ["GB300 NVL72", "GB200 NVL72"]},
}
TYPES = {
    "text": ("VARCHAR",), "number": ("DOUBLE", "BIGINT"), "count": ("BIGINT", "INTEGER"), "flag": ("BOOLEAN",),
    "day": ("DATE",), "list": ("VARCHAR[]",),
}  # fmt: skip
BY_SQL = [question for question in questions().values() if question.sql]


def asker(market: Warehouse, described: list[tuple[str, str]] | None = None) -> Any:
    def ask(sql: str, named: Mapping[str, Any]) -> list[dict[str, Any]]:
        result = market.cursor().execute(sql, dict(named))
        if described is not None:
            described[:] = [(column[0], str(column[1])) for column in result.description or []]
        names = [column[0] for column in result.description or []]
        return [dict(zip(names, row, strict=True)) for row in result.fetchall()]

    return ask


def answer(market: Warehouse, name: str, limit: int = 1_000, **given: Any) -> list[dict[str, Any]]:
    texts = {key: [value] if isinstance(value, str) else value for key, value in given.items()}
    ask = asker(market)
    return rows(read(questions()[name], texts, ask, market.publication.built_at.date()), ask, limit)


@pytest.mark.parametrize("question", BY_SQL, ids=lambda question: question.name)
def test_columns_are_as_declared_and_every_row_carries_its_evidence(market: Warehouse, question: Question) -> None:
    described: list[tuple[str, str]] = []
    ask = asker(market, described)
    asked = read(question, ASKED[question.name], ask, market.publication.built_at.date())
    found = rows(asked, ask, 5_000)
    assert [name for name, _ in described] == list(question.columns)
    wrong = {
        name: kind
        for (name, kind), column in zip(described, question.columns.values(), strict=True)
        if kind not in TYPES[column.type]
    }
    assert wrong == {}
    assert found
    tags = {tag.value for tag in Evidence}
    for row in found:
        assert row["evidence"] in tags
        assert row["claimant"], row
        assert row["printed_by"], row
        assert row["stated_on"] or row["stated_not_after"], row
        assert row["url"] or row["claimant"] == "rackledger", row
        assert row["page"], row


@pytest.mark.parametrize("question", BY_SQL, ids=lambda question: question.name)
def test_rows_can_be_cut_anywhere(market: Warehouse, question: Question) -> None:
    ask = asker(market)
    asked = read(question, ASKED[question.name], ask, market.publication.built_at.date())
    whole = rows(asked, ask, 12)
    assert whole == [*rows(asked, ask, 5), *rows(asked, ask, 7, 5)]


def test_the_choice_of_tags_is_the_list_of_tags() -> None:
    assert questions()["claims"].parameters["evidence"].allowed == tuple(tag.value for tag in Evidence)


def test_a_sheet_is_that_of_the_page_of_the_thing(market: Warehouse) -> None:
    ledger = Ledger(market.path)
    ids = thing_queries.variants(ledger, "nvidia-gb300-nvl72")
    for day in (DAY, dt.date(2025, 6, 1)):
        shown = thing_queries.sheet_of(ledger, ids, day)
        told = answer(market, "sheet", thing="GB300 NVL72", as_of=day.isoformat())
        assert [(row["claim_id"], row["value"], row["unit"], row["qualifiers"]) for row in told] == [
            (row["claim_id"], row["value"], row["unit"], row["qualifiers"]) for row in shown
        ]
        assert shown


def test_claims_are_those_of_the_page_of_claims(market: Warehouse) -> None:
    ledger = Ledger(market.path)
    same = ("claim_id", "metric_title", "value", "unit", "claimant", "qualifiers_without_bound")
    for day in (DAY, market.publication.built_at.date()):
        frame = claim_queries.search(ledger, "gb300 nvl72", day)
        shown = frame[frame["subject_id"] == "nvidia-gb300-nvl72"]
        told = answer(market, "claims", thing="GB300 NVL72", as_of=day.isoformat())
        assert {row["claim_id"] for row in told} == set(shown["claim_id"])
        page = shown.set_index("claim_id")
        for row in told:
            for name in same[1:-1]:
                mine, theirs = row[name], page.loc[row["claim_id"], name]
                assert mine == theirs or (mine is None and theirs != theirs), (name, mine, theirs)
    assert len(told) > 20


def test_claims_of_a_day_hold_nothing_that_was_said_later(market: Warehouse) -> None:
    told = answer(market, "claims", thing="GB300 NVL72", as_of="2026-03-01")
    assert told
    assert max(row["stated_on"] or row["stated_not_after"] for row in told) <= "2026-03-01"


def test_a_name_leads_to_its_thing_by_id_name_former_name_or_variant(market: Warehouse) -> None:
    for name in ("nvidia-gb300-nvl72", "GB300 NVL72", "gb300-nvl72", "Blackwell Ultra NVL72"):
        assert [row["id"] for row in answer(market, "thing", thing=name)] == ["nvidia-gb300-nvl72"]


def test_search_finds_by_beginnings_of_words_in_any_order(market: Warehouse) -> None:
    assert answer(market, "search", q="nvl72 gb3")[0]["id"] == "nvidia-gb300-nvl72"
    assert answer(market, "search", q="GB300 NVL72")[0]["id"] == "nvidia-gb300-nvl72"
    assert {row["kind"] for row in answer(market, "search", q="nvidia", kind="organisation")} == {"organisation"}
    assert answer(market, "search", q="nothing is called so") == []


@pytest.mark.parametrize(
    ("name", "given", "parameter", "says"),
    [
        ("sheet", {}, "thing", "accelerator"),
        ("sheet", {"thing": "GB300 NVL27"}, "thing", "nvidia-gb300-nvl72"),
        ("sheet", {"thing": "GB300 NVL72", "as_of": "yesterday"}, "as_of", "YYYY-MM-DD"),
        ("sheet", {"thing": "GB300 NVL72", "as_of": "2026-02-30"}, "as_of", "YYYY-MM-DD"),
        ("sheet", {"thing": ["GB300 NVL72", "GB200 NVL72"]}, "thing", "one value"),
        ("sheet", {"thing": "GB300 NVL72", "sort": "value"}, "sort", "thing, as_of"),
        ("claims", {"evidence": "true"}, "evidence", "audited"),
        ("claims", {"claimant": "a" * 201}, "claimant", "200 characters"),
        ("claims", {"claimant": "a\x00b"}, "claimant", "printable"),
        ("compare", {"things": ["GB300 NVL72"] * 7}, "things", "at most 6"),
    ],
)
def test_what_cannot_be_read_names_the_parameter_and_what_was_expected(
    market: Warehouse, name: str, given: dict[str, Any], parameter: str, says: str
) -> None:
    with pytest.raises(Wrong) as wrong:
        answer(market, name, **given)
    assert wrong.value.parameter == parameter
    assert says in str(wrong.value)


@pytest.mark.parametrize("text", ["'; DROP TABLE x; --", "%", "_", "zzz' OR '1'='1", "$thing", "{{cell}}"])
def test_what_is_asked_is_never_sql(market: Warehouse, text: str) -> None:
    assert answer(market, "search", q=text) == []
    assert answer(market, "claims", claimant=text) == []


def test_a_question_past_its_time_is_ended(market: Warehouse) -> None:
    with pytest.raises(TookTooLong, match=r"0\.2 s"):
        market.within(
            0.2, "SELECT count(*) FROM range($n) AS a, range($n) AS b WHERE a.range % 7 = b.range % 5", {"n": 10**6}
        )
    assert market.within(10, "SELECT 1 AS one" + PAGE_OF_ROWS, {"row_limit": 1, "row_offset": 0}) == [{"one": 1}]


def test_the_document_lists_every_question_as_declared() -> None:
    told = (PROJECT_ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    for question in questions().values():
        words = parameters_in_words(question).removeprefix("Parameters: ")
        assert f"| `{question.name}` | {question.says} | {words} |" in told
