"""Values, their candidates and the linker's arithmetic: what may be meant."""

from __future__ import annotations

import datetime as dt

import pytest

from pipelines.extract.link.crowd import Crowd
from pipelines.extract.link.figures import Figure, figures_in
from pipelines.extract.link.lore import Lore
from pipelines.extract.link.meaning import canonical, values_of
from pipelines.extract.link.owner import OWNER, owner_rows
from pipelines.extract.link.proposal import Item
from pipelines.extract.link.scene import Place
from pipelines.extract.link.sense import SENSE, crowd_of, sense_rows
from pipelines.extract.link.units_said import unit_in, unit_of_all
from pipelines.extract.reader import places_of
from pipelines.model.claim import Span
from pipelines.parse.document import parse_document
from tests.scene_kit import scene_of

LORE = Lore({}, {})
WHEN = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)


def places(text: str) -> list[Place]:
    document = parse_document(text.encode(), media_type=None, charset=None, url="page.md", captured_at=WHEN)
    return list(places_of(scene_of(document)))


def figure(text: str) -> Figure:
    return figures_in(text, 0, len(text), None)[0]


@pytest.mark.parametrize(
    ("head", "unit"),
    [
        ("Memory (GB)", ("GB", "data")),
        ("Bandwidth, TB/s", ("TB/s", "data_rate")),
        ("TDP [W]", ("W", "power")),
        ("FP16/BF16 PFLOPS", ("PFLOP/s", "compute")),  # digits of a format are no figure
        ("48 GB", None),  # the size of a thing, not the unit of what stands below
        ("DP peak flops (TFlop/s)", ("TFLOP/s", "compute")),
        ("Capex ($B)", ("billion USD", "money")),
        ("Revenue, US$ millions", ("million USD", "money")),
        ("Revenue, USD m", ("million USD", "money")),  # no metres
        ("(in thousands)", ("thousand USD", "money")),
        ("Price per hour (USD)", ("USD/h", "money_rate")),
        ("US$ per GPU-hour", ("USD/h", "money_rate")),
        ("Power kW, $ hourly", ("kW", "power")),
        ("Power, kW 2026", ("kW", "power")),
        ("Prices, week 49", None),
        ("Prices, day by day", ("day", "time")),
        ("All prices in US dollars, per GPU and hour", ("USD/h", "money_rate")),
        ("Units sold, $ thousands", ("thousand USD", "money")),
        ("GB/s¹", ("GB/s", "data_rate")),
        ("List price, USD", ("USD", "money")),
        ("Partition", None),
        ("(d) Isambard-AI", None),  # the fourth of a list, and no day
        ("(d)", ("day", "time")),
        ("integrator A", None),
        ("Current (A)", ("A", "current")),
        ("TDP W", ("W", "power")),
        ("N/A", None),
        ("images/s", None),  # of which the second is no unit
        ("Price, $/h", ("USD/h", "money_rate")),
        ("Price, $/month", ("USD/month", "money_rate")),
        ("Micron HBM", None),
        ("Pitch, micron", ("um", "length")),
    ],
)
def test_units_of_heads(head: str, unit: tuple[str, str] | None) -> None:
    assert unit_in(head) == unit


@pytest.mark.parametrize(
    ("text", "metric", "value"),
    [
        ("700 W", "power", 0.7),
        ("2 PB/s", "memory_bandwidth", 2000.0),
        ("37% faster", "speedup", 1.37),
        ("96 GB", "memory_capacity", 96.0),
    ],
)
def test_a_value_in_the_metrics_unit(text: str, metric: str, value: float) -> None:
    found = figure(text)
    assert metric in (values_of(found, in_table=False) or ())
    assert canonical(found, metric) == pytest.approx(value)


@pytest.mark.parametrize(
    ("above", "unit"),
    [
        ("In billions of US dollars. Calendar quarters.", ("billion USD", "money")),
        ("All figures are in GB/s, per direction.", ("GB/s", "data_rate")),
        ("Capex by company (in $ millions):", ("million USD", "money")),
        ("Figures are billions of US dollars. Leases are in.", ("billion USD", "money")),
        ("All prices are US dollars per GPU and hour.", ("USD/h", "money_rate")),
        ("All values are medians of five minutes.", None),
        ("All figures are from the makers of HBM with GB/s.", None),
        ("The price is $30,000 a card.", None),
        ("Memory in a node stands in the last column.", None),
    ],
)
def test_words_above_a_table_say_the_unit_of_its_figures(above: str, unit: tuple[str, str] | None) -> None:
    assert unit_of_all(above) == unit


