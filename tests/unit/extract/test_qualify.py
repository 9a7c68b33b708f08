"""What stands beside a value and narrows it, and who speaks and makes, by the registry."""

from __future__ import annotations

import datetime as dt
from itertools import chain

import pytest

from pipelines.claims.speakers import Speakers
from pipelines.extract.link.meaning import canonical
from pipelines.extract.link.proposal import Proposal
from pipelines.extract.link.qualify import kind_by, likeliest_per, per_clues, qualifiers_of
from pipelines.extract.link.scene import Candidate
from pipelines.extract.link.trees import Words
from pipelines.extract.reader import places_of
from pipelines.parse.document import parse_document
from tests.scene_kit import markdown, scene_of

WHEN = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)


def qualifiers(text: str, number: float, metric: str, subject: str) -> dict[str, str]:
    """The qualifiers of the number in a page, read as this metric of this subject."""
    document = parse_document(text.encode(), media_type=None, charset=None, url="page.md", captured_at=WHEN)
    place = next(p for p in places_of(scene_of(document)) if p.figure.number == number)
    candidate = next(each for each in place.candidates if each.name == subject)
    value = canonical(place.figure, metric)
    assert value is not None
    return qualifiers_of(Proposal(0, place, metric, value, candidate, 1, 0, 1, 0, 0, 0, 0, ""))


@pytest.mark.parametrize(
    ("text", "number", "metric", "subject", "found"),
    [
        (
            "The NVIDIA B200 delivers up to 9 PFLOP/s of dense FP4.\n", 9, "compute", "NVIDIA B200",
            {"bound": "max", "precision": "fp4", "sparsity": "dense", "per": "gpu"},
        ),
        (
            "The NVIDIA H100 has 80 GB of HBM3.\n", 80, "memory_capacity", "NVIDIA H100",
            {"memory_type": "HBM3", "per": "gpu"},
        ),
        (
            "NVIDIA DGX H100:\n\n| Model | GPUs | Days to train |\n|---|---|---|\n| Nova-20B | 64 | 19 |\n", 19,
            "train_time", "NVIDIA DGX H100", {"workload": "Nova-20B"},
        ),
        (
            "The NVIDIA H200 is 1.9x faster than the NVIDIA H100 for Llama 2 70B.\n", 1.9, "speedup", "NVIDIA H200",
            {"baseline": "NVIDIA H100", "workload": "Llama 2 70B"},
        ),
        (
            "The NVIDIA H100 has 80 GB.\n", 80, "memory_capacity", "NVIDIA H100",
            {"memory_type": "unstated", "per": "gpu"},
        ),
        (
            "| System | TDP per rack (kW) |\n|---|---|\n| NVIDIA GB200 NVL72 | 132 |\n", 132, "power",
            "NVIDIA GB200 NVL72", {"per": "rack"},
        ),
        (
            "| NVIDIA B200 | Matrix TFLOPS | Sparse TFLOPS |\n|---|---|---|\n| FP8 | 4500 | 9000 |\n", 4500, "compute",
            "NVIDIA B200", {"precision": "fp8", "sparsity": "dense"},
        ),
        (
            "| NVIDIA B200 | Matrix TFLOPS | Sparse TFLOPS |\n|---|---|---|\n| FP8 | 4500 | 9000 |\n", 9000, "compute",
            "NVIDIA B200", {"precision": "fp8", "sparsity": "sparse"},
        ),
        (
            "| GPU | FP16 TFLOPS | FP8 sparse TFLOPS |\n|---|---|---|\n| NVIDIA H100 | 990 | 3958 |\n", 990, "compute",
            "NVIDIA H100", {"precision": "fp16", "sparsity": "unstated"},
        ),
        (
            "| GPU | FP8 PFLOPS (dense / sparse) |\n|---|---|\n| NVIDIA H100 | 1.98 / 3.96 |\n", 1.98, "compute",
            "NVIDIA H100", {"precision": "fp8", "sparsity": "dense"},
        ),
        (
            "| GPU | FP8 PFLOPS (dense / sparse) |\n|---|---|\n| NVIDIA H100 | 1.98 / 3.96 |\n", 3.96, "compute",
            "NVIDIA H100", {"precision": "fp8", "sparsity": "sparse"},
        ),
        (
            "The NVIDIA H100 does 3.96 PFLOPS sparse (1.98 dense) in FP8.\n", 3.96, "compute", "NVIDIA H100",
            {"sparsity": "sparse"},
        ),
        (
            "| GPU | 每芯片HBM容量 (GB) |\n|---|---|\n| NVIDIA H200 | 141 |\n", 141, "memory_capacity", "NVIDIA H200",
            {"memory_type": "HBM"},
        ),
        (
            "| GPU | NVLink 带宽（双向） |\n|---|---|\n| NVIDIA H100 | 900 GB/s |\n", 900, "scale_up_bandwidth",
            "NVIDIA H100", {"direction": "both-ways"},
        ),
        (
            "The NVIDIA V100 reaches 7.8 TFLOPS in double-precision.\n", 7.8, "compute", "NVIDIA V100",
            {"precision": "fp64"},
        ),
        (
            "The NVIDIA A100 runs HPL at 14 TFLOPS.\n", 14, "compute", "NVIDIA A100",
            {"benchmark": "HPL", "precision": "fp64"},
        ),
        (
            "| GPU | FP16/BF16 PFLOPS |\n|---|---|\n| NVIDIA B200 | 2.2 / 4.5 |\n", 4.5, "compute", "NVIDIA B200",
            {"precision": "bf16/fp16"},
        ),
        (
            "| GPU | FP16/FP8 PFLOPS |\n|---|---|\n| NVIDIA B200 | 2.2 / 4.5 |\n", 4.5, "compute", "NVIDIA B200",
            {"precision": "fp8"},
        ),
        (
            "| GPU | Power (peak) |\n|---|---|\n| NVIDIA H100 | 700 W |\n", 700, "power", "NVIDIA H100",
            {"bound": "max"},
        ),
    ],
)  # fmt: skip
def test_what_narrows_a_value(text: str, number: float, metric: str, subject: str, found: dict[str, str]) -> None:
    assert {name: word for name, word in qualifiers(text, number, metric, subject).items() if name in found} == found


