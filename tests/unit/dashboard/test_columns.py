"""Labels of columns: units come from the tables, and stand beside a label only where they say something else."""

from __future__ import annotations

import re
from pathlib import Path

import yaml

from dashboard import columns
from warehouse.dictionary import column_units


def test_a_unit_is_that_of_the_tables_unless_the_label_says_another() -> None:
    assert columns.columns("nodes best_minutes document_count submitter", submitter="By") == {
        "nodes": "Nodes [count]",  # from the tables
        "best_minutes": "Best time [min]",  # shown shorter than the tables say it
        "document_count": "Documents [count]",  # made by a query: no table has it
        "submitter": "By",
    }
    assert columns.split_label(columns.labels()["on_time_share"]) == ("Share on time", "")


def test_no_unit_is_typed_that_a_table_declares() -> None:
    typed = yaml.safe_load((Path(columns.__file__).with_name("columns.yaml")).read_text(encoding="utf-8"))
    units = column_units()
    shown = {name: columns.split_label(label)[1] for name, label in typed.items()}
    assert [name for name, unit in shown.items() if unit and unit == units.get(name)] == []


def test_every_label_is_of_a_column_that_is_shown() -> None:
    folder = Path(columns.__file__).parent
    files = [*folder.rglob("*.py"), *folder.glob("views/*.yaml"), *folder.glob("components/*.yaml")]
    words = {word for path in files for word in re.findall(r"\w+", path.read_text(encoding="utf-8"))}
    assert [name for name in columns.labels() if name not in words] == []
