"""Named things of a text: known ones, their variants, and names with a tail that is another thing's."""

from __future__ import annotations

import pytest

from pipelines.extract.names.mentions import find_mentions, names_of
from pipelines.model.claim import Origin
from pipelines.registry import load_registry
from pipelines.registry.field_words import load_field_words
from pipelines.registry.mentions import NameFinder
from tests.scene_kit import markdown

FINDER = NameFinder.load()


def named(text: str) -> list[tuple[str, bool]]:
    """The names of a text with whether the registry knows them."""
    return [(m.name, bool(m.subject_id)) for m in find_mentions(text, FINDER) if m.kind != "organisation"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Microsoft's Maia 2 accelerator arrives later", "Microsoft Maia 2"),
        ("the Google TPU v6 doubles it", "Google TPU v6"),
        ("Microsoft's Maia 3 chips", "Microsoft Maia 3"),
        ("eight Intel Gaudi 8 cards", "Intel Gaudi 8"),
        ("nodes of two AMD EPYC 9124 CPUs", "AMD EPYC 9124"),
        ("a Cerebras WSE-3 Turbo wafer", "Cerebras WSE-3 Turbo"),
        ("the Cerebras WSE-7 wafer", "Cerebras WSE-7"),
        ("a Tenstorrent Wormhole n450 card", "Tenstorrent Wormhole n450"),
        ("the GB900A NVL36 rack", "NVIDIA GB900A NVL36"),
        ("NVIDIA's GB900 NVL72", "NVIDIA GB900 NVL72"),
        ("eight GPUs in a DGX B900", "NVIDIA DGX B900"),
        ("an HGX R900 board", "NVIDIA HGX R900"),
        ("a DGX B100 with eight GPUs", "NVIDIA DGX B100"),
        ("the Huawei Ascend 910C SuperPoD", "Huawei Ascend 910C SuperPoD"),
        ("a GH200 SuperPod of 256", "NVIDIA GH200 SuperPod"),
        ("the NVIDIA RTX PRO 7777", "NVIDIA RTX PRO 7777"),
        ("the Graphcore Bow Pod96", "Graphcore Bow Pod96"),
        ("an AMD Instinct MI300X T9 accelerator", "AMD Instinct MI300X T9"),
        ("the Intel Gaudi II card", "Intel Gaudi II"),
        ("a rack of UALink 2.0 switches", "UALink 2.0"),
    ],
)
def test_a_known_name_with_an_unread_tail_is_another_unknown_name(text: str, name: str) -> None:
    assert (name, False) in named(text)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("The NVIDIA H100 draws 700 W", "NVIDIA H100"),
        ("gives each B200 18 links of its own", "NVIDIA B200"),
        ("per NVIDIA Blackwell 72 GPUs", "NVIDIA Blackwell"),
        ("in Selene 36 nodes", "Selene"),
        ("Microsoft's Maia 36 nodes", "Microsoft Maia"),
        ("per NVIDIA H100 8x NVLink", "NVIDIA H100"),
        ("each NVIDIA H200 141 GB card", "NVIDIA H200"),
        ("AMD Instinct MI300X in 2 nodes", "AMD Instinct MI300X"),
        ("the NVIDIA H100 fp16 peak", "NVIDIA H100"),
        ("an HGX H100 8-GPU board", "NVIDIA HGX H100"),
        ("the NVIDIA H100 SXM5 part", "NVIDIA H100 SXM5"),
        ("the NVIDIA A100 HBM2 stack", "NVIDIA A100"),
        ("NVIDIA ConnectX-6 HDR200 ports", "NVIDIA ConnectX-6"),
        ("an NVIDIA A100-SXM4-40GB card", "NVIDIA A100-SXM4-40GB"),
        ("the NVIDIA H100 80GB HBM3", "NVIDIA H100 80GB HBM3"),
        ("an NVIDIA A100 x86 node", "NVIDIA A100"),
        ("nodes of 4x NVIDIA A100 80G", "NVIDIA A100"),
        ("one NVIDIA A100 80G PCIe", "NVIDIA A100 80G PCIe"),
        ("two GPUs: RTX 3080Ti cards", "NVIDIA RTX 3080Ti"),
        ("eight A6000 48G GPUs", "NVIDIA RTX A6000"),
        ("The first TPU, a chip of 2015", "Google TPU v1"),
    ],
)
def test_a_number_with_its_own_unit_is_no_tail(text: str, name: str) -> None:
    assert (name, True) in named(text)


