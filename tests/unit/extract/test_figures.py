"""The figures of a text beside the names in it: what they count, what is part of a name, both ends of a range."""

from __future__ import annotations

import pytest

from pipelines.extract.link.figures import figures_in
from tests.scene_kit import markdown, scene_of


def test_what_is_counted_by_a_name_is_of_the_kind_of_the_name() -> None:
    text = "A SuperPOD of 127 DGX H100, 1,016 H100s, 2x AMD EPYC 9654, 16 A100-SXM4-80GB and three MTIA99.\n"
    scene = scene_of(markdown(text))
    counted = {figure.number: figure.value.thing for figure in scene.figures(0, len(scene.text)) if figure.value.thing}
    assert counted == {127: "system", 1016: "accelerator", 2: "cpu", 16: "accelerator", 3: "product"}


def test_a_size_in_a_name_is_not_per_what_follows_the_name() -> None:
    scene = scene_of(markdown("4 × NVIDIA A100-SXM4-80GB per node with 40 GB per link.\n"))
    assert [f.value.per for f in scene.figures(0, len(scene.text)) if f.dimension == "data"] == [(), ("link",)]


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("- Microsoft Maia 100 – 105B transistors per chip, 500-700 W", [105, 500, 700]),
        ("- Nvidia Blackwell: 100 – 105B transistors", [100, 105]),
        ("- The H200 – 141 GB", [141]),
    ],
)
def test_the_number_of_a_name_is_no_end_of_a_range(text: str, numbers: list[float]) -> None:
    scene = scene_of(markdown(f"{text}\n"))
    assert [figure.number for figure in scene.figures(0, len(scene.text))] == numbers


def test_the_other_end_is_read_anew_with_what_it_is_per() -> None:
    scene = scene_of(markdown("- Microsoft Maia 100 – 105B transistors per chip\n"))
    (found,) = scene.figures(0, len(scene.text))
    assert (found.end, found.value.per, scene.text[found.at.start : found.at.end]) == ("", ("chip",), "105B")


def test_a_range_gives_its_two_ends() -> None:
    ends = figures_in("10-15 W", 0, 7, None)
    assert [(f.number, f.bound) for f in ends] == [(10.0, "low"), (15.0, "high")]


@pytest.mark.parametrize(
    ("text", "counted"),
    [
        ("GPU: H100 SXM5 ×4", (4, "accelerator")),
        ("CPU: EPYC 9554 x 2", (2, "cpu")),
        ("GPU: H100 SXM5 4×", None),
        ("H100 is ×4", None),
        ("NVIDIA ×4", None),  # a maker is no part
    ],
)
def test_a_factor_behind_a_name_counts_it(text: str, counted: tuple[float, str] | None) -> None:
    scene = scene_of(markdown(f"{text}\n"))
    found = [(figure.number, figure.value.thing) for figure in scene.figures(0, len(scene.text)) if figure.value.thing]
    assert found == ([counted] if counted else [])


@pytest.mark.parametrize(
    ("text", "counted"),
    [
        ("- 5x Jetson Orin NX, 16 GB", (5, "accelerator")),
        ("- rack: **3x Jetson Orin NX**", (3, "accelerator")),
        ("- 2x Jetson Orin NX performance", None),  # how many times its own
        ("It is up to 5x Jetson Orin NX", None),
        ("- 5x more than Jetson Orin NX", None),
        ("- 5x, Jetson Orin NX", None),
        ("- 5x NVIDIA", None),  # a maker is no part
        ("- 5 % Jetson Orin NX", None),
        ("- 8x CX-7", (8, "nic")),
        ("- 8x BlueField-3", (8, "nic")),
        ("- 9x Quantum-X800", (9, "switch")),
        ("- 18x NVLink 5", (18, "product")),  # a link or a fabric: what is counted of it is not said
    ],
)
def test_a_factor_before_a_name_in_a_list_counts_what_it_names(text: str, counted: tuple[float, str] | None) -> None:
    scene = scene_of(markdown(f"{text}\n"))
    found = [(figure.number, figure.value.thing) for figure in scene.figures(0, len(scene.text)) if figure.value.thing]
    assert found == ([counted] if counted else [])
