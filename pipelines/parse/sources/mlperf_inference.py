"""Rounds of MLPerf Inference, from their repository archives."""

from __future__ import annotations

from pipelines.parse.mlperf.inference.rounds import parse_inference

SUITES = ("inference",)

parse = parse_inference