def test_the_head_of_an_arithmetic_rate_bounds_nothing() -> None:
    text = "| GPU | Max TFLOPS |\n|---|---|\n| NVIDIA H100 | 990 |\n"
    assert "bound" not in qualifiers(text, 990, "compute", "NVIDIA H100")


@pytest.mark.parametrize(
    ("text", "number", "subject", "chip"),
    [
        ("Each DGX-1 has 8 NVIDIA V100 GPUs.\n", 8, "NVIDIA DGX-1", "NVIDIA V100"),
        ("Each DGX-1 has 8 NVIDIA V100 GPUs.\n", 8, "NVIDIA V100", "NVIDIA V100"),
        ("Each DGX-1 has 8 liquid-cooled NVIDIA V100 GPUs, unlike the A100.\n", 8, "NVIDIA DGX-1", "NVIDIA V100"),
        ("The NVIDIA DGX-1 has up to 8 NVIDIA accelerators.\n", 8, "NVIDIA DGX-1", None),
        ("| Node | GPUs |\n|---|---|\n| gpu[1-3] | 8x V100 32GB |\n", 8, "gpu[1-3]", "NVIDIA V100"),
        ("| Node | GPUs |\n|---|---|\n| gpu4 | 2x MI210, 1x MI100 |\n", 1, "gpu4", "AMD Instinct MI100"),
        ("## Alps\n\n| GPU | Total |\n|---|---|\n| NVIDIA A100 | 576 |\n", 576, "Alps", "NVIDIA A100"),
        ("## Alps\n\nA Node 2 chip.\n\n| GPU | Total |\n|---|---|\n| Node 2 | 576 |\n", 576, "Alps", None),
        ("JUPITER is built of GH200, in all 23,752 accelerators.\n", 23_752, "JUPITER", "NVIDIA GH200"),
        ("JUPITER has 8 GPUs a node, with GH200 to follow.\n", 8, "JUPITER", None),
        ("JUPITER had NVIDIA A100 and now GH200, in all 23,752 accelerators.\n", 23_752, "JUPITER", None),
    ],
)
def test_which_chip_a_count_is_of(text: str, number: float, subject: str, chip: str | None) -> None:
    assert qualifiers(text, number, "accelerator_count", subject).get("accelerator") == chip


