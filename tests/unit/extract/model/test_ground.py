"""What of a model's answer stands in the document: every part is looked for, and what does not stand is counted."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pipelines.extract.model.ground import CONFIDENCE, PROPOSED, Dropped, Grounded, ground
from pipelines.extract.model.question import LARGEST, Chunk, chunks_of
from pipelines.model.claim import Method, Origin
from pipelines.model.document import Block, BlockKind, Document, DocumentFormat

TEXT = "The Zeta Z9 rack draws 120 kW in all. It ships in the second half of 2026, says its maker."
QUOTE = "draws 120 kW"
SAID = {
    "subject": "Zeta Z9", "metric": "power", "value": "120", "unit": "kW", "quote": QUOTE, "per": "", "precision": "",
}  # fmt: skip


def page(text: str = TEXT, title: str = "") -> Document:
    block = Block(BlockKind.PARAGRAPH, 0, len(text))
    return Document(document_id="d", format=DocumentFormat.TEXT, text=text, blocks=(block,), title=title)


def answered(*answers: object, document: Document | None = None) -> Grounded:
    read = document or page()
    (chunk,) = chunks_of(read)
    texts = (each if each is None or isinstance(each, str) else json.dumps({"claims": each}) for each in answers)
    return ground(read, Origin("page.md", "Zeta"), [(chunk, text) for text in texts])


def test_what_stands_in_the_text_is_a_candidate_with_the_place_of_its_digits() -> None:
    (claim,) = answered([SAID]).claims
    assert (claim.subject, claim.metric, claim.value, claim.unit) == ("Zeta Z9", "power", 120.0, "kW")
    assert TEXT[claim.value_at.start : claim.value_at.end] == "120"
    assert TEXT[claim.context.start : claim.context.end] == QUOTE
    assert (claim.method, claim.confidence, claim.doubt) == (Method.MODEL, CONFIDENCE, PROPOSED)
    assert (claim.state, claim.claimant) == ("candidate", "Zeta")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"metric": "charm"}, Dropped.NO_METRIC),
        ({"quote": "draws 121 kW"}, Dropped.NO_QUOTE),
        ({"quote": ""}, Dropped.NO_QUOTE),
        ({"quote": "The Zeta Z9 rack"}, Dropped.NO_NUMBER),
        ({"value": "121"}, Dropped.NO_NUMBER),
        ({"value": "a hundred and twenty"}, Dropped.NO_NUMBER),
        ({"subject": "Zeta Z8"}, Dropped.NO_NAME),
        ({"subject": "Zeta Z"}, Dropped.NO_NAME),  # a piece of a name is another name
        ({"subject": "--"}, Dropped.NO_NAME),
        ({"metric": "memory_bandwidth"}, Dropped.NO_UNIT),
    ],
)
def test_what_does_not_stand_is_dropped_by_its_first_fault(change: dict[str, str], reason: Dropped) -> None:
    found = answered([SAID | change])
    assert (found.claims, found.dropped) == ((), {reason: 1})


@pytest.mark.parametrize("answer", ["", "no", "[]", "{}", '{"claims": 3}', '{"claims": [3]}', '{"claims": [{}]}'])
def test_an_answer_of_another_form_is_counted_once(answer: str) -> None:
    assert answered(answer).dropped == {Dropped.NO_JSON: 1}


def test_a_refusal_is_counted_and_other_pieces_are_told() -> None:
    found = answered(None, [SAID])
    assert (len(found.claims), found.dropped) == (1, {Dropped.REFUSED: 1})


def test_a_claim_is_told_once_whatever_the_case_of_its_name() -> None:
    found = answered([SAID, SAID | {"subject": "ZETA Z9"}])
    assert (len(found.claims), found.dropped) == (1, {Dropped.TWICE: 1})


def test_a_value_that_nobody_believes_is_dropped() -> None:
    text = TEXT.replace("120 kW", "120 GW")
    found = answered([SAID | {"quote": "draws 120 GW", "unit": "GW"}], document=page(text))
    assert found.dropped == {Dropped.NOT_BELIEVABLE: 1}


def test_words_of_the_answer_that_the_text_lacks_are_no_qualifiers() -> None:
    (claim,) = answered([SAID | {"per": "rack", "precision": "FP8"}]).claims
    assert dict(claim.qualifiers) == {"per": "rack"}


def test_a_name_may_stand_in_the_title_alone() -> None:
    text = "It draws 120 kW in all."
    titled = answered([SAID], document=page(text, "The Zeta Z9, a rack"))
    assert len(titled.claims) == 1
    assert answered([SAID], document=page(text)).dropped == {Dropped.NO_NAME: 1}


def test_pieces_hold_each_character_once_and_keep_sections_and_tables_apart() -> None:
    parts: list[tuple[BlockKind, str, dict[str, Any]]] = [
        (BlockKind.HEADING, "Racks", {"level": 1}),
        (BlockKind.PARAGRAPH, "One.", {"heading_path": ("Racks",)}),
        (BlockKind.TABLE, "a | b", {"heading_path": ("Racks",), "table": 0}),
        (BlockKind.PARAGRAPH, "Two.", {"heading_path": ("Racks",)}),
        (BlockKind.PARAGRAPH, "x" * (LARGEST + 5), {"heading_path": ("Racks",)}),
    ]
    text, blocks = "", []
    for kind, words, more in parts:
        blocks.append(Block(kind, len(text), len(text) + len(words), **more))
        text += words + "\n"
    document = Document(document_id="d", format=DocumentFormat.TEXT, text=text, blocks=tuple(blocks))
    found = chunks_of(document)
    assert found[0] == Chunk(0, 10, ("Racks",))  # a heading stands with what follows it
    assert [each.is_table for each in found] == [False, True, False, False, False]
    assert [each.end - each.start for each in found[3:]] == [LARGEST, 5]
    assert [each.text(document) for each in found[:3]] == ["Racks\nOne.", "a | b", "Two."]
