"""Words as the linker compares them, what a number counts, what a figure is per, and what narrows it, at the edges."""

from __future__ import annotations

import datetime as dt
from itertools import chain, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.extract.link.figures import figures_in
from pipelines.extract.link.proposal import Proposal
from pipelines.extract.link.qualify import is_asked, is_rack, per_by_words, per_clues, qualifiers_of, says_sparse
from pipelines.extract.link.scene import Candidate, Place
from pipelines.extract.sentences import numerals_in, words_of
from pipelines.extract.values.counted import counted_at, thing_of
from pipelines.extract.values.periods import find_periods, period_label
from pipelines.model.claim import Span

PRINTED = st.text(alphabet="aZé1.,9 %$#/中-\n", max_size=30)


@given(PRINTED, PRINTED)
def test_words_of_two_texts_are_those_of_each(one: str, two: str) -> None:
    assert words_of(f"{one}\n{two}") == words_of(one) + words_of(two)
    assert numerals_in(f"{one}\n{two}") == numerals_in(one) + numerals_in(two)


@given(PRINTED, st.sampled_from(["7", "1,200", "3.35"]))
def test_which_number_it_is_and_in_which_case_changes_no_word(text: str, number: str) -> None:
    assert words_of(f"{text}\nabout {number} kW") == words_of(f"{text}\nABOUT 1 KW".upper())


@pytest.mark.parametrize(
    ("after", "thing", "words"),
    [
        (" GPUs", "accelerator", "GPUs"),
        (" NVIDIA H100 GPUs in", "accelerator", "NVIDIA H100 GPUs"),
        (" H100s.", "product", "H100s"),
        (" of these GPUs", "accelerator", "GPUs"),
        (" of Meta's racks", "rack", "racks"),
        ("-GPU cluster", "accelerator", "GPU"),  # a hyphen binds the number to the first noun
        (" core CPU", "core", "core"),
        (" transistor chip", "transistor", "transistor"),
        (" GPU nodes, each", "node", "GPU nodes"),
        (" racks (about", "rack", "racks"),
    ],
)
def test_a_number_counts_the_head_noun_that_follows(after: str, thing: str, words: str) -> None:
    text = f"32{after}"
    found = counted_at(text, 2, len(text), is_one=False)
    assert found is not None
    assert (found.thing, text[found.start : found.end]) == (thing, words)


@pytest.mark.parametrize(
    "after", [" H100 hours", " GPU generations", " of the best", " (FP16)", " and GPUs", " kW per rack", "", " HBM3 GB"]
)
def test_what_is_no_head_noun_is_not_counted(after: str) -> None:
    assert counted_at(f"32{after}", 2, 2 + len(after), is_one=False) is None


def test_one_of_a_kind_is_counted_in_the_singular() -> None:
    text = "one GPU draws"
    assert counted_at(text, 3, len(text), is_one=False) is None
    found = counted_at(text, 3, len(text), is_one=True)
    assert found is not None
    assert found.thing == "accelerator"


@pytest.mark.parametrize(
    ("word", "thing"),
    [
        ("H100s", "product"),
        ("GPU™", "accelerator"),
        ("CPU/GPU", "accelerator"),
        ("FP16", ""),
        ("HBM3e", ""),
        ("it", ""),
    ],
)
def test_the_thing_of_a_word(word: str, thing: str) -> None:
    assert thing_of(word) == thing


def proposed(printed: str, metric: str, name: str, kind: str, value: float = 1.0, **zones: str) -> Proposal:
    """A figure with its surroundings, read as a metric of one candidate; `than` names what it is compared with."""
    figure = figures_in(printed, 0, len(printed), None)[0]
    one = Candidate(name, kind)
    others = [Candidate(zones.pop("than"), kind, marks={"than": 1.0, "gap": 5.0})] if "than" in zones else []
    others += [Candidate(zones.pop("inside"), "accelerator", marks={"inside": 1.0})] if "inside" in zones else []
    zones = {"own": printed, "before": "", "after": "", **zones}
    place = Place(figure, Span(0, len(printed)), zones, {}, [one, *others])
    return Proposal(0, place, metric, value, one, 1, 0, 1, 0, 0, 0, 0, "row 0 False")


