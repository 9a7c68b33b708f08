"""Claims from specification tables in the shapes that makers, clouds and centres print them in."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.extract.table_labels import read_label
from pipelines.extract.tables import table_claims
from pipelines.model.claim import ExtractedClaim, Method, Modality, Origin
from pipelines.parse.document import parse_document
from pipelines.problems import InputError
from pipelines.registry.mentions import NameFinder

FINDER = NameFinder.load()
ORIGIN = Origin("note.md", "Maker", dt.date(2025, 6, 1))


def _claims(text: str, name: str = "note.md") -> list[ExtractedClaim]:
    document = parse_document(
        text.encode(), media_type=None, charset=None, url=name, captured_at=dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
    )
    found = [claim for table in document.tables for claim in table_claims(document, table, ORIGIN, FINDER)]
    for claim in found:  # the value's characters are the document's own
        assert claim.method is Method.TABLE
        if claim.value is not None:
            assert any(character.isdigit() for character in document.text[claim.value_at.start : claim.value_at.end])
        assert claim.context.start <= claim.value_at.start < claim.value_at.end <= claim.context.end
    return found


def _short(text: str, *names: str, name: str = "note.md") -> list[tuple[object, ...]]:
    return [
        (claim.subject, claim.metric, claim.value, *(claim.qualifier(name) for name in names))
        for claim in _claims(text, name)
    ]


def test_products_in_columns_with_units_in_the_cells_and_a_footnote() -> None:
    text = """# Data sheet

| Specification | H100 SXM | H100 NVL |
|---|---|---|
| FP64 | 34 teraFLOPS | 30 teraFLOPS |
| FP8 Tensor Core* | 3,958 teraFLOPS | 3,341 teraFLOPS |
| GPU Memory | 80GB | 94GB |
| GPU Memory Bandwidth | 3.35TB/s | 3.9TB/s |
| Decoders | 7 NVDEC | 7 NVDEC |
| Max Thermal Design Power (TDP) | Up to 700W | 350-400W |
| Interconnect | NVLink: 900GB/s PCIe Gen5: 128GB/s | N/A |

* With sparsity
"""
    assert _short(text, "per", "precision", "sparsity", "bound") == [
        ("NVIDIA H100 SXM", "compute", 0.034, "gpu", "fp64", "unstated", ""),
        ("NVIDIA H100 NVL", "compute", 0.03, "gpu", "fp64", "unstated", ""),
        ("NVIDIA H100 SXM", "compute", 3.958, "gpu", "fp8", "sparse", ""),
        ("NVIDIA H100 NVL", "compute", 3.341, "gpu", "fp8", "sparse", ""),
        ("NVIDIA H100 SXM", "memory_capacity", 80, "gpu", "", "", ""),
        ("NVIDIA H100 NVL", "memory_capacity", 94, "gpu", "", "", ""),
        ("NVIDIA H100 SXM", "memory_bandwidth", 3.35, "gpu", "", "", ""),
        ("NVIDIA H100 NVL", "memory_bandwidth", 3.9, "gpu", "", "", ""),
        ("NVIDIA H100 SXM", "power", 0.7, "gpu", "", "", "max"),
        ("NVIDIA H100 NVL", "power", 0.35, "gpu", "", "", "low"),
        ("NVIDIA H100 NVL", "power", 0.4, "gpu", "", "", "high"),
        ("NVIDIA H100 SXM", "scale_up_bandwidth", 0.9, "gpu", "", "", ""),
    ]


def test_products_in_rows_with_merged_headers_that_hold_the_units() -> None:
    text = """<html><body><article><h1>Accelerators</h1>
<table><thead>
<tr><th rowspan="2">GPU</th><th colspan="2">Memory</th><th colspan="2">Peak TFLOPS (dense)</th>
<th rowspan="2">TDP (W)</th></tr>
<tr><th>Capacity (GB)</th><th>Bandwidth (TB/s)</th><th>FP8</th><th>BF16</th></tr></thead><tbody>
<tr><td>NVIDIA H200</td><td>141</td><td>4.8</td><td>1,979</td><td>989</td><td>700</td></tr>
<tr><td>Zorn X900</td><td>96</td><td>2</td><td>&ndash;</td><td>500</td><td>450</td></tr>
</tbody></table></article></body></html>"""
    assert _short(text, "precision", "sparsity", name="note.html") == [
        ("NVIDIA H200", "memory_capacity", 141, "", ""),
        ("NVIDIA H200", "memory_bandwidth", 4.8, "", ""),
        ("NVIDIA H200", "compute", 1.979, "fp8", "dense"),
        ("NVIDIA H200", "compute", 0.989, "bf16", "dense"),
        ("NVIDIA H200", "power", 0.7, "", ""),
        ("Zorn X900", "memory_capacity", 96, "", ""),
        ("Zorn X900", "memory_bandwidth", 2, "", ""),
        ("Zorn X900", "compute", 0.5, "bf16", "dense"),
        ("Zorn X900", "power", 0.45, "", ""),
    ]


def test_a_rack_and_the_board_in_it_keep_their_own_figures() -> None:
    text = """| | GB200 NVL72 | GB200 Grace Blackwell Superchip |
