"""Whatever a model answers: what is told stands in the document, and what it is asked holds the text as data."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pipelines.extract.model.ground import PROPOSED, ground
from pipelines.extract.model.question import LARGEST, chunks_of, request, schema
from pipelines.model.claim import Method, Origin
from pipelines.model.document import Block, BlockKind, Document, DocumentFormat
from pipelines.registry import load_registry

TEXT = (
    "The Zeta Z9 rack draws 120 kW, or 1,500 W a tray of FP8 work. It holds 72 GPUs with 288 GB each, weighs about "
    "1.5 t and ships in H2 2026. The Zeta Z8 drew 40 kW and shipped in 2024."
)
WORDS = ["", "Zeta Z9", "zeta z8", "Zeta", "GPUs", "120", "1,500", "72", "288", "H2 2026", "2024", "kW", "W", "GB", "t"]
QUOTES = ["draws 120 kW", "1,500 W a tray", "holds 72 GPUs with 288 GB", "ships in H2 2026", "shipped in 2024", TEXT]
METRICS = ["power", "memory_capacity", "accelerator_count", "weight", "available_from", "train_time", "no such metric"]
PLAIN = {"per": "", "precision": ""}
GOOD = [
    {"subject": "Zeta Z9", "metric": "power", "value": "120", "unit": "kW", "quote": "draws 120 kW"},
    {"subject": "Zeta Z9", "metric": "power", "value": "1,500", "unit": "W", "quote": "1,500 W a tray"},
    {"subject": "zeta z9", "metric": "accelerator_count", "value": "72", "unit": "", "quote": "holds 72 GPUs"},
    {"subject": "Zeta Z9", "metric": "available_from", "value": "H2 2026", "unit": "", "quote": "ships in H2 2026"},
    {"subject": "Zeta Z8", "metric": "power", "value": "40", "unit": "kW", "quote": "drew 40 kW"},
]
ELSE = st.fixed_dictionaries(
    {"per": st.sampled_from(["", "tray", "stack"]), "precision": st.sampled_from(["", "FP8", "fp4"])},
    optional={
        "subject": st.sampled_from(WORDS) | st.text(max_size=5), "metric": st.sampled_from(METRICS),
        "value": st.sampled_from(WORDS) | st.integers(0, 2000).map(str), "unit": st.sampled_from(WORDS),
        "quote": st.sampled_from(QUOTES) | st.sampled_from(WORDS),
    },
)  # fmt: skip
CLAIM = st.builds(lambda good, other: PLAIN | good | other, st.sampled_from(GOOD), st.just({}) | ELSE)
ANSWERS = st.lists(st.none() | st.text(max_size=20) | st.lists(CLAIM, max_size=4), min_size=1, max_size=3)


def page(text: str) -> Document:
    block = Block(BlockKind.PARAGRAPH, 0, len(text))
    return Document(document_id="d", format=DocumentFormat.TEXT, text=text, blocks=(block,))


def written(answer: Any) -> str | None:
    return json.dumps({"claims": answer}) if isinstance(answer, list) else answer


def _number(printed: str) -> float:
    try:
        return float(printed.replace(",", ""))
    except ValueError:
        return -1.0


@given(ANSWERS)
def test_nothing_is_told_that_does_not_stand_in_the_text_and_nothing_is_told_twice(answers: list[Any]) -> None:
    document = page(TEXT)
    (chunk,) = chunks_of(document)
    found = ground(document, Origin("page.md", "Zeta"), [(chunk, written(answer)) for answer in answers])
    asked = sum(len(answer) if isinstance(answer, list) else 1 for answer in answers)
    assert len(found.claims) + sum(found.dropped.values()) == asked  # each is told or counted, none is lost
    metrics = {metric.id: metric for metric in load_registry().metrics()}
    for claim in found.claims:
        assert claim.subject.casefold() in TEXT.casefold()
        assert claim.context.start <= claim.value_at.start < claim.value_at.end <= claim.context.end
        digits = TEXT[claim.value_at.start : claim.value_at.end]
        assert digits in claim.printed
        given = [item for answer in answers if isinstance(answer, list) for item in answer]
        assert any(
            item["subject"].strip() in (claim.subject, claim.subject.casefold())
            and item["metric"] == claim.metric
            and (item["value"].strip() in digits if claim.value is None else _number(item["value"]) == _number(digits))
            for item in given
        )
        assert (claim.value is None) == (metrics[claim.metric].kind == "date") == (claim.period_start is not None)
        assert claim.unit == metrics[claim.metric].unit
        assert all(word in TEXT.casefold() for name, word in claim.qualifiers if name in ("per", "precision"))
        assert (claim.method, claim.state, claim.doubt) == (Method.MODEL, "candidate", PROPOSED)
    said = [(c.subject.casefold(), c.metric, c.value, c.period_start, c.period_end) for c in found.claims]
    assert len(set(said)) == len(said)
    assert [c.value_at for c in found.claims] == sorted(c.value_at for c in found.claims)


def test_all_that_stands_is_told() -> None:
    document = page(TEXT)
    (chunk,) = chunks_of(document)
    found = ground(document, Origin("page.md", "Zeta"), [(chunk, written([PLAIN | each for each in GOOD]))])
    assert (len(found.claims), found.dropped) == (len(GOOD), {})


BLOCKS = st.lists(
    st.tuples(
        st.sampled_from([BlockKind.PARAGRAPH, BlockKind.HEADING, BlockKind.TABLE]),
        st.sampled_from([1, 40, LARGEST // 2, LARGEST, LARGEST + 1, 2 * LARGEST + 7]), st.sampled_from([(), ("A",)]),
    ),
    max_size=7,
)  # fmt: skip


@given(BLOCKS)
def test_each_character_of_a_block_is_asked_about_once_and_in_no_piece_too_large(parts: list[Any]) -> None:
    at, blocks = 0, []
    for kind, length, above in parts:
        more: Mapping[str, Any] = {"table": 0} if kind is BlockKind.TABLE else {"level": kind is BlockKind.HEADING}
        blocks.append(Block(kind, at, at + length, heading_path=above, **more))
        at += length + 1
    document = Document(document_id="d", format=DocumentFormat.TEXT, text="x" * at, blocks=tuple(blocks))
    found = chunks_of(document)
    for block in blocks:
        assert all(sum(each.start <= place < each.end for each in found) == 1 for place in (block.start, block.end - 1))
    assert all(0 < each.end - each.start <= LARGEST for each in found)
    assert all(one.end <= two.start for one, two in pairwise(found))
    tables = [(block.start, block.end) for block in blocks if block.kind is BlockKind.TABLE]
    for each in found:  # a piece is of a table alone, or of none
        beside = [start for start, end in tables if each.start < end and start < each.end]
        assert bool(beside) == each.is_table
        assert len(beside) < 2


@given(st.text(alphabet="=\nab", max_size=60), st.integers(0, 30))
def test_a_text_cannot_end_the_lines_between_which_it_stands(text: str, more: int) -> None:
    text += "=" * more
    asked = request(text, ("Racks", "Power"), "some-model")["messages"][1]["content"]
    head, fence, _ = asked.split("\n", 2)
    assert head == "Headings: Racks > Power"
    assert asked == f"{head}\n{fence}\n{text}\n{fence}"
    assert set(fence) == {"="}
    assert fence not in text


def test_a_model_is_told_every_metric_and_asked_for_all_that_is_looked_for() -> None:
    body = request("text", (), "some-model")
    listed = body["messages"][0]["content"].partition("Metrics:\n")[2].split("\n")
    assert [line.partition(" ")[0] for line in listed] == [metric.id for metric in load_registry().metrics()]
    assert body["response_format"]["json_schema"]["schema"] == schema()
    claim = schema()["properties"]["claims"]["items"]
    assert set(claim["required"]) == set(claim["properties"])
    lacking = [{name: "x" for name in claim["required"] if name != left} for left in claim["required"]]
    document = page(TEXT)
    (chunk,) = chunks_of(document)
    found = ground(document, Origin("page.md"), [(chunk, written(lacking))])
    assert found.claims == ()
    assert list(found.dropped.values()) == [len(lacking)]  # an answer without any one of them is of another form