def test_a_sum_below_a_scale_is_scaled_whoever_says_it_and_other_figures_stay() -> None:
    rows = "| | Revenue | Other | GPUs | # |\n|---|---|---|---|---|\n| NVIDIA | 96 | 640 | 641 | 642 |\n"
    said_above = places(f"# T\n\nIn millions of US dollars.\n\n{rows}")
    assert [place.values.get("revenue") for place in said_above] == [96e6, 640e6, None, None]
    assert [place.values.get("accelerator_count") for place in said_above[1:]] == [640, 641, 642]
    in_head = "| | Revenue ($ millions) |\n|---|---|\n| NVIDIA | $96 |\n| AMD | $1.2 billion |\n"
    assert [place.values["revenue"] for place in places(in_head)] == [96e6, 1.2e9]


def test_a_price_per_hour_may_leave_the_hour_to_the_page() -> None:
    (price,) = places("# T\n\nPrices are in USD.\n\n| | On demand |\n|---|---|\n| NVIDIA H100 | 2.99 |\n")
    assert (price.values["gpu_hour_price"], price.values["price"]) == (2.99, 2.99)
    (price,) = places("# T\n\n| $/GPU-hr | Lambda |\n|---|---|\n| NVIDIA H100 | 2.99 |\n")
    assert price.values["gpu_hour_price"] == 2.99
    _, memory = places("# T\n\n| Year | NVIDIA H100 |\n|---|---|\n| 2022 | 80 |\n")
    assert "train_time" not in memory.values


def test_of_a_column_beside_only_money_is_shared() -> None:
    rows = "| NVIDIA H100 | 80 | 96 |\n| NVIDIA H200 | 141 | 144 |\n"
    found = places(f"# T\n\n| | HBM (GB) | Stock |\n|---|---|---|\n{rows}")
    assert [place.figure.lent for place in found] == ["GB", "", "GB", ""]


def test_units_listed_above_a_table_are_those_of_its_columns() -> None:
    table = "| | Compute | Memory |\n|---|---|---|\n| NVIDIA H100 | 2 | 80 |\n"
    found = places(f"# T\n\nAnnounced parts; compute is dense PFLOP/s; memory GB.\n\n{table}")
    assert [place.figure.lent for place in found] == ["PFLOP/s", "GB"]


def test_a_table_with_a_caption_has_the_paragraph_above_it() -> None:
    page = "<p>All in $ per GPU and hour.</p><table><caption>on demand</caption><tr><th></th><th>Lambda</th></tr>"
    document = parse_document(
        f"<html><body>{page}<tr><td>NVIDIA H100</td><td>2.99</td></tr></table></body></html>".encode(),
        media_type="text/html", charset=None, url="t.html", captured_at=WHEN,
    )  # fmt: skip
    (price,) = places_of(scene_of(document))
    assert (price.values["gpu_hour_price"], price.zones["intro"]) == (2.99, "on demand All in $ per GPU and hour.")


def test_a_bare_number_means_something_in_a_table_only() -> None:
    assert values_of(figure("8"), in_table=False) is None
    assert "accelerator_count" in (values_of(figure("8"), in_table=True) or ())


def test_a_bare_power_is_in_watts_and_a_bare_bandwidth_in_what_an_accelerator_may_read() -> None:
    power, fast, slow, card = (values_of(figure(text), in_table=True) or {} for text in ("700", "8", "3350", "25.6"))
    assert power["power"] == 0.7
    assert [each["memory_bandwidth"] for each in (fast, slow, card)] == [8.0, 3.35, 0.0256]
    assert "power" not in (values_of(figure("700 GB"), in_table=True) or ())


def test_a_bare_number_is_in_the_unit_that_heads_leave_out_and_never_money_or_time() -> None:
    of = values_of(figure("4"), in_table=True) or {}
    assert (of["process_node"], of["site_power"]) == (4, 4)
    assert (of["scale_out_bandwidth"], of["scale_up_bandwidth"]) == (4, 0.004)  # Gb/s and GB/s
    assert not {"price", "gpu_hour_price", "capex", "revenue", "train_time", "mtti"} & set(of)


def test_names_of_the_sentence_the_heading_and_the_one_before_are_candidates() -> None:
    text = "# NVIDIA B200\n\nThe AMD Instinct MI300X came first.\n\nThe NVIDIA H100 has 80 GB of memory.\n"
    memory = next(place for place in places(text) if place.figure.number == 80)
    marks = {candidate.name: candidate.marks for candidate in memory.candidates}
    assert marks["NVIDIA H100"]["in_sentence"] == 1.0
    assert marks["NVIDIA H100"]["before"] == 1.0
    assert marks["AMD Instinct MI300X"]["back0"] == 1.0
    assert marks["NVIDIA B200"]["heading"] == 1.0