@pytest.mark.parametrize("tail", [" Ultra", " v9", " 9", "-9", " X9", " T9", " II", " Turbo"])
def test_no_name_of_the_registry_stays_itself_with_a_tail(tail: str) -> None:
    entries = load_registry().entries
    known = [*(each.name for each in entries.accelerators), *(each.name for each in entries.systems)]
    names = [name for name in known if not name.endswith(")")]
    text = "\n".join(f"The {name}{tail} accelerator has 40 GB." for name in names)
    mentions = find_mentions(text, FINDER, "AI accelerators")
    assert len(names) > 400
    assert [text[m.start : m.end] for m in mentions if m.subject_id and text.startswith(f"{tail} acc", m.end)] == []


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("基于H100的集群比A100快", ["NVIDIA H100", "NVIDIA A100"]),
        ("谷歌TPUv4芯片与昇腾910B相比", ["Google TPU v4", "Huawei Ascend 910B"]),
        ("AMD MI300X显存192GB，英特尔没有", ["AMD Instinct MI300X", "Intel"]),
        ("台积电4N工艺", ["TSMC"]),
        ("AMD英特尔都有GPU", ["AMD", "Intel"]),
        ("每芯片L2容量和L2缓存", []),
    ],
)
def test_no_space_parts_a_name_from_ideographs(text: str, names: list[str]) -> None:
    found = [m.name for m in find_mentions(text, FINDER, "GPU") if m.name in names or not names]
    assert found == names


def test_a_maker_with_a_number_behind_a_series_is_a_product_but_no_year_nor_a_part_of_a_known_name() -> None:
    text = "NVIDIA RTX 7777, NVIDIA RTX 2077, NVIDIA GTX 2025 and the NVIDIA RTX 5000 Ada Generation"
    products = [m.name for m in find_mentions(text, FINDER) if m.kind == "product"]
    assert products == ["NVIDIA RTX 7777", "NVIDIA RTX 2077"]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Huawei's Ascend 910B/910C and 950DT", ["Huawei Ascend 910B", "Huawei Ascend 910C", "Huawei Ascend 950DT"]),
        ("Ascend 950PR: Q1 2026; 960: Q4 2027", ["Huawei Ascend 950PR", "Huawei Ascend 960"]),
        ("a GeForce RTX 3090/4090", ["NVIDIA GeForce RTX 3090", "NVIDIA GeForce RTX 4090"]),
        ("Ascend 910C on 960 nodes, with 960 W", ["Huawei Ascend 910C"]),  # no model, but a count and a power
        ("Ascend 910C trained 910B parameters for $960: cheap", ["Huawei Ascend 910C"]),
        ("910C and 950DT: who knows", []),  # nobody named the family
        ("昇腾路线\n| 950DT | 2026 |\n| 960 | 970 |", ["Huawei Ascend 950DT", "Huawei Ascend 960"]),
        ("Huawei's parts:\n950PR\t2026Q1\n960\t970 W", ["Huawei Ascend 950PR", "Huawei Ascend 960"]),
        ("Ascend 950PR 2026 Q1, 960 2027 Q4", ["Huawei Ascend 950PR", "Huawei Ascend 960"]),
        ("Ascend 950PR Q1 2026, 960 Q4 2027", ["Huawei Ascend 950PR", "Huawei Ascend 960"]),
        ("The H roadmap:\n| 100 | 700 |", []),  # a letter is no family's word
        ("Cerebras' parts:\n\n    950PR   2026Q1\n", []),
        (
            "MTIA roadmap: the 400 has 9.2 TB/s, the 450 more, the 500 racks",
            ["Meta MTIA", "Meta MTIA 400", "Meta MTIA 450"],
        ),
        ("Ascend 910C, 777X: none of the registry", ["Huawei Ascend 910C"]),
        (
            "Ascend 950PR is first. The 960 follows in 2027, a 970 later.",
            ["Huawei Ascend 950PR", "Huawei Ascend 960", "Huawei Ascend 970"],
        ),
        ("Ascend 910C: the 960 GB, the 970 chips, 960 more", ["Huawei Ascend 910C"]),  # a size and a count
        ("An H100 beats a 4090, and two 3090s.", ["NVIDIA H100", "NVIDIA GeForce RTX 4090", "NVIDIA GeForce RTX 3090"]),
        ("The H100 did 4090 and 3090 samples.", ["NVIDIA H100"]),  # numbers alone
        ("It costs a 4090 in 3090s.", []),  # where no chip is named
    ],
)
def test_a_code_alone_is_a_model_where_another_of_its_family_is_named_whole(text: str, names: list[str]) -> None:
    assert [m.name for m in find_mentions(text, FINDER) if m.kind != "organisation"] == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("| VS8125-MI355X | 8 |", ["VS8125-MI355X"]),
        ("VS8125 - MI355X", ["VS8125", "AMD Instinct MI355X"]),
        ("NVIDIA-H100-80GB", ["NVIDIA H100"]),
        ("GB200-NVL72", ["NVIDIA GB200 NVL72"]),
        ("VS8125-InfiniBand", ["VS8125", "InfiniBand"]),
        ("XE9680-H100", ["Dell PowerEdge XE9680", "NVIDIA H100"]),  # the registry knows the machine
    ],
)
def test_a_name_tied_to_an_unread_head_is_another_name(text: str, names: list[str]) -> None:
    assert [m.name for m in find_mentions(text, FINDER)] == names


