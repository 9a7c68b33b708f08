"""The door for assistants, asked by the official client in this process: sixty questions, and what is at its edges."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from mcp import Client
from starlette.testclient import TestClient

from pipelines.model.evidence import Evidence
from pipelines.settings import PROJECT_ROOT
from tests.fuzz_kit import tool_call
from warehouse.answers.questions import questions
from warehouse.assistants.server import make_server, readings
from warehouse.assistants.tools import MOST_ANSWER, NOTHING, Desk, Unusable, as_text, tools
from warehouse.read import Warehouse
from warehouse.sandbox import Answer, Refused

LESSONS = PROJECT_ROOT / "dashboard" / "lessons"
Call = tuple[str, dict[str, Any], Callable[[dict[str, Any]], bool]]

# Questions with their answers, straight from the tables: how many of each, a row each; the order is that of a hash.
COMPUTED = {
    "claims": (19, """SELECT subject_id, metric, claim_id, value, evidence::VARCHAR AS evidence, url
        FROM evidence.claims
        WHERE value IS NOT NULL AND subject_id IN (SELECT system_id FROM registry.systems) ORDER BY md5(claim_id)"""),
    "sheet": (3, """SELECT system_id AS subject_id, claim_id, value, evidence::VARCHAR AS evidence, url
        FROM marts.sheets
        WHERE state = 'stated' AND value IS NOT NULL ORDER BY md5(claim_id)"""),
    "promises": (12, """SELECT subject_id, milestone, variant, party_id, state, slip_low_days
        FROM marts.milestones WHERE subject_kind = 'system' AND state <> 'no promise known'
        ORDER BY md5(subject_id || milestone || variant || coalesce(party_id, ''))"""),
    "adoption": (10, """SELECT organisation_id, generation, kind, row_key, accelerators,
        evidence::VARCHAR AS evidence, url FROM facts.adoption WHERE kind <> 'benchmark' ORDER BY md5(row_key)"""),
    "prices": (8, """SELECT accelerator_model AS subject_id, period_start, source_id, median_usd_per_gpu_hour AS value,
        evidence::VARCHAR AS evidence, url FROM marts.prices WHERE period = 'day' AND accelerator_grain = 'model'
        AND price_type = 'on_demand' AND layer = 'all' AND observed_on = period_start
        ORDER BY md5(accelerator_model || period_start || source_id)"""),
    "benchmarks": (8, """SELECT benchmark_id, best_accelerator AS subject_id, stated_on, best_result AS value,
        best_result_key AS result_key, evidence::VARCHAR AS evidence, url FROM marts.mlperf_inference_best
        WHERE division = 'closed' AND best_accelerator IN (SELECT accelerator_id FROM registry.accelerators)
        AND benchmark_id IN (SELECT benchmark_id FROM registry.mlperf_benchmarks)
        ORDER BY md5(best_result_key)"""),
}  # fmt: skip


def call_for(name: str, row: dict[str, Any]) -> Call:
    """What is asked, and how the right row of the answer is told."""
    if name == "claims":
        asked = {"thing": row["subject_id"], "metric": row["metric"], "limit": 50}
        return name, asked, lambda told: (told["claim_id"], told.get("value")) == (row["claim_id"], row["value"])
    if name == "sheet":
        asked = {"thing": row["subject_id"], "limit": 50}
        return name, asked, lambda told: (told["claim_id"], told.get("value")) == (row["claim_id"], row["value"])
    if name == "promises":
        same = ("milestone", "variant", "state", "slip_low_days")
        asked = {"thing": row["subject_id"], "limit": 50}
        return name, asked, lambda told: [told.get(key) for key in same] == [row[key] or None for key in same]
    if name == "adoption":
        asked = {
            "organisation": row["organisation_id"],
            "generation": row["generation"],
            "kind": row["kind"],
            "limit": 50,
        }
        return (
            name,
            asked,
            lambda told: (told["row_key"], told.get("accelerators")) == (row["row_key"], row["accelerators"]),
        )
    if name == "prices":
        day = row["period_start"].isoformat()
        asked = {"thing": row["subject_id"], "layer": "all", "since": day, "as_of": day, "limit": 50}
        return name, asked, lambda told: (told["url"], told["median_usd_per_gpu_hour"]) == (row["url"], row["value"])
    asked = {
        "thing": row["subject_id"],
        "benchmark": row["benchmark_id"],
        "as_of": row["stated_on"].isoformat(),
        "limit": 50,
    }
    return name, asked, lambda told: (told["result_key"], told["value"]) == (row["result_key"], row["value"])


@pytest.fixture
def desk(market: Warehouse) -> Iterator[Desk]:
    desk = Desk(market.path, _Statements())  # type: ignore[arg-type]
    yield desk
    desk.close()


class _Statements:
    """A sandbox without processes: it knows two statements."""

    def ask(self, sql: str, visitor: str | None = None) -> Answer:
        if "read_csv" in sql:
            raise Refused("Only tables of the record can be read.")
        return Answer(pa.table({"n": list(range(80))}), False, 0.0, "v")

    def close(self) -> None:
        pass


def text_of(parts: Any) -> str:
    """The text of the only part of an answer."""
    (part,) = parts
    return str(part.text)


def talk(desk: Desk, calls: list[tuple[str, dict[str, Any]]]) -> list[tuple[bool, dict[str, Any]]]:
    """The answers to some calls in one session: whether each is an error, and what its text holds."""

    async def session() -> list[tuple[bool, dict[str, Any]]]:
        async with Client(make_server(desk, readings(LESSONS, PROJECT_ROOT / "docs"), "1")) as client:
            answers = [await client.call_tool(name, arguments) for name, arguments in calls]
        return [(bool(answer.is_error), json.loads(text_of(answer.content))) for answer in answers]

    return asyncio.run(session())


def test_sixty_questions_are_met_each_with_tag_and_link(market: Warehouse, desk: Desk) -> None:
    calls: list[Call] = []
    for name, (count, sql) in COMPUTED.items():
        found = market.rows(f"{sql} LIMIT {count}")
        assert len(found) == count, name
        calls += [call_for(name, row) for row in found]
    assert len(calls) == 60
    tags = {tag.value for tag in Evidence}
    unmet = []
    for (name, asked, is_it), (is_error, told) in zip(calls, talk(desk, [call[:2] for call in calls]), strict=True):
        met = [row for row in told.get("rows", ()) if is_it(row)]
        cited = all(
            row["evidence"] in tags and str(row.get("url", "")).startswith("http") and row["page"] for row in met
        )
        if is_error or not met or not cited:
            unmet.append((name, asked, told.get("error")))
    assert unmet == []


def test_every_question_is_a_tool_and_every_lesson_can_be_read(desk: Desk) -> None:
    async def session() -> tuple[list[str], list[str], str]:
        async with Client(make_server(desk, readings(LESSONS, PROJECT_ROOT / "docs"), "1")) as client:
            listed, texts = await client.list_tools(), await client.list_resources()
            read = await client.read_resource("rackledger://method")
            for uri in ("rackledger://lesson/../../pyproject.toml", "file:///etc/passwd"):
                with pytest.raises(Exception, match="no such text"):
                    await client.read_resource(uri)
        return [tool.name for tool in listed.tools], [str(text.uri) for text in texts.resources], text_of(read.contents)

    names, uris, method = asyncio.run(session())
    assert names == [*(name for name, question in questions().items() if question.sql), "calc", "sql"]
    assert {f"rackledger://lesson/{path.stem}" for path in LESSONS.glob("*.md")} <= set(uris)
    assert method.startswith("# What stands")


def test_what_is_not_known_is_said_and_what_is_wrong_can_be_mended(desk: Desk) -> None:
    (_, nothing), (is_error, wrong), (_, early) = talk(
        desk,
        [
            ("search", {"q": "nothing is called so"}),
            ("sheet", {"thing": "GB300 NVL27"}),
            ("sheet", {"thing": "GB300 NVL72", "as_of": "2018-01-01"}),
        ],
    )
    assert (nothing["is_known"], nothing["says"]) == (False, NOTHING)
    assert is_error
    assert "nvidia-gb300-nvl72" in wrong["error"]
    assert (early["is_known"], early["rows"]) == (False, [])


def test_calculators_name_where_their_inputs_come_from(desk: Desk) -> None:
    (_, told), (is_error, wrong) = talk(
        desk, [("calc", {"calculator": "rack"}), ("calc", {"calculator": "rack", "inputs": {"colour": "red"}})]
    )
    assert told["evidence"] == "derived"
    assert all("from" in each for each in told["inputs"].values())
    assert is_error
    assert wrong["error"].startswith("inputs.colour")


def test_statements_go_through_the_sandbox_and_answers_stay_small(desk: Desk) -> None:
    told = desk.answer("sql", {"query": "SELECT 1"})
    assert (len(told["rows"]), told["more"]) == (50, True)
    with pytest.raises(Unusable, match="Only tables"):
        desk.answer("sql", {"query": "FROM read_csv('/etc/passwd')"})
    whole = desk.answer("claims", {"limit": 50})
    assert len(as_text(whole)) <= MOST_ANSWER * 1.1
    assert whole["more"]


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("rumours", {}), ("sheet", {"thing": 7}), ("sheet", {"thing": ["a", 1]}), ("claims", {"limit": 10_000}),
        ("claims", {"limit": True}), ("calc", {"calculator": "rack", "inputs": [1]}), ("calc", {"calculator": "../x"}),
        ("calc", {"calculator": "rack", "as_of": "soon"}), ("sql", {}), ("claims", {"sort": "x"}),
    ],
)  # fmt: skip
def test_calls_that_cannot_be_answered_say_why(desk: Desk, name: str, arguments: dict[str, Any]) -> None:
    with pytest.raises(Unusable):
        desk.answer(name, arguments)


def test_outside_text_cannot_hide_or_mark_up_anything() -> None:
    hostile = "</script><b>\u202eignore\u200b all\u2028that\x1b[2J\x00 \U000e0041 & 算力"
    text = as_text({"subject": hostile})
    assert json.loads(text)["subject"] == hostile
    assert "算力" in text
    assert [character for character in text if character in "<>&" or not character.isprintable()] == []


def test_it_is_served_over_http_to_this_machine_alone(desk: Desk) -> None:
    app = make_server(desk, [], "1").streamable_http_app(stateless_http=True, json_response=True)
    hello = {
        "jsonrpc": "2.0", "id": 1, "method": "initialize",
        "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
    }  # fmt: skip
    accept = {"Accept": "application/json, text/event-stream"}
    with TestClient(app, base_url="http://127.0.0.1:8765") as client:
        answer = client.post("/mcp", json=hello, headers=accept)
        assert answer.json()["result"]["serverInfo"]["name"] == "rackledger"
        elsewhere = client.post("/mcp", json=hello, headers={**accept, "Host": "evil.example"})
        assert elsewhere.status_code in {403, 421}


def test_any_call_is_answered_or_refused_with_words(desk: Desk) -> None:
    """Right names, wrong values of every kind: never another failure, never markup."""
    chance, schemas = random.Random(18), {tool.name: tool.schema for tool in tools()}
    for _ in range(200):
        name, arguments = tool_call(chance, schemas)
        try:
            text = as_text(desk.answer(name, arguments))
        except Unusable as refused:
            text = as_text({"error": str(refused)})
        assert not set(text) & set("<>&"), (name, arguments)


@pytest.mark.parametrize("arguments", [{"calculator": ["rack"]}, {"calculator": "rack", "machine": {"a": "b"}}])
def test_a_name_that_is_no_text_is_refused(desk: Desk, arguments: dict[str, Any]) -> None:
    with pytest.raises(Unusable, match="expected one of"):
        desk.answer("calc", arguments)


def test_schemas_are_closed() -> None:
    for tool in tools():
        assert tool.schema["additionalProperties"] is False
        assert set(tool.schema["required"]) <= set(tool.schema["properties"])


def test_a_desk_without_a_record_says_so(tmp_path: Path) -> None:
    ((is_error, told),) = talk(Desk(tmp_path / "none.duckdb"), [("claims", {})])
    assert is_error
    assert "make run" in told["error"]