def test_what_a_section_begins_with_stays_a_candidate_until_the_next_heading() -> None:
    between = " ".join(f"It has {number} doors." for number in range(11, 20))
    first = f"## A\n\nCoreWeave says the NVIDIA H100 is new. {between}\n\nEach draws 700 W."
    text = f"# T\n\n{first}\n\n## B\n\nEach draws 800 W.\n"
    found = {place.figure.number: {c.name: c.marks for c in place.candidates} for place in places(text)}
    assert found[700]["NVIDIA H100"]["topic"] == 1.0
    assert "topic" not in found[700]["CoreWeave"]
    assert "topic" not in found[800]["NVIDIA H100"]


def test_a_number_behind_a_key_in_text_is_what_it_would_be_in_a_table() -> None:
    code = "```yaml\nh100:\n  gpus: 8\n  hbm_gb: 80\n```"
    text = f"# T\n\n{code}\n\n- Memory of a room: 96 GB\n- of a hall: 192\n"
    found = {place.figure.number: place.values for place in places(text)}
    assert found[8]["accelerator_count"] == 8
    assert found[80] == {"memory_capacity": 80.0}
    assert found[192] == {"memory_capacity": 192.0}
    assert [place.figure.number for place in places("# T\n\nA draws 700 W.\n\nAnd B is at 1,000.\n")] == [700]


def test_of_several_units_told_above_a_table_each_column_has_its_own() -> None:
    rows = "| | Peak compute | Power | Rooms |\n|---|---|---|---|\n| NVIDIA H100 | 4 | 6 | 8 |\n"
    peak, power, rooms = places(f"# T\n\nCompute in petaflops, power in kilowatts.\n\n{rows}")
    assert (peak.values["compute"], power.values["power"]) == (4.0, 6.0)
    assert "power" in rooms.values  # as any number of a table


def test_of_tables_the_first_values_are_read_and_the_text_behind_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pipelines.extract.reader.MOST_IN_TABLES", 3)
    table = "| | NVIDIA H100 | NVIDIA B200 |\n|---|---|---|\n| TDP (W) | 700 | 1000 |\n"
    text = f"# T\n\n{table}\nThen:\n\n{table}\nEach draws 800 W.\n"
    assert [place.figure.number for place in places(text)] == [700, 1000, 700, 800]


def test_formats_of_numbers_are_no_things() -> None:
    table = "| | H999 | Zeta |\n|---|---|---|\n| FP16 | 10 TFLOPS | 20 TFLOPS |\n| INT8 Tensor | 5 TOPS | 9 TOPS |\n"
    names = {candidate.name for place in places(table) for candidate in place.candidates}
    assert "Zeta" in names
    assert names.isdisjoint({"FP16", "INT8 Tensor"})


def test_values_and_names_in_parallel_belong_by_their_order() -> None:
    text = "# T\n\nThe NVIDIA A100, NVIDIA H100 and NVIDIA H200 hold 40 GB, 80 GB and 141 GB.\n"
    found = {place.figure.number: place for place in places(text)}
    owner = {c.name: c.marks["ordinal"] for c in found[80.0].candidates if "in_sentence" in c.marks}
    assert owner == {"NVIDIA A100": 0.0, "NVIDIA H100": 1.0, "NVIDIA H200": 0.0}
    unknown = {place.figure.number: place for place in places(text.replace("NVIDIA A100", "Zephyr ZX-4"))}
    owner = {c.name: c.marks["ordinal"] for c in unknown[80.0].candidates if "in_sentence" in c.marks}
    assert owner == {"Zephyr ZX-4": 0.0, "NVIDIA H100": 1.0, "NVIDIA H200": 0.0}  # known or not, it is a chip


def test_a_price_and_a_rate_run_in_parallel() -> None:
    text = "# T\n\nIt is $2.49 per GPU-hour for the NVIDIA H100, and $3.79 for the NVIDIA B200.\n"
    (place,) = (place for place in places(text) if place.figure.number == 3.79)
    assert {c.name for c in place.candidates if c.marks.get("ordinal")} == {"NVIDIA B200"}
    memory = "# T\n\nAn NVIDIA H100 has 80 GB and 3.35 TB/s, an NVIDIA B200 180 GB.\n"  # data and its rate are two
    (place,) = (place for place in places(memory) if place.figure.number == 180)
    assert {c.name for c in place.candidates if c.marks.get("ordinal")} == {"NVIDIA B200"}


def test_rows_have_a_number_for_every_feature() -> None:
    place = next(p for p in places("# T\n\nThe NVIDIA H100 draws 700 W.\n") if p.figure.number == 700)
    crowd = Crowd([place], LORE)
    rows, keys = sense_rows([Item(place, ("power",), {"power": 0.9, "": 0.1})], crowd)
    assert (rows.shape, keys) == ((1, len(SENSE)), [(0, "power")])
    assert owner_rows(crowd, [(0, "power")]).shape == (len(place.candidates), len(OWNER))


