"""The model file: what is missing, cut or made for other code is refused with the command that makes it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pipelines.extract.link.linker import Linker, feature_names
from pipelines.registry.reader_model import FORMAT, ModelError, load_reader_model, save_reader_model


def test_what_is_saved_is_loaded(tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    digest = save_reader_model({"format": FORMAT, "version": "7"}, path)
    assert load_reader_model(path)["version"] == "7"
    assert json.loads(path.read_text(encoding="utf-8"))["sha256"] == digest


def test_weights_of_words_come_back_as_they_were(tmp_path: Path) -> None:
    words = {"classes": ["a", "b", "c"], "weights": {"x": [0, 5, 0], "y": [0, 0, 0], "z": [-12, 0, 3]}}
    path = tmp_path / "model.json"
    save_reader_model({"format": FORMAT, "words": words}, path)
    assert load_reader_model(path)["words"] == words
    assert '{"x":",5","y":"","z":"-12b3"}' in path.read_text(encoding="utf-8")  # nothing for 0


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (None, "is missing"),
        ("{", "is no model file"),
        ('{"model": {}}', "is no model file"),
        ('{"model": {"format": 3, "words": {"weights": {"a": [1]}}}, "sha256": "0"}', "has format 3, wanted 4"),
        ('{"model": {"format": 4}, "sha256": "0"}', "does not match its digest"),
    ],
)
def test_an_unusable_file_names_the_command(tmp_path: Path, text: str | None, reason: str) -> None:
    path = tmp_path / "model.json"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    with pytest.raises(ModelError, match=reason) as refused:
        load_reader_model(path)
    assert "rackledger train-reader" in str(refused.value)


def test_another_format_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    save_reader_model({"format": FORMAT + 1}, path)
    with pytest.raises(ModelError, match=f"has format {FORMAT + 1}, wanted {FORMAT}"):
        load_reader_model(path)


def test_a_model_for_other_metrics_is_refused() -> None:
    model = dict(load_reader_model())
    assert Linker(model).version
    model["features"] = feature_names() | {"metrics": feature_names()["metrics"][::-1]}
    with pytest.raises(ModelError, match="other features or metrics"):
        Linker(model)
