"""What `deploy/` says holds for the locked packages, as far as it can be seen without a container."""

from __future__ import annotations

from pathlib import Path

import pytest
import sqlalchemy
import yaml
from dagster._config import post_process_config, process_config, resolve_to_config_type
from dagster_postgres.storage import DagsterPostgresStorage
from dagster_postgres.utils import pg_url_from_config

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"
ENVIRONMENT = {"HOST": "postgres", "USER": "dagster", "PASSWORD": "p@ss", "DB": "records"}


def test_the_database_driver_that_dagster_is_told_of_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLAlchemy's own choice of a driver changed once, and no process of the container started."""
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(f"DAGSTER_PG_{name}", value)
    written = yaml.safe_load((DEPLOY / "dagster.yaml").read_text())["storage"]["postgres"]
    form = resolve_to_config_type(DagsterPostgresStorage.config_type())
    checked = process_config(form, written)
    assert checked.success, checked.errors
    config = post_process_config(form, checked.value).value
    assert config is not None
    engine = sqlalchemy.create_engine(pg_url_from_config(config))  # imports the driver; asks no server
    assert (engine.url.host, engine.url.password, engine.url.database) == ("postgres", "p@ss", "records")