def test_a_process_is_no_product_of_its_foundry() -> None:
    assert find_mentions("made on GlobalFoundries 12LP+", FINDER) == []


@pytest.mark.parametrize(
    ("printed", "name"), [("Meta Platforms", "Meta"), ("Intel Corporation", "Intel"), ("Facebook", "Facebook")]
)
def test_a_party_with_its_form_is_the_party(printed: str, name: str) -> None:
    assert [mention.name for mention in find_mentions(f"{printed} spent $3 billion on GPUs", FINDER)] == [name]


@pytest.mark.parametrize(
    ("printed", "name"), [("AMZN", "Amazon"), ("MSFT", "Microsoft"), ("NVDA", "NVIDIA"), ("AVGO", "Broadcom")]
)
def test_a_sign_of_the_exchange_is_the_party(printed: str, name: str) -> None:
    assert [mention.name for mention in find_mentions(f"{printed} spent $3 billion on GPUs", FINDER)] == [name]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("H100 42.4, H200 41 and Gaudi 2 71 min", ["NVIDIA H100", "NVIDIA H200", "Intel Gaudi 2"]),
        ("MTIA 1.5 and MTIA 3 on GPUs", ["Meta MTIA 1.5", "Meta MTIA 3"]),
        ("Gaudi 2-64 is a GPU", ["Intel Gaudi 2-64"]),
    ],
)
def test_a_number_behind_a_names_own_is_a_figure(text: str, names: list[str]) -> None:
    assert [mention.name for mention in find_mentions(text, FINDER)] == names


def test_a_switch_of_a_line_keeps_its_number() -> None:
    names = [mention.name for mention in find_mentions("QM9700 and SN5600 switches, NVLink 5.0, ConnectX-7", FINDER)]
    assert names == ["NVIDIA QM9700", "NVIDIA SN5600", "NVIDIA NVLink 5", "NVIDIA ConnectX-7"]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("NVIDIA Rubin CPX came; CPX is fast", ["NVIDIA Rubin CPX"] * 2),
        ("NVIDIA Rubin GPU came; a GPU is fast", ["NVIDIA Rubin GPU"]),
    ],
)
def test_a_last_word_in_capitals_stands_for_the_name(text: str, names: list[str]) -> None:
    assert [mention.name for mention in find_mentions(text, FINDER)] == names


