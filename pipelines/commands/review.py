"""`rackledger review`: the candidates by the value of a decision, and a person's word on each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any

import typer

from pipelines.clock import utc_now
from pipelines.commands import EXIT_FAILED, EXIT_USAGE
from pipelines.commands.terminal import LineFormat, fail, load_settings, open_warehouse, out, print_lines, table
from pipelines.decisions import FILE, Decision, Verdict, append, read

app = typer.Typer(no_args_is_help=True, help="Candidates of the reader: list them, and decide on each.")

_AROUND = 60  # characters on either side of a passage
_PAST = {"accept": "accepted", "reject": "rejected", "correct": "corrected", "merge": "merged", "new": "named"}
_LINE = (
    "claim_id", "subject", "subject_id", "metric", "said", "unit", "qualifiers", "confidence", "doubt", "would",
    "worth", "url", "locator",
)  # fmt: skip

ClaimId = Annotated[str, typer.Argument(help="The claim's id, as the list shows it.")]
By = Annotated[str, typer.Option("--by", help="Who decides.")]
Note = Annotated[str, typer.Option("--note", help="Why.")]


@app.command("list")
def list_candidates(
    limit: Annotated[int, typer.Option("--limit", help="How many to show.", min=1)] = 20,
    output: Annotated[LineFormat, typer.Option("--format", "-f", help="How to print them.")] = LineFormat.table,
) -> None:
    """List the candidates, those first whose decision says most: the cells that it fills or changes, times the doubt.

    The passage comes from the archive of this machine, with the value between ⟦ and ⟧; without it only its address.

    Example: rackledger review list --limit 5
    """
    from warehouse.review import candidates

    with open_warehouse() as warehouse:
        found = candidates(warehouse, limit, [one.claim_id for one in _decided()])
    texts = _texts(found)
    for row in found:
        row["passage"] = _passage(texts.get(row["document_id"] or "", ""), row)
    if output is LineFormat.jsonl:
        print_lines({name: row[name] for name in (*_LINE, "passage")} for row in found)
        return
    shown = [
        [row["claim_id"], f"{row['subject']}: {row['metric']} {row['said']} {row['unit']}", row["would"],
         f"{row['confidence']:.2f}", row["passage"] or row["url"]]
        for row in found
    ]  # fmt: skip
    if shown:
        table("", ("claim", "reading", "would", "confidence", "passage"), shown)
    out.print(f"{len(shown):,} candidates shown", markup=False)


@app.command("accept")
def accept(claim_id: ClaimId, by: By, note: Note = "") -> None:
    """Accept a reading: from the next build on it is a claim like any other, marked as accepted.

    Example: rackledger review accept 0a1b2c3d4e5f60718293 --by "A. Analyst"
    """
    _decide(lambda: _as_read(_reading(claim_id), "accept", by, note))


@app.command("reject")
def reject(claim_id: ClaimId, by: By, note: Note = "") -> None:
    """Reject a reading: it is no claim from the next build on, however sure the reader is.

    Example: rackledger review reject 0a1b2c3d4e5f60718293 --by "A. Analyst" --note "of the server, not of the chip"
    """
    _decide(lambda: _as_read(_reading(claim_id), "reject", by, note))


@app.command("correct")
def correct(
    claim_id: ClaimId,
    by: By,
    subject: Annotated[str, typer.Option("--subject", help="The right subject: an id or a name.")] = "",
    metric: Annotated[str, typer.Option("--metric", help="The right metric.")] = "",
    value: Annotated[str, typer.Option("--value", help="The right number, text or period (2026-H2).")] = "",
    unit: Annotated[str, typer.Option("--unit", help="Unit of --value, where it is not the metric's.")] = "",
    qualifier: Annotated[
        list[str] | None, typer.Option("--qualifier", help="What it counts, NAME=WORD; may stand several times.")
    ] = None,
    note: Note = "",
) -> None:
    """Correct a reading: from the next build on what is given here is the claim, and the rest is as it was read.

    Examples: rackledger review correct 0a1b2c3d4e5f60718293 --by "A. Analyst" --metric power --value 120 --unit kW ·
    rackledger review correct 0a1b2c3d4e5f60718293 --by "A. Analyst" --qualifier sparsity=dense --qualifier per=rack
    """
    from pipelines.corrections import corrected

    qualifiers = "; ".join(qualifier or ())
    if not (subject or metric or value or unit or qualifiers):
        fail("say what is right: --subject, --metric, --value, --unit or --qualifier", EXIT_USAGE)
    row = _reading(claim_id)
    _decide(lambda: corrected(row, _as_read(row, "correct", by, note), subject, metric, value, unit, qualifiers))


@app.command("merge")
def merge(
    claim_id: ClaimId,
    by: By,
    into: Annotated[str, typer.Option("--into", help="The thing of the registry: an id or a name that it bears.")],
    note: Note = "",
) -> None:
    """Say that the unknown name of a reading is a known thing: all readings of that name are of it from then on.

    Example: rackledger review merge 0a1b2c3d4e5f60718293 --by "A. Analyst" --into nvidia-b200
    """
    from pipelines.corrections import merged

    _decide(lambda: merged(_as_read(_reading(claim_id), "merge", by, note), into))


@app.command("new")
def new(
    claim_id: ClaimId,
    by: By,
    name: Annotated[str, typer.Option("--name", help="Its right name; without it as it was read.")] = "",
    kind: Annotated[str, typer.Option("--kind", help="What it is: accelerator, system, cpu, network, site, …")] = "",
    note: Note = "",
) -> None:
    """Say that the unknown name of a reading is a thing of its own; `rackledger registry suggest` prints its entry.

    Example: rackledger review new 0a1b2c3d4e5f60718293 --by "A. Analyst" --name "Example X1" --kind accelerator
    """
    from pipelines.corrections import named

    _decide(lambda: named(_as_read(_reading(claim_id), "new", by, note), name, kind))


def _decided() -> list[Decision]:
    try:
        return [one for one in read(FILE) if one.decision not in ("merge", "new")]
    except (OSError, ValueError) as error:
        fail(str(error), EXIT_FAILED)


def _reading(claim_id: str) -> dict[str, Any]:
    """The reading that a decision is about; ends the command where there is none."""
    from warehouse.review import reading

    with open_warehouse() as warehouse:
        row = reading(warehouse, claim_id)
    if row is None:
        fail(f"no claim {claim_id}: rackledger review list shows the candidates", EXIT_FAILED)
    if row["reading_state"] == "typed":
        fail(f"{claim_id} is a row of the committed ledger: it is mended there", EXIT_FAILED)
    return row


def _as_read(row: Mapping[str, Any], verdict: Verdict, by: str, note: str) -> Decision:
    """The decision with the reading as it stands in the build."""
    if not by.strip():
        fail("--by needs a name", EXIT_USAGE)
    return Decision(
        row["claim_id"], verdict, by.strip(), utc_now(), note, name=row["subject"],
        subject=row["subject"], subject_id=row["subject_id"] or "", subject_kind=row["subject_kind"],
        metric=row["metric"], value=row["said"], unit=row["unit"], document_id=row["document_id"] or "",
        locator_start=row["locator_start"], locator_end=row["locator_end"],
    )  # fmt: skip


def _decide(decide: Callable[[], Decision]) -> None:
    """Keep what a person decides; what cannot be understood or kept ends the command."""
    from pipelines.ledger.fields import FieldError

    try:
        decision = decide()
    except FieldError as error:
        fail(str(error), EXIT_USAGE)
    try:
        append(decision, FILE)
    except ValueError as error:
        fail(str(error), EXIT_FAILED)
    out.print(
        f"{decision.claim_id}: {_PAST[decision.decision]}, in {FILE.name}; rackledger run builds it in", markup=False
    )


def _texts(rows: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """The texts of the documents of some rows, from the lake; those that it lacks are left out."""
    from pipelines.lake import Lake

    wanted = {row["document_id"] for row in rows}
    lake, found = Lake(load_settings().lake), {}
    for source in sorted({row["source_id"] for row in rows}):
        if lake.files("documents", source):
            for record in lake.read("documents", source, ["document_id", "text"]).to_pylist():
                if record["document_id"] in wanted:
                    found[record["document_id"]] = record["text"]
    return found


def _passage(text: str, place: Mapping[str, Any]) -> str:
    """The words around a value, which stands between ⟦ and ⟧."""
    if not text:
        return ""
    at, till = place["locator_start"], place["locator_end"]
    first, last = max(place["context_start"], at - _AROUND), min(place["context_end"], till + _AROUND)
    return " ".join(f"{text[first:at]}⟦{text[at:till]}⟧{text[till:last]}".split())
