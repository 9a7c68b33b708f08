"""Which systems are shown beside a thing."""

from __future__ import annotations

from typing import Any

from dashboard.queries import things


def sheet(name: str, vendor: str | None, cells: int, kind: str = "rack") -> dict[str, Any]:
    return {"id": name, "vendor": vendor, "cells": cells, "kind": kind}


def test_rivals_are_of_the_same_kind_and_at_most_two_of_a_maker() -> None:
    sheets = [
        sheet("x1", "x", 9), sheet("own", "x", 8), sheet("x2", "x", 7), sheet("x3", "x", 6), sheet("p", "y", 5, "pod"),
        sheet("y1", "y", 4), *(sheet(f"z{n}", f"z{n}", 3) for n in range(5)), sheet("empty", "e", 0),
    ]  # fmt: skip
    found = things._rival_systems(sheets, {"main_id": "own", "kind": "rack"})
    assert [each["id"] for each in found] == ["x1", "x2", "y1", "z0", "z1", "z2"]
    assert things._rival_systems(sheets[-1:], {"main_id": "own", "kind": "rack"}) == []