def test_machines_of_a_cloud_that_the_registry_has_bear_their_id() -> None:
    found = find_mentions("EC2 Trn3 Gen1 UltraServers hold 64 chips. Each UltraServer has nodes of p5.48xlarge", FINDER)
    assert [mention.subject_id for mention in found] == ["aws-trn3-gen1-ultraserver"] * 2 + [""]


def test_several_machines_lend_their_last_word_too() -> None:
    (several, one) = find_mentions("Trn3 UltraServers hold 144 chips an UltraServer", FINDER)
    assert one.name == several.name


def test_a_last_word_alone_is_what_was_named_with_it_last() -> None:
    text = "An UltraServer. A Trn2 UltraServer, then the UltraServer, UltraServers; a Trn3 UltraServer, the UltraServer"
    first, again, second, last = (m.name for m in find_mentions(text, FINDER) if m.kind == "system")
    assert first == again != second == last
    assert ("Trn2" in first, "Trn3" in second) == (True, True)


def test_kinds_of_memory_are_named_too() -> None:
    kinds = {m.name: m.kind for m in find_mentions("A stack of HBM3E holds 36 GB, one of Micron HBM4 48 GB.", FINDER)}
    assert kinds["HBM3E"] == "memory"
    assert kinds["Micron HBM4"] == "memory"


def test_what_stands_beside_a_known_name_belongs_to_it() -> None:
    text = (
        "The HGX B200 board, some H100 series GPUs, two Grace Blackwell superchips, a Trn2 UltraServer of sixty-four, "
        "an L40S"
    )
    assert [(m.name, text[m.start : m.end], bool(m.subject_id)) for m in find_mentions(text, FINDER)] == [
        ("NVIDIA HGX B200", "HGX B200", True),
        ("NVIDIA H100 series", "H100 series", True),
        ("NVIDIA GB200", "Grace Blackwell superchips", True),
        ("Amazon EC2 Trn2 UltraServer", "Trn2 UltraServer", True),
        ("NVIDIA L40S", "L40S", True),
    ]


def test_instances_of_clouds_and_processors_bear_their_whole_names() -> None:
    text = (
        "Standard_ND96isr_H100_v5, the BM.GPU.H100.8 shape, an a3-highgpu-8g machine, an Intel Xeon Gold 8358 each, "
        "two AMD EPYC 9654, a TPU v6e-256 and a TPU v5e"
    )
    assert [(m.name, m.kind, m.subject_id) for m in find_mentions(text, FINDER)] == [
        ("Azure Standard_ND96isr_H100_v5", "system", ""),
        ("OCI BM.GPU.H100.8", "system", ""),
        ("Google Cloud a3-highgpu-8g", "system", ""),
        ("Intel Xeon Gold 8358", "cpu", ""),
        ("AMD EPYC 9654", "cpu", ""),
        ("Google TPU v6e-256", "system", ""),
        ("Google TPU v5e", "accelerator", "google-tpu-v5e"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "A 100 W part and a 30% rise",
        "superpods are large",
        "the SuperPoD holds it",
        "an L1 cache and an L2 cache per core",
        "each connects to three T0 switches, in B0 silicon",
    ],
)
def test_words_that_only_look_like_a_name_are_none(text: str) -> None:
    assert find_mentions(text, FINDER) == []