def test_a_table_in_another_currency_still_has_its_counts() -> None:
    found = places("# T\n\nAll amounts are in EUR.\n\n| | GPUs |\n|---|---|\n| JUPITER | 24000 |\n")
    items = [Item(place, tuple(place.values), dict.fromkeys(("", *place.values), 0.1)) for place in found]
    assert "accelerator_count" in found[0].values
    assert "price" not in found[0].values
    assert len(sense_rows(items, Crowd(found, LORE))[0]) == len(found[0].values)


def test_a_metric_is_told_how_likely_the_best_of_the_others_is() -> None:
    place = next(p for p in places("# T\n\nThe NVIDIA H100 draws 700 W.\n") if p.figure.number == 700)
    prior = {"power": 0.5, "site_power": 0.3, "port_power": 0.1, "": 0.1}
    rows, keys = sense_rows([Item(place, tuple(place.values), prior)], Crowd([place], LORE))
    others = {metric: row[SENSE.index("prior_best")] for (_, metric), row in zip(keys, rows.tolist(), strict=True)}
    assert others == {"power": 0.3, "site_power": 0.5, "port_power": 0.5}


def test_a_value_is_told_of_the_others_of_its_column_and_of_nobody_without_candidates() -> None:
    table = "| | TDP (W) |\n|---|---|\n| NVIDIA H100 | 700 |\n| NVIDIA B200 | 1000 |\n"
    found = places(table)
    lone = Place(figure("5 kW"), Span(0, 4), {"before": "", "after": ""}, {}, [], values={"power": 5.0})
    items = [Item(p, ("power",), {"power": prior}) for p, prior in zip([*found, lone], (0.9, 0.5, 1.0), strict=True)]
    rows, keys = sense_rows(items, Crowd([item.place for item in items], LORE))
    assert [at for at, _ in keys] == [0, 1]
    assert rows[:, SENSE.index("column_prior")].tolist() == [0.7, 0.7]
    assert rows[:, SENSE.index("row_prior")].tolist() == [0.9, 0.5]


def test_what_is_told_of_a_value_is_its_own_where_others_are_not_asked() -> None:
    found = places("# T\n\nThe NVIDIA H100 has 3.35 TB/s, 80 GB and 700 W.\n")
    priors = ({"memory_bandwidth": 0.9}, {"memory_capacity": 0.001}, {"power": 0.9})  # nobody asks what 80 GB are
    items = [Item(place, tuple(prior), prior) for place, prior in zip(found, priors, strict=True)]
    rows, keys = sense_rows(items, crowd_of(items, LORE))
    assert keys == [(0, "memory_bandwidth"), (2, "power")]
    assert rows[:, SENSE.index("is_integer")].tolist() == [0.0, 1.0]


def test_candidates_are_compared_with_the_others_of_their_value() -> None:
    text = "# NVIDIA B200\n\nThe NVIDIA H100 and the NVIDIA H100 PCIe draw 700 W.\n"
    place = next(p for p in places(text) if p.figure.number == 700)
    rows = dict(zip([c.name for c in place.candidates], owner_rows(Crowd([place], LORE), [(0, "power")]), strict=True))

    def told(name: str) -> dict[str, float]:
        return dict(zip(OWNER, rows[name].tolist(), strict=True))

    assert told("NVIDIA H100 PCIe")["hardware_rank"] == 0.0
    assert told("NVIDIA H100")["gap_rank"] == 1.0
    assert (told("NVIDIA H100")["narrower"], told("NVIDIA H100 PCIe")["narrower"]) == (1.0, 0.0)
    assert (told("NVIDIA H100")["wider"], told("NVIDIA H100 PCIe")["wider"]) == (0.0, 1.0)
    assert {told(name)["n_in_sentence"] for name in rows} == {2.0}
    assert told("NVIDIA B200")["gap_rank"] == 9.0


def test_a_count_of_whole_machines_is_none_of_their_parts() -> None:
    nodes, sockets, racks = places("Kestrel has 64 CPU nodes, 2 sockets each. It has 16 racks.\n")
    assert {"cpu_count", "accelerator_count"}.isdisjoint(nodes.values)
    assert "cpu_count" in sockets.values
    assert "units_shipped" in racks.values  # what is sold by the rack
    for part in places("- 8x CX-7\n- 9x Quantum-X800\n\nIt has 24 cables.\n"):
        assert {"cpu_count", "accelerator_count"}.isdisjoint(part.values)
