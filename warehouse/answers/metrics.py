"""Counts and ages for whoever watches the service, in Prometheus' text format. None is a figure of the market."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pipelines.frozen import frozen
from warehouse.answers import Ask
from warehouse.outcome import Record

PREFIX = "rackledger_"
_ASKED = """
    SELECT source_id, verdict, failed_runs, epoch(last_success_at) AS succeeded, epoch(last_attempt_at) AS tried
    FROM marts.source_health ORDER BY source_id
"""
_ATTEMPTS = "SELECT outcome, count(*) AS n FROM evidence.attempts GROUP BY 1 ORDER BY 1"
_TOTALS = """
    SELECT (SELECT count(*) FROM evidence.captures) AS captures, (SELECT count(*) FROM evidence.documents) AS documents,
           (SELECT count(*) FROM evidence.claims) AS claims, (SELECT count(*) FROM evidence.problems) AS problems,
           (SELECT count(*) FROM evidence.quarantine WHERE state = 'open') AS quarantined,
           (SELECT epoch(built_at) FROM meta.publication) AS published
"""


@frozen
class Family:
    """One metric: its name without the prefix, what it says, `gauge` or `counter`, and its values by labels."""

    name: str
    says: str
    kind: str
    values: tuple[tuple[Mapping[str, str], float], ...]


def published_families(ask: Ask) -> list[Family]:
    """What the published file tells: sources by state and age, tries, captures, what was set aside."""
    (totals,) = ask(_TOTALS, ())
    asked, attempts = ask(_ASKED, ()), ask(_ATTEMPTS, ())
    verdicts: dict[str, int] = {}
    for row in asked:
        verdicts[str(row["verdict"])] = verdicts.get(str(row["verdict"]), 0) + 1
    return [
        one_family("published_timestamp_seconds", "when the published file was built", totals["published"]),
        one_family("captures", "captures that are kept", totals["captures"]),
        one_family("documents", "documents that were read", totals["documents"]),
        one_family("claims", "claims that are published", totals["claims"]),
        one_family("problems", "what could not be read", totals["problems"]),
        one_family("quarantine_open", "rows set aside on which nobody decided", totals["quarantined"]),
        Family("attempts", "tries to ask an address", "gauge", tuple(_labelled("outcome", attempts, "n"))),
        Family("sources", "sources by their verdict", "gauge", tuple(({"verdict": v}, n) for v, n in verdicts.items())),
        Family(
            "source_failed_runs", "runs in a row without an answer", "gauge", tuple(_by_source(asked, "failed_runs"))
        ),
        Family("source_success_timestamp_seconds", "last answer", "gauge", tuple(_by_source(asked, "succeeded"))),
        Family("source_attempt_timestamp_seconds", "last try", "gauge", tuple(_by_source(asked, "tried"))),
    ]


def run_families(record: Record) -> list[Family]:
    """What the record of runs tells: how the last one ended and when, and how many ended how."""
    last = record.last
    counts = tuple(({"outcome": name}, float(count)) for name, count in sorted(record.counts.items()))
    began = (({"outcome": last.outcome}, last.at.timestamp()),)
    return [
        Family("runs_total", "runs by how they ended", "counter", counts),
        Family("last_run_timestamp_seconds", "when the last run began, by how it ended", "gauge", began),
        one_family("last_run_is_well", "1 where it published, or found nothing to publish", float(last.is_well)),
    ]


def exposition(families: Iterable[Family]) -> str:
    """The text that Prometheus reads; a metric without a value is left out."""
    lines = []
    for family in families:
        values = [(labels, value) for labels, value in family.values if value is not None]
        if values:
            name = PREFIX + family.name
            lines += [f"# HELP {name} {family.says}", f"# TYPE {name} {family.kind}"]
            lines += [f"{name}{_labels(labels)} {value:.17g}" for labels, value in values]
    return "".join(f"{line}\n" for line in lines)


def one_family(name: str, says: str, value: Any) -> Family:
    """A metric of one value."""
    return Family(name, says, "gauge", (({}, value),))


def _by_source(rows: Iterable[Mapping[str, Any]], column: str) -> Iterable[tuple[Mapping[str, str], float]]:
    return (({"source_id": str(row["source_id"])}, row[column]) for row in rows)


def _labelled(label: str, rows: Iterable[Mapping[str, Any]], column: str) -> Iterable[tuple[Mapping[str, str], float]]:
    return (({label: str(row[label])}, row[column]) for row in rows)


def _labels(labels: Mapping[str, str]) -> str:
    if not labels:
        return ""
    told = ",".join(f'{name}="{_escaped(value)}"' for name, value in labels.items())
    return f"{{{told}}}"


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
