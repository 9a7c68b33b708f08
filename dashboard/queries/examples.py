"""Example statements of the SQL page (`examples.yaml`). Each runs on the committed facts alone; a test runs all."""

from __future__ import annotations

from pathlib import Path

import yaml

from pipelines.frozen import frozen


@frozen
class Example:
    """A statement and the question it answers."""

    id: str
    title: str
    sql: str


EXAMPLES = tuple(
    Example(name, **entry)
    for name, entry in yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8")).items()
)
