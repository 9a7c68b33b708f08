"""The trained model of the reader: one JSON file beside this module, known by its digest and its feature names."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).parent / "reader_model.json"
FORMAT = 4
_WORDS = ("words", "per", "reading")  # models of words: most of their weights are 0, and stand in the file as nothing
_LETTERS = " abcdefghijklmnopqrstuvwxyz"  # a letter for so many commas
_COMMAS = re.compile(",{2,26}")
_HINT = "rackledger train-reader makes it from the label files"


class ModelError(RuntimeError):
    """The model file is missing, cut or made for other code."""


def load_reader_model(path: Path = FILE) -> Mapping[str, Any]:
    """The model's data, checked against its own digest; raises ModelError with the command that makes the file."""
    return _load(path, path.stat().st_mtime_ns if path.exists() else 0)


@lru_cache(maxsize=4)
def _load(path: Path, _: int) -> Mapping[str, Any]:
    if not path.exists():
        raise ModelError(f"{path.name} is missing: {_HINT}")
    try:
        whole = json.loads(path.read_text(encoding="utf-8"))
        data, digest, found = whole["model"], whole["sha256"], whole["model"].get("format")
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ModelError(f"{path.name} is no model file ({error}): {_HINT}") from None
    if found != FORMAT:
        raise ModelError(f"{path.name} has format {found}, wanted {FORMAT}: {_HINT}")
    data |= {name: _unpacked(data[name]) for name in _WORDS if name in data}
    if digest != digest_of(data):
        raise ModelError(f"{path.name} does not match its digest: {_HINT}")
    model: Mapping[str, Any] = data
    return model


def save_reader_model(data: Mapping[str, Any], path: Path = FILE) -> str:
    """Write a model with its digest, which is returned."""
    digest = digest_of(data)
    packed = {**data, **{name: _packed(data[name]) for name in _WORDS if name in data}}
    path.write_text(
        json.dumps({"sha256": digest, "model": packed}, ensure_ascii=False, separators=(",", ":")), encoding="utf-8"
    )
    return digest


def _packed(words: Mapping[str, Any]) -> dict[str, Any]:
    """A model of words with each row of weights as text: [0, 5, 0, 0, -3, 0] is ',5c-3', 'c' for three commas."""
    rows = {clue: ",".join(str(each) if each else "" for each in row) for clue, row in words["weights"].items()}
    return {**words, "weights": {clue: _COMMAS.sub(_letter, row.rstrip(",")) for clue, row in rows.items()}}


def _letter(commas: re.Match[str]) -> str:
    return _LETTERS[len(commas[0])]


def _unpacked(words: Mapping[str, Any]) -> dict[str, Any]:
    """The same with lists of numbers."""
    width = len(words["classes"])
    spelled = {ord(letter): "," * count for count, letter in enumerate(_LETTERS)}
    rows = {
        clue: [int(each or 0) for each in row.translate(spelled).split(",")] for clue, row in words["weights"].items()
    }
    return {**words, "weights": {clue: row + [0] * (width - len(row)) for clue, row in rows.items()}}


def digest_of(data: Mapping[str, Any]) -> str:
    """The SHA-256 of a model's data in one fixed spelling."""
    text = json.dumps(data, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
