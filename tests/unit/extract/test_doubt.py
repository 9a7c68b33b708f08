"""What speaks against a reading as a fact, by the words before its value."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from pipelines.extract.reader import ClaimReader
from pipelines.model.claim import Origin
from pipelines.parse.document import parse_document

READER = ClaimReader()


@pytest.mark.parametrize(
    ("sentence", "doubt"),
    [
        ("It draws a total of 10.2 kW.", ""),
        ("A typical server draws 10.2 kW.", "of a kind of thing, not of one"),
    ],
)
def test_a_total_is_a_machines_own_and_a_typical_one_is_of_a_kind(sentence: str, doubt: str) -> None:
    page = f"# NVIDIA DGX H100\n\nThe NVIDIA DGX H100 holds 8 GPUs with 640 GB of memory.\n\n{sentence}\n"
    document = parse_document(
        page.encode(), media_type=None, charset=None, url="page.md", captured_at=datetime(2026, 11, 20, tzinfo=UTC)
    )
    claims = READER.extract(document, Origin("page.md", "NVIDIA", None, ""))
    assert [claim.doubt for claim in claims if claim.metric == "power"] == [doubt]
