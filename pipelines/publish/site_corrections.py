"""What was put right, as it is kept beside the site (`files/corrections.json`): old versions go, this stays."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pipelines.publish.site_versions import FILES
from warehouse.answers.corrections import Correction, between, pairs

FILE = f"{FILES}/corrections.json"


def corrections(folder: Path, published: Path) -> list[Correction]:
    """All that are known: those kept in the folder of the site, and those of published versions not compared so far."""
    kept = _kept(folder / FILE)
    found = {_key(each): each for each in (Correction(**one) for one in kept["corrections"])}
    compared = {tuple(pair) for pair in kept["compared"]}
    for older, newer in pairs(published):
        if (older.name, newer.name) not in compared:
            compared.add((older.name, newer.name))
            found |= {_key(one): one for one in between(older, newer)}
    ordered = [found[key] for key in sorted(found)]
    told = {"compared": sorted(compared), "corrections": [asdict(one) for one in ordered]}
    (folder / FILE).parent.mkdir(parents=True, exist_ok=True)
    content = json.dumps(told, ensure_ascii=False, indent=0)
    if not (folder / FILE).is_file() or (folder / FILE).read_text(encoding="utf-8") != content:
        (folder / FILE).write_text(content, encoding="utf-8")
    return ordered


def _key(one: Correction) -> tuple[str, ...]:
    return one.version, one.family, one.subject_id, one.figure, one.before


def _kept(path: Path) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {"compared": [], "corrections": []}
    return found
