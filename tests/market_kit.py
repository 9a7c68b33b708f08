"""Captures of market tables for tests: own small samples in the publishers' forms, with made-up figures."""

from __future__ import annotations

import datetime as dt
import hashlib
import json

from pipelines.model.market import CapturedTable, MarketRows
from pipelines.parse.parsers import find_parser

CAPTURED_AT = dt.datetime(2026, 3, 2, 7, 30, tzinfo=dt.UTC)


def captured(source_id: str, url: str, body: object, captured_at: dt.datetime = CAPTURED_AT) -> CapturedTable:
    """A capture of a body: bytes and text as they are, anything else as JSON."""
    text = body if isinstance(body, (bytes, str)) else json.dumps(body)
    data = text if isinstance(text, bytes) else text.encode()
    return CapturedTable(source_id, url, captured_at, hashlib.sha256(data).hexdigest(), "application/json", data)


def parse(name: str, table: CapturedTable) -> MarketRows:
    """What the parser of this name makes of a table."""
    parser = find_parser(name)
    assert parser is not None, f"no parser {name!r}"
    found: MarketRows = parser.parse(table)
    return found
