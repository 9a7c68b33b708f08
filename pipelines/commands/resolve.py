"""`rackledger resolve`: the rule of what stands, applied to a file of cases."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from pipelines.commands import EXIT_FAILED
from pipelines.commands.terminal import fail, messages, print_lines

ANSWERS = ("stands", "superseded", "cause")


def resolve(
    path: Annotated[Path, typer.Argument(help="JSON lines, one case each; '-' reads standard input.")],
    score: Annotated[bool, typer.Option("--score", help="Compare with the answers given; print the shares.")] = False,
) -> None:
    """Say which of several statements stands on a day, by the rule the warehouse is built with (docs/method.md).

    Prints one JSON object a case: id, stands (index or null), superseded (indices), cause, reason. What was stated
    after the case's day is not known. A case that cannot be read is an error with its line.

    Examples: rackledger resolve cases.jsonl · rackledger resolve --score tests/fixtures/resolution/cases.jsonl
    """
    from pipelines.ledger.cases import read_cases
    from warehouse.resolution import resolve_cases

    try:
        text = sys.stdin.read() if str(path) == "-" else path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        fail(f"{path} cannot be read: {error}", EXIT_FAILED)
    try:
        cases = list(read_cases(text.splitlines()))
        if score:
            _require_answers([case for case, _ in cases])
    except ValueError as error:
        fail(f"{path}: {error}", EXIT_FAILED)
    verdicts = resolve_cases(cases)
    print_lines(verdicts)
    if score:
        messages.print(_shares([case for case, _ in cases], verdicts))


def _require_answers(cases: Sequence[Mapping[str, Any]]) -> None:
    for case in cases:
        missing = [name for name in ANSWERS if name not in case]
        if missing:
            raise ValueError(f"case {case['id']} carries no answer to score against: {', '.join(missing)} missing")


def _shares(cases: Sequence[Mapping[str, Any]], verdicts: Sequence[Mapping[str, Any]]) -> str:
    pairs = list(zip(cases, verdicts, strict=True))
    right = {
        "stands": sum(_is_meant(case["stands"], verdict["stands"]) for case, verdict in pairs),
        "cause": sum(verdict["cause"] in (case["cause"], *case.get("cause_also", ())) for case, verdict in pairs),
        "superseded": sum(sorted(case["superseded"]) == verdict["superseded"] for case, verdict in pairs),
    }
    count = len(pairs)
    return "\n".join(f"{name}: {hits} of {count} right ({hits / max(count, 1):.1%})" for name, hits in right.items())


def _is_meant(meant: object, found: object) -> bool:
    """Of a list of indices any is right."""
    return found in meant if isinstance(meant, list) else found == meant
