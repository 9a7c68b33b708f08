"""What other pages say of a thing: names as facts are kept by, and what agrees with them."""

from __future__ import annotations

import numpy as np
import pytest

from pipelines.extract.link.lore import UNKNOWN, Lore
from pipelines.extract.link.meaning import METRIC_AT

FACTS = {
    "power": {"b200": [[1.0, 1.0]], "dgx h100": [[10.2, 1.0]], "h100": [[0.35, 1.0], [0.7, 2.0]]},
    "available_from": {"h100": [[2022.0, 3.0]]},
}


def fit(name: str, metric: str, value: float) -> tuple[float, ...]:
    lore = Lore({}, FACTS)
    return tuple(lore.fits(lore.about([name])[:, METRIC_AT[metric]], np.array([value]))[0].tolist())


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
    assert fit(name, "power", value)[:2] == (agrees, publishers)


def test_how_far_the_nearest_figure_is() -> None:
    assert fit("NVIDIA B200", "power", 10.0) == (-1.0, 0.0, 1.0)


@pytest.mark.parametrize(("name", "metric"), [("NVIDIA B300", "power"), ("NVIDIA H100", "price"), ("NVIDIA", "power")])
def test_nothing_is_known_of_other_things_and_metrics(name: str, metric: str) -> None:
    assert fit(name, metric, 0.7) == UNKNOWN


def test_a_value_is_counted_by_who_gives_it_of_anything() -> None:
    assert Lore({}, FACTS).said_of_any("power", 0.7) == 2.0
    assert Lore({}, FACTS).said_of_any("power", 3.0) == 0.0


def test_years_are_the_same_or_not() -> None:
    assert fit("H100", "available_from", 2022.0)[0] == 1.0
    assert fit("H100", "available_from", 2023.0)[0] == -1.0


def test_affinity_of_a_kind_that_was_never_seen_is_none() -> None:
    lore = Lore({"power|accelerator": 0.4, "price|site": 0.2}, {})
    shares = lore.affinity(["pod", "site", "accelerator"])
    assert shares[METRIC_AT["power"]].tolist() == [0.0, 0.0, 0.4]
    assert shares[METRIC_AT["price"]].tolist() == [0.0, 0.2, 0.0]