def test_names_of_a_document_are_read_beside_its_title_and_the_other_way_round() -> None:
    page = markdown("# Blackwell in the data centre\n\nThe NVIDIA GB200 NVL72 is a rack.\n")
    found = names_of(page, Origin("page.md", "NVIDIA"), FINDER)
    assert [m.name for m in found.publisher] == ["NVIDIA"]
    assert [m.name for m in found.title] == ["NVIDIA Blackwell"]
    assert "NVIDIA GB200 NVL72" in [m.name for m in found.text]
    assert names_of(page, Origin("page.md"), FINDER).publisher == []


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("TPU v5e came after v4, and v5p", ["Google TPU v5e", "Google TPU v4", "Google TPU v5p"]),
        ("the Trillium TPU has more than v5e", ["Google TPU v6e", "Google TPU v5e"]),
        ("version v4 of the MI300X driver", ["AMD Instinct MI300X"]),
        ("the TPU v4, MTIA v1, then v2", ["Google TPU v4", "Meta MTIA v1", "Meta MTIA v2"]),
        ("an RTX 3090 or two 4090s", ["NVIDIA GeForce RTX 3090", "NVIDIA GeForce RTX 4090"]),
        ("an RTX 3090 and 4090,000 jobs, 4090.5", ["NVIDIA GeForce RTX 3090"]),
        ("a 4090", []),  # no other of the family is named
        (
            "of three TPU generations, v4 has 32 GB a chip and v5p 95 GB",
            ["Google TPU", "Google TPU v4", "Google TPU v5p"],
        ),
    ],
)
def test_a_model_is_named_by_its_code_beside_one_of_its_family(text: str, names: list[str]) -> None:
    assert [m.name for m in find_mentions(text, FINDER) if m.kind == "accelerator"] == names


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("NVLink Gen5 gives 1.8 TB/s", ("NVIDIA NVLink 5", True)),
        ("NVLink gen. 4 gave 900 GB/s", ("NVIDIA NVLink 4", True)),
        ("NVLink Generation 6", ("NVIDIA NVLink 6", True)),
        ("a new generation of NVLink", ("NVIDIA NVLink", True)),
        ("NVLink Gen 77", ("NVIDIA NVLink", True)),  # none is known
    ],
)
def test_a_generation_behind_a_name_is_a_part_of_it(text: str, name: tuple[str, bool]) -> None:
    assert named(text) == [name]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("4 V100s per node", ["NVIDIA V100"]),
        ("eight L40s", ["NVIDIA L40"]),
        ("the L40s card", ["NVIDIA L40S"]),
        ("4 V100S cards", ["NVIDIA V100S"]),
    ],
)
def test_a_small_s_behind_a_count_is_of_several(text: str, names: list[str]) -> None:
    assert [m.name for m in find_mentions(text, FINDER)] == names


def test_a_rack_called_by_its_size_is_the_one_named_whole() -> None:
    text = "An NVL72. The GB200 NVL72 came, the NVL72, then the GB300 NVL72; an NVL72 and an NVL36"
    racks = ["GB200 NVL72"] * 3 + ["GB300 NVL72"] * 2 + ["NVL36"]
    found = find_mentions(text, FINDER)
    assert [m.name for m in found] == [f"NVIDIA {rack}" for rack in racks]
    assert found[0].start == text.index("NVL72")


@pytest.mark.parametrize(
    ("printed", "name"),
    [
        ("VM.GPU.A10.1", "OCI VM.GPU.A10.1"),
        ("BM.GPU4.8", "OCI BM.GPU4.8"),
        ("ND96isr_H100_v5", "Azure ND96isr_H100_v5"),
        ("ct5lp-hightpu-8t", "Google Cloud ct5lp-hightpu-8t"),
        ("g2-standard-96", "Google Cloud g2-standard-96"),
        ("n2-standard-96", None),
    ],
)
def test_instances_of_the_clouds_are_named_by_their_rule(printed: str, name: str | None) -> None:
    found = [m.name for m in find_mentions(f"the instance {printed} has GPUs", FINDER) if m.kind == "system"]
    assert found == ([name] if name is not None else [])


def test_a_raised_number_behind_a_name_leads_to_a_note() -> None:
    document = markdown("The NVIDIA H200 SXM¹ and the capex of Microsoft² in 10² m³.\n")
    names = names_of(document, Origin("page.md", "Press"), FINDER)
    assert [name.name for name in names.text if name.kind != "unknown"] == ["NVIDIA H200 SXM", "Microsoft"]


def test_every_sign_of_an_exchange_is_a_party_of_the_registry() -> None:
    known = {spelling for entry in load_registry().entries.organisations for spelling in entry.spellings}
    assert known >= set(load_field_words().tickers)
    assert known >= set(load_field_words().tickers.values())
