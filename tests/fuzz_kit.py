"""Requests that nobody would make: seeded, the same in every run. For the API and for the door of assistants."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

PIECES: tuple[str, ...] = (
    "GB300 NVL72", "nvidia-b200", "power", "NVIDIA", "2026-03-01", "vendor", "hyperscale", "datacenter", "llama31_405b",
    "<script>alert(1)</script>", "'; DROP TABLE x;--", "../../etc/passwd", "\u202e", "\x00", "%00", "=1+1", "９", "𝟗",
    "a" * 300, "b" * 5_000, "0000-00-00", "9999-12-31", "-1", "1e400", "NaN", "null", "[]", "{}", "💥", "", " ", "\n",
    "\ud800", "$thing", "{{entries}}", "? OR 1=1", "SELECT 1", "ＡＬＬ", "İ", "ß", "1..2..3", "latest", "previous",
)  # fmt: skip
SCALARS: tuple[Any, ...] = (None, True, False, 0, -1, 1, 50, 51, 10**30, 0.5, float("inf"), float("nan"))


def address(chance: random.Random, questions: Mapping[str, Sequence[str]]) -> tuple[str, list[tuple[str, str]]]:
    """A question and its parameters as an address has them; most names are right, most values are not."""
    name = chance.choice([*questions, *questions, "nothing", "openapi", "..%2f..", "%00"])
    names = [*questions.get(name, ()), "limit", "cursor", "as_of", "x", ""]
    given = [(chance.choice(names), chance.choice(PIECES)) for _ in range(chance.randint(0, 4))]
    return name, [(key, value) for key, value in given if value.isprintable() or "\ud800" not in value]


def tool_call(chance: random.Random, schemas: Mapping[str, Mapping[str, Any]]) -> tuple[str, dict[str, Any]]:
    """A tool and its arguments as JSON may hold them: right names, any value of any kind."""
    name = chance.choice([*schemas, *schemas, "rumours", ""])
    names = [*schemas.get(name, {"properties": {}})["properties"], "limit", "x", ""]
    return name, {chance.choice(names): _value(chance, 0) for _ in range(chance.randint(0, 4))}


def _value(chance: random.Random, depth: int) -> Any:
    kind = chance.random()
    if kind < 0.6 or depth > 2:
        return chance.choice(PIECES)
    if kind < 0.75:
        return chance.choice(SCALARS)
    if kind < 0.9:
        return [_value(chance, depth + 1) for _ in range(chance.randint(0, 8))]
    return {chance.choice(PIECES[:12]): _value(chance, depth + 1) for _ in range(chance.randint(0, 3))}
