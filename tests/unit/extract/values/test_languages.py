"""Numerals as other languages write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.extract.link.scene import Place
from pipelines.extract.reader import places_of
from pipelines.extract.values.languages import as_in_english, without_notes
from tests.scene_kit import markdown, scene_of

GERMAN = "Der Rechner hat mit den Karten und der Kühlung für das Institut "
FRENCH = "Le calculateur avec les cartes est une machine de l'institut pour les chercheurs et "
ENGLISH = "The machine of the institute has, with all of the cards, "


@pytest.mark.parametrize(
    ("text", "read"),
    [
        (f"{GERMAN}1.400 Watt und 48,1 Petaflops", f"{GERMAN}1,400 Watt und 48.1 Petaflops"),
        (f"{GERMAN}1.234.567,5 Stunden, Version 2.1.3", f"{GERMAN}1,234,567.5 Stunden, Version 2.1.3"),
        (f"{GERMAN}3,35 TB/s, also 3.350 GB/s oder 3.3 TB/s", f"{GERMAN}3.35 TB/s, also 3,350 GB/s oder 3.3 TB/s"),
        (f"{FRENCH}80 Go à 3,35 To/s", f"{FRENCH}80 GB à 3.35 TB/s"),
        (f"{GERMAN}3.35 TB/s und 4.8 TB/s und 1.400", f"{GERMAN}3.35 TB/s und 4.8 TB/s und 1.400"),  # writes points
        (f"{ENGLISH}1.400 or 48,1", f"{ENGLISH}1.400 or 48,1"),
        ("El Capitan, El Capitan 29,685 kW", "El Capitan, El Capitan 29,685 kW"),  # a name is in no language
        ("El Capitan, Da Vinci: 29,685 kW", "El Capitan, Da Vinci: 29,685 kW"),
        ("Capitan el 29,685 kW, el 1.5", "Capitan el 29,685 kW, el 1.5"),  # nor is one word
    ],
)
def test_a_page_writes_its_numerals_as_its_language_does(text: str, read: str) -> None:
    assert as_in_english(text) == read


@given(st.text(alphabet="0123456789., \nabdertuünG", max_size=200))
def test_every_place_holds(text: str) -> None:
    read = as_in_english(GERMAN + text)
    assert len(read) == len(GERMAN + text)
    assert [
        at for at, (one, two) in enumerate(zip(read, GERMAN + text, strict=True)) if one.isdigit() != two.isdigit()
    ] == []


def test_a_figure_is_printed_as_it_stands_and_read_as_it_is_meant() -> None:
    scene = scene_of(markdown(f"{GERMAN}einen NVIDIA B300 mit 1.400 Watt und 0,5 kW.\n"))
    power: list[Place] = [place for place in places_of(scene) if place.figure.dimension == "power"]
    assert [(place.zones["own"], place.values["power"]) for place in power] == [("1.400 Watt", 1.4), ("0,5 kW", 0.5)]


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("20 PF¹ and 80 GB²³", "20 PF  and 80 GB  "),
        ("1.4 EF¹⁾ and 20 PF^2", "1.4 EF   and 20 PF  "),
        ("814 mm^2, x^2.5", "814 mm^2, x^2.5"),
        ("275[2] and 42.5 EF [13], 8 A100 [1].", "275    and 42.5 EF     , 8 A100    ."),
        ("up to 20 %[4], (two) [1]_", "up to 20 %   , (two)     "),
        ("gpu[2]x, h[12](a), = [8] or [2024], b[120]", "gpu[2]x, h[12](a), = [8] or [2024], b[120]"),
        ("814 mm² and 10¹⁸ or 5 s⁻¹", "814 mm² and 10¹⁸ or 5 s⁻¹"),
    ],
)
def test_the_number_of_a_note_is_no_part_of_a_unit(text: str, read: str) -> None:
    assert without_notes(text) == read


def test_a_value_with_a_note_is_read() -> None:
    (place,) = places_of(scene_of(markdown("# T\n\nThe NVIDIA B200 gives 20 PF¹ of FP4.\n")))
    assert place.values["compute"] == 20
