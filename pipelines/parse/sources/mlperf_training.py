"""Rounds of MLPerf Training and MLPerf HPC, from their repository archives."""

from __future__ import annotations

from pipelines.parse.mlperf.rounds import parse_round

SUITES = ("training", "hpc")

parse = parse_round
