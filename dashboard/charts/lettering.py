"""Words on charts: how wide they are, and where they stand without lying on each other. Pure.

Widths are those of the page's own font, so that a value can follow a name of another weight on one line.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from dashboard.palette import palette_file
from pipelines.frozen import frozen

_UNKNOWN = 600
GAP = 4.0


def text_width(text: str, size: float, weight: int = 400) -> float:
    """The width of a line in pixels; characters beyond ASCII count as wide ones."""
    widths = palette_file()["letters"][weight]
    thousandths = sum(widths[ord(c) - 32] if 32 <= ord(c) < 127 else _UNKNOWN for c in text)
    return thousandths * size / 1000


@frozen
class Box:
    """A rectangle in pixels, y downwards."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: Box) -> bool:
        """Whether two rectangles share any ground."""
        is_beside = self.left >= other.right or other.left >= self.right
        return not is_beside and self.top < other.bottom and other.top < self.bottom

    def within(self, other: Box) -> bool:
        """Whether it lies inside another."""
        is_across = self.left >= other.left and self.right <= other.right
        return is_across and self.top >= other.top and self.bottom <= other.bottom


@frozen
class Label:
    """A line of text for a mark at (x, y), `width` by `height` pixels."""

    x: float
    y: float
    width: float
    height: float


@frozen
class LabelPlace:
    """Where a label stands from its mark: left edge and middle, and whether a leader joins them."""

    dx: float
    dy: float
    has_leader: bool


def place_labels(labels: Sequence[Label], ground: Box, taken: Sequence[Box]) -> list[LabelPlace | None]:
    """Give each label the nearest free place, in order of importance; None where there is none.

    Those that can stand at their own mark are placed first: a label at the end of a leader fits in more places.
    `taken` are the boxes of the marks. No two labels meet, none meets a mark or leaves the ground, and none without a
    leader stands nearer to another label's mark than to its own.
    """
    blocked = list(taken)
    found: list[LabelPlace | None] = [None] * len(labels)
    for candidates in (_near, _far):
        for at, label in enumerate(labels):
            if found[at] is not None:
                continue
            free = (each for each in candidates(label) if _is_free(label, each, ground, blocked))
            found[at] = place = next((each for each in free if each.has_leader or _is_own(label, each, labels)), None)
            if place is not None:
                blocked.append(_box(label, place))
    return found


def spread(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Positions near the wanted ones, in their order, at least `gap` apart and within the bounds where these allow."""
    order = sorted(range(len(wanted)), key=lambda place: wanted[place])
    found = [0.0] * len(wanted)
    at = low - gap
    for place in order:
        at = max(wanted[place], at + gap)
        found[place] = at
    at = high + gap
    for place in reversed(order):
        at = min(found[place], at - gap)
        found[place] = at
    return found


def _near(label: Label) -> list[LabelPlace]:
    """Right, left, then above and below."""
    right, left, middle = 9.0, -9.0 - label.width, -label.width / 2
    beside = [LabelPlace(right, 0, False), LabelPlace(left, 0, False)]
    return beside + [LabelPlace(dx, dy, False) for dy in (-13, 13) for dx in (right, left, middle)]


def _far(label: Label) -> list[LabelPlace]:
    """Above and below with a leader, from 20 pixels on."""
    right, left, middle = 14.0, -14.0 - label.width, -label.width / 2
    steps = (20, 28, 36, 46, 58, 72, 88, 106, 126)
    return [
        LabelPlace(dx, sign * dy, True)
        for dy in steps
        for sign in (-1, 1)
        for dx in (right, left, middle, right + 23, left - 23, right + 55, left - 55)
    ]


def _box(label: Label, place: LabelPlace) -> Box:
    left, middle = label.x + place.dx, label.y + place.dy
    return Box(left - 2, middle - label.height / 2, left + label.width + 2, middle + label.height / 2)


def _is_free(label: Label, place: LabelPlace, ground: Box, blocked: Sequence[Box]) -> bool:
    box = _box(label, place)
    return box.within(ground) and not any(box.meets(other) for other in blocked)


def _is_own(label: Label, place: LabelPlace, labels: Sequence[Label]) -> bool:
    """Whether no other label's mark is nearer to the place than the label's own."""
    box = _box(label, place)
    return all(_distance(box, label) <= _distance(box, other) for other in labels)


def _distance(box: Box, mark: Label) -> float:
    """Pixels from a mark to the nearest point of a box."""
    return math.hypot(max(box.left - mark.x, 0, mark.x - box.right), max(box.top - mark.y, 0, mark.y - box.bottom))