@pytest.mark.parametrize(
    ("text", "number", "subject", "baseline"),
    [
        ("GB300 outperforms GB200 by 1.5x.\n", 1.5, "NVIDIA GB300", "NVIDIA GB200"),
        ("GB300 meets GB200. It is 1.5x faster.\n", 1.5, "NVIDIA GB300", "NVIDIA GB200"),
        ("GB300 meets GB200 and H100. It is 1.5x faster.\n", 1.5, "NVIDIA GB300", "unstated"),
        ("GB300 and H100 meet the GB200 with 1.5x the speed.\n", 1.5, "NVIDIA GB300", "unstated"),
        ("In its NVL72 the GB300 is 1.5x faster.\n", 1.5, "NVIDIA GB300", "unstated"),
        ("The Bow IPU is 1.4x faster than the previous generation.\n", 1.4, "Graphcore Bow IPU", "previous generation"),
    ],
)
def test_what_a_gain_is_against(text: str, number: float, subject: str, baseline: str) -> None:
    assert qualifiers(text, number, "speedup", subject)["baseline"] == baseline


@pytest.mark.parametrize(
    ("text", "number", "metric", "workload"),
    [
        ("The NVIDIA B200 gives 4x training and 30x inference.\n", 4, "speedup", "training"),
        ("The NVIDIA B200 gives 4x training and 30x inference.\n", 30, "speedup", "inference"),
        ("After training, for inference too, the NVIDIA B200 is 4x faster.\n", 4, "speedup", "inference"),
        ("The NVIDIA B200 does 22k decode tokens/s of Llama 2 70B.\n", 22, "token_rate", "Llama 2 70B decode"),
        ("Of the 176B it is said that the NVIDIA B200 is 4x faster.\n", 4, "speedup", "unstated"),
        ("Training of GPT-3 175B on NVIDIA B200 takes 4 days.\n", 4, "train_time", "GPT-3 175B"),
    ],
)
def test_what_was_run(text: str, number: float, metric: str, workload: str) -> None:
    assert qualifiers(text, number, metric, "NVIDIA B200")["workload"] == workload


@pytest.mark.parametrize(
    ("text", "number", "memory"),
    [
        ("The NVIDIA B300 has HBM generation 3 (HBM3e), in all 288 GB.\n", 288, "HBM3e"),
        ("The NVIDIA B300 has 288 GB of high-bandwidth memory.\n", 288, "HBM"),
        ("The NVIDIA B300 has 37 TB of memory (20 TB of HBM3e, 17 TB of another).\n", 37, "unstated"),
        ("The NVIDIA B300 has 37 TB of memory (20 TB of HBM3e, 17 TB of another).\n", 20, "HBM3e"),
        ("The NVIDIA B300 has 37 TB of memory (20 TB of HBM3e, 17 TB of another).\n", 17, "unstated"),
        ("The NVIDIA B300 has 16 GB (32 GB on some nodes) of HBM2.\n", 16, "HBM2"),
        ("The NVIDIA B300 has HBM3: 96 GB, LPDDR5X: 480 GB.\n", 96, "HBM3"),
        ("The NVIDIA B300 has HBM3: 96 GB, LPDDR5X: 480 GB.\n", 480, "LPDDR5X"),
        ("The NVIDIA B300 has 192 GB HBM3; an older one 256 GB HBM2.\n", 192, "HBM3"),
        ("The NVIDIA B300 has an SRAM of 230 MB, no HBM.\n", 230, "SRAM"),
        ("The NVIDIA B300 has 96/144 GB HBM3.\n", 96, "HBM3"),
    ],
)
def test_a_memory_is_that_of_its_own_size(text: str, number: float, memory: str) -> None:
    assert qualifiers(text, number, "memory_capacity", "NVIDIA B300")["memory_type"] == memory


