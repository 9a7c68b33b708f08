"""Ten thousand requests that nobody would make, half to the API, half to the door of assistants.

    .venv/bin/python bench/fuzz.py [warehouse.duckdb] [--requests 10000] [--seed 18]

Every answer is a described one: 200, 400, 404 or 414 (503 where a question took too long), JSON, no markup; a tool
answers or says what was wrong. Prints counts by outcome and the slowest; ends with 1 at the first that is neither.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import time
from collections import Counter
from pathlib import Path

from starlette.applications import Starlette
from starlette.testclient import TestClient

from pipelines.settings import PREFIX, PROJECT_ROOT, Settings

sys.path.insert(0, str(PROJECT_ROOT))

from dashboard import api_routes
from tests.fuzz_kit import address, tool_call
from warehouse.answers.questions import questions
from warehouse.assistants.tools import Desk, Unusable, as_text, tools

FORMS = {"application/json", "application/problem+json", "text/plain"}
DESCRIBED = {200, 400, 404, 414, 503}


def ask_api(client: TestClient, chance: random.Random) -> str:
    """One request; the status as a word. Raises AssertionError for an answer that is not described."""
    name, given = address(chance, {name: list(each.parameters) for name, each in questions().items()})
    answer = client.get(f"/api/v1/{name}", params=tuple(given))
    assert answer.status_code in DESCRIBED, (name, given, answer.status_code, answer.text[:300])
    assert answer.headers["content-type"].split(";")[0] in FORMS, (name, given)
    if answer.status_code != 404:
        json.loads(answer.text)
    return f"API {answer.status_code}"


def ask_desk(desk: Desk, chance: random.Random) -> str:
    """One call; 'answered' or 'refused'. Raises whatever else happens."""
    name, arguments = tool_call(chance, {tool.name: tool.schema for tool in tools()})
    try:
        text = as_text(desk.answer(name, arguments))
    except Unusable:
        return "tool refused"
    assert not set(text) & set("<>&"), (name, arguments)
    return "tool answered"


def main() -> int:
    """Ask, count, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("warehouse", nargs="?", type=Path, default=Settings().warehouse)
    parser.add_argument("--requests", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=18)
    asked = parser.parse_args()
    os.environ |= {PREFIX + "WAREHOUSE": str(asked.warehouse), PREFIX + "API_RATE": "0"}
    chance, counts, slowest, desk = random.Random(asked.seed), Counter[str](), 0.0, Desk(asked.warehouse)
    with TestClient(Starlette(routes=list(api_routes.routes()))) as client:
        for number in range(asked.requests):
            start = time.perf_counter()
            counts[ask_api(client, chance) if number % 2 else ask_desk(desk, chance)] += 1
            slowest = max(slowest, time.perf_counter() - start)
    desk.close()
    print(", ".join(f"{name} {count:,}" for name, count in sorted(counts.items())), f"; slowest {slowest:.2f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