@pytest.mark.parametrize(
    ("given", "per"),
    [
        (proposed("700 W", "power", "NVIDIA H100", "accelerator"), "gpu"),
        (proposed("132 kW per rack", "power", "NVIDIA H100", "accelerator"), "rack"),  # its unit says it
        (proposed("30 W per port", "port_power", "NVIDIA Quantum-X800", "network"), "port"),
        (proposed("132 kW", "power", "NVIDIA GB200", "accelerator", 132.0, heading="Power of a rack"), "rack"),
        (proposed("12 kW", "power", "NVIDIA GB200", "accelerator", 12.0, heading="Power of a rack"), "gpu"),
        (proposed("132 kW", "power", "NVIDIA GB200 NVL72", "system", 132.0), "rack"),
        (proposed("14 kW", "power", "NVIDIA DGX H100", "system", 14.0), "system"),
        (proposed("2 GPUs", "accelerator_count", "NVIDIA GB200", "accelerator"), "superchip"),
        (proposed("24 GB", "memory_capacity", "HBM3e", "memory"), "stack"),
        (proposed("5 GW", "power", "Some party", "organisation"), ""),
    ],
)
def test_what_a_figure_is_per_by_its_words_and_the_kind_of_its_subject(given: Proposal, per: str) -> None:
    assert per_by_words(given) == per
    assert f"rule={per}" in chain.from_iterable(per_clues(given))


def test_clues_know_the_size_of_a_figure_and_the_wholes_named_around_it_but_no_numbers() -> None:
    zones = {"column": "Power of 8 servers", "heading": "Racks"}
    told = per_clues(proposed("14 kW", "power", "NVIDIA GB200 NVL72", "system", 14.0, **zones))
    clues = set(chain.from_iterable(told))
    assert {"any=server", "any=rack", "rack", "rack|power", "size=power|2", "source=row", "w:servers", "w:#"} <= clues
    assert {clue for clue in clues if "8" in clue} == set()
    nothing = proposed("0 kW", "power", "Zeta", "product", 0.0)
    assert "size=power|-9" in chain.from_iterable(per_clues(nothing))  # nothing has no size
    assert (is_asked("power"), is_asked("announced_on")) == (True, False)


@pytest.mark.parametrize(
    ("given", "name", "word"),
    [
        (proposed("1.8 TB/s", "scale_up_bandwidth", "B200", "accelerator", after="duplex"), "direction", "both-ways"),
        (proposed("1 TB/s", "scale_up_bandwidth", "B200", "accelerator", after="one way"), "direction", "one-way"),
        (
            proposed("1 TB/s", "scale_up_bandwidth", "B200", "accelerator", before="duplex or", after=" each way"),
            "direction", "one-way",
        ),
        (
            proposed("2 TB/s", "scale_up_bandwidth", "B200", "accelerator", before="duplex", after=", 1 TB/s each way"),
            "direction", "both-ways",
        ),
        (proposed("1.8 TB/s", "scale_up_bandwidth", "B200", "accelerator"), "direction", "unstated"),
        (proposed("80 GB", "memory_capacity", "H100", "accelerator", row="HBM 3"), "memory_type", "HBM3"),
        (proposed("48 GB", "memory_capacity", "L40S", "accelerator", after=" GDDR6"), "memory_type", "GDDR6"),
        (proposed("3x", "speedup", "B200", "accelerator", than="H100"), "baseline", "H100"),
        (proposed("3x", "speedup", "B200", "accelerator"), "baseline", "unstated"),
        (proposed("3x", "speedup", "B200", "accelerator", after="for GPT-3 175B"), "workload", "GPT-3 175B"),
        (proposed("2 PFLOP/s", "compute", "B200", "accelerator", after="of NVFP4"), "precision", "nvfp4"),
        (proposed("2 PFLOP/s", "compute", "B200", "accelerator", row="FP8 / INT8"), "precision", "fp8/int8"),
        (proposed("2 PFLOP/s", "compute", "B200", "accelerator", row="bfloat16"), "precision", "bf16"),
        (proposed("2 PFLOP/s", "compute", "B200", "accelerator", before="half-precision"), "precision", "fp16"),
        (proposed("2 PFLOP/s", "compute", "B200", "accelerator", before="Rmax of"), "benchmark", "HPL"),
        (proposed("2 PFLOP/s", "compute", "B200", "accelerator", after="without sparsity"), "sparsity", "dense"),
        (proposed("2 PFLOP/s", "compute", "B200", "accelerator", column="2:4"), "sparsity", "sparse"),
        (proposed("8 H100s", "accelerator_count", "DGX", "system", inside="NVIDIA H100"), "accelerator", "NVIDIA H100"),
        (proposed("72 dies", "scale_up_domain_size", "NVL72", "system"), "counted_as", "die"),
        (proposed("72 packages", "scale_up_domain_size", "NVL72", "system"), "counted_as", "package"),
        (proposed("about 2 PFLOP/s", "compute", "B200", "accelerator"), "approx", "true"),
    ],
)  # fmt: skip
def test_a_qualifier_is_read_from_the_zone_that_says_it(given: Proposal, name: str, word: str) -> None:
    assert qualifiers_of(given)[name] == word


