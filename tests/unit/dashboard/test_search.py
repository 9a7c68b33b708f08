"""The search box finds by any name, by beginnings of words, and figures only by thing and metric together."""

from __future__ import annotations

from dashboard.search import Entry, SearchIndex, words_of

RACK = Entry("NVIDIA Vera Rubin NVL72", "rack", "r", names=("Vera Rubin NVL144",), weight=30, thing="r")
BARE = Entry("NVIDIA NVL144", "rack", "b", names=("NVL144",))
CHIP = Entry("NVIDIA B300", "accelerator", "c", names=("Blackwell Ultra",), weight=9, thing="c")
METRIC = Entry("Electric power", "metric", "m", names=("power", "TDP"))
FIGURE = Entry("NVIDIA B300, electric power: 1.4 kW", "figure", "f", "", (*CHIP.names, CHIP.name), METRIC.names, 9)
INDEX = SearchIndex([RACK, BARE, CHIP, METRIC, FIGURE])


def found(text: str) -> list[str]:
    return [entry.href for entry in INDEX.find(text)]


def test_a_former_name_finds_the_thing() -> None:
    assert found("vera rubin nvl144") == ["r"]
    assert found("Blackwell ultra") == ["c"]


def test_words_may_be_begun_and_written_together_or_in_any_order() -> None:
    assert found("rub nvl72 ver") == ["r"]
    assert found("verarubinnvl144") == ["r"]


def test_a_figure_is_offered_for_its_thing_and_metric_together_only() -> None:
    assert found("b300 power")[0] == "f"
    assert found("power") == ["m"]
    assert found("b300") == ["c"]
    assert found("tdp blackwell") == ["f"]


def test_what_is_known_stands_before_what_only_has_a_name() -> None:
    assert found("nvl") == ["r", "b"]


def test_nothing_is_found_for_nothing_and_for_strange_words() -> None:
    assert found("") == found("   ") == found("!?") == []
    assert found("no such thing") == []
    assert words_of("GB300-NVL72 (Kyber)") == ["gb300", "nvl72", "kyber"]
