"""Names that the registry does not know: codes, machines, and what a text writes with a capital."""

from __future__ import annotations

import pytest

from pipelines.extract.names.mentions import find_mentions
from pipelines.registry.mentions import NameFinder
from tests.scene_kit import markdown, scene_of

FINDER = NameFinder.load()


def coined(text: str) -> list[str]:
    """The unknown products of a text, in order."""
    return [m.name for m in find_mentions(text, FINDER) if m.kind == "product" and not m.subject_id]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Tallgrass T2 has 96 GB", ["Tallgrass T2"]),
        ("the Orvane BX-16 node", ["Orvane BX-16"]),
        ("a BX-16, then two BX-16", ["BX-16", "BX-16"]),
        ("the Q7 chip", ["Q7"]),
        ("one BX-16 and one S5000", ["BX-16", "S5000"]),
        ("one T2", []),  # a short code, once
        ("a T2, then a T2", ["T2", "T2"]),
        ("The T2 is new. Tallgrass T2 came first, then T2s", ["Tallgrass T2"] * 3),
        ("Halcyon H2 and Halcyon H2", ["Halcyon H2"] * 2),
        ("The Vireo V3 came. V3 is slow", ["Vireo V3"] * 2),
        ("In Early H2, and H2 again", []),
        ("Haneul-1 beside Haneul-1", ["Haneul-1"] * 2),
        ("Ox-1 beside Ox-1, no Ox-2", ["Ox-1", "Ox-1", "Ox-2"]),
        ("Ox-1 beside Elk-2 and Elk-34B, Elk-70B", []),  # no siblings; sizes of models
        ("In 2026 a GPU, in 2026. In 2026 one. Ox 3 GPUs, Ox 3", []),
        ("Vireo K5 came. The K4 draws 8 kW", ["Vireo K5", "K4"]),
        ("看Haneul-1芯片，Haneul-1", ["Haneul-1"] * 2),
        ("Corsair 8 beside Corsair 8", []),  # a number is tied to a name, or counts
        ("Vector FP64 and Vector FP64", []),
        ("Ultra 512GB and Ultra 512GB", []),
        ("TP8, TP8 and the p99 chip, p99 of HC2025 and HC2025", []),
        ("Phase-2 and Phase-2", []),
        ("an n170 card and 170 W", ["n170"]),
        ("20B-x16 and x16, x16", []),
        ("an Hx200, then the Hx200", ["Hx200"] * 2),
        ("a K5 and a K5 came after the K4, a K3", ["K5", "K5", "K4"]),  # one of a series, by its article
        ("Vireo K5 after the K4 and the 4K, an L4", ["Vireo K5", "K4"]),
        ("one K4 after the K3, of four (K2)", []),
        ("a K5 and a K5 after the K0", ["K5"] * 2),  # no code of a thing
        ("a 910C chip after the 920C", ["910C"]),
        ("Eight K4 draw more than four K3", ["K4", "K3"]),  # counted
        ("Eight 4U and weight K4", []),
        ("an Hx20, then the Hx20", []),
        ("see ticket NPCS-2291", []),
        ("see the NPCS-2291", ["NPCS-2291"]),
        ("今日发布XH-9训练芯片，由384颗XH-9组成", ["XH-9"] * 2),  # an ideograph is no part of a code
    ],
)
def test_a_code_names_a_product_by_its_word_or_by_coming_again(text: str, names: list[str]) -> None:
    assert coined(text) == names


def unknown(text: str) -> list[str]:
    return [name.name for name in scene_of(markdown(text)).names if name.kind == "unknown"]


def test_what_has_a_capital_inside_a_sentence_is_a_name_of_something() -> None:
    page = "At Wolf Creek we run 96 racks. In April we add 4, and Wolf Creek draws 18 MW. In May, in April too.\n"
    assert unknown(page) == ["Wolf Creek"] * 2
    assert unknown(page.replace("and Wolf Creek draws", "and it draws")) == ["Wolf Creek"]  # once will do
    assert unknown("At Cedar 8 we run it, and Cedar 8 has power. In Wolf Creek 20 MW, in Wolf Creek 8 kW.\n") == [
        *["Cedar 8"] * 2,
        *["Wolf Creek"] * 2,
    ]
    assert unknown(page + "\nA wolf by the creek.\n") == []  # words that are also written small
    assert unknown("It made 20 MW in Offline, and in Offline 30 MW of GPU power.\n") == []
    assert unknown("It came out on Monday, and on Wednesday it drew 20 MW.\n") == []
    assert unknown("Spinoza has 96 racks. It draws 18 MW.\n") == ["Spinoza"]  # no word that texts write small
    assert unknown("Cooling has 96 pipes. Cooling draws 18 MW.\n") == []  # at the start of sentences alone
    assert unknown("We run Frontier, and Frontier draws 20 MW of GPU power.\n") == []  # the registry's
    assert unknown("We run Frontier Prime, and in Frontier Prime 20 MW of GPU power.\n") == []  # begins as one of its


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("GPUs: the Nova A2 is a card. Eight A2 fit a box", ["Nova A2"] * 2),
        ("GPUs: Atlas Nova A2 modules", ["Nova A2"]),
        ("GPUs: the Nova A2 and the NVIDIA A2", ["NVIDIA A2"] * 2),  # its maker is named too
        ("GPUs: Using A2 cards, an A2 and the NVIDIA H100", ["NVIDIA A2", "NVIDIA A2", "NVIDIA H100"]),
        ("GPUs: where Eight A2 fit", ["NVIDIA A2"]),
        ("GPUs: the Azure A10 machines", ["NVIDIA A10"]),  # who lends it out is no family
        ("GPUs: the Nova H100", ["NVIDIA H100"]),  # long enough to be one thing
    ],
)
def test_a_short_code_behind_another_familys_word_is_not_the_registrys(text: str, names: list[str]) -> None:
    assert [m.name for m in find_mentions(text, FINDER) if m.kind in ("accelerator", "product")] == names


