"""The wheel carries what the program reads: every committed file of its packages, and the list of sources."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
import yaml
from hatchling.builders.wheel import WheelBuilder
from typer.testing import CliRunner

from pipelines import __version__
from pipelines.cli import app
from pipelines.settings import PROJECT_ROOT, Settings

PACKAGES = ("pipelines", "warehouse", "dashboard", "rackledger")


def test_every_committed_file_of_the_packages_is_in_the_wheel() -> None:
    builder = WheelBuilder(str(PROJECT_ROOT))
    packed = {file.distribution_path for file in builder.recurse_included_files()}
    packed |= set(builder.config.force_include.values())
    listed = subprocess.run(
        ["git", "ls-files", "--", *PACKAGES], cwd=PROJECT_ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    committed = {name for name in listed if (PROJECT_ROOT / name).is_file()}
    assert len(committed) > 500
    assert committed - packed == set()
    assert {"pipelines/sources.yaml", "warehouse/assistants/method.md"} <= packed


def test_the_home_holds_all_state_unless_a_variable_says_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RACKLEDGER_HOME", str(tmp_path))
    monkeypatch.setenv("RACKLEDGER_PUBLISHED", str(tmp_path / "elsewhere"))
    settings = Settings()
    assert (settings.data, settings.warehouse) == (tmp_path / "data", tmp_path / "warehouse" / "rackledger.duckdb")
    assert settings.published == tmp_path / "elsewhere"
    assert settings.facts == PROJECT_ROOT / "warehouse" / "facts"


def test_the_version_is_told() -> None:
    done = CliRunner().invoke(app, ["--version"])
    assert (done.exit_code, done.output) == (0, f"rackledger {__version__}\n")


@pytest.mark.parametrize("name", ["compose.yaml", "dagster.yaml"])
def test_files_of_the_deployment_are_well_formed(name: str) -> None:
    found = yaml.safe_load((PROJECT_ROOT / "deploy" / name).read_text(encoding="utf-8"))
    if name == "dagster.yaml":
        assert set(found["storage"]["postgres"]["postgres_db"]) >= {"hostname", "username", "password", "db_name"}
        return
    assert set(found["services"]) == {"postgres", "daemon", "webserver", "dashboard"}
    assert {service.get("restart") for service in found["services"].values()} == {"unless-stopped"}
    assert found["services"]["webserver"]["ports"] == ["127.0.0.1:3000:3000"]


def test_the_image_copies_all_that_its_wheel_is_made_of() -> None:
    lines = (PROJECT_ROOT / "deploy" / "Containerfile").read_text(encoding="utf-8").splitlines()
    copied = {name for line in lines if line.startswith("COPY ") for name in line.split()[1:-1]}
    config = WheelBuilder(str(PROJECT_ROOT)).config
    forced = {Path(place).relative_to(PROJECT_ROOT).as_posix() for place in config.force_include}
    wanted = {*PACKAGES, *forced, "pyproject.toml", "README.md", "LICENSE", ".gitignore", "requirements.lock"}
    assert set(config.packages) == set(PACKAGES)
    assert wanted - copied == set()
    assert {name for name in copied if not (PROJECT_ROOT / name).exists()} == set()


def test_the_image_runs_as_nobody_special_and_says_whether_it_is_well() -> None:
    lines = (PROJECT_ROOT / "deploy" / "Containerfile").read_text(encoding="utf-8").splitlines()
    assert "USER rackledger" in lines
    assert any(line.startswith("HEALTHCHECK") for line in lines)
    assert lines.index("USER rackledger") < next(i for i, line in enumerate(lines) if line.startswith("CMD"))


def test_commands_of_the_deployment_exist() -> None:
    """What units, cron line and image start is a command of this program, with flags that it knows."""
    places = [*(PROJECT_ROOT / "deploy" / "systemd").glob("*.service"), PROJECT_ROOT / "deploy" / "crontab"]
    text = "\n".join(path.read_text(encoding="utf-8") for path in places)
    for command, flag in (("run", "--wait"), ("dashboard", "--host")):
        assert f"bin/rackledger {command} {flag}" in text
        assert flag in CliRunner().invoke(app, [command, "--help"], env={"COLUMNS": "200"}).output
