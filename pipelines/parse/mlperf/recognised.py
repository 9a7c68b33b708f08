"""Any MLPerf round: the archive's top folder says which parser reads it."""

from __future__ import annotations

from typing import BinaryIO

from pipelines.parse.mlperf.inference.rounds import InferenceRows, parse_inference
from pipelines.parse.mlperf.kind import RoundKind, recognise
from pipelines.parse.mlperf.training import Matcher, RoundRows, parse_round
from pipelines.parse.tarstream import open_tar
from pipelines.problems import InputError, Reason


def parse_any(stream: BinaryIO, *, names: Matcher) -> RoundRows | InferenceRows:
    """Parse a round's archive from a seekable file; raises `InputError` when it names no round or cannot be read."""
    kind = kind_of(stream)
    if kind.suite == "inference":
        return parse_inference(stream, source_id="mlperf_inference", names=names)
    return parse_round(stream, source_id="mlperf_training", names=names)


def kind_of(stream: BinaryIO) -> RoundKind:
    """The round that a seekable archive holds; the file is read from its start again afterwards."""
    reader = open_tar(stream)
    next(iter(reader), None)
    stream.seek(0)
    kind = recognise(reader.top_folder)
    if kind is None:
        raise InputError(
            Reason.ROUND_UNKNOWN,
            reader.top_folder,
            "the top folder names no MLPerf round such as training_results_v5.0 or inference_results_v5.1",
            "Give the archive that GitHub serves for a round's repository, unchanged.",
        )
    return kind
