"""`rackledger train-reader`: the reader's model from labelled documents, and its figures on repositories left out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipelines.commands import EXIT_FAILED, EXIT_USAGE
from pipelines.commands.terminal import fail, load_settings, messages, out

if TYPE_CHECKING:
    from pipelines.training.labels import Labelled


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
    version: Annotated[str, typer.Option("--version", help="The version the model file bears.")] = "1",
) -> None:
    """Train the reader's linker from labelled documents and write it as data.

    Label files with a quote that is not in the text, an unknown metric or unit are refused with line and reason. With
    --folds the figures are taken on documents whose repositories the models have not seen; nothing else is a figure.
    Needs the packages of the extra 'train'.

    Examples: rackledger train-reader LABELS MORE_LABELS · rackledger train-reader LABELS --folds 5 --no-save
    """
    try:
        from pipelines.training.cases import case_of
        from pipelines.training.fit import FOLDS, Split, fit, held_out
        from pipelines.training.held_out import Reading, held_out_rows
        from pipelines.training.labels import LabelError, load_folder
        from pipelines.training.sayings import typed_facts
    except ImportError as error:
        fail(f"training needs the extra 'train' ({error.name} is missing): pip install -e '.[train]'", EXIT_FAILED)
    from pipelines.registry.mentions import NameFinder
    from pipelines.registry.reader_model import FILE, save_reader_model

    if folds in (1, 2):
        fail("--folds needs three or more: models learn from what others say of folds not seen", EXIT_USAGE)
    finder = NameFinder.load()
    try:
        loaded = [load_folder(folder) for folder in folders]
        if decisions:
            _decide([document for documents in loaded for document in documents])
    except (LabelError, ValueError) as error:
        fail(str(error), EXIT_FAILED)
    cases = [case_of(document, finder) for documents in loaded for document in documents]
    messages.print(f"{len(cases):,} documents, {sum(len(case.source.labels) for case in cases):,} labels")
    typed = typed_facts(load_settings().facts)
    if folds:
        readings = [Reading(*found) for found in held_out(Split(cases, folds, typed))]
        rows = held_out_rows(readings, {document.name for document in loaded[-1]}, out)
        if output is not None:
            output.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    if save:
        digest = save_reader_model(fit(Split(cases, FOLDS, typed), version))
        out.print(f"{FILE.name} written, sha256 {digest}", markup=False)


def _decide(documents: list[Labelled]) -> None:
    """Let decisions change the labels, and say how many did what."""
    from pipelines.decisions import FILE, read
    from pipelines.ledger.read_claims import load_read
    from pipelines.training.cases import apply_decisions

    facts = load_read(load_settings().facts / "read")
    done = apply_decisions(documents, read(FILE), facts.names)
    messages.print("decisions: " + ", ".join(f"{count:,} {what}" for what, count in done.items()), markup=False)
