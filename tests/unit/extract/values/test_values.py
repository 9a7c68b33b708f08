"""Values as people write them: what is found, in which unit, what it counts, how firm; and that no text breaks it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.extract.values import Kind, Value, find_values
from pipelines.registry import load_registry
from pipelines.units import TABLE

METRICS = {metric.id: metric for metric in load_registry().metrics()}


def one(text: str) -> Value:
    found = find_values(text)
    assert len(found) == 1, found
    return found[0]


def sizes(text: str) -> list[tuple[float, float, str]]:
    return [(r.low, r.high, r.unit) for value in find_values(text) for r in value.readings[:1]]


@pytest.mark.parametrize(
    ("text", "metric", "expected"),
    [
        ("1.8TB/s", "scale_up_bandwidth", 1.8),
        ("1,800 GB/s", "memory_bandwidth", 1.8),
        ("1.6e12 bytes/s", "memory_bandwidth", 1.6),
        ("2.5PBps", "memory_bandwidth", 2500),
        ("800Gbits/s", "scale_out_bandwidth", 800),
        ("400G", "scale_out_bandwidth", 400),
        ("1.6 terabits per second", "scale_out_bandwidth", 1600),
        ("141G", "memory_capacity", 141),
        ("141 GiB", "memory_capacity", 141),
        ("1.44 exaflops", "compute", 1440),
        ("23.4 PFlop/s", "compute", 23.4),
        ("671 BF16/FP16 TFLOPS", "compute", 0.671),
        ("1.4e14 FLOPS", "compute", 0.14),
        ("1.4×10^14 FLOP/s", "compute", 0.14),
        ("3.2 x 10¹⁵ FLOPS", "compute", 3.2),
        ("4×10¹⁵ FLOP/s", "compute", 4),
        ("275 trillion operations per second", "compute", 0.275),
        ("275 tera operations per second", "compute", 0.275),
        ("2x10^18 dense INT8 operations per second", "compute", 2000),
        ("1.2 exa floating-point operations a second", "compute", 1200),
        ("a quintillion calculations each second", "compute", 1000),
        ("5 peta ops", "compute", 5),
        ("10-gigawatt", "site_power", 10_000),
        ("120千瓦", "power", 120),
        ("300兆瓦", "site_power", 300),
        ("1.2吉瓦", "site_power", 1200),
        ("2公里", "cable_length", 2),
        ("600公斤", "weight", 0.6),
        ("600 kgs", "weight", 0.6),
        ("Power (W): 640", "power", 0.64),
        ("$3.2M", "price", 3.2e6),
        ("$612m", "revenue", 612e6),
        ("1.9m GPUs", "units_shipped", 1.9e6),
        ("2 Milliarden", "units_shipped", 2e9),
        ("5％", "liquid_cooled_share", 5),
        ("は1,980億", "transistor_count", 198),
        ("349억 달러", "capex", 34.9e9),
        ("1.2ギガワット", "site_power", 1200),
        ("最大消費電力は7.8kWです", "power", 7.8),
        ("100 Gigabit Ethernet ports", "scale_out_bandwidth", 100),
        ("200Gb InfiniBand cards", "scale_out_bandwidth", 200),
        ("a 5m cable", "cable_length", 0.005),
        ("$1.5b", "revenue", 1.5e9),
        ("$3.7 m", "price", 3.7e6),
        ("$3.7 more", "price", 3.7),
        ("USD 41,000", "price", 41_000),
        ("7 billion dollars", "capex", 7e9),
        ("$2.15 per GPU-hour", "gpu_hour_price", 2.15),
        ("$2.15", "gpu_hour_price", 2.15),
        ("310 tokens/s/user", "token_rate", 310),
        ("1,410 TGS", "token_rate", 1410),
        ("52k decode tokens/sec", "token_rate", 52_000),
        ("3 hours and 20 minutes", "train_time", 200),
        ("1 h 02", "train_time", 62),
        ("TSMC N4P", "process_node", 4),
        ("Intel 18A", "process_node", 1.8),
        ("on GlobalFoundries 12LP+ wafers", "process_node", 12),
        ("11 482.16 tokens/s", "token_rate", 11_482.16),
        ("Samsung SF4X", "process_node", 4),
        ("N5", "process_node", 5),
        ("4NP", "process_node", 4),
        ("made in silicon on N3E", "process_node", 3),
        ("23.7 t/s", "token_rate", 23.7),
        ("5nm", "process_node", 5),
        ("92 billion transistors", "transistor_count", 92),
        ("92B", "transistor_count", 92),
        ("1.5 tons", "weight", 1.5),
        ("two miles", "cable_length", 3.218688),
        ("3.3 times", "speedup", 3.3),
        ("40%", "speedup", 1.4),
        ("90%", "liquid_cooled_share", 90),
        ("24,576 GPUs", "cluster_size", 24_576),
        ("33\u202f792", "core_count", 33_792),
    ],
)
def test_a_value_in_its_metric(text: str, metric: str, expected: float) -> None:
    low, high = one(text).in_metric(METRICS[metric]) or (0.0, 0.0)
    assert low == high == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(
    ("text", "metric"),
    [("80 GB", "memory_bandwidth"), ("80 furlongs", "power"), ("€80", "price"), ("17", "power"), ("in 2026", "power")],
)
def test_a_value_of_another_dimension_or_without_one_is_none(text: str, metric: str) -> None:
    assert one(text).in_metric(METRICS[metric]) is None


def test_a_bare_number_takes_the_unit_of_a_table_head() -> None:
    assert one("1,979").in_metric(METRICS["compute"], unit="TFLOPS") == (1.979, 1.979)
    assert one("1.2K").in_metric(METRICS["power"], unit="W") == (1.2, 1.2)
    assert one("1,979").in_metric(METRICS["compute"], unit="furlong") is None


@pytest.mark.parametrize(
    ("text", "value", "thing"),
    [
        ("24,576 NVIDIA H100 GPUs", 24576, "accelerator"),
        ("16,000x H100 GPUs", 16000, "accelerator"),
        ("eight H100s", 8, "product"),
        ("half a million GPUs", 500_000, "accelerator"),
        ("Two And A Half million GPUs", 2_500_000, "accelerator"),
        ("132 GPU nodes", 132, "node"),
        ("dual-die package", 2, "die"),
        ("2 B GPUs", 2e9, "accelerator"),
        ("six compute trays", 6, "tray"),
        ("twelve cabinets", 12, "rack"),
        ("18 blades", 18, "blade"),
        ("8×H100 node", 8, "product"),  # one node of them
        ("an 8x B200 system reached", 8, "product"),
        ("a 256 GPU cluster of", 256, "accelerator"),
        ("3 A16 NVIDIA GPU nodes (epyc4)", 3, "node"),
        ("8 H100 SXM5 GPUs", 8, "accelerator"),
    ],
)
def test_what_is_counted(text: str, value: float, thing: str) -> None:
    found = one(text)
    reading = found.readings[0]
    assert (found.kind, reading.low, reading.unit, found.thing) == (Kind.COUNT, value, "count", thing)


@pytest.mark.parametrize(
    ("text", "value", "thing"),
    [
        ("2x 32-core AMD EPYC 7413", 2, "cpu"),
        ("2 x 24 core AMD EPYC 7413", 2, "cpu"),
        ("2x 64 cores", 2, "core"),
        ("4*Blackwell GPUs+2*Grace CPU", 4, "accelerator"),
    ],
)
def test_what_the_first_of_several_numbers_counts(text: str, value: float, thing: str) -> None:
    first = find_values(text)[0]
    assert (first.low, first.thing) == (value, thing)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("96/144 GB", [(96, 96, "GB"), (144, 144, "GB")]),
        ("80, 96 and 141 GB", [(80, 80, "GB"), (96, 96, "GB"), (141, 141, "GB")]),
        ("40-80GB", [(40, 80, "GB")]),
        ("900 GB/s to 1.8 TB/s", [(0.9, 1.8, "TB/s")]),
        ("between $70bn and $72bn", [(7e10, 7.2e10, "USD")]),
        ("$151–$155.5B", [(151e9, 155.5e9, "USD")]),
        ("1,555GB/s/2,039GB/s", [(1555, 1555, "GB/s"), (2039, 2039, "GB/s")]),
        ("400-gigabit-per-second", [(400, 400, "Gb/s")]),
        ("from 80 GB to 141 GB", [(80, 80, "GB"), (141, 141, "GB")]),
        ("10°C/50°F - 35°C", [(10, 10, "degC"), (50, 50, "degF"), (35, 35, "degC")]),
    ],
)
def test_lists_and_ranges(text: str, expected: list[tuple[float, float, str]]) -> None:
    assert sizes(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("HBM (288 vs 192 GB)", [(288, 288, "GB"), (192, 192, "GB")]),
        ("14.4 versus 8 TB/s", [(14.4, 14.4, "TB/s"), (8, 8, "TB/s")]),
        ("204.7 TPS/GPU versus 147.9 on the other", [(204.7, 204.7, "tokens/s"), (147.9, 147.9, "tokens/s")]),
        ("700 W, up from 400", [(700, 700, "W"), (400, 400, "W")]),
        ("A (500 W), B and C (~300), D (250)", [(500, 500, "W"), (300, 300, "W"), (250, 250, "W")]),
        ("192 gigs of it", [(192, 192, "GB")]),
        ("A (500 W), B (300 of them)", [(500, 500, "W"), (300, 300, "count")]),
        ("A (500 W) of 2 nodes (3)", [(500, 500, "W"), (2, 2, "count")]),
        ("1.8 TB/s, compared with 900 before", [(1.8, 1.8, "TB/s")]),  # of another unit
        ("700 W versus 2023", [(700, 700, "W")]),
        ("141 GB compared to 8 GPUs", [(141, 141, "GB"), (8, 8, "count")]),
        ("3x vs 2 before", [(3, 3, "x")]),
        ("700 W and 400 more", [(700, 700, "W")]),
    ],
)
def test_numbers_that_are_compared_or_listed_in_brackets_share_a_unit(
    text: str, expected: list[tuple[float, float, str]]
) -> None:
    assert sizes(text) == expected


def test_a_product_keeps_its_multiplier() -> None:
    count, size = find_values("8 x 80 GB")
    assert (count.kind, count.low, size.low, size.unit, size.times) == (Kind.COUNT, 8, 80, "GB", 8)


@pytest.mark.parametrize(
    ("text", "bound", "is_approximate"),
    [
        ("up to 132 kW", "max", False),
        ("more than 132 kW", "min", False),
        ("about 132 kW", "", True),
        ("~132 kW", "", True),
        ("132+ kW", "min", False),
        ("132 kW or more", "min", False),
        ("132 kW", "", False),
    ],
)
def test_bounds_and_hedges(text: str, bound: str, is_approximate: bool) -> None:
    assert (one(text).bound, one(text).is_approximate) == (bound, is_approximate)


@pytest.mark.parametrize(
    ("text", "per"),
    [
        ("132 kW per cabinet", ("rack",)),
        ("310 tokens/s/user", ("user",)),
        ("1,410 TGS", ("accelerator",)),
        ("80 GB of HBM3 memory per GPU", ("accelerator",)),
        ("900 GB/s/device", ("chip",)),
        ("700 W each", ("each",)),
        ("8 TB/s of HBM3e bandwidth per GPU", ("accelerator",)),
        ("700 W", ()),
    ],
)
def test_what_it_is_per(text: str, per: tuple[str, ...]) -> None:
    assert one(text).per == per


def test_all_of_a_list_are_per_what_follows_its_last() -> None:
    assert [value.per for value in find_values("224.2 vs. 169.1 tokens/s per GPU")] == [("accelerator",)] * 2


def test_what_another_number_is_per_is_not_said_of_the_ones_before_it() -> None:
    rate, power, _ = find_values("HPL 1.206 EF at 24.6 MW (49 GF/W)")
    assert [(value.per, value.dimension) for value in (rate, power)] == [((), "compute"), ((), "power")]


@pytest.mark.parametrize(
    ("text", "thing"),
    [
        ("6 nodes with 3 L40 cards each (18 in total)", "card"),
        ("8 GPUs per node, 128 in all", "accelerator"),
        ("It has 4 TB/s (18 in total)", ""),
        ("8 GPUs. " + "Much is said of other things here. " * 2 + "128 in all", ""),
    ],
)
def test_a_total_counts_what_was_counted_before_it(text: str, thing: str) -> None:
    assert find_values(text)[-1].thing == thing


def test_the_number_of_a_name_is_no_end_of_a_range() -> None:
    assert [(v.low, v.high) for v in find_values("WSE-3 – 4T transistors, 3 – 4T of others")] == [(4, 4), (3, 4)]


@pytest.mark.parametrize(
    ("text", "per"),
    [
        ("18 links x 100 GB/s", ("link",)),
        ("8 stacks × 24 GB", ("stack",)),
        ("4 times 24 GB", ()),
        ("in stacks x 24 GB", ()),  # of how many?
        ("8 stacks, 24 GB", ()),
        ("8 kinds x 24 GB", ()),
        ("18 links x 100 GB/s per GPU", ("link",)),  # the GPU has the product
    ],
)
def test_a_figure_that_is_multiplied_is_per_what_is_counted(text: str, per: tuple[str, ...]) -> None:
    assert find_values(text)[-1].per == per


@pytest.mark.parametrize("text", ["500,000 tokens/s per 8-GPU server", "40 kW a 4-GPU node"])
def test_the_size_of_what_it_is_per_stands_between(text: str) -> None:
    assert find_values(text)[0].per == ("node",)


@pytest.mark.parametrize(
    "text",
    [
        "H100", "ConnectX-9", "version 2.1.3", "4090D", "the 3rd", "one of these", "GPT-5.2", "The BW-4300P holds them",
        "node-h[01-04]. A host", "H100[12]", "rank 318", "of phase 2: more", "Table 4", "(No. 7)", "@ c=1", "TP=8",
        "by @ann (PR #212)",
    ],
)  # fmt: skip
def test_a_name_or_an_ordinal_is_no_value(text: str) -> None:
    assert find_values(text) == ()


@pytest.mark.parametrize(
    "text",
    ["rank 3 GPUs", "phase 2 kW", "P=700 W", "gpus=8", "a phase 2, 4", "phased 8", "= 8", "[8] GPUs", "at RX-300W"],
)
def test_what_is_counted_or_measured_is_a_value_behind_any_word(text: str) -> None:
    assert len(find_values(text)) == 1


@pytest.mark.parametrize("text", ["1 h 75", "1 h 5", "1 h, 30", "1 kW 30"])
def test_what_are_no_minutes_is_a_number_of_its_own(text: str) -> None:
    assert len(find_values(text)) == 2


@pytest.mark.parametrize(
    "text", ["16x20x28", "2x2x1", "gpu-h200-141g-short", "to-deploy-10-gw-of-systems", "± 14 W", "± $300M"]
)
def test_an_extent_a_deviation_and_a_part_of_an_identifier_are_no_values(text: str) -> None:
    assert find_values(text) == ()


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("8x96 GB", 2),
        ("A100-SXM4-80GB", 1),
        ("A100-80G", 1),
        ("N5+N6", 2),
        ("N3P + N6", 2),
        ("4x100G ports", 2),
        ("3x3 racks", 2),
    ],
)
def test_a_multiplied_or_hyphened_measure_stays_a_value(text: str, count: int) -> None:
    assert len(find_values(text)) == count


def test_a_year_alone_is_a_period_that_may_be_a_number() -> None:
    year = one("2026")
    assert (year.kind, year.low, year.period is not None and year.period.label) == (Kind.PERIOD, 2026, "2026")
    assert one("2048 GPUs").kind is Kind.COUNT


@pytest.mark.parametrize("text", ["> 5,780 (FP16)", "312 (TF32)", "48 DDR6 with ECC", "24 HBM3e"])
def test_formats_and_kinds_of_memory_are_not_counted(text: str) -> None:
    assert (one(text).kind, one(text).thing) == (Kind.NUMBER, "")


@given(st.integers(min_value=1, max_value=10**12))
def test_separators_do_not_change_a_number(number: int) -> None:
    assert one(f"{number:,} W").low == one(f"{number} W").low == number


@given(st.floats(min_value=1e-9, max_value=1e18), st.sampled_from(["GB", "kW", "TB/s", "TFLOPS"]))
def test_a_power_of_ten_is_its_number(number: float, unit: str) -> None:
    assert one(f"{number:.6e} {unit}").low == pytest.approx(float(f"{number:.6e}"), rel=1e-9)


@given(st.text(max_size=200))
def test_values_lie_in_the_text_in_order_and_apart(text: str) -> None:
    end = 0
    for value in find_values(text):
        assert end <= value.start < value.end <= len(text)
        assert value.text == text[value.start : value.end]
        assert value.start <= value.digits[0] < value.digits[1] <= value.end
        end = value.end


@pytest.mark.parametrize(
    "text",
    ["5.2 TFLOPS/W", "2 TFLOPS per watt", "FLOPS/clock: 2048", "30 GB/s/mm²", "2 MB of L2 per core", "40 tokens/s/W"],
)
def test_a_figure_per_a_measure_is_of_another_quantity(text: str) -> None:
    found = one(text)
    assert [metric.id for metric in METRICS.values() if metric.unit != "count" and found.in_metric(metric)] == []


@pytest.mark.parametrize(
    ("text", "dimension"), [("3x per watt", "ratio"), ("$40M per MW", "money"), ("9 tokens/s/MW", "token_rate")]
)
def test_gains_money_and_rates_of_a_megawatt_stay_what_they_are(text: str, dimension: str) -> None:
    assert one(text).dimension == dimension


@pytest.mark.parametrize("spelling", [*TABLE.exact, *TABLE.folded])
def test_no_unit_breaks_a_value(spelling: str) -> None:
    assert find_values(f"It has 60 {spelling}, then 5 to 9 {spelling}/min and {spelling}: 7.")


@pytest.mark.parametrize("text", ["5 billion W", "twenty five kW", "40 tokens per minute", "half a million GPUs"])
@pytest.mark.parametrize("letter", ["İ", "ı"])
def test_letters_that_patterns_take_for_an_i_are_one(text: str, letter: str) -> None:
    assert sizes(text.replace("i", letter)) == sizes(text)


def test_a_node_without_its_maker_is_one_where_processes_are_spoken_of() -> None:
    assert [value.unit for value in find_values("the chiplets are on N6")] == ["nm"]
    assert [value.unit for value in find_values("the server N6 of the hall")] == []
    assert [value.unit for value in find_values("the process of MN5-4N")] == []
    assert [value.text for value in find_values("TSMC's 4N process and N6")] == ["4N", "N6"]


@pytest.mark.parametrize("text", ["two 400-gigabit ports", "two 400 Gb ports", "two 400Gbit ports", "2 400G ports"])
def test_ports_are_counted_beside_their_rate(text: str) -> None:
    count, rate = find_values(text)
    assert (count.high, count.thing, rate.high, rate.readings[1].unit) == (2, "port", 400, "Gb/s")


def test_a_gig_is_of_a_memory_or_of_a_port() -> None:
    (value,) = find_values("400 gig per GPU")
    assert [(reading.unit, reading.dimension) for reading in value.readings] == [("GB", "data"), ("Gb/s", "data_rate")]
    (memory,) = find_values("80 GB per GPU")
    assert [reading.dimension for reading in memory.readings] == ["data"]
