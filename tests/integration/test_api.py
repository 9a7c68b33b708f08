"""The HTTP API on the committed facts, through the same routes as the server's."""

from __future__ import annotations

import json
import random
import re
import socket
import threading
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
import uvicorn
from openapi_spec_validator import OpenAPIV31SpecValidator
from starlette.applications import Starlette
from starlette.testclient import TestClient

from dashboard import api_routes, rate
from dashboard.rate import MOST_CLIENTS, Buckets
from pipelines.settings import PREFIX, PROJECT_ROOT
from tests.fuzz_kit import address
from tests.integration.test_questions import ASKED
from tests.unit.warehouse.test_versions import claim, write
from warehouse.answers.questions import PAGE_OF_ROWS, plain, questions
from warehouse.read import Warehouse


@pytest.fixture
def api(market: Warehouse, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    monkeypatch.setenv(PREFIX + "WAREHOUSE", str(market.path))
    monkeypatch.setenv(PREFIX + "API_RATE", "0")
    with TestClient(Starlette(routes=list(api_routes.routes()))) as client:
        yield client


def test_the_description_is_valid_and_names_every_question(api: TestClient) -> None:
    described = api.get("/api/v1/openapi.json").json()
    assert list(OpenAPIV31SpecValidator(described).iter_errors()) == []
    assert set(described["paths"]) == {f"/api/v1/{name}" for name in questions()}
    assert set(api.get("/api/v1/").json()["questions"]) == set(questions())


@pytest.mark.parametrize("name", [name for name, question in questions().items() if question.sql])
def test_an_answer_has_the_described_shape(api: TestClient, market: Warehouse, name: str) -> None:
    answer = api.get(f"/api/v1/{name}", params={**ASKED[name], "limit": "5"})
    assert answer.status_code == 200, answer.text
    assert answer.headers["access-control-allow-origin"] == "*"
    told = answer.json()
    assert told["version"] == market.publication.version
    assert told["is_known"]
    assert set(told["rows"][0]) == set(questions()[name].columns)


def test_an_answer_that_is_held_already_is_not_sent_again(api: TestClient) -> None:
    first = api.get("/api/v1/sheet", params={"thing": "GB300 NVL72"})
    again = api.get(
        "/api/v1/sheet", params={"thing": "nvidia-gb300-nvl72"}, headers={"If-None-Match": first.headers["etag"]}
    )
    assert (again.status_code, again.content) == (304, b"")
    other = api.get("/api/v1/sheet", params={"thing": "GB200 NVL72"}, headers={"If-None-Match": first.headers["etag"]})
    assert other.status_code == 200
    assert api.head("/api/v1/sheet", params={"thing": "GB300 NVL72"}).headers["etag"] == first.headers["etag"]


def test_pages_of_rows_are_the_whole(api: TestClient) -> None:
    asked = {"thing": "GB200 NVL72", "metric": "power"}
    whole = api.get("/api/v1/claims", params=asked).json()["rows"]
    found, cursor = [], ""
    while True:
        page = api.get(
            "/api/v1/claims", params={**asked, "limit": "3", **({"cursor": cursor} if cursor else {})}
        ).json()
        found += page["rows"]
        cursor = page["next"]
        if not cursor:
            break
    assert found == whole
    assert len(whole) > 3


def test_a_cursor_of_another_question_is_refused(api: TestClient) -> None:
    cursor = api.get("/api/v1/claims", params={"limit": "3"}).json()["next"]
    refused = api.get("/api/v1/promises", params={"limit": "3", "cursor": cursor})
    assert (refused.status_code, refused.json()["parameter"]) == (400, "cursor")


def test_a_problem_says_which_parameter_and_what_may_have_been_meant(api: TestClient) -> None:
    refused = api.get("/api/v1/sheet", params={"thing": "GB300 NVL27"})
    assert refused.status_code == 400
    assert refused.headers["content-type"] == "application/problem+json"
    told = refused.json()
    assert (told["parameter"], told["found"], told["status"]) == ("thing", "GB300 NVL27", 400)
    assert "NVIDIA GB300 NVL72 (nvidia-gb300-nvl72)" in told["nearest"]


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/api/v1/nothing", 404), ("/api/v1/claims?limit=0", 400), ("/api/v1/claims?limit=1001", 400),
        ("/api/v1/claims?limit=٣", 400), ("/api/v1/claims?cursor=!", 400), ("/api/v1/claims?cursor=bnVsbA", 400),
        (f"/api/v1/claims?claimant={'a' * 5000}", 414), ("/api/v1/..%2f..%2fetc%2fpasswd", 404),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said(api: TestClient, path: str, status: int) -> None:
    answer = api.get(path)
    assert answer.status_code == status, answer.text


def test_nothing_can_be_written(api: TestClient) -> None:
    for method in ("POST", "PUT", "DELETE", "PATCH"):
        assert api.request(method, "/api/v1/claims").status_code == 405
    preflight = api.options("/api/v1/claims")
    assert (preflight.status_code, preflight.headers["access-control-allow-methods"]) == (204, "GET, HEAD, OPTIONS")


def test_a_long_answer_is_cut_and_leads_on(api: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api_routes, "MOST_BYTES", 3_000)
    told = api.get("/api/v1/claims", params={"limit": "97"}).json()
    assert 0 < len(told["rows"]) < 10
    assert told["next"]
    monkeypatch.setattr(api_routes, "MOST_BYTES", 10)
    assert api.get("/api/v1/claims", params={"limit": "96"}).json()["title"] == "Too large"


def test_who_asks_too_often_is_told_when_to_come_back(api: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PREFIX + "API_RATE", "4")
    rate.buckets.cache_clear()
    assert [api.get("/api/v1/nothing").status_code for _ in range(2)] == [404, 429]
    assert 1 <= int(api.get("/api/v1/nothing").headers["retry-after"]) <= 15


def test_without_a_ledger_the_answer_says_so(api: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PREFIX + "WAREHOUSE", "/nowhere/rackledger.duckdb")
    assert api.get("/api/v1/claims").status_code == 503


def test_buckets_fill_at_a_steady_rate_and_are_forgotten_one_by_one() -> None:
    now = [0.0]
    buckets = Buckets(8, lambda: now[0])
    assert [buckets.wait("a") for _ in range(3)] == [0.0, 0.0, 7.5]
    assert buckets.wait("b") == 0.0
    now[0] = 7.5
    assert [buckets.wait("a"), buckets.wait("a")] == [0.0, 7.5]
    for number in range(MOST_CLIENTS):
        buckets.wait(str(number))
    assert len(buckets._held) == MOST_CLIENTS


def test_every_boundary_of_the_threat_model_names_a_test_that_is_there() -> None:
    told = (PROJECT_ROOT / "docs" / "security.md").read_text(encoding="utf-8")
    rows = [line for line in told.splitlines() if line.startswith("| ") and "→" in line]
    assert len(rows) >= 10
    for row in rows:
        named = re.findall(r"`(tests/[\w/.]+)`", row)
        assert named, row
        assert [name for name in named if not (PROJECT_ROOT / name).exists()] == [], row


def test_versions_and_what_changed_between_them_come_from_the_files(
    api: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(PREFIX + "PUBLISHED", str(tmp_path))
    for day, value in (("20260110", 120.0), ("20260210", 132.0)):
        write(tmp_path / day / "rackledger.duckdb", "2026-01-10", [claim("x", value=value)])
        (tmp_path / day / "datapackage.json").write_text(json.dumps({"created": f"{day}T000000Z"}), encoding="utf-8")
    (tmp_path / "latest.json").write_text(json.dumps({"folder": "20260210"}), encoding="utf-8")
    listed = api.get("/api/v1/versions", params={"limit": "7"}).json()["rows"]
    assert [row["version"] for row in listed] == ["20260210", "20260110"]
    assert set(listed[0]) == set(questions()["versions"].columns)
    (row,) = api.get("/api/v1/diff", params={"limit": "7"}).json()["rows"]
    assert set(row) == set(questions()["diff"].columns)
    assert (row["key"], row["change"], row["before"], row["after"]) == (
        "x",
        "changed",
        '{"value": 120.0}',
        '{"value": 132.0}',
    )
    for wrong in ({"older": "../secret"}, {"older": "latest", "newer": "20250101"}, {"table": "facts.rumours"}):
        assert api.get("/api/v1/diff", params=wrong).status_code == 400


def test_any_request_is_answered_or_refused_in_the_described_way(api: TestClient) -> None:
    """Random addresses with hostile pieces: never a failure of the server, always JSON, never markup."""
    chance = random.Random(18)
    known = {name: list(each.parameters) for name, each in questions().items()}
    for _ in range(300):
        name, given = address(chance, known)
        answer = api.get(f"/api/v1/{name}", params=[*given, ("limit", "1")])
        assert answer.status_code in {200, 400, 404, 414}, (given, answer.text)
        if "%" in name:  # no question's address
            continue
        assert answer.headers["content-type"].split(";")[0] in {"application/json", "application/problem+json"}
        assert answer.headers["x-content-type-options"] == "nosniff"
        json.loads(answer.text)


def test_conflicts_are_those_of_the_day(api: TestClient, market: Warehouse) -> None:
    """What is kept for the newest day is what that day computes; nothing that was told later is in an earlier one."""
    newest = api.get("/api/v1/conflicts", params={"limit": "1000"}).json()["rows"]
    asked = {
        "row_limit": 1000,
        "row_offset": 0,
        "thing": None,
        "metric": None,
        "as_of": market.publication.built_at.date(),
    }
    computed = market.within(60, questions()["conflicts"].sql + PAGE_OF_ROWS, asked)
    assert [plain(row) for row in computed] == newest
    earlier = api.get("/api/v1/conflicts", params={"limit": "1000", "as_of": "2025-09-01"}).json()["rows"]
    assert 0 < len(earlier) < len(newest)
    assert max(row["stated_on"] or row["stated_not_after"] for row in earlier) <= "2025-09-01"
    assert max(row["opened_on"] for row in earlier) <= "2025-09-01"


def test_slow_clients_keep_nobody_waiting(api: TestClient) -> None:
    """Forty who begin a request and never end it, and ten who never read their answer: others are still answered."""
    server = uvicorn.Server(uvicorn.Config(Starlette(routes=list(api_routes.routes())), port=0, log_level="error"))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    slow = [socket.create_connection(("127.0.0.1", port)) for _ in range(50)]
    try:
        for place, each in enumerate(slow):
            ending = b"\r\n\r\n" if place < 10 else b"\r\nX-Slow: "
            each.sendall(b"GET /api/v1/claims?limit=1000 HTTP/1.1\r\nHost: x" + ending)
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/v1/search?q=GB300", timeout=180) as answer:
            assert json.loads(answer.read())["is_known"]
    finally:
        for each in slow:
            each.close()
        server.should_exit = True
        thread.join()
