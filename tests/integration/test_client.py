"""The client against the server's own routes and against published files: the same rows, those of the pages."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterator
from pathlib import Path

import httpx
import pandas as pd
import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from dashboard import api_routes
from dashboard.queries import Ledger as Pages
from dashboard.queries import claims as claim_queries
from pipelines.settings import PREFIX
from rackledger.client import DECLARED, Ledger, Unanswered, WrongQuestion, _download
from tests.integration.test_questions import ASKED
from warehouse.answers.questions import declaration, questions
from warehouse.read import Warehouse

ROOT = "http://ledger.test"


class _InProcess(httpx.BaseTransport):
    """Requests of the client answered by the routes, without a socket."""

    def __init__(self, served: TestClient) -> None:
        self._served = served
        self.seen: list[tuple[int, str]] = []

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        answer = self._served.get(request.url.raw_path.decode(), headers=dict(request.headers))
        self.seen.append((answer.status_code, str(request.url)))
        return httpx.Response(answer.status_code, headers=answer.headers, content=answer.content)


@pytest.fixture
def served(market: Warehouse, monkeypatch: pytest.MonkeyPatch) -> Iterator[_InProcess]:
    monkeypatch.setenv(PREFIX + "WAREHOUSE", str(market.path))
    monkeypatch.setenv(PREFIX + "API_RATE", "0")
    with TestClient(Starlette(routes=list(api_routes.routes()))) as client:
        yield _InProcess(client)


@pytest.fixture
def published(market: Warehouse, tmp_path: Path) -> Path:
    """A published folder as `rackledger publish` writes it, without the tables that no question needs."""
    version = market.publication.version
    folder = tmp_path / version
    folder.mkdir()
    (folder / "rackledger.duckdb").symlink_to(market.path)
    (folder / DECLARED).write_text(json.dumps(declaration()), encoding="utf-8")
    (tmp_path / "latest.json").write_text(json.dumps({"version": version, "folder": version}), encoding="utf-8")
    return tmp_path


def test_claims_of_a_thing_on_a_day_are_those_of_the_page(
    served: _InProcess, published: Path, market: Warehouse
) -> None:
    shown = claim_queries.search(Pages(market.path), "", dt.date(2026, 3, 1))
    page = shown[shown["subject_id"] == "nvidia-gb300-nvl72"].set_index("claim_id")["value"]
    for ledger in (Ledger(ROOT, transport=served), Ledger(published), Ledger(published / "latest")):
        told = ledger.claims("GB300 NVL72", as_of="2026-03-01")
        assert isinstance(told, pd.DataFrame)
        pd.testing.assert_series_equal(told.set_index("claim_id")["value"].sort_index(), page.sort_index())
        assert told.attrs["parameters"] == {"thing": "nvidia-gb300-nvl72", "as_of": "2026-03-01"}
        assert told["stated_on"].max() <= pd.Timestamp("2026-03-01")


@pytest.mark.parametrize("name", [name for name, question in questions().items() if question.sql])
def test_files_and_server_answer_alike(served: _InProcess, published: Path, name: str) -> None:
    given = {key: texts if key == "things" else texts[0] for key, texts in ASKED[name].items()}
    by_server = Ledger(ROOT, frames="rows", transport=served).ask(name, limit=40, **given)
    by_files = Ledger(published, frames="rows").ask(name, limit=40, **given)
    assert list(by_files) == list(by_server)
    assert by_files.attrs == by_server.attrs
    assert by_server


def test_units_travel_with_the_frame(served: _InProcess) -> None:
    ledger = Ledger(ROOT, transport=served)
    assert ledger.prices("B200", limit=3).attrs["units"]["median_usd_per_gpu_hour"] == "USD/h"
    assert ledger.series("GB200 NVL72", "power").attrs["units"]["value"] == "kW"
    assert ledger.sheet("GB200 NVL72").attrs["units"]["value"] == "see column unit"


def test_long_answers_are_followed_and_held_answers_asked_by_their_tag(served: _InProcess) -> None:
    ledger = Ledger(ROOT, frames="rows", transport=served)
    whole = ledger.claims()
    assert len(whole) > 1_000
    assert len({row["claim_id"] for row in whole}) == len(whole)
    served.seen.clear()
    assert ledger.claims() == whole
    assert {status for status, _ in served.seen} == {304}


@pytest.mark.parametrize("is_served", [True, False])
def test_a_mistake_names_parameter_and_nearest(served: _InProcess, published: Path, is_served: bool) -> None:
    ledger = Ledger(ROOT, transport=served) if is_served else Ledger(published)
    with pytest.raises(WrongQuestion) as wrong:
        ledger.sheet("GB300 NVL27")
    assert wrong.value.parameter == "thing"
    assert "NVIDIA GB300 NVL72 (nvidia-gb300-nvl72)" in wrong.value.nearest
    for given in ({}, {"thing": "GB300 NVL72", "as_of": "soon"}, {"thing": "GB300 NVL72", "sort": "value"}):
        with pytest.raises(WrongQuestion):
            ledger.sheet(**given)
    for name, many in (("thing", ["GB300 NVL72", "B200"]), ("as_of", ["2026-01-01", "2026-02-01"])):
        with pytest.raises(WrongQuestion, match="expected one value") as wrong:
            ledger.sheet(**{"thing": "B200", name: many})
        assert wrong.value.parameter == name
    with pytest.raises(WrongQuestion, match="no question"):
        ledger.ask("rumours")
    assert not hasattr(ledger, "rumours")
    assert "sheet(thing, as_of)" in ledger.help()


def test_files_are_downloaded_once_a_version_and_from_no_other_folder(published: Path, tmp_path: Path) -> None:
    asked: list[str] = []
    version = json.loads((published / "latest.json").read_text(encoding="utf-8"))["version"]

    def handle(request: httpx.Request) -> httpx.Response:
        name = request.url.path.rpartition("/")[2]
        asked.append(name)
        if name == "datapackage.json":
            told = "../../etc" if "bad" in request.url.path else version
            return httpx.Response(200, json={"version": told})
        return httpx.Response(200, content=(published / version / name).read_bytes())

    cache, transport = tmp_path / "cache", httpx.MockTransport(handle)
    for _ in range(2):
        assert len(Ledger(f"{ROOT}/files/latest/", cache=cache, transport=transport).sheet("GB300 NVL72")) > 3
    assert asked == ["datapackage.json", DECLARED, "rackledger.duckdb", "datapackage.json"]
    with pytest.raises(Unanswered, match="no name of a folder"):
        _download(httpx.Client(transport=transport), f"{ROOT}/files/bad/", cache)


def test_frames_of_a_package_that_is_not_there_are_refused_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(ImportError, match="frames='polars' needs polars, which is not installed; frames='rows'"):
        Ledger(tmp_path, frames="polars")