|---|---|---|
| Configuration | 36 Grace CPU : 72 Blackwell GPUs | 1 Grace CPU : 2 Blackwell GPU |
| GPU Memory \\| Bandwidth | Up to 13.4 TB HBM3e \\| 576 TB/s | Up to 372GB HBM3e \\| 16 TB/s |
| CPU Memory | Up to 17 TB LPDDR5X | Up to 480GB LPDDR5X |
"""
    assert _short(text, "per", "memory_type", "memory_kind") == [
        ("NVIDIA GB200 NVL72", "cpu_count", 36, "rack", "", ""),
        ("NVIDIA GB200 NVL72", "accelerator_count", 72, "rack", "", ""),
        ("NVIDIA GB200 Superchip", "cpu_count", 1, "superchip", "", ""),
        ("NVIDIA GB200 Superchip", "accelerator_count", 2, "superchip", "", ""),
        ("NVIDIA GB200 NVL72", "memory_capacity", 13400, "rack", "HBM3e", ""),
        ("NVIDIA GB200 NVL72", "memory_bandwidth", 576, "rack", "", ""),
        ("NVIDIA GB200 Superchip", "memory_capacity", 372, "superchip", "HBM3e", ""),
        ("NVIDIA GB200 Superchip", "memory_bandwidth", 16, "superchip", "", ""),
        ("NVIDIA GB200 NVL72", "memory_capacity", 17000, "rack", "LPDDR5X", "CPU"),
        ("NVIDIA GB200 Superchip", "memory_capacity", 480, "superchip", "LPDDR5X", "CPU"),
    ]


def test_a_table_of_one_product_takes_its_name_and_unit_from_above() -> None:
    text = """# AMD Instinct MI325X

The following are peak rates in TFLOPS:

| Data type | Vector | Matrix | Sparse |
|---|---|---|---|
| FP64 | 81.7 | 163.4 | |
| FP8 | | 2614.9 | 5229.8 |
"""
    assert _short(text, "precision", "sparsity") == [
        ("AMD Instinct MI325X", "compute", 0.0817, "fp64", "dense"),
        ("AMD Instinct MI325X", "compute", 0.1634, "fp64", "dense"),
        ("AMD Instinct MI325X", "compute", 2.6149, "fp8", "dense"),
        ("AMD Instinct MI325X", "compute", 5.2298, "fp8", "sparse"),
    ]


@pytest.mark.parametrize(
    ("label", "cell", "expected"),
    [
        ("Peak FP8 dense/sparse (PFLOPS)", "4.5 / 9", [(4.5, "fp8", "dense"), (9.0, "fp8", "sparse")]),
        ("FP8 / FP4", "1 PFLOPS / 2 PFLOPS", [(1.0, "fp8", "unstated"), (2.0, "fp4", "unstated")]),
        ("Performance", "72 petaFLOPS FP8 training and 144 petaFLOPS FP4 inference",
         [(72.0, "fp8", "unstated"), (144.0, "fp4", "unstated")]),
        ("Performance", "FP8 training: 72 PFLOPS; FP4 inference: 144 PFLOPS",
         [(72.0, "fp8", "unstated"), (144.0, "fp4", "unstated")]),
        ("FP16 (TFLOPS)", "1,979[^2]", [(1.979, "fp16", "unstated")]),
        ("INT8", "n/a", []),
        ("FP8 TFLOPS per watt", "3.2", []),
    ],
)  # fmt: skip
def test_several_rates_in_a_cell(label: str, cell: str, expected: list[tuple[float, str, str]]) -> None:
    text = f"| Spec | B200 | MI355X |\n|---|---|---|\n| {label} | {cell} | - |\n"
    assert [
        (claim.value, claim.qualifier("precision"), claim.qualifier("sparsity")) for claim in _claims(text)
    ] == expected


@pytest.mark.parametrize(
    ("label", "cell", "expected"),
    [
        ("Process", "TSMC 4NP", [("process_node", 4)]),
        ("Process node", "N3P / N6", [("process_node", 3), ("process_node", 6)]),
        ("Transistors", "208 billion", [("transistor_count", 208)]),
        ("Price (est.)", "$30,000", [("price", 30000)]),
        ("CPU", "2 Intel Xeon Platinum 8570 Processors, 112 Cores total", []),
        ("System Memory", "Up to 4TB", []),
        ("L2 cache", "126 MB", []),
        ("PCIe", "128 GB/s", []),
        ("Memory clock", "8 Gbps", []),
        ("Memory", "288GB HBM3E @ 8TB/s", [("memory_capacity", 288), ("memory_bandwidth", 8)]),
        ("Scale-up bandwidth", "1.8 TB/s", [("scale_up_bandwidth", 1.8)]),
        ("NIC", "800 Gb/s", [("scale_out_bandwidth", 800)]),
        ("Interconnect", "PCIe 4.0 (64 GB/s)", []),
        ("Interconnect", "NVLink 5 (1,800 GB/s)", [("scale_up_bandwidth", 1.8)]),
        ("FP8", "4,500 x 72 TFLOPS", []),
    ],
)
def test_labels_decide_what_a_figure_is(label: str, cell: str, expected: list[tuple[str, float]]) -> None:
    text = f"| Spec | B200 | MI355X |\n|---|---|---|\n| {label} | {cell} | |\n"
    assert [(claim.metric, claim.value) for claim in _claims(text)] == expected


def test_what_a_figure_is_per_stands_beside_it() -> None:
    text = "| Spec | B200 | MI355X |\n|---|---|---|\n| Memory bandwidth | Up to 8 TB/s (4 TB/s per die) | 8 TB/s |\n"
    assert _short(text, "per", "bound") == [
        ("NVIDIA B200", "memory_bandwidth", 8, "gpu", "max"),
        ("NVIDIA B200", "memory_bandwidth", 4, "die", ""),
        ("AMD Instinct MI355X", "memory_bandwidth", 8, "gpu", ""),
    ]


def test_packages_and_dies_are_told_apart() -> None:
    text = "| Spec | GB300 NVL72 | Rubin Ultra NVL576 |\n|---|---|---|\n| Number of GPUs | 72 (144 dies) | 576 dies |\n"
    assert _short(text, "counted_as", "per") == [
        ("NVIDIA GB300 NVL72", "accelerator_count", 72, "unstated", "rack"),
        ("NVIDIA Rubin Ultra NVL576 (Kyber)", "accelerator_count", 576, "dies", "rack"),
    ]


def test_units_that_go_without_saying_and_others_that_do_not() -> None:
    text = """| GPU | Dense FP4 per die | HBM per die | Dies per NVL |
