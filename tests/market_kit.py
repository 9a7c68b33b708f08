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


def price_list(day: dt.date, *offers: tuple[str, str, float], failed: tuple[str, ...] = ()) -> bytes:
    """One day's list in gpurentalprices' form; a provider that failed keeps the day before as its last look."""
    names = dict.fromkeys([*(name for name, _, _ in offers), *failed])
    return json.dumps(
        {
            "date": f"{day}",
            "generated_at": f"{day}T06:00:00Z",
            "offers": [
                {
                    "provider": name, "gpu": gpu, "vram_gb": 80, "usd_hr": price, "kind": "on-demand", "min_gpus": 8,
                    "source_url": "https://example.org/", "fetched_at": f"{day}T05:00:00Z",
                }
                for name, gpu, price in offers
            ],
            "providers": {
                name: {
                    "ok": name not in failed,
                    "stale": name in failed,
                    "last_verified": f"{day - dt.timedelta(name in failed)}T05:00:00Z",
                }
                for name in names
            },
        }
    ).encode()  # fmt: skip
