"""Licences and known vulnerabilities of the locked packages: `make audit`. Needs nothing but the standard library.

Licences come from the installed packages themselves, so that this works without a network; one that is not on the
list ends with 1. Vulnerabilities are asked for in one request, where RACKLEDGER_ADVISORIES names a source that answers
in the form of OSV (`/v1/querybatch`). Without one, or where it does not answer, that is said, and nothing fails for it.
"""

from __future__ import annotations

import json
import os
import re
import sys
import urllib.request
from collections.abc import Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

LOCK = Path(__file__).resolve().parents[1] / "requirements.lock"
SOURCE = "RACKLEDGER_ADVISORIES"
SECONDS, MOST_BYTES = 20, 10_000_000
# Licences that allow use and passing on beside Apache-2.0, in the words of metadata: SPDX names and older ones.
ALLOWED = {
    "0bsd", "3-clause bsd", "apache", "apache license 2.0", "apache-2.0", "bsd", "bsd-2-clause", "bsd-3-clause",
    "cc0-1.0", "dependency licenses", "isc", "mit", "mit-0", "mit-cmu", "mozilla public license 2.0", "mpl-2.0",
    "psf-2.0", "python software foundation", "unlicense", "zlib",
}  # fmt: skip
# Under the LGPL, whose terms do not reach a program that calls them as a library installed beside it.
LIBRARIES = {"psycopg2-binary": {"gnu library", "lesser general public", "lgpl"}}
# Packages whose metadata names none, with where it stands.
TOLD_ELSEWHERE = {"axe-playwright-python": "mit"}  # the LICENSE file it installs
_LOCKED = re.compile(r"^([A-Za-z0-9][\w.-]*)(?:\[[^\]]*\])?==([\w.!+-]+)", re.MULTILINE)
_ENDING = re.compile(r"\s*\b(software )?license\b( \(\w+\))?$")
_JOINED = re.compile(r" AND | OR | WITH |[,|()]", re.IGNORECASE)


def locked(text: str) -> dict[str, str]:
    """The version of each package of a lock file."""
    return dict(_LOCKED.findall(text))


def licences(told: Mapping[str, Any], classifiers: Sequence[str]) -> list[str]:
    """What a package's metadata says of its licence: the expression, else the classifiers, else the first line."""
    listed = [each.split(" :: ")[-1] for each in classifiers if each.startswith("License ::")]
    first = str(told.get("License") or "").strip().split("\n")[0]
    said = str(told.get("License-Expression") or "") or "|".join(listed) or first
    plain = [_ENDING.sub("", each.strip().lower()) for each in _JOINED.split(said)]
    return [each for each in plain if each and each not in {"mpl 2.0", "iscl", "osi approved"}]


def refused(packages: Mapping[str, str]) -> tuple[list[str], int]:
    """Packages with a licence that is not on the list, and how many are not installed here."""
    wrong, absent = [], 0
    for name in packages:
        try:
            told = metadata.metadata(name)
        except metadata.PackageNotFoundError:
            absent += 1
            continue
        named = licences(dict(told.items()), told.get_all("Classifier") or [])
        found = named or [TOLD_ELSEWHERE.get(name, "no licence named")]
        wrong += [f"{name}: {each}" for each in found if each not in ALLOWED | LIBRARIES.get(name, set())]
    return wrong, absent


def advisories(packages: Mapping[str, str], source: str) -> list[str]:
    """'name version: id' for each known vulnerability. Raises OSError or ValueError where nothing answers so."""
    if not source.startswith(("https://", "http://127.0.0.1")):
        raise ValueError("the address begins with https://")
    asked = [{"package": {"name": name, "ecosystem": "PyPI"}, "version": each} for name, each in packages.items()]
    body = json.dumps({"queries": asked}).encode()
    request = urllib.request.Request(source, body, {"Content-Type": "application/json"})  # noqa: S310 - checked above
    with urllib.request.urlopen(request, timeout=SECONDS) as answer:  # noqa: S310
        told = json.loads(answer.read(MOST_BYTES))
    results = told.get("results") if isinstance(told, dict) else None
    if not isinstance(results, list) or len(results) != len(asked):
        raise ValueError("the answer is not one result a package")
    return [
        f"{name} {version}: {vulnerability['id']}"
        for (name, version), result in zip(packages.items(), results, strict=True)
        for vulnerability in (result or {}).get("vulns") or []
    ]


def main(source: str) -> int:
    """Print what was found; 1 for a licence that is not allowed or a known vulnerability."""
    packages = locked(LOCK.read_text(encoding="utf-8"))
    wrong, absent = refused(packages)
    print(f"Licences: {len(packages) - absent} of {len(packages)} locked packages read, {absent} not for this system.")
    try:
        known = advisories(packages, source) if source else None
    except (OSError, ValueError, KeyError, TypeError) as error:
        print(f"Vulnerabilities: nothing is known, the source did not answer as it should: {error}")
        known = []
    else:
        said = f"{len(known)} known" if known is not None else f"not asked for; {SOURCE} names no source"
        print(f"Vulnerabilities: {said}.")
    for line in (*wrong, *(known or [])):
        print(f"  {line}")
    return 1 if wrong or known else 0


if __name__ == "__main__":
    sys.exit(main(os.environ.get(SOURCE, "")))
