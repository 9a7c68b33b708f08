"""`rackledger model`: claims proposed by a language model behind an address of yours, grounded in the text."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipelines.commands import EXIT_FAILED, EXIT_USAGE
from pipelines.commands.extract import Known, load_document, origin_of
from pipelines.commands.terminal import fail, load_settings, messages, read_day

if TYPE_CHECKING:
    from pipelines.endpoint.ask import Ask

app = typer.Typer(no_args_is_help=True, help="Claims proposed by a language model; off unless an address is set.")


@app.callback()
def model() -> None:
    """Claims proposed by a language model; off unless an address is set."""


@app.command("read")
def read(
    files: Annotated[list[Path], typer.Argument(help="Documents: HTML, PDF, feed, markdown, text.")],
    publisher: Annotated[str, typer.Option("--publisher", help="Who published them, where they do not say.")] = "",
    published: Annotated[str, typer.Option("--published", help="Their day, YYYY-MM-DD.")] = "",
    calls: Annotated[int, typer.Option("--calls", min=0, help="The most questions of this run.")] = 200,
    calls_per_document: Annotated[
        int, typer.Option("--calls-per-document", min=0, help="The most questions of one document.")
    ] = 40,
    kept_only: Annotated[bool, typer.Option("--kept", help="Ask nobody: read the answers that are kept.")] = False,
) -> None:
    """Print what a model reads in documents and what stands there, as JSON lines; all of it candidates.

    RACKLEDGER_MODEL_URL is the address (https://host/v1), RACKLEDGER_MODEL_NAME the model, RACKLEDGER_MODEL_KEY its
    key where it wants one. Answers are kept below data/: a second run asks only what is not there. What was dropped,
    and why, is counted on standard error.

    Example: RACKLEDGER_MODEL_URL=http://localhost:8000/v1 RACKLEDGER_MODEL_NAME=local rackledger model read page.html
    """
    from pipelines.endpoint.ask import Budget, Kept, read_document
    from pipelines.endpoint.client import EndpointError
    from pipelines.extract.output import record_of

    settings = load_settings()
    ask = None if kept_only else _asking()
    kept, budget = Kept(settings.model_answers), Budget(calls, calls_per_document)
    known = Known(publisher, read_day("--published", published))
    dropped: Counter[str] = Counter()
    kept_before = left = failed = 0
    for path in files:
        document = load_document(path) if path.is_file() else fail(f"{path}: no such file", EXIT_USAGE)
        if document is None:
            failed += 1
            continue
        origin = origin_of(path.name, known, document)
        try:
            found = read_document(document, origin, settings.model_name, kept, ask, budget)
        except EndpointError as error:
            fail(f"{error}; what was answered is kept, and the next run goes on from there", EXIT_FAILED)
        for claim in found.grounded.claims:
            sys.stdout.write(json.dumps(record_of(claim, path.name, document.text), ensure_ascii=False) + "\n")
        dropped.update(found.grounded.dropped)
        kept_before, left = kept_before + found.kept, left + found.left
    messages.print(f"{budget.asked:,} asked, {kept_before:,} kept before, {left:,} left for another run", markup=False)
    for reason, count in sorted(dropped.items()):
        messages.print(f"dropped {count:,}: {reason}", markup=False)
    if failed:
        raise typer.Exit(EXIT_FAILED)


def _asking() -> Ask:
    """How the address of the settings is asked; ends the command where none is set."""
    from pipelines.endpoint.client import Client

    settings = load_settings()
    if settings.offline:
        fail("RACKLEDGER_OFFLINE is set: --kept reads the answers that are kept", EXIT_USAGE)
    if not settings.model_url or not settings.model_name:
        fail("no model is set: RACKLEDGER_MODEL_URL and RACKLEDGER_MODEL_NAME say which (docs/model.md)", EXIT_USAGE)
    return Client(settings.model_url, settings.model_key.get_secret_value()).answer
