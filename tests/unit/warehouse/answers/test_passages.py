"""A claim's passage comes from whichever part of its source's partition holds the document."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from pipelines.lake import Lake, Part
from warehouse.answers.passages import passage


def put(lake: Lake, part: Part, **texts: str) -> None:
    rows = pa.table({"document_id": list(texts), "text": list(texts.values())})
    lake.write("documents", "news", rows, inputs=f"{part}", code="1", part=part)


def test_the_passage_of_a_document_that_came_later_is_found(tmp_path: Path) -> None:
    lake = Lake(tmp_path)
    put(lake, Part(0, 0), first="A rack takes 120 kW today.")
    put(lake, Part(1, 1), second="A rack takes 600 kW in 2027.")
    assert passage(tmp_path, "news", "first", 13, 19) == ("A rack takes ", "120 kW", " today.")
    assert passage(tmp_path, "news", "second", 13, 19) == ("A rack takes ", "600 kW", " in 2027.")


def test_what_is_not_kept_here_has_no_passage(tmp_path: Path) -> None:
    put(Lake(tmp_path), Part(0, 0), first="A rack takes 120 kW today.")
    assert passage(tmp_path, "news", "third", 13, 19) is None
    assert passage(tmp_path, "other", "first", 13, 19) is None
    assert passage(tmp_path, "../news", "first", 13, 19) is None
    assert passage(tmp_path, "news", "first", 13, 99) is None
