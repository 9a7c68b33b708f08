"""Small charts in plain HTML: marks, steps and bars with labels beside them, there before any script runs. Pure.

Places are shares of the frame, from 0 to 1, up and to the right. Texts are escaped; colours are named by the frame's
stylesheet. A plot is one picture to a screen reader, told by its `alt`.
"""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from dashboard.charts.lettering import Box, text_width
from pipelines.frozen import frozen


@frozen
class Spot:
    """Where a label stands: on which side of its mark, and how many pixels above it."""

    label: str
    side: str = "right"
    lift: int = 0


@frozen
class Mark:
    """A dot with its label; `is_open` for what is promised, `side` where the label stands best, `short` on a phone."""

    x: float
    y: float
    colour: str = "other"
    label: str = ""
    side: str = "right"
    is_open: bool = False
    short: str = ""
    wide: Spot | None = None
    narrow: Spot | None = None


@frozen
class Steps:
    """A line that holds each value until the next; dotted where nobody looked. The label stands at its end."""

    points: Sequence[tuple[float, float]]
    colour: str = "other"
    label: str = ""
    is_dotted: bool = False


@frozen
class Axis:
    """Words of an axis at their places, and where today is; on an earlier day its date is its word."""

    x: Sequence[tuple[float, str]] = ()
    y: Sequence[tuple[float, str]] = ()
    today: float | None = None
    now: str = "today"


@frozen
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


WIDE, NARROW = 1000.0, 280.0  # the least widths of the frame on a screen and on a phone, in pixels
_SIDES = ("right", "left", "above")
_LIFTS = (0, 16, -16, 30, -30, 44, -44)
_LABEL_SIZE, _LINE, _DOT = 12.0, 14.0, 6.0


def apart(marks: Sequence[Mark], height: int, axis: Axis | None = None) -> list[Mark]:
    """The marks with a spot for each label on a screen and on a phone, where the short label stands.

    A spot meets no mark, no label, no edge and not the line of today; a label that is free nowhere is left out, for
    the sentence above the chart says it.
    """
    spots = [_spots(marks, width, height, axis or Axis()) for width in (WIDE, NARROW)]
    return [replace(mark, wide=wide, narrow=narrow) for mark, wide, narrow in zip(marks, *spots, strict=True)]


def _spots(marks: Sequence[Mark], width: float, height: int, axis: Axis) -> list[Spot | None]:
    taken = _taken(marks, width, height, axis)
    found = []
    for mark in marks:
        text = mark.label if width == WIDE else mark.short or mark.label
        tried = (
            Spot(text, side, lift) for lift in _LIFTS for side in sorted(_SIDES, key=lambda each: each != mark.side)
        )
        spot = next((each for each in tried if text and _is_free(mark, each, width, height, taken)), None)
        if spot is not None:
            taken.append(_label_box(mark, spot, width, height))
        found.append(spot)
    return found


def _taken(marks: Sequence[Mark], width: float, height: int, axis: Axis) -> list[Box]:
    """Where dots and the line of today with its word lie, in pixels from the upper left corner."""
    places = [(mark.x * width, (1 - mark.y) * height) for mark in marks]
    dots = [Box(x - _DOT, y - _DOT, x + _DOT, y + _DOT) for x, y in places]
    if axis.today is None:
        return dots
    at, word = axis.today * width, text_width(axis.now, _LABEL_SIZE, 600) + 6
    return [*dots, Box(at - 3, -_LINE, at + 3, height), Box(at - word, -_LINE, at, _LINE)]


def _is_free(mark: Mark, spot: Spot, width: float, height: int, taken: Sequence[Box]) -> bool:
    box = _label_box(mark, spot, width, height)
    return box.within(Box(0, -_LINE, width + 20, height)) and not any(box.meets(other) for other in taken)


def _label_box(mark: Mark, spot: Spot, width: float, height: int) -> Box:
    wide = text_width(spot.label, _LABEL_SIZE, 600)
    x, y = mark.x * width, (1 - mark.y) * height - spot.lift - (_LINE + 6 if spot.side == "above" else 0)
    left = {"right": x + 9, "left": x - 9 - wide, "above": x - wide / 2}[spot.side]
    return Box(left, y - _LINE / 2, left + wide, y + _LINE / 2)


def plot(parts: Sequence[Mark | Steps], axis: Axis, *, height: int, alt: str, right: int = 12) -> str:
    """Marks and steps in one frame; `right` leaves room for labels at its right edge, in pixels."""
    body = [f'<i class="y" style="bottom:{_at(y)}"><b>{html.escape(text)}</b></i>' for y, text in axis.y]
    for x, text in axis.x:
        edge = "first" if x < 0.03 else "last" if x > 0.97 else ""
        body.append(f'<i class="x {edge}" style="left:{_at(x)}">{html.escape(text)}</i>')
    if axis.today is not None:
        body.append(f'<i class="now" style="left:{_at(axis.today)}"><b>{html.escape(axis.now)}</b></i>')
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
    if mark.wide is None and mark.narrow is None and mark.label:
        return f'<i class="{kind}" style="{place}">{_label(Spot(mark.label, mark.side))}</i>'
    return f'<i class="{kind}" style="{place}">{_label(mark.wide, "wide")}{_label(mark.narrow, "narrow")}</i>'


def _label(spot: Spot | None, layout: str = "") -> str:
    if spot is None:
        return ""
    side = spot.side if spot.side in _SIDES else "right"
    shown = f"{side} {layout}".strip()
    return f'<b class="{shown}" style="margin-top:{-spot.lift}px">{html.escape(spot.label)}</b>'


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