def test_of_formats_in_a_row_a_figure_in_a_row_takes_its_own() -> None:
    figures = figures_in("2/4/9 PFLOP/s", 0, 13, None)
    said = []
    for figure in figures:
        place = Place(figure, Span(0, 13), {"own": "2/4/9 PFLOP/s", "before": "FP16/FP8/FP4: ", "after": ""}, {}, [])
        one = Proposal(0, place, "compute", 1.0, Candidate("B200", "accelerator"), 1, 0, 1, 0, 0, 0, 0, "")
        said.append((figure.number, qualifiers_of(one)["precision"]))
    assert said == [(2.0, "fp16"), (4.0, "fp8"), (9.0, "fp4")]


@pytest.mark.parametrize(
    ("words", "is_sparse"),
    [
        ("FP8 with sparsity", True),
        ("FP8 sparse", True),
        ("non-sparse FP8", False),
        ("dense", False),
        ("sparing", False),
    ],
)
def test_a_label_that_says_both_is_not_sparse(words: str, is_sparse: bool) -> None:
    assert says_sparse(words) is is_sparse


@pytest.mark.parametrize(("name", "is_whole"), [("GB200 NVL72", True), ("AMD Helios", True), ("DGX H100", False)])
def test_the_name_of_a_rack(name: str, is_whole: bool) -> None:
    assert is_rack(name) is is_whole


DAYS = st.dates(dt.date(2020, 1, 1), dt.date(2030, 12, 31))


@given(DAYS, st.integers(0, 500))
def test_a_label_names_the_smallest_calendar_period_that_holds_both_days(first: dt.date, more: int) -> None:
    last = first + dt.timedelta(days=more)
    label = period_label(first, last)
    (found,) = find_periods(label, None) if first.year == last.year else [None]
    if found is None:
        assert label == f"{first.year}-{last.year}"
        return
    assert found.first <= first <= last <= found.last
    months = (found.last.year - found.first.year) * 12 + found.last.month - found.first.month + 1
    smaller = {12: 6, 6: 3, 3: 1}.get(months)
    if found.first != found.last and smaller:  # neither of the next smaller size holds both
        assert (first.month - 1) // smaller != (last.month - 1) // smaller
    if months == 1 and first != last:
        assert label == f"{first:%Y-%m}"


@given(st.integers(2018, 2030), st.integers(1, 12))
def test_quarters_of_a_fiscal_year_lie_side_by_side_and_end_in_the_year_that_names_it(year: int, begins: int) -> None:
    quarters = [find_periods(f"Q{number} FY{year % 100:02d}", None, begins)[0] for number in range(1, 5)]
    (whole,) = find_periods(f"fiscal {year}", None, begins)
    assert all(one.last + dt.timedelta(days=1) == two.first for one, two in pairwise(quarters))
    assert (quarters[0].first, quarters[-1].last) == (whole.first, whole.last)
    assert (whole.first.month, whole.last.year) == (begins, year)
