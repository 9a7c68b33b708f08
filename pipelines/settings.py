"""Environment → frozen Settings. The run's id and time are minted here, once, and passed on.

Nothing else reads the environment or the clock for a run. Every variable has the prefix `RACKLEDGER_`.
"""

from __future__ import annotations

import datetime as dt
import os
from functools import lru_cache
from pathlib import Path
from typing import Literal

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

from pipelines import clock
from pipelines.frozen import frozen

PROJECT_ROOT = Path(__file__).resolve().parent.parent
PREFIX = "RACKLEDGER_"
IS_CHECKOUT = (PROJECT_ROOT / "pyproject.toml").is_file()  # else the package is installed, and ships its sources inside
SOURCES = PROJECT_ROOT / "sources.yaml" if IS_CHECKOUT else PROJECT_ROOT / "pipelines" / "sources.yaml"
_WEB = "^(https?://.+)?$"


def default_home() -> Path:
    """The checkout; for an installed package the user's folder for data."""
    if IS_CHECKOUT:
        return PROJECT_ROOT
    return Path(os.environ.get("XDG_DATA_HOME") or "~/.local/share").expanduser() / "rackledger"


class Settings(BaseSettings):
    """Where things lie and how a run behaves. Raises pydantic's ValidationError naming the variable."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, frozen=True, extra="forbid")

    home: Path = Field(default_factory=default_home, description="folder that data, warehouse and published lie in")
    data: Path = Field(
        default_factory=lambda given: given["home"] / "data",
        description="folder for all that a run makes: archive, lake, builds, Dagster home",
    )
    warehouse: Path = Field(
        default_factory=lambda given: given["home"] / "warehouse" / "rackledger.duckdb",
        description="the published DuckDB file",
    )
    published: Path = Field(
        default_factory=lambda given: given["home"] / "warehouse" / "published",
        description="folder for the published Parquet, CSV and data package",
    )
    facts: Path = Field(PROJECT_ROOT / "warehouse" / "facts", description="folder of committed facts")
    sources: Path = Field(SOURCES, description="the list of sources")
    offline: bool = Field(False, description="true: never touch the network")
    contact: str = Field("", description="how a site's owner can reach you; sent in the User-Agent")
    workers: int = Field(os.cpu_count() or 1, ge=1, le=256, description="processes that parse at the same time")
    memory_limit: str = Field(
        "4GB", pattern=r"^\d+(\.\d+)? ?([KMGT]i?B|%)$", description="DuckDB's memory limit for a build"
    )
    remote: str = Field(
        "",
        pattern=r"^([a-z][a-z0-9+.-]*://.+)?$",
        description="fsspec URL (s3://bucket/folder) that keeps archive and lake; data is then a working copy",
    )
    catalog: str = Field(
        "", description="DuckLake catalog that gets the lake's tables after a build: a file, or postgres:dbname=…"
    )
    catalog_files: Path = Field(
        default_factory=lambda given: given["data"] / "ducklake",
        description="folder of the catalog's Parquet files, one for all writers",
    )
    dask: str = Field(
        "",
        pattern=r"^(local|[a-z]+://.+)?$",
        description="local, or a Dask scheduler (tcp://host:8786): Dagster's steps run on its workers",
    )
    alarm_url: str = Field(
        "", pattern=_WEB, description="an address of yours that is told, by POST, when a run is not well"
    )
    model_url: str = Field(
        "",
        pattern=_WEB,
        description="an OpenAI-compatible address (https://host/v1) whose model proposes claims; empty: none",
    )
    model_name: str = Field("", description="the model's name at that address")
    model_key: SecretStr = Field(SecretStr(""), description="its key, where it wants one")
    draw_ahead: bool = Field(True, description="false: the dashboard draws a card when its page is opened, none before")
    schedules: bool = Field(False, description="true: Dagster's schedules run unless stopped by hand")
    api_rate: int = Field(
        240, ge=0, le=100_000, description="requests to the API that one address may make in a minute; 0: any"
    )
    metrics_open: bool = Field(
        False, description="true: the dashboard's /metrics answers to every address, not to this machine alone"
    )
    log_format: Literal["text", "json"] = Field(
        "text", description="json: messages of a run are JSON lines on standard error"
    )
    public_address: str = Field(
        "",
        pattern=_WEB,
        description="the dashboard's address as readers reach it (https://host/): in feeds and embedded charts; "
        "empty: that of its socket",
    )
    port: int = Field(8501, ge=1, le=65535, description="port of the dashboard")

    @property
    def archive(self) -> Path:
        return self.data / "archive"

    @property
    def lake(self) -> Path:
        return self.data / "lake"

    @property
    def model_answers(self) -> Path:
        return self.data / "model_answers"

    @property
    def quarantine_decisions(self) -> Path:
        return self.data / "decisions" / "quarantine.jsonl"

    @property
    def metrics(self) -> Path:
        return self.data / "metrics" / "rackledger.prom"

    @property
    def builds(self) -> Path:
        return self.data / "builds"

    @property
    def dagster_home(self) -> Path:
        return self.data / "dagster"


def current_settings() -> Settings:
    """The settings of the environment as it is now, read anew only when it changed: for what asks at every click."""
    return _settings(tuple(sorted(item for item in os.environ.items() if item[0].startswith(PREFIX))))


@lru_cache(maxsize=4)
def _settings(environment: tuple[tuple[str, str], ...]) -> Settings:  # the environment is the key, and read inside
    return Settings()


@frozen
class Run:
    """One run of the main job: `run_at` is UTC, `run_id` sorts by time."""

    run_id: str
    run_at: dt.datetime


def mint_run() -> Run:
    """A run of this moment; all that it makes is dated by it."""
    now = clock.this_second()
    return Run(run_id=f"{now:%Y%m%dT%H%M%SZ}-{os.getpid()}", run_at=now)


def unknown_variables() -> list[str]:
    """Variables with our prefix that no setting reads: most likely typing errors."""
    known = {PREFIX + name.upper() for name in Settings.model_fields}
    return sorted(name for name in os.environ if name.startswith(PREFIX) and name.upper() not in known)
