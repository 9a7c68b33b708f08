"""Rounds of MLPerf Inference, from their repository archives."""

from __future__ import annotations

from pipelines.parse.mlperf.rounds import parse_round

SUITES = ("inference",)

parse = parse_round
