"""The operator's address is told what is new, tried again while it fails, and left alone when nothing changed."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import ClassVar

import pytest

from pipelines.alarm import sound
from pipelines.suggest import did_you_mean


class Handler(BaseHTTPRequestHandler):
    statuses: ClassVar[list[int]] = []
    bodies: ClassVar[list[object]] = []

    def do_POST(self) -> None:
        self.bodies.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(self.statuses.pop(0) if self.statuses else 204)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        return


@pytest.fixture
def address() -> Iterator[str]:
    Handler.statuses, Handler.bodies = [], []
    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}/alarm"
    server.shutdown()
    server.server_close()


def test_what_is_new_is_told_once_and_that_all_is_well_again(address: str, tmp_path: Path) -> None:
    told = tmp_path / "state" / "alarm.txt"
    wrong: dict[str, list[str]] = {"wrong": ["a fails"]}
    well: dict[str, list[str]] = {"wrong": []}
    for message, is_well in ((well, True), (wrong, False), (wrong, False), (well, True), (well, True)):
        assert sound(address, message, told, is_well=is_well) == ""
    assert Handler.bodies == [wrong, well]


def test_an_address_that_fails_is_tried_again_with_growing_waits_and_stops_nothing(
    address: str, tmp_path: Path
) -> None:
    waits: list[float] = []
    Handler.statuses = [503, 429]
    assert sound(address, {"wrong": ["a"]}, tmp_path / "told", is_well=False, wait=waits.append) == ""
    assert waits == [1.0, 2.0]
    Handler.statuses = [503] * 4
    said = sound(address, {"wrong": ["b"]}, tmp_path / "told", is_well=False, wait=waits.append)
    assert said == "the alarm could not be sent to 127.0.0.1: status 503"
    assert waits == [1.0, 2.0, 1.0, 2.0, 4.0]
    Handler.statuses = [404]
    said = sound(address, {"wrong": ["b"]}, tmp_path / "told", is_well=False, wait=waits.append)
    assert (said, len(waits)) == ("the alarm could not be sent to 127.0.0.1: status 404", 5)
    assert "ConnectError" in sound(
        "http://127.0.0.1:9/", {"wrong": ["c"]}, tmp_path / "t", is_well=False, wait=waits.append
    )
    assert sound("", {"wrong": ["c"]}, tmp_path / "t", is_well=False) == ""


def test_a_misspelt_name_gets_the_nearest() -> None:
    known = ["nvidia_blog", "amd_newsroom", "top500"]
    assert did_you_mean("nvidea_blog", known) == "; did you mean 'nvidia_blog'?"
    assert did_you_mean("zzz", known) == ""