|---|---|---|---|
| B300 | 7.5 | 144 HBM3e | 144 |
"""
    memory, domain = _claims(text)
    assert (memory.metric, memory.value, memory.qualifier("per"), memory.caveats) == (
        "memory_capacity", 144, "die", ("unit_unclear",),
    )  # fmt: skip
    assert (domain.metric, domain.value, domain.qualifier("counted_as")) == ("scale_up_domain_size", 144, "dies")


def test_dates_money_and_ratios() -> None:
    text = """# Outlook

| Chip | Available | Rack power |
|---|---|---|
| B300 | 2H 2025 | 132 kW |

| Workload | H100 | B200 | Speedup |
|---|---|---|---|
| Llama training | 1.0 | 2.2 | 2.2x |

| Company | 2025 capex | 2026 capex (est.) |
|---|---|---|
| Meta | $72B | $115-135B |
"""
    claims = _claims(text)
    dated = claims[0]
    assert (dated.metric, dated.period_start, dated.period_end, dated.modality) == (
        "available_from", dt.date(2025, 7, 1), dt.date(2025, 12, 31), Modality.EXPECTED,
    )  # fmt: skip
    assert [(c.subject, c.metric, c.value, c.qualifier("per"), c.qualifier("baseline")) for c in claims[1:3]] == [
        ("NVIDIA B300", "power", 132, "rack", ""),
        ("NVIDIA B200", "speedup", 2.2, "", "NVIDIA H100"),
    ]
    assert [(c.subject, c.metric, c.value, c.qualifier("period"), c.qualifier("bound")) for c in claims[3:]] == [
        ("Meta", "capex", 72e9, "2025", ""),
        ("Meta", "capex", 115e9, "2026", "low"),
        ("Meta", "capex", 135e9, "2026", "high"),
    ]


def test_parts_belong_to_the_machine_above_or_to_nobody() -> None:
    rows = (
        "| type | nodes | GPU devices |\n|---|---|---|\n| NVIDIA GH200 | 2688 | 10,752 |\n| AMD MI300A | 128 | 512 |\n"
    )
    assert _short(f"# Alps supercomputer nodes\n\n{rows}", "accelerator", "per") == [
        ("Alps", "accelerator_count", 10752, "NVIDIA GH200", "system"),
        ("Alps", "accelerator_count", 512, "AMD Instinct MI300A", "system"),
    ]
    assert _short(f"# Nodes\n\n{rows}") == []


def test_instances_and_sites() -> None:
    text = """| Instance Size | vCPUs | GPU | GPU memory | Network Bandwidth (Gbps) |
