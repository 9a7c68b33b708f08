"""`rackledger site`: the record as a folder of plain pages for any static host."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pipelines.commands import EXIT_NO_WAREHOUSE
from pipelines.commands.terminal import AsJson, fail, load_settings, out, print_json


def site(
    folder: Annotated[Path, typer.Argument(help="The folder to write; what did not change there stays.")],
    root: Annotated[str, typer.Option(help="The address that the folder will have.")] = "https://example.org/",
    as_json: AsJson = False,
) -> None:
    """Write a page for each thing, organisation and benchmark, a first page, a search index, a feed and a sitemap.

    Only what changed is written.

    Example: rackledger site public --root https://example.org/
    """
    from pipelines.publish.site import write_site
    from warehouse.read import WarehouseMissing, WarehouseUnreadable

    try:
        made = write_site(load_settings().warehouse, folder, root)
    except (WarehouseMissing, WarehouseUnreadable) as error:
        fail(str(error), EXIT_NO_WAREHOUSE)
    if as_json:
        print_json({name: getattr(made, name) for name in made.__slots__})
        return
    out.print(f"{made.pages:,} files, {made.written:,} written, {made.gone:,} gone: {folder}", markup=False)
