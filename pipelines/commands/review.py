"""`rackledger review`: the candidates by the value of a decision, and a person's word on each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

import typer

from pipelines.clock import utc_now
from pipelines.commands import EXIT_FAILED, EXIT_USAGE
from pipelines.commands.terminal import fail, load_settings, open_warehouse, out, table

app = typer.Typer(no_args_is_help=True, help="Candidates of the reader: list them, accept or reject each.")

_AROUND = 60  # characters on either side of a passage


@app.command("list")
def list_candidates(
    limit: Annotated[int, typer.Option("--limit", help="How many to show.", min=1)] = 20,
) -> None:
    """List the candidates, those first whose decision says most: empty cells, and readings that could go either way.

    The passage comes from the lake of this machine, with the value between ⟦ and ⟧; without a lake only its address.

    Example: rackledger review list --limit 5
    """
    from warehouse.review import candidates

    with open_warehouse() as warehouse:
        found = candidates(warehouse, limit)
    texts = _texts(found)
    shown = [
        [row["claim_id"], f"{row['subject']}: {row['metric']} {row['value']} {row['unit']}", f"{row['confidence']:.2f}",
         _passage(texts.get(row["place"]["document_id"], ""), row["place"]) or row["url"]]
        for row in found
    ]  # fmt: skip
    if shown:
        table("", ("claim", "reading", "confidence", "passage"), shown)
    out.print(f"{len(shown):,} candidates shown", markup=False)


@app.command("accept")
def accept(
    claim_id: Annotated[str, typer.Argument(help="The claim's id, as the list shows it.")],
    by: Annotated[str, typer.Option("--by", help="Who decides.")],
    note: Annotated[str, typer.Option("--note", help="Why.")] = "",
) -> None:
    """Accept a reading: from the next build on it is a claim like any other, marked as accepted.

    Example: rackledger review accept 0a1b2c3d4e5f60718293 --by "A. Analyst"
    """
    _decide(claim_id, "accept", by, note)


@app.command("reject")
def reject(
    claim_id: Annotated[str, typer.Argument(help="The claim's id, as the list shows it.")],
    by: Annotated[str, typer.Option("--by", help="Who decides.")],
    note: Annotated[str, typer.Option("--note", help="Why.")] = "",
) -> None:
    """Reject a reading: it is no claim from the next build on, however sure the reader is.

    Example: rackledger review reject 0a1b2c3d4e5f60718293 --by "A. Analyst" --note "of the server, not of the chip"
    """
    _decide(claim_id, "reject", by, note)


def _decide(claim_id: str, decision: Literal["accept", "reject"], by: str, note: str) -> None:
    from pipelines.decisions import FILE, Decision, append
    from warehouse.review import state_of

    if not by.strip():
        fail("--by needs a name", EXIT_USAGE)
    with open_warehouse() as warehouse:
        state = state_of(warehouse, claim_id)
    if not state:
        fail(f"no claim {claim_id}: rackledger review list shows the candidates", EXIT_FAILED)
    if state == "typed":
        fail(f"{claim_id} is a row of the committed ledger: it is mended there", EXIT_FAILED)
    append(Decision(claim_id, decision, by.strip(), utc_now(), note))
    out.print(f"{claim_id}: {decision}ed, in {FILE.name}; rackledger run builds it in", markup=False)


def _texts(rows: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """The texts of the documents of some rows, from the lake; those that it lacks are left out."""
    from pipelines.lake import Lake

    wanted = {row["place"]["document_id"] for row in rows}
    lake, found = Lake(load_settings().lake), {}
    for source in sorted({row["source_id"] for row in rows}):
        if lake.marks("documents", source) is not None:
            for record in lake.read("documents", source, ["document_id", "text"]).to_pylist():
                if record["document_id"] in wanted:
                    found[record["document_id"]] = record["text"]
    return found


def _passage(text: str, place: Mapping[str, Any]) -> str:
    """The words around a value, which stands between ⟦ and ⟧."""
    if not text:
        return ""
    first = max(place["first"], place["at"] - _AROUND)
    last = min(place["last"], place["till"] + _AROUND)
    words = f"{text[first : place['at']]}⟦{text[place['at'] : place['till']]}⟧{text[place['till'] : last]}"
    return " ".join(words.split())
