"""Numbers without a unit that take one from their key or from another value beside them."""

from __future__ import annotations

import pytest

from pipelines.extract.link.figures import figures_in
from pipelines.extract.link.lent import with_lent_units
from pipelines.extract.link.meaning import values_of
from pipelines.extract.link.units_said import unit_in, unit_of_key, units_listed, units_told


def lent(text: str) -> list[tuple[float, str]]:
    """The numbers of a sentence that were lent a unit, with it."""
    figures = with_lent_units(text, figures_in(text, 0, len(text), None))
    return [(figure.number, figure.lent) for figure in figures if figure.lender == "sentence"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("A draws 700 W and B 1,000.", [(1000, "W")]),
        ("96 GB where the original has 80", [(80, "GB")]),
        ("The V100 does 7.8, the A100 9.7 and the MI210 22.6 TFLOPS", [(7.8, "TFLOP/s"), (9.7, "TFLOP/s")]),
        ("revenue of $3.2 billion against 2.1, says it", [(2.1, "billion USD")]),
        ("9.6 petaflops of dense FP4 and 4.8 of FP8", [(4.8, "PFLOP/s")]),
        ("it draws 700 W and has 80 cores", []),  # it counts what follows
        ("it draws 700 W in 2024, of which 120 for fans", [(120, "W")]),
        ("it draws 700 W and 600 tickets a year", [(600, "W")]),  # that nobody counts here: the linker weighs it
        ("it draws 700 W and two of them", []),  # a word
        ("it draws 700 W, 4 and 100000", []),  # not of its size
        (f"it draws 700 W{' and so on' * 17} and 600", []),  # far away
        ("it runs at 35 °C and 20", []),  # nothing is read in that unit
        ("it takes 80/96 GB", []),  # a list has it already
        ("it draws 700 W in mode 300/500", []),  # or has none
    ],
)
def test_a_number_without_a_unit_takes_the_nearest_of_its_sentence(text: str, found: list[tuple[float, str]]) -> None:
    assert lent(text) == found


def test_a_lent_unit_gives_the_value_in_the_metrics_own() -> None:
    text = "A draws 700 W per card and B 1,000."
    _, second = with_lent_units(text, figures_in(text, 0, len(text), None))
    assert (second.dimension, second.value.per) == ("power", ("card",))
    assert (values_of(second, in_table=False) or {})["power"] == 1.0


def test_a_number_takes_what_another_of_its_sentence_counts() -> None:
    text = "With H100 it grows to 65,536 GPUs, with A100 to 32,768, in 8 halls of 12."
    _, second, *rest = with_lent_units(text, figures_in(text, 0, len(text), None))
    assert (second.value.thing, second.dimension, second.lender) == ("accelerator", "count", "sentence")
    assert (values_of(second, in_table=False) or {})["accelerator_count"] == 32_768
    assert [figure.lender for figure in rest] == ["", ""]
    those = "It has 40 PF; a rack has 72 of them."
    assert [figure.lender for figure in with_lent_units(those, figures_in(those, 0, len(those), None))] == ["", ""]
    few = "It has 16 GPUs, the other 8."
    assert [figure.lender for figure in with_lent_units(few, figures_in(few, 0, len(few), None))] == ["", ""]


