"""The model file: what is missing, cut or made for other code is refused with the command that makes it."""

from __future__ import annotations

import gzip
from pathlib import Path
from unittest.mock import patch

import pytest

from pipelines.extract.link.linker import Linker, feature_names
from pipelines.registry.reader_model import FORMAT, ModelError, digest_of, load_reader_model, save_reader_model

DATA = {"format": FORMAT, "version": "7", "words": {"weights": {"größe": [0, 5, -12]}}, "scores": [0.1, 1e-35, 2]}


def test_what_is_saved_is_loaded(tmp_path: Path) -> None:
    path = tmp_path / "model.json.gz"
    digest = save_reader_model(DATA, path)
    assert load_reader_model(path) == DATA
    assert digest == digest_of(dict(reversed(DATA.items())))


def test_the_same_data_makes_the_same_bytes(tmp_path: Path) -> None:
    paths = [tmp_path / "one.gz", tmp_path / "two.gz"]
    for path, now in zip(paths, (0.0, 1e9), strict=True):
        with patch("time.time", return_value=now):
            save_reader_model(DATA, path)
    assert paths[0].read_bytes() == paths[1].read_bytes()


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (None, "is missing"),
        (b'{"model": {}}', "is no model file"),
        (gzip.compress(b"{"), "is no model file"),
        (gzip.compress(b'{"model": {}}'), "is no model file"),
        (gzip.compress(b'{"model": {"format": 4}, "sha256": "0"}'), f"has format 4, wanted {FORMAT}"),
        (gzip.compress(b'{"model": {"format": 5}, "sha256": "0"}'), "does not match its digest"),
    ],
)
def test_an_unusable_file_names_the_command(tmp_path: Path, content: bytes | None, reason: str) -> None:
    path = tmp_path / "model.json.gz"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ModelError, match=reason) as refused:
        load_reader_model(path)
    assert "rackledger train-reader" in str(refused.value)


@pytest.mark.parametrize("kept", [0.01, 0.5, 0.99])
def test_a_cut_file_is_refused(tmp_path: Path, kept: float) -> None:
    path = tmp_path / "model.json.gz"
    save_reader_model(DATA, path)
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * kept)])
    with pytest.raises(ModelError, match="is no model file"):
        load_reader_model(path)


@pytest.mark.parametrize("at", range(10, 140, 13))
def test_a_damaged_file_is_refused(tmp_path: Path, at: int) -> None:
    path = tmp_path / "model.json.gz"
    save_reader_model(DATA, path)
    whole = bytearray(path.read_bytes())
    whole[at % len(whole)] ^= 0xFF
    path.write_bytes(whole)
    with pytest.raises(ModelError):
        load_reader_model(path)


def test_another_format_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "model.json.gz"
    save_reader_model({"format": FORMAT + 1}, path)
    with pytest.raises(ModelError, match=f"has format {FORMAT + 1}, wanted {FORMAT}"):
        load_reader_model(path)


def test_a_model_for_other_metrics_is_refused() -> None:
    model = dict(load_reader_model())
    assert Linker(model).version
    model["features"] = feature_names() | {"metrics": feature_names()["metrics"][::-1]}
    with pytest.raises(ModelError, match="other features or metrics"):
        Linker(model)
