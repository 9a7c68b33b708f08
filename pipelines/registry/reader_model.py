"""The trained model of the reader: one packed JSON file beside this module, known by its digest and features."""

from __future__ import annotations

import gzip
import hashlib
import zlib
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import orjson

FILE = Path(__file__).parent / "reader_model.json.gz"
FORMAT = 5
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
        whole = orjson.loads(gzip.decompress(path.read_bytes()))
        data, digest, found = whole["model"], whole["sha256"], whole["model"].get("format")
    except (OSError, EOFError, zlib.error, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ModelError(f"{path.name} is no model file ({error}): {_HINT}") from None
    if found != FORMAT:
        raise ModelError(f"{path.name} has format {found}, wanted {FORMAT}: {_HINT}")
    if digest != digest_of(data):
        raise ModelError(f"{path.name} does not match its digest: {_HINT}")
    model: Mapping[str, Any] = data
    return model


def save_reader_model(data: Mapping[str, Any], path: Path = FILE) -> str:
    """Write a model with its digest, which is returned; the same data makes the same bytes."""
    digest = digest_of(data)
    path.write_bytes(gzip.compress(orjson.dumps({"sha256": digest, "model": data}), mtime=0))
    return digest


def digest_of(data: Mapping[str, Any]) -> str:
    """The SHA-256 of a model's data in one fixed spelling."""
    return hashlib.sha256(orjson.dumps(data, option=orjson.OPT_SORT_KEYS)).hexdigest()
