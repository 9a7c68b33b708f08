"""`rackledger publish` and `rackledger site`: the published version as files, and as plain pages for any host."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

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


PACKAGES = "site-sql/node_modules"  # where `make site-sql` puts what the page of SQL runs


def site(
    folder: Annotated[Path, typer.Argument(help="The folder to write; what did not change there stays.")],
    root: Annotated[str, typer.Option(help="The address that the folder will have.")] = "https://example.org/",
    app: Annotated[str, typer.Option(help="The address of a dashboard with the same record, if there is one.")] = "",
    as_json: AsJson = False,
) -> None:
    """Write a page for each thing, organisation, benchmark and chart, a first page, a search index, a feed, a sitemap.

    A chart comes with its rows as files, as picture for print and as page to embed. Only what changed is written, and
    former versions stay. A page of SQL runs in the reader's browser where `make site-sql` brought DuckDB-WASM.

    Example: rackledger site public --root https://example.org/
    """
    from dashboard.site import more_pages
    from pipelines.publish.site import write_site
    from warehouse.read import WarehouseMissing, WarehouseUnreadable

    try:
        settings = load_settings()
        warehouse, published, packages = settings.warehouse, settings.published, settings.data / PACKAGES
        app = f"{app.rstrip('/')}/" if app else ""
        elsewhere = partial(more_pages, warehouse, app=app, published=published, packages=packages)
        made = write_site(warehouse, folder, root, elsewhere, app, published)
    except (WarehouseMissing, WarehouseUnreadable) as error:
        fail(str(error), EXIT_NO_WAREHOUSE)
    if as_json:
        print_json(asdict(made))
        return
    out.print(f"{made.pages:,} files, {made.written:,} written, {made.gone:,} gone: {folder}", markup=False)