@pytest.mark.parametrize(
    ("key", "unit"),
    [
        ("hbm_gb", ("GB", "data")), ("hbm_gbs", ("GB/s", "data_rate")), ("mem_bw_tb_s", ("TB/s", "data_rate")),
        ("usd_per_hour", ("USD/h", "money_rate")), ("usd_per_gpu_hour", ("USD/h", "money_rate")),
        ("tokens_per_s_per_gpu", ("tokens/s", "token_rate")), ("tflops_per_watt", None),
        ("memoryGB", ("GB", "data")), ("tdpWatts", ("W", "power")), ("numGpus", None), ("SuperPoD", None),
        ("memory_bandwidth_tbps", ("TB/s", "data_rate")), ("hbmBandwidth_gbps", ("GB/s", "data_rate")),
        ("memory_speed_gbps", ("Gb/s", "data_rate")), ("network_bandwidth_gbps", ("Gb/s", "data_rate")),
        ("141 memory_bandwidth_tbps", ("TB/s", "data_rate")),
        ("hbm_gb_host", None), ("bf16_tf", ("TFLOP/s", "compute")),
        ("tdp-w", ("W", "power")), ("price_usd_hr", ("USD/h", "money_rate")),
        ("Memory (GB)", ("GB", "data")), ("gpus_per_node", None), ("tdp", None), ("w", None), ("host_name", None),
    ],
)  # fmt: skip
def test_a_key_names_its_unit_in_brackets_or_at_its_end(key: str, unit: tuple[str, str] | None) -> None:
    assert unit_of_key(key) == unit


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("hbm_gb = 80 tdp_w = 700", [(80, "GB"), (700, "W")]),
        ("hbm_gb: 80\nhbm_gbs: 2039  # of the A100\n", [(80, "GB"), (2039, "GB/s")]),  # no year
        ('{"hbm_gb": 80, "tdp_w": "700"}', [(80, "GB"), (700, "W")]),
        ("Memory [GB] = ~80", [(80, "GB")]),
        ("gpus = 8", [(8, "")]),  # a count, as a cell of a table may be one
        ("gpus: 8 hbm_gb: 96 price: n/a", [(8, ""), (96, "GB")]),
        ("hbm_gb: 80 chips", []),  # it counts what follows
        ("released: 2024", []),  # a year
        ("time_h: 2024", []),
    ],
)
def test_what_a_key_names_is_in_its_unit(text: str, found: list[tuple[float, str]]) -> None:
    figures = with_lent_units(text, figures_in(text, 0, len(text), None))
    assert [(figure.number, figure.lent) for figure in figures if figure.lender == "key"] == found
    assert all(figure.value.period is None for figure in figures if figure.lender == "key")


def test_a_number_takes_the_unit_of_the_sentence_or_the_item_before() -> None:
    assert lent("A draws 700 W. Its successor is at 1,000.") == [(1000, "W")]
    assert lent("A takes 11.0 min. Its successor takes 7.") == [(7, "min")]
    items = "- Ida: 11.0 min\n- Eva: 12.5\n"
    end = items.index("\n")
    above, own = figures_in(items, 0, end, None), figures_in(items, end, len(items), None)
    assert [figure.lent for figure in with_lent_units(items, own, above)] == ["min"]
    assert [(figure.lent, figure.lender) for figure in with_lent_units(items, own)] == [("", "key")]


def test_the_words_above_a_table_tell_the_units_of_several_things() -> None:
    words = "Rmax and Rpeak in petaflops, power in kilowatts as measured, in all of 2 halls."
    assert units_told(words) == {"compute": "PFLOP/s", "power": "kW"}
    assert units_told("Capex in million dollars") == {"money": "million USD"}
    assert units_told("All figures in USD million unless the row says otherwise") == {"money": "million USD"}
    assert units_told("Prices in USD per hour") == {"money": "USD"}
    assert unit_in("On the last day, in US dollars an hour") == ("USD/h", "money_rate")
    short = "Announced parts. Compute is FP4, dense PFLOP/s per package; memory GB, 2 TB more; power W."
    assert units_listed(short) == {"compute": "PFLOP/s", "data": "GB", "power": "W"}
    assert units_listed("It has 80 GB; 3 TB/s. It took a month, or an hour.") == {}


@pytest.mark.parametrize(
    ("head", "unit"),
    [
        ("FP64 peak flops, TF/s", "TFLOP/s"),
        ("Peak flops (TF/s)", "TFLOP/s"),
        ("HBM B/W (TB/s)", "TB/s"),
        ("prefill, t/s", "tokens/s"),
        ("GFLOPS of it, all told", "GFLOP/s"),
        ("LoRA of 8B on eight cards, minutes:", "min"),
    ],
)
def test_a_unit_behind_a_comma_or_in_brackets_stands_before_others(head: str, unit: str) -> None:
    assert (unit_in(head) or ("",))[0] == unit


@pytest.mark.parametrize(
    ("text", "counted"),
    [
        ("The rack holds 72 of them.", (72, "product")),
        ("Sixteen of these make a pod.", (16, "product")),
        ("A node, six of which stand in a rack.", (6, "product")),
        ("We saw 466 interruptions, 419 of them unexpected.", (419, "failure")),  # what was counted before them
        ("One of them failed.", None),
        ("The rack holds 72 of themes.", None),
    ],
)
def test_so_many_of_them_are_what_was_named_or_counted_before(text: str, counted: tuple[float, str] | None) -> None:
    found = with_lent_units(text, figures_in(text, 0, len(text), None))
    things = [(figure.number, figure.value.thing) for figure in found if figure.value.thing]
    assert things[-1:] == ([counted] if counted else [])
