"""Labels stand apart, inside the chart and off the marks; widths are those of the font."""

from __future__ import annotations

import pytest

from dashboard.charts.lettering import Box, Label, LabelPlace, place_labels, spread, text_width

GROUND = Box(0, 0, 400, 200)


def test_widths_are_sums_of_advances() -> None:
    assert text_width("Hi", 10, 600) == pytest.approx((663 + 262) / 100)
    assert text_width("0", 100) == pytest.approx(49.7)
    assert text_width("東", 10) == pytest.approx(6.0)


def test_a_free_label_stands_right_of_its_mark_and_at_the_edge_left_of_it() -> None:
    assert place_labels([Label(100, 100, 50, 16)], GROUND, []) == [LabelPlace(9, 0, False)]
    assert place_labels([Label(380, 100, 50, 16)], GROUND, []) == [LabelPlace(-59, 0, False)]


def test_labels_of_marks_at_one_place_do_not_meet() -> None:
    labels = [Label(200, 100, 60, 16)] * 8
    found = place_labels(labels, GROUND, [Box(195, 95, 205, 105)])
    boxes = [
        Box(200 + each.dx, 92 + each.dy, 260 + each.dx, 108 + each.dy) for each in found if each is not None
    ]  # fmt: skip
    assert len(boxes) == 8
    assert not any(one.meets(other) for i, one in enumerate(boxes) for other in boxes[:i])
    assert all(box.within(GROUND) for box in boxes)
    assert any(each is not None and each.has_leader for each in found)


def test_a_label_that_fits_nowhere_has_no_place() -> None:
    assert place_labels([Label(200, 100, 500, 16)], GROUND, []) == [None]


def test_spread_keeps_order_distance_and_bounds() -> None:
    assert spread([50, 52, 10], 16, 0, 100) == [50, 66, 10]
    assert spread([95, 99], 16, 0, 100) == [84, 100]
    assert spread([], 16, 0, 100) == []


def test_a_label_that_can_stand_at_its_mark_is_placed_before_one_that_needs_a_leader() -> None:
    """Around the first mark all is taken; its first free place would lie on the second label's."""
    first, second = Label(100, 60, 60, 16), Label(103, 40, 60, 16)
    found = place_labels([first, second], GROUND, [Box(20, 49, 180, 71)])
    assert found[1] == LabelPlace(9, 0, False)
    assert found[0] is not None
    assert found[0].has_leader


def test_no_label_without_leader_stands_nearer_to_another_mark() -> None:
    """Beside and above the first mark all is taken; right below it the second mark is nearer, left below it is not."""
    first, second = Label(200, 100, 40, 16), Label(225, 127, 40, 16)
    beside = [Box(207, 60, 400, 104), Box(0, 60, 193, 104), Box(150, 60, 250, 96)]
    assert place_labels([first, second], GROUND, beside)[0] == LabelPlace(-49, 13, False)
    assert place_labels([first], GROUND, beside) == [LabelPlace(9, 13, False)]
