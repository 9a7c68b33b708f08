"""`rackledger model` and `rackledger train-reader`: claims that a language model proposes, and the reader's own."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipelines.commands import EXIT_FAILED, EXIT_USAGE
from pipelines.commands.extract import Known, load_document, origin_of
from pipelines.commands.terminal import fail, load_settings, messages, out, print_lines, read_day

if TYPE_CHECKING:
    from pipelines.endpoint.ask import Ask
    from pipelines.training.labels import Labelled


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
        print_lines(record_of(claim, path.name, document.text) for claim in found.grounded.claims)
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


def train_reader(
    folders: Annotated[
        list[Path], typer.Argument(help="Folders with docs/, docs.jsonl and gold.jsonl: documents and their labels.")
    ],
    folds: Annotated[
        int, typer.Option("--folds", help="Print figures by this many folds of repositories; 0: none.")
    ] = 0,
    output: Annotated[
        Path | None, typer.Option("--output", help="Write the readings of the folds, as JSON lines.")
    ] = None,
    save: Annotated[
        bool, typer.Option("--save/--no-save", help="Train on everything and write the model file.")
    ] = True,
    decisions: Annotated[
        bool, typer.Option("--decisions", help="Take decisions of `rackledger review` on these documents as labels.")
    ] = False,
    practice: Annotated[
        Path | None, typer.Option("--practice", help="Train on the marked, made-up pages of this folder too.")
    ] = None,
    version: Annotated[str, typer.Option("--version", help="The version the model file bears.")] = "1",
) -> None:
    """Train the reader's linker from labelled documents and write it as data.

    Label files with a quote that is not in the text, an unknown metric or unit are refused with line and reason. With
    --folds the figures are taken on documents whose repositories the models have not seen; nothing else is a figure.
    Needs the packages of the extra 'train'.

    Examples: rackledger train-reader LABELS --practice PAGES · rackledger train-reader LABELS --folds 5 --no-save
    """
    try:
        from pipelines.training.fit import FOLDS, Split, fit, held_out
        from pipelines.training.held_out import Reading, held_out_rows
        from pipelines.training.labels import LabelError, load_folder
        from pipelines.training.practice import practice_cases
        from pipelines.training.sayings import typed_facts
        from pipelines.training.turned import cases_of
    except ImportError as error:
        fail(f"training needs the extra 'train' ({error.name} is missing): pip install -e '.[train]'", EXIT_FAILED)
    from pipelines.registry.mentions import NameFinder
    from pipelines.registry.reader_model import FILE, save_reader_model

    if folds in (1, 2):
        fail("--folds needs three or more: models learn from what others say of folds not seen", EXIT_USAGE)
    finder = NameFinder.load()
    try:
        made_up = practice_cases(practice, finder) if practice else []
        loaded = [load_folder(folder) for folder in folders]
        if decisions:
            _decide(list(chain.from_iterable(loaded)))
    except (LabelError, ValueError) as error:
        fail(str(error), EXIT_FAILED)
    cases = [case for source in chain.from_iterable(loaded) for case in cases_of(source, finder)] + made_up
    messages.print(_counted([case.source for case in cases if case.is_measured]))
    typed = typed_facts(load_settings().facts)
    if folds:
        readings = [Reading(*found) for found in held_out(Split(cases, folds, typed))]
        _write(held_out_rows(readings, {document.name for document in loaded[-1]}, out), output)
    if save:
        digest = save_reader_model(fit(Split(cases, FOLDS, typed), version))
        out.print(f"{FILE.name} written, sha256 {digest}", markup=False)


def _counted(documents: Sequence[Labelled]) -> str:
    return f"{len(documents):,} documents, {sum(len(each.labels) for each in documents):,} labels"


def _write(rows: Sequence[Mapping[str, Any]], output: Path | None) -> None:
    if output is not None:
        output.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


def _decide(documents: list[Labelled]) -> None:
    """Let decisions change the labels, and say how many did what."""
    from pipelines.decisions import FILE, read
    from pipelines.ledger.read_claims import load_read
    from pipelines.training.cases import apply_decisions

    facts = load_read(load_settings().facts / "read")
    done = apply_decisions(documents, read(FILE), facts.names)
    messages.print("decisions: " + ", ".join(f"{count:,} {what}" for what, count in done.items()), markup=False)
