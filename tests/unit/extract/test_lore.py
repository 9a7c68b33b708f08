"""What other pages say of a thing: names as facts are kept by, and what agrees with them."""

from __future__ import annotations

import pytest

from pipelines.extract.link.lore import UNKNOWN, Lore

FACTS = {
    "power": {"b200": [[1.0, 1.0]], "dgx h100": [[10.2, 1.0]], "h100": [[0.35, 1.0], [0.7, 2.0]]},
    "available_from": {"h100": [[2022.0, 3.0]]},
}


@pytest.mark.parametrize(
    ("name", "value", "agrees", "publishers"),
    [
        ("H100", 0.7, 1.0, 2.0),
        ("NVIDIA H100 80GB PCIe", 0.705, 1.0, 2.0),
        ("NVIDIA H100", 10.2, -1.0, 0.0),
        ("NVIDIA DGX H100", 10.2, 1.0, 1.0),
    ],
)
def test_what_others_say_of_a_thing(name: str, value: float, agrees: float, publishers: float) -> None:
    assert Lore({}, FACTS).fit(name, "power", value)[:2] == (agrees, publishers)


def test_how_far_the_nearest_figure_is() -> None:
    assert Lore({}, FACTS).fit("NVIDIA B200", "power", 10.0) == (-1.0, 0.0, 1.0)


@pytest.mark.parametrize(("name", "metric"), [("NVIDIA B300", "power"), ("NVIDIA H100", "price"), ("NVIDIA", "power")])
def test_nothing_is_known_of_other_things_and_metrics(name: str, metric: str) -> None:
    assert Lore({}, FACTS).fit(name, metric, 0.7) == UNKNOWN


def test_a_value_is_counted_by_who_gives_it_of_anything() -> None:
    assert Lore({}, FACTS).said_of_any("power", 0.7) == 2.0
    assert Lore({}, FACTS).said_of_any("power", 3.0) == 0.0


def test_years_are_the_same_or_not() -> None:
    assert Lore({}, FACTS).fit("H100", "available_from", 2022.0)[0] == 1.0
    assert Lore({}, FACTS).fit("H100", "available_from", 2023.0)[0] == -1.0


def test_affinity_of_a_kind_that_was_never_seen_is_none() -> None:
    lore = Lore({"power|accelerator": 0.4}, {})
    assert (lore.affinity("power", "accelerator"), lore.affinity("power", "site")) == (0.4, 0.0)