def test_a_series_with_a_number_is_a_name_also_of_a_common_word() -> None:
    page = "Today we show the MX-Rack 384. It came with the Helix Pod 640, for a rack, at the pod of the University.\n"
    names = [(name.name, name.kind) for name in scene_of(markdown(page)).names]
    assert names == [("MX-Rack 384", "system"), ("University", "unknown")]  # 'pod' is also written small
    assert unknown("今日推出Helios Nova，功耗310kW。\n") == ["Helios Nova"]
    assert unknown("In Leeds, Calif., we run Leeds.\n") == ["Leeds"] * 2  # not what is cut short


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Marlin-2 has 96 GB.", ["Marlin-2"]),
        ("Added Trainium3 UltraServer (144 chips).", ["AWS Trainium3 UltraServer"]),
        ("Pallister P4 has 512 GB, unlike an NVIDIA GPU.", ["Pallister P4"]),
        ("- Wolf Creek Cluster has 96 racks", ["Wolf Creek Cluster"]),
        ("Palomar, a switch of theirs, has 96 ports.", ["Palomar"]),
        ("Palomar (96 ports) is new.", ["Palomar"]),
        ("Palomar is new, with 96 ports.", ["Palomar"]),
        ("Pallor is new, with 96 ports. We saw pallor.", []),  # one word alone may be any
        ("Furthermore the chip has 96 ports. Undauntedly it works.", []),
        ("Palomar is the second 64-core chip of theirs.", ["Palomar"]),
        ("Cooling is a matter of water, not of the chip.", []),
        ("Then came more. Palomar, a switch of theirs, has 96 ports.", ["Palomar"]),
        ("Then came more. Cooling, a matter of water, has 96 pipes.", []),  # not what the paragraph begins with
        ("Process Node: 12 nm", []),  # a key
        ("Kittatinny: 96 ports", []),
        ("Kittatinny has 96 ports. Kittatinny: done", ["Kittatinny", "Kittatinny"]),
        ("- **Board Power**: 300 W", []),
        ("Board Power = 300 W", []),
        ("Board Power ：300 W", []),
    ],
)
def test_what_a_paragraph_or_an_item_begins_with_may_be_a_name(text: str, names: list[str]) -> None:
    found = [name.name for name in scene_of(markdown(text)).names if name.kind not in ("memory", "organisation")]
    assert found == names


def test_only_running_text_has_names_of_anything() -> None:
    table = "| Wolf Creek | of Wolf Creek |\n|---|---|\n| in Wolf Creek | 4 |\n"
    assert unknown(f"# In Wolf Creek, at Wolf Creek\n\n{table}") == []
    assert unknown("- at Wolf Creek, 4\n- at Wolf Creek, 5\n") == ["Wolf Creek"] * 2


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("The K3-Rack joins 64 of them.", [("K3-Rack", "system")]),
        ("A HelixNode has eight.", [("HelixNode", "system")]),
        ("Each TarnLink has two ends.", [("TarnLink", "unknown")]),
        ("The Corridor has eight. A Corridor has two.", []),  # a word of a language
        ("Our Fjellrev has eight.", [("Fjellrev", "unknown")]),
    ],
)
def test_a_determiner_before_what_is_no_word_stands_before_a_name(text: str, names: list[tuple[str, str]]) -> None:
    assert [(name.name, name.kind) for name in scene_of(markdown(f"{text}\n")).names] == names


def test_a_machine_that_the_registry_does_not_know_is_one_where_the_text_keeps_naming_it() -> None:
    text = "The Henri system was built. Henri runs. The Henri cluster grew."
    assert [(m.name, m.kind) for m in find_mentions(text, FINDER)] == [("Henri", "site")] * 3
    assert find_mentions("The Henri system was built. Henri runs.", FINDER) == []
    assert [m.name for m in find_mentions("the Zorin supercomputer has", FINDER)] == ["Zorin"]  # that word is enough
    assert find_mentions("the operating system of a Linux system", FINDER) == []


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("On Lumen, a 2,048-GPU H200 cluster, 87 jobs failed", ["Lumen"]),
        ("Tursa is a 512-GPU cluster", ["Tursa"]),
        ("Henri is a cluster", []),  # named once, of no said size
        ("Kestrel is the central HPC cluster of Eastmoor", ["Kestrel"]),
        ("Calder is an HPE Cray EX4000 system", ["Calder"]),
        ("Calder is an HPC system of calder-g[001-428], calder.example.org and /home/calder", ["Calder"]),
        ("Calder is an HPC system, and a calder too", []),
        ("Cooling is a water system", []),
        ("In Paris, a 100k H100 cluster is built", []),
        ("Since June, a 16-node cluster has run", []),
    ],
)
def test_a_machine_is_named_where_its_size_is_told(text: str, names: list[str]) -> None:
    assert [m.name for m in find_mentions(text, FINDER) if m.kind == "site"] == names


def test_a_coined_name_is_a_products_where_it_is_used_as_a_chips() -> None:
    text = "the Zeta 9 chip, and another Zeta 9"
    assert [(m.name, m.kind) for m in find_mentions(text, FINDER)] == [("Zeta 9", "product")] * 2
    assert find_mentions("a Zeta 9 beside another Zeta 9", FINDER) == []
    assert find_mentions("a chip of Phase-2, the Phase-2 chip", FINDER) == []
