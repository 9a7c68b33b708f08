"""`rackledger mlperf parse`: a round's archive to rows in a file, without warehouse or network."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pipelines.commands import EXIT_FAILED
from pipelines.commands.terminal import fail, messages, print_json, table

app = typer.Typer(no_args_is_help=True, help="Read MLPerf rounds from their repository archives.")

SHOWN_PROBLEMS = 20


@app.command("parse")
def parse(
    archive: Annotated[
        Path, typer.Argument(help="A round's repository archive (.tar.gz as GitHub serves it) or a pack.")
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="Rows go here: .parquet, .csv or .jsonl by suffix.")],
    problems: Annotated[
        Path | None, typer.Option(help="Also write all problems to this file (.parquet, .csv or .jsonl).")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON for programs.")] = False,
) -> None:
    """Parse one MLPerf round (Training, HPC or Inference, told from the archive's top folder): one row a result by the
    official rules, with what was wrong and where.

    Example: rackledger mlperf parse training_results_v5.0.tar.gz --out v5.0.parquet
    """
    from pipelines.parse.mlperf.rounds import parse_round
    from pipelines.problems import InputError
    from pipelines.publish.rows import check_suffix, write_rows
    from pipelines.registry import load_registry

    registry = load_registry()
    try:
        for path in filter(None, (out, problems)):
            check_suffix(path)
        with archive.open("rb") as stream:
            rows = parse_round(stream, names=registry.accelerator_names, rules=registry.mlperf)
        write_rows(rows.results, out)
        if problems is not None:
            write_rows(rows.problems, problems)
    except (InputError, OSError, ValueError) as error:
        fail(f"{archive}: {error}", EXIT_FAILED)
    summary = {
        "round": f"{rows.suite} {rows.round}",
        "commit": rows.commit,
        "results": len(rows.results),
        "scored": rows.scored,
        "systems": len(rows.systems),
        "problems": len(rows.problems),
        "out": str(out),
    }
    if as_json:
        print_json(summary)
        return
    table("", ("", "value"), [(name, str(value)) for name, value in summary.items()])
    for problem in rows.problems[:SHOWN_PROBLEMS]:
        messages.print(f"{problem.scope} {problem.place}: {problem.reason}: {problem.detail}", markup=False)
    if len(rows.problems) > SHOWN_PROBLEMS:
        messages.print(f"… {len(rows.problems) - SHOWN_PROBLEMS} more; --problems FILE writes all", markup=False)
