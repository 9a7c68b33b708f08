"""Tells an address of the operator's (`RACKLEDGER_ALARM_URL`) when a run was not well, and when it is well again.

One JSON object by POST; a failing address is tried again with growing waits and never stops a run. What was told
already is not told twice: a digest of it lies in the data folder.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import httpx
import orjson

from pipelines.lake import digest

TRIES = 4
FIRST_WAIT_S = 1.0
TIMEOUT_S = 10.0


def sound(
    url: str, message: Mapping[str, Any], told: Path, *, is_well: bool, wait: Callable[[float], None] = time.sleep
) -> str:
    """Send a message that says something new; returns '' or, in words, why it could not be sent."""
    content = digest(orjson.dumps({**message, "at": None, "version": None}, option=orjson.OPT_SORT_KEYS).decode())
    before = told.read_text(encoding="utf-8") if told.exists() else ""
    if not url or content == before or (is_well and not before):
        return ""
    error = post(url, orjson.dumps(dict(message)), wait)
    if error:
        return f"the alarm could not be sent to {httpx.URL(url).host}: {error}"
    told.parent.mkdir(parents=True, exist_ok=True)
    if is_well:
        told.unlink(missing_ok=True)
    else:
        told.write_text(content, encoding="utf-8")
    return ""


def post(url: str, body: bytes, wait: Callable[[float], None] = time.sleep) -> str:
    """Send JSON: '' when it was taken, else why the last try failed; a wrong request is not tried again."""
    said = ""
    for number in range(TRIES):
        if number:
            wait(FIRST_WAIT_S * 2 ** (number - 1))
        try:
            answer = httpx.post(url, content=body, headers={"Content-Type": "application/json"}, timeout=TIMEOUT_S)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            said = f"{type(error).__name__}: {error}"
            continue
        if answer.is_success:
            return ""
        said = f"status {answer.status_code}"
        if answer.is_client_error and answer.status_code not in (408, 429):
            return said
    return said
