"""From a source on a real socket to a document in the warehouse, by the command a user runs; and without a network."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import pytest
import stamina
from typer.testing import CliRunner

from pipelines.cli import app
from pipelines.settings import PREFIX, Settings
from tests.trimmed import only
from warehouse.read import Warehouse

PAGE = b"""<html lang="en"><head><title>A rack announced</title>
<meta property="article:published_time" content="2026-01-03T10:00:00Z"></head>
<body><nav>Home Products</nav><article><h1>A rack announced</h1>
<p>The maker says in this sentence, long enough to be a paragraph, that the rack will ship later.</p>
</article></body></html>"""
SOURCE = """
provider_denylist: []
sources:
  local_page:
    title: A page of this test
    publisher: nvidia
    producer: NVIDIA
    licence: none
    group: accelerator_maker
    layer: vendor
    signals: [roadmap]
    kind: page
    urls: ["{url}"]
    parser: html
    evidence: vendor
    allowed_hosts: [{host}]
    cadence: 1d
    politeness: {{delay_s: 0, max_new_items: 0}}
    size_cap_bytes: 1 MB
    terms: a test's own page
    status: active
    is_local: {is_local}
"""
documents_alone = only("evidence.documents", "marts.source_health")


class Handler(BaseHTTPRequestHandler):
    requests: ClassVar[list[tuple[str, str | None]]] = []

    def do_GET(self) -> None:
        self.requests.append((self.path, self.headers.get("If-None-Match")))
        if self.path == "/robots.txt":
            self.send_error(404)
        elif self.headers.get("If-None-Match") == '"one"':
            self.send_response(304)
            self.send_header("ETag", '"one"')
            self.end_headers()
        else:
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("ETag", '"one"')
            self.send_header("Content-Length", str(len(PAGE)))
            self.end_headers()
            self.wfile.write(PAGE)

    def log_message(self, *_: object) -> None:
        return


@pytest.fixture
def address() -> Iterator[str]:
    Handler.requests = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}/news"
    server.shutdown()
    server.server_close()


def online(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    path = tmp_path / "sources.yaml"
    path.write_text(text)
    monkeypatch.setenv(PREFIX + "SOURCES", str(path))
    monkeypatch.setenv(PREFIX + "OFFLINE", "false")


@pytest.mark.usefixtures("documents_alone")
def test_a_page_becomes_a_capture_and_a_document_and_then_costs_one_304(
    settings: Settings, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    online(tmp_path, monkeypatch, SOURCE.format(url=address, host="127.0.0.1", is_local="true"))
    first = CliRunner().invoke(app, ["run", "--json"])
    assert first.exit_code == 0, first.output
    report = json.loads(first.stdout)
    (row,) = report["collect"]["rows"]
    assert (row["fetched"], row["new"], row["failures"]) == (1, 1, [])
    assert report["documents"][0]["counts"] == {"captures": 1, "documents": 1, "unreadable": 0, "read_now": 1}
    with Warehouse(settings.warehouse) as warehouse:
        (document,) = warehouse.rows("FROM evidence.documents")
        (capture,) = warehouse.rows("FROM evidence.captures")
    assert (document["title"], str(document["published_on"])) == ("A rack announced", "2026-01-03")
    assert document["published_basis"] == "meta"
    assert capture["url"] == address
    assert document["payload_sha256"] == capture["sha256"]

    not_due = CliRunner().invoke(app, ["run"])
    assert "nothing changed" in not_due.output
    assert "no source is due" in not_due.output
    again = json.loads(CliRunner().invoke(app, ["run", "--now", "--json"]).stdout)
    (row,) = again["collect"]["rows"]
    assert (row["fetched"], row["unchanged"]) == (0, 1)
    assert again["documents"][0]["counts"]["read_now"] == 0
    pages = [validator for path, validator in Handler.requests if path == "/news"]
    assert pages == [None, '"one"']
    assert CliRunner().invoke(app, ["archive", "verify"]).exit_code == 0


@pytest.mark.usefixtures("documents_alone")
def test_a_source_that_is_gone_is_told_and_the_rest_is_published(
    settings: Settings, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server answers 404 to robots.txt, so its address stands for a page that was taken away."""
    gone = address.replace("/news", "/robots.txt")
    text = SOURCE.format(url=address, host="127.0.0.1", is_local="true")
    text += text.split("sources:\n")[1].replace("local_page", "gone_page").replace(address, gone)
    online(tmp_path, monkeypatch, text)
    result = CliRunner().invoke(app, ["run"])
    assert result.exit_code == 5, result.output
    with Warehouse(settings.warehouse) as warehouse:
        rows = warehouse.rows("SELECT source_id, verdict, http_status, failed_runs FROM marts.source_health")
        attempts = warehouse.rows("SELECT source_id, outcome, status FROM evidence.attempts ORDER BY 1")
    assert [tuple(row.values()) for row in rows] == [("gone_page", "gone", 404, 1), ("local_page", "current", 200, 0)]
    assert [tuple(row.values()) for row in attempts] == [("gone_page", "gone", 404), ("local_page", "fetched", 200)]


@pytest.mark.usefixtures("documents_alone")
def test_without_a_network_one_line_says_so_and_the_warehouse_is_built(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = SOURCE.format(url="https://nothing.invalid/news", host="nothing.invalid", is_local="false")
    online(tmp_path, monkeypatch, text)
    with stamina.set_testing(True, attempts=2):  # without a pause between them
        result = CliRunner().invoke(app, ["run"])
        assert result.exit_code == 0, result.output
        assert result.output.count("no network") == 1
        assert settings.warehouse.exists()
        assert CliRunner().invoke(app, ["run", "--strict", "--now"]).exit_code == 4


def test_a_mistake_in_the_list_of_sources_is_told_with_its_line(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    online(tmp_path, monkeypatch, SOURCE.format(url="ftp://x", host="x", is_local="false"))
    result = CliRunner().invoke(app, ["run"])
    assert result.exit_code == 1
    assert "local_page.urls" in result.output
    assert "Traceback" not in result.output


def test_a_source_that_is_none_is_said(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PREFIX + "OFFLINE", "false")
    result = CliRunner().invoke(app, ["run", "--source", "nvidea"])
    assert result.exit_code == 2
    assert "no such source: nvidea" in result.output
