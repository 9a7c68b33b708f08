"""A column of lists is text in the published table's description: CSV holds it as JSON."""

from __future__ import annotations

import pytest

from pipelines.publish.package import _field


@pytest.mark.parametrize(
    ("data_type", "kind"),
    [("INTEGER", "integer"), ("BIGINT", "integer"), ("UBIGINT", "integer"), ("INTEGER[]", "string"),
     ("MAP(VARCHAR, INTEGER)", "string"), ("TIMESTAMP", "datetime")],
)  # fmt: skip
def test_only_whole_numbers_are_integers(data_type: str, kind: str) -> None:
    field = _field({"column": "counts", "data_type": data_type, "says": "accelerator counts", "unit": ""})
    assert field == {"name": "counts", "type": kind, "description": "accelerator counts"}
