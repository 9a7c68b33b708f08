"""What the registry says of a name, and what it suggests to add."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

from pipelines.cli import app
from pipelines.registry import RegistryError, load_registry
from pipelines.registry.entries import AcceleratorEntry
from pipelines.registry.product_like import Example, as_yaml, most_frequent, tally
from pipelines.registry.spellings import describe

RUNNER = CliRunner()


def test_the_two_names_of_one_machine_describe_it() -> None:
    for name in ("Vera Rubin NVL144", "VR NVL72"):
        assert ("system", "nvidia-vera-rubin-nvl72") in {(found.kind, found.id) for found in describe(name)}


def test_a_name_of_two_things_describes_both() -> None:
    assert [(found.kind, found.id) for found in describe("Colossus")] == [("site", "xai-colossus")]
    assert [(found.kind, found.id) for found in describe("Rubin")] == [
        ("accelerator", "nvidia-rubin"),
        ("generation", "nvidia-rubin"),
    ]


def test_the_most_frequent_names_come_first_and_are_no_entry_before_they_are_filled_in() -> None:
    found = tally(
        [
            ("QX 77", Example("https://a.example/", 3, 8), ""),
            ("Zed-9", Example("https://a.example/", 10, 15), "nvidia"),
            ("QX77", Example("b", 0, 4), ""),
        ]
    )
    ordered = most_frequent(found, 5)
    assert [(each.name, each.occurrences, each.documents) for each in ordered] == [("QX 77", 2, 2), ("Zed-9", 1, 1)]
    assert [each.name for each in most_frequent(found, 1)] == ["QX 77"]
    text = as_yaml(ordered)
    assert "# 2 mentions in 2 documents" in text
    assert "https://a.example/ [3:8]" in text
    first, second = yaml.safe_load(text)
    assert second["id"] == "nvidia-zed-9"
    with pytest.raises(ValueError, match="pattern"):
        AcceleratorEntry.model_validate(first)


def test_the_command_reads_files(tmp_path: Path) -> None:
    path = tmp_path / "note.md"
    path.write_text("# Racks\n\nThe NVIDIA Zeta9000 has 72 GPUs.\n", encoding="utf-8")
    result = RUNNER.invoke(app, ["registry", "suggest", str(path)])
    assert result.exit_code == 0
    assert "id: nvidia-zeta9000" in result.output
    assert RUNNER.invoke(app, ["registry", "show", "Cray X-MP"]).exit_code == 1
    assert "nvidia-gb300-nvl72" in RUNNER.invoke(app, ["registry", "show", "GB300 NVL72"]).output


def test_fiscal_years_of_the_companies_that_report_odd_ones() -> None:
    registry = load_registry()
    starts = {
        name: entry.fiscal_year_start
        for name in ("nvidia", "microsoft", "oracle", "apple", "micron", "broadcom")
        if (entry := registry.organisation(name)) is not None
    }
    assert starts == {"nvidia": 2, "microsoft": 7, "oracle": 6, "apple": 10, "micron": 9, "broadcom": 11}
    assert issubclass(RegistryError, ValueError)
