"""Small charts in plain HTML: marks, steps and bars with labels beside them, there before any script runs. Pure.

Places are shares of the frame, from 0 to 1, up and to the right. Texts are escaped; colours are named by the frame's
stylesheet. A plot is one picture to a screen reader, told by its `alt`.
"""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise


@dataclass(frozen=True, slots=True)
class Mark:
    """A dot with its label; `is_open` for what is promised, `side` where the label stands, `lift` pixels above it."""

    x: float
    y: float
    colour: str = "other"
    label: str = ""
    side: str = "right"
    is_open: bool = False
    lift: int = 0


@dataclass(frozen=True, slots=True)
class Steps:
    """A line that holds each value until the next; dotted where nobody looked. The label stands at its end."""

    points: Sequence[tuple[float, float]]
    colour: str = "other"
    label: str = ""
    is_dotted: bool = False


@dataclass(frozen=True, slots=True)
class Axis:
    """Words of an axis at their places, and where today is."""

    x: Sequence[tuple[float, str]] = ()
    y: Sequence[tuple[float, str]] = ()
    today: float | None = None


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar as long as its share of the longest, with its name and its value in words."""

    name: str
    share: float
    value: str
    colour: str = "other"


def colour(name: str) -> str:
    """A maker's or generation's colour of the stylesheet, grey where it has none of its own."""
    safe = "".join(c for c in name.lower() if c.isalnum() or c == "-")
    return f"var(--c-{safe},var(--c-other))"


def apart(marks: Sequence[Mark], height: int, *, line: int = 15, near: float = 0.22) -> list[Mark]:
    """The marks with their labels where no other mark lies, lifted so far that they do not overlap, lowest first."""
    placed: list[tuple[float, float]] = []
    moved: dict[int, Mark] = {}
    for place, mark in sorted(enumerate(marks), key=lambda item: item[1].y):
        bottom = mark.y * height
        if mark.label and _is_covered(mark, marks, height):
            mark = replace(mark, side="left" if mark.side == "right" else "right")
        if mark.label:
            for x, taken in placed:
                if abs(x - mark.x) < near and bottom < taken + line:
                    bottom = taken + line
            placed.append((mark.x, bottom))
        moved[place] = replace(mark, lift=round(bottom - mark.y * height))
    return [moved[place] for place in range(len(marks))]


def _is_covered(mark: Mark, marks: Sequence[Mark], height: int, *, wide: float = 0.12, high: int = 12) -> bool:
    """Whether another mark lies where the label of this one would stand."""
    way = 1 if mark.side == "right" else -1
    return any(0.004 < way * (other.x - mark.x) < wide and abs(other.y - mark.y) * height < high for other in marks)


def plot(parts: Sequence[Mark | Steps], axis: Axis, *, height: int, alt: str, right: int = 12) -> str:
    """Marks and steps in one frame; `right` leaves room for labels at its right edge, in pixels."""
    body = [f'<i class="y" style="bottom:{_at(y)}"><b>{html.escape(text)}</b></i>' for y, text in axis.y]
    for x, text in axis.x:
        edge = "first" if x < 0.03 else "last" if x > 0.97 else ""
        body.append(f'<i class="x {edge}" style="left:{_at(x)}">{html.escape(text)}</i>')
    if axis.today is not None:
        body.append(f'<i class="now" style="left:{_at(axis.today)}"><b>today</b></i>')
    for part in parts:
        body.append(_mark(part) if isinstance(part, Mark) else _steps(part))
    left = 44 if axis.y else 2
    style = f"height:{height}px;padding:0 {right}px 22px {left}px"
    return (
        f'<div class="plot" role="img" aria-label="{html.escape(alt)}" style="{style}"><div>{"".join(body)}</div></div>'
    )


def bars(given: Sequence[Bar], *, alt: str) -> str:
    """Bars below each other, each with its name at the left and its value at its end."""
    rows = "".join(
        f'<i>{html.escape(bar.name)}</i><u><s style="width:{bar.share:.2%};background:{colour(bar.colour)}"></s>'
        f"<b>{html.escape(bar.value)}</b></u>"
        for bar in given
    )
    return f'<div class="bars" role="img" aria-label="{html.escape(alt)}">{rows}</div>'


def stacks(given: Sequence[tuple[str, int, bool]], *, alt: str) -> str:
    """A pile of blocks for each period, in order: its words, how many, and whether they are past due."""
    piles = "".join(
        f'<div><b>{"" if not count else f"{count}"}</b><u class="{"late" if is_late else ""}" '
        f'style="height:{min(count, 16) * 5}px"></u><i>{html.escape(text)}</i></div>'
        for text, count, is_late in given
    )
    return f'<div class="stacks" role="img" aria-label="{html.escape(alt)}">{piles}</div>'


def _mark(mark: Mark) -> str:
    kind = "dot open" if mark.is_open else "dot"
    place = f"left:{_at(mark.x)};bottom:{_at(mark.y)};--c:{colour(mark.colour)}"
    side = mark.side if mark.side in {"left", "right", "above"} else "right"
    label = f'<b class="{side}" style="margin-top:{-mark.lift}px">{html.escape(mark.label)}</b>' if mark.label else ""
    return f'<i class="{kind}" style="{place}">{label}</i>'


def _steps(steps: Steps) -> str:
    shade, kind = f"--c:{colour(steps.colour)}", "dotted" if steps.is_dotted else "solid"
    found = []
    for (x, y), (next_x, next_y) in pairwise(steps.points):
        found.append(f'<i class="h {kind}" style="{shade};left:{_at(x)};width:{_at(next_x - x)};bottom:{_at(y)}"></i>')
        if next_y != y:
            low, high = sorted((y, next_y))
            found.append(
                f'<i class="v" style="{shade};left:{_at(next_x)};bottom:{_at(low)};height:{_at(high - low)}"></i>'
            )
    if steps.label and steps.points:
        x, y = steps.points[-1]
        found.append(
            f'<i class="end" style="{shade};left:{_at(x)};bottom:{_at(y)}"><b>{html.escape(steps.label)}</b></i>'
        )
    return "".join(found)


def _at(share: float) -> str:
    return f"{min(max(share, 0), 1):.2%}"