def test_what_the_model_of_the_words_says_stands_before_the_rule() -> None:
    text = "The NVIDIA B200 delivers 9 PFLOP/s.\n"
    document = parse_document(text.encode(), media_type=None, charset=None, url="page.md", captured_at=WHEN)
    (place,) = places_of(scene_of(document))
    proposal = Proposal(0, place, "compute", 9.0, place.candidates[0], 1, 0, 1, 0, 0, 0, 0, "")
    clues = list(per_clues(proposal))
    assert {"rule=gpu", "rule=gpu|compute", "kind=accelerator", "b:delivers"} <= set(chain.from_iterable(clues))
    weights = {"rule=gpu|compute": [0, 200]}
    (chances,) = Words({"classes": ["gpu", "node"], "base": [1.0, 0.0], "weights": weights}).chances([clues])
    proposal.per = likeliest_per(proposal, chances)
    assert qualifiers_of(proposal)["per"] == "node"


@pytest.mark.parametrize(
    ("text", "formats"),
    [
        ("FP16: 989 TFLOPS, FP8: 1979 TFLOPS, INT8: 1980 TOPS", "fp16 fp8 int8"),
        ("989 TFLOPS FP16, 1979 TFLOPS FP8, 1980 TOPS INT8", "fp16 fp8 int8"),
        ("989 TFLOPS (FP16) and 1979 TFLOPS (FP8)", "fp16 fp8"),
        ("918 bf16 TFLOPS, 1836 int8 TOPS", "bf16 int8"),
        ("FP4 Tensor Core: 144 PFLOPS FP8 Tensor Core**: 72 PFLOPS", "fp4 fp8"),
        ("144 PFLOPS FP4 FP8: 72 PFLOPS", "fp4 fp8"),
        ("2400 TFLOPS MXINT8, 9600 TFLOPS MXINT4", "mxint8 mxint4"),
        ("2.25 PFLOPS FP16/BF16, 4.5 PFLOPS FP8, FP6 and INT8, 9 PFLOPS FP4", "bf16/fp16 fp6/fp8/int8 fp4"),
        ("FP16/BF16: 2.25 PFLOPS, FP8 and FP6: 4.5 PFLOPS", "bf16/fp16 fp6/fp8"),
        ("BF16 - 2.3 PFLOPS; FP8 - 4.6 PFLOPS", "bf16 fp8"),
        ("FP32 19.5 TFLOPS | TF32 156 TFLOPS | FP16 312 TFLOPS", "fp32 tf32 fp16"),
        ("In FP8, a single one of them delivers 1979 TFLOPS", "fp8"),
        ("1979 TFLOPS, as measured in FP8", "fp8"),
        ("10+ petaFLOPS in 4-bit precision (FP4) and over 5 petaFLOPS of 8-bit (FP8) performance", "fp4 fp8"),
        ("FP4 rises from 10 to 15 PFLOPS, but FP64 falls from 37 TFLOPS to 1.2 TFLOPS", "fp4 fp4 fp64 fp64"),
        ("774 TFLOPS BLOCKFP8, 387 TFLOPS FP16", "fp8 fp16"),
        ("Peak FP64 matrix ..... 122.6 TFLOPS Peak FP8 (dense) ..... 1961 TFLOPS", "fp64 fp8"),
    ],
)
def test_of_formats_in_a_row_each_rate_has_its_own(text: str, formats: str) -> None:
    document = parse_document(
        f"The NVIDIA B200: {text}.\n".encode(), media_type=None, charset=None, url="page.md", captured_at=WHEN
    )
    found = [
        qualifiers_of(Proposal(0, place, "compute", 1.0, place.candidates[0], 1, 0, 1, 0, 0, 0, 0, ""))["precision"]
        for place in places_of(scene_of(document))
        if "compute" in place.values and place.figure.unit
    ]
    assert " ".join(found) == formats


@pytest.mark.parametrize(
    ("count", "chances", "per"),
    [
        (144, {"node": 0.7, "system": 0.25, "gpu": 0.05}, "system"),  # 64 are the most of a node
        (16, {"node": 0.7, "system": 0.25, "gpu": 0.05}, "node"),
        (144, {"node": 0.85, "rack": 0.15}, "system"),  # no other is likely: what its name says
        (10**8, {"node": 0.7, "system": 0.3}, "node"),  # beyond belief for both
    ],
)
def test_what_is_beyond_belief_for_the_likeliest_whole_is_of_the_next_likely_one(
    count: int, chances: dict[str, float], per: str
) -> None:
    text = f"The Amazon Trn3 UltraServer has {count} chips.\n"
    document = parse_document(text.encode(), media_type=None, charset=None, url="page.md", captured_at=WHEN)
    (place,) = places_of(scene_of(document))
    machine = next(each for each in place.candidates if each.kind == "system")
    proposal = Proposal(0, place, "accelerator_count", float(count), machine, 1, 0, 1, 0, 0, 0, 0, "")
    assert likeliest_per(proposal, chances) == per


