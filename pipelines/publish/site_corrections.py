"""Which figures of the site were put right: what stood in a version, what stands in the next, when and why.

A newer statement is news and no correction. What is compared is the sheet of every thing in the published tables of two
versions; what was found is kept beside the site (`files/corrections.json`), since old versions go.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import duckdb

from pipelines.frozen import frozen
from pipelines.publish.site_versions import FILES, day_of, is_version
from warehouse.answers import claim_words

FILE = f"{FILES}/corrections.json"
_NEEDED = ("marts.cells", "evidence.claims", "evidence.decisions")
# A figure that says otherwise, or nothing, and not because somebody has said more since the older version was built.
_CHANGED = """
    WITH a AS (FROM read_parquet($older_cells) WHERE subject_id IS NOT NULL
               QUALIFY count(*) OVER (PARTITION BY subject_key, metric, topic) = 1),
    b AS (FROM read_parquet($newer_cells) WHERE subject_id IS NOT NULL
          QUALIFY count(*) OVER (PARTITION BY subject_key, metric, topic) = 1),
    decided AS (SELECT claim_id, decision, note FROM read_parquet($newer_decisions)
                WHERE counts AND decision IN ('reject', 'correct'))
    SELECT a AS before, b AS after, b.metric IS NULL AS is_gone,
           a.claim_id NOT IN (SELECT claim_id FROM read_parquet($newer_claims)) AS is_read_anew,
           b.claim_id NOT IN (SELECT claim_id FROM read_parquet($older_claims)) AS is_read_since,
           d.note, coalesce(d.decision, '') AS decision
    FROM a LEFT JOIN b ON b.subject_key = a.subject_key AND b.metric = a.metric AND b.topic = a.topic
    LEFT JOIN decided AS d ON d.claim_id = a.claim_id
    WHERE (b.metric IS NULL
           OR (b.value, b.value_text, b.value_start, b.value_end, b.unit)
              IS DISTINCT FROM (a.value, a.value_text, a.value_start, a.value_end, a.unit))
      AND coalesce(b.stated_on, b.stated_not_after, DATE '0001-01-01') <= $since
    ORDER BY a.subject_id, a.metric, a.topic
"""


@frozen
class Correction:
    """A figure of a thing: as it stood, as it stands ('' where nothing does), the day of the version, and why."""

    subject_id: str
    figure: str
    before: str
    after: str
    day: str
    why: str
    url: str
    claim_id: str  # of what stands now
    version: str


def corrections(folder: Path, published: Path) -> list[Correction]:
    """All that are known: those kept in the folder of the site, and those of published versions not compared so far."""
    kept = _kept(folder / FILE)
    names = sorted(path.name for path in _versions(published))
    found = {(one["version"], one["subject_id"], one["figure"]): Correction(**one) for one in kept["corrections"]}
    compared = {tuple(pair) for pair in kept["compared"]}
    for older, newer in itertools.pairwise(names):
        if (older, newer) not in compared:
            compared.add((older, newer))
            rows = between(published / older, published / newer)
            found |= {(one.version, one.subject_id, one.figure): one for one in rows}
    ordered = [found[key] for key in sorted(found)]
    told = {"compared": sorted(compared), "corrections": [asdict(one) for one in ordered]}
    (folder / FILE).parent.mkdir(parents=True, exist_ok=True)
    content = json.dumps(told, ensure_ascii=False, indent=0)
    if not (folder / FILE).is_file() or (folder / FILE).read_text(encoding="utf-8") != content:
        (folder / FILE).write_text(content, encoding="utf-8")
    return ordered


def _kept(path: Path) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {"compared": [], "corrections": []}
    return found


def _versions(published: Path) -> list[Path]:
    return [
        path
        for path in (published.iterdir() if published.is_dir() else ())
        if is_version(path.name) and all((path / f"{name}.parquet").is_file() for name in _NEEDED)
    ]


def between(older: Path, newer: Path) -> list[Correction]:
    """The figures that were put right between two versions, from the folders of their tables."""
    files = {
        f"{side}_{name.partition('.')[2]}": str(place / f"{name}.parquet")
        for side, place, names in (("older", older, _NEEDED[:2]), ("newer", newer, _NEEDED))
        for name in names
    }
    with duckdb.connect() as connection:
        asked = connection.execute(_CHANGED, {**files, "since": day_of(older.name)})
        names = [column[0] for column in asked.description or []]
        rows = [dict(zip(names, row, strict=True)) for row in asked.fetchall()]
    return [_correction(row, newer.name) for row in rows]


def _correction(row: Mapping[str, Any], version: str) -> Correction:
    before, after = row["before"], {} if row["is_gone"] else row["after"]
    qualifiers = [f"{key} {word}" for key, word in sorted(before["qualifiers"].items())
                  if key not in ("bound", "approx") and word != "unstated"]  # fmt: skip
    return Correction(
        str(before["subject_id"]),
        ", ".join([str(before["metric_title"] or before["metric"]), *qualifiers]),
        _words(before),
        _words(after) if after else "",
        day_of(version).isoformat(),
        _why(row),
        str((after or before)["url"] or ""),
        str(after.get("claim_id") or ""),
        version,
    )


def _words(cell: Mapping[str, Any]) -> str:
    bounds = {name: cell["qualifiers"].get(name) for name in ("bound", "approx")}
    return claim_words.value_words({**cell, **bounds})


def _why(row: Mapping[str, Any]) -> str:
    """Why, from what the two versions hold: a person's word first, then what was read otherwise."""
    if row["decision"]:
        return str(row["note"] or "a person put the reading right")
    if row["is_read_anew"]:
        return "the reading before was corrected, or is no longer in what was read"
    if row["is_read_since"]:
        after: Mapping[str, Any] = row["after"]
        return f"a statement of before was read since: {after['claimant']}"
    return "no longer stands by the written rule" if row["is_gone"] else "another statement stands by the written rule"


def by_thing(found: Sequence[Correction]) -> list[dict[str, Any]]:
    """As rows for the pages of things."""
    return [asdict(one) for one in found]