|---|---|---|---|---|
| p5.48xlarge | 192 | 8 H100 | 640 GB HBM3 | 3200 EFA |

| System | Total GPUs | Site power |
|---|---|---|
| xAI Colossus | 200,000 | 300 MW |
"""
    assert [(c.subject_id, c.metric, c.value, c.qualifier("accelerator")) for c in _claims(text)] == [
        ("aws-p5", "accelerator_count", 8, "NVIDIA H100"),
        ("aws-p5", "memory_capacity", 640, ""),
        ("aws-p5", "scale_out_bandwidth", 3200, ""),
        ("xai-colossus", "accelerator_count", 200000, ""),
        ("xai-colossus", "site_power", 300, ""),
    ]


def test_a_familys_members_by_their_versions() -> None:
    text = """# TPU generations

| Chip | v4 | v5p | v6e |
|---|---|---|---|
| HBM bandwidth per chip | 1,228 GB/s | 2,765 GB/s | 1,640 GB/s |
| Pod size | 4,096 | 8,960 | 256 |
"""
    assert _short(text, "per") == [
        ("Google TPU v4", "memory_bandwidth", 1.228, "gpu"),
        ("Google TPU v5p", "memory_bandwidth", 2.765, "gpu"),
        ("Google TPU v6e", "memory_bandwidth", 1.64, "gpu"),
        ("Google TPU v4", "accelerator_count", 4096.0, "pod"),
        ("Google TPU v5p", "accelerator_count", 8960.0, "pod"),
        ("Google TPU v6e", "accelerator_count", 256.0, "pod"),
    ]
    unknown = text.replace("v4 | v5p | v6e", "small | medium | large")
    assert _short(unknown) == []  # nobody's: a family has no one bandwidth


def test_prices_by_provider_are_hourly_where_one_cell_says_so() -> None:
    text = """# Price list

| Provider | H100 | B200 |
|---|---|---|
| Lambda | $2.99/hr | $4.99/hr |
| CoreWeave | $6.16 | $8.60 |
"""
    assert _short(text) == [
        ("NVIDIA H100", "gpu_hour_price", 2.99),
        ("NVIDIA B200", "gpu_hour_price", 4.99),
        ("NVIDIA H100", "gpu_hour_price", 6.16),
        ("NVIDIA B200", "gpu_hour_price", 8.6),
    ]
    assert _short(text.replace("/hr", "")) == []


def test_a_year_as_label_leaves_the_topic_to_the_heading() -> None:
    text = """# Capital expenditures

| Company | 2024 | 2026E |
|---|---|---|
| Amazon | $83B | $200B |
| Meta | $39.2B | $115-135B |
"""
    assert _short(text, "period", "bound") == [
        ("Amazon", "capex", 83e9, "2024", ""),
        ("Amazon", "capex", 200e9, "2026", ""),
        ("Meta", "capex", 39.2e9, "2024", ""),
        ("Meta", "capex", 115e9, "2026", "low"),
        ("Meta", "capex", 135e9, "2026", "high"),
    ]
    assert _short(text.replace("Capital expenditures", "Companies")) == []


def test_an_unbelievable_figure_is_kept_for_review() -> None:
    (claim,) = _claims("| Spec | B200 | MI355X |\n|---|---|---|\n| TDP (kW) | 1000 | |\n")
    assert claim.value == 1000
    assert claim.confidence == 0.2
    assert "outside what is believable" in claim.doubt


def test_tables_of_other_things_make_no_claim() -> None:
    text = """# Storage

| | Capstor | Vadret |
|---|---|---|
| Capacity | 129 PB | 1 PB |
| Read speed | 1.19 TB/s | 38 GB/s |

| Car | Power | Weight |
|---|---|---|
| Tesla Model 3 | 208 kW | 1.8 t |
"""
    assert _claims(text) == []


def test_a_label_is_read_with_what_stands_above_it() -> None:
    assert read_label(["Bandwidth (TB/s)"], ["NVLink"]).topic == "scale_up"
    assert read_label(["Bandwidth (TB/s)"], ["HBM"]).topic == "memory_bandwidth"
    label = read_label(["Inter-chip interconnect (GB/sec/chip)"])
    assert (label.topic, label.unit and label.unit.unit, label.per) == ("scale_up", "GB/s", "gpu")
    assert read_label(["Revenue ($ millions)"]).factor == 1e6


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.lists(st.text(alphabet="H100 B2|GB/s,.-x*()4TW\u00a0FP8", max_size=14), min_size=3, max_size=3), max_size=5
    )
)
def test_any_table_is_read_without_failing(rows: list[list[str]]) -> None:
    text = "| Chip | H100 | Memory (GB) |\n|---|---|---|\n" + "".join(
        f"| {' | '.join(cell.replace('|', ' ') for cell in row)} |\n" for row in rows
    )
    try:
        _claims(text)
    except InputError:
        return