@pytest.mark.parametrize(
    ("said", "per"), [("has a TDP of 90 kW", "gpu"), ("draws 90 kW", "rack"), ("has a TDP of 0.7 kW", "gpu")]
)
def test_the_tdp_of_a_chip_is_no_racks(said: str, per: str) -> None:
    (place,) = places_of(scene_of(markdown(f"The NVIDIA H100 {said}.\n")))
    chip = next(each for each in place.candidates if each.kind == "accelerator")
    proposal = Proposal(0, place, "power", place.figure.number, chip, 1, 0, 1, 0, 0, 0, 0, "")
    assert likeliest_per(proposal, {"rack": 0.6, "system": 0.2, "gpu": 0.1}) == per


@pytest.mark.parametrize(
    ("said", "metric", "per"),
    [
        ("24 GB of HBM3e per stack", "memory_capacity", "stack"),
        ("8 stacks x 24 GB of HBM3e", "memory_capacity", "stack"),
        ("18 links × 100 GB/s", "scale_up_bandwidth", "port"),
        ("a scale-up link of 100 GB/s", "scale_up_bandwidth", "gpu"),
        ("24 GB per node", "memory_capacity", "gpu"),  # pages say so of one GPU of each kind of node
    ],
)
def test_what_is_said_per_part_of_a_chip_is_of_no_whole(said: str, metric: str, per: str) -> None:
    *_, place = places_of(scene_of(markdown(f"The NVIDIA H100 has {said}.\n")))
    chip = next(each for each in place.candidates if each.kind == "accelerator")
    value = canonical(place.figure, metric)
    assert value is not None
    proposal = Proposal(0, place, metric, value, chip, 1, 0, 1, 0, 0, 0, 0, "")
    assert likeliest_per(proposal, {"gpu": 0.9, "node": 0.07, "stack": 0.02, "port": 0.01}) == per


@pytest.mark.parametrize(
    ("text", "metric", "per"),
    [
        ("Each H100 node has a peak of 268 TFLOP/s.", "compute", "node"),
        ("An MI300X box holds 1.5 TB.", "memory_capacity", "node"),
        ("Each H100 node has GPUs with 80 GB.", "memory_capacity", "gpu"),
        ("Each H100 node has 80 GB GPUs.", "memory_capacity", "gpu"),
        ("An H100 node has 700 W per GPU.", "power", "gpu"),
        ("H100 nodes: they have a rate of 268 TFLOP/s.", "compute", "gpu"),
        ("The H100 has a peak of 67 TFLOP/s.", "compute", "gpu"),
        ("The H100 nodes take 60 kW per rack.", "power", "rack"),
    ],
)
def test_what_a_node_of_a_chip_has_is_of_the_node(text: str, metric: str, per: str) -> None:
    *_, place = places_of(scene_of(markdown(f"{text}\n")))
    chip = next(each for each in place.candidates if each.kind == "accelerator")
    value = canonical(place.figure, metric)
    assert value is not None
    proposal = Proposal(0, place, metric, value, chip, 1, 0, 1, 0, 0, 0, 0, "")
    assert likeliest_per(proposal, {"gpu": 0.9, "node": 0.07}) == per


@pytest.mark.parametrize(
    ("name", "size", "per"),
    [("H100", 640, "node"), ("H100", 80, "gpu"), ("H100", 94, "gpu"), ("H100", 700, "gpu"), ("A100", 80, "gpu"),
     ("GB200", 13400, "rack"), ("GB200", 384, "gpu"), ("Zebra Q7", 640, "gpu")],
)  # fmt: skip
def test_a_memory_of_eight_is_not_of_one(name: str, size: int, per: str) -> None:
    document = markdown(f"| | {name} |\n|---|---|\n| Memory | {size} GB |\n")
    (place,) = places_of(scene_of(document))
    chip = next(each for each in place.candidates if each.name.endswith(name))
    proposal = Proposal(0, place, "memory_capacity", float(size), chip, 1, 0, 1, 0, 0, 0, 0, "")
    assert likeliest_per(proposal, {"gpu": 0.9, "node": 0.07, "rack": 0.02, "stack": 0.01}) == per


