"""`rackledger registry`: what the registry knows of a name, and what documents name that it does not know."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipelines.clock import utc_now
from pipelines.commands import EXIT_FAILED
from pipelines.commands.terminal import AsJson, fail, open_warehouse, out, print_json, table
from pipelines.suggest import did_you_mean

if TYPE_CHECKING:
    from pipelines.registry.product_like import Unmatched

app = typer.Typer(no_args_is_help=True, help="The curated names: look one up, or see which are missing.")


@app.command("show")
def show(
    name: Annotated[str, typer.Argument(help="A name, in any spelling the registry knows, or an id.")],
    as_json: AsJson = False,
) -> None:
    """Show what the registry holds under a name: id, maker, kind, parts, other spellings, names over time.

    Example: rackledger registry show "Vera Rubin NVL144"
    """
    from pipelines.registry.spellings import describe, names

    found = describe(name)
    if not found:
        fail(f"The registry knows no {name!r}{did_you_mean(name, names())}", EXIT_FAILED)
    if as_json:
        print_json([asdict(each) for each in found])
        return
    for each in found:
        table(f"{each.kind}: {each.name}", ("", "value"), [("id", each.id), *each.facts])


@app.command("suggest")
def suggest(
    paths: Annotated[list[Path] | None, typer.Argument(help="Documents to read; default: the warehouse.")] = None,
    most: Annotated[int, typer.Option("--most", "-n", min=1, help="How many names.")] = 20,
) -> None:
    """Print the most frequent names that look like products and match nothing, as YAML to paste and fill in.

    Example: rackledger registry suggest | less
    """
    from pipelines.registry.product_like import as_yaml, most_frequent

    found = _in_files(paths) if paths else _in_warehouse()
    text = as_yaml(most_frequent(found, most))
    out.print(text if text else "# every product name found is in the registry", markup=False, soft_wrap=True)


def _in_warehouse() -> Sequence[Unmatched]:
    from pipelines.registry.product_like import Example, Unmatched
    from warehouse.answers.health import unmatched_names

    with open_warehouse() as warehouse:
        return [
            Unmatched(
                row["name"],
                row["occurrences"],
                row["documents"],
                tuple(
                    Example(each["url"] or each["document_id"], each["locator_start"], each["locator_end"])
                    for each in row["examples"]
                ),
            )
            for row in unmatched_names(warehouse.rows)
        ]


def _in_files(paths: Iterable[Path]) -> Sequence[Unmatched]:
    from pipelines.parse.document import parse_document
    from pipelines.problems import InputError
    from pipelines.registry.mentions import NameFinder
    from pipelines.registry.product_like import Example, tally

    finder = NameFinder.load()
    found: list[tuple[str, Example, str]] = []
    for path in paths:
        try:
            document = parse_document(
                path.read_bytes(), media_type=None, charset=None, url=path.name, captured_at=utc_now()
            )
        except (InputError, OSError) as error:
            fail(f"{path}: {error}", EXIT_FAILED)
        found.extend(
            (item.text, Example(path.name, item.start, item.end), item.maker_id)
            for item in finder.products(document.text, document.title or "")
        )
    return tally(found)
