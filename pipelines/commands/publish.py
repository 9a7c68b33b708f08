"""`rackledger publish`: the published version as Parquet, CSV and a data package."""

from __future__ import annotations

from dataclasses import asdict

from pipelines.commands import EXIT_NO_WAREHOUSE
from pipelines.commands.terminal import AsJson, fail, load_settings, out, print_json


def publish(as_json: AsJson = False) -> None:
    """Write the published warehouse as files: DuckDB, Parquet, CSV, datapackage.json and SHA256SUMS."""
    from pipelines.publish.package import publish_package
    from warehouse.read import WarehouseMissing, WarehouseUnreadable

    settings = load_settings()
    try:
        package = publish_package(settings.warehouse, settings.published)
    except (WarehouseMissing, WarehouseUnreadable) as error:
        fail(str(error), EXIT_NO_WAREHOUSE)
    if as_json:
        print_json(asdict(package))
        return
    state = "written" if package.is_new else "was there already"
    out.print(f"{package.tables} tables, {package.byte_count / 1e6:.1f} MB, {state}: {package.folder}", markup=False)