@pytest.mark.parametrize(
    ("said", "per"),
    [
        ("2,400 tokens/s on eight H100", "node"),
        ("2,400 tokens/s on 64 H100", "system"),
        ("On 8x H100 they got 2,400 tokens/s", "node"),
        ("2,400 tokens/s on one H100", "gpu"),
        ("On eight H100 they got 2,400 tokens/s per GPU", "gpu"),
        ("On eight H100 they got 2,400 tokens/s each", "gpu"),
        ("The H100 makes 2,400 tokens/s", "gpu"),
        ("Beside eight A100 the H100 makes 2,400 tokens/s", "gpu"),
    ],
)
def test_what_ran_on_several_is_of_all_of_them(said: str, per: str) -> None:
    assert likeliest_per(rate_of(f"{said}.\n"), {"gpu": 0.8, "user": 0.1, "node": 0.05, "system": 0.05}) == per


def rate_of(page: str) -> Proposal:
    """The first rate of tokens of a page, as one of the H100."""
    place = next(each for each in places_of(scene_of(markdown(page))) if "token_rate" in each.values)
    chip = next(each for each in place.candidates if each.name == "NVIDIA H100")
    return Proposal(0, place, "token_rate", 2400.0, chip, 1, 0, 1, 0, 0, 0, 0, "")


@pytest.mark.parametrize(
    ("head", "hardware", "likeliest", "per"),
    [
        ("Tokens/s", "8x H100", "gpu", "node"),
        ("Tokens/s", "64 x H100", "gpu", "system"),
        ("Tokens/s", "1x H100", "gpu", "gpu"),
        ("Tokens/s per GPU", "8x H100", "gpu", "gpu"),
        ("Tokens/s", "8x H100", "user", "user"),
    ],
)
def test_what_ran_on_several_of_a_row_is_of_all_of_them(head: str, hardware: str, likeliest: str, per: str) -> None:
    page = f"| Hardware | {head} |\n|---|---|\n| {hardware} | 2,400 |\n| 2x B200 | 9,000 |\n"
    assert likeliest_per(rate_of(page), {likeliest: 0.8, "node": 0.05, "system": 0.05}) == per


@pytest.mark.parametrize("kind", ["product", "label", "unknown"])
def test_what_nobody_knows_is_judged_by_what_its_figures_are_per(kind: str) -> None:
    assert [kind_by(Candidate("Zeta", kind), per) for per in ("gpu", "node")] == ["accelerator", "system"]
    assert kind_by(Candidate("Frontier", "site"), "node") == "site"


def test_a_sentence_knows_each_name_by_its_nearest_place_and_its_first_order() -> None:
    text = "NVIDIA B200 and AMD MI300X: unlike the MI300X, the NVIDIA B200 draws 1 kW, and so on.\n"
    document = parse_document(text.encode(), media_type=None, charset=None, url="page.md", captured_at=WHEN)
    (place,) = [each for each in places_of(scene_of(document)) if each.figure.unit == "kW"]
    marks = {each.name: [each.marks.get(name) for name in ("first", "between", "gap")] for each in place.candidates}
    assert marks["NVIDIA B200"] == [True, 3, 7]
    assert marks["AMD Instinct MI300X"][::2] == [False, 24]


def test_a_rise_names_what_it_is_measured_against() -> None:
    text = "The NVIDIA B200 is 3x faster than the NVIDIA H100.\n"
    assert qualifiers(text, 3, "speedup", "NVIDIA B200")["baseline"] == "NVIDIA H100"


def test_who_speaks_is_an_organisation_with_those_above_it() -> None:
    speakers = Speakers.load()
    assert speakers.speaker("NVIDIA").organisation_id == "nvidia"
    assert speakers.speaker("").organisation_id == speakers.speaker("Nobody Ltd of Nowhere").organisation_id == ""


def test_who_makes_a_thing() -> None:
    speakers = Speakers.load()
    assert "nvidia" in speakers.makers("nvidia-gb200-nvl72", "NVIDIA GB200 NVL72")
    assert speakers.makers("", "Zeta R9") == frozenset()
