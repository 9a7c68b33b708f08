"""What the first judgements of a document tell each other: means and maxima over the others, by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from pipelines.extract.link.figures import figures_in
from pipelines.extract.link.judge import CONSENT, consent_rows
from pipelines.extract.link.proposal import Proposal
from pipelines.extract.link.scene import Candidate, Place
from pipelines.model.claim import Span


def proposal(item: int, metric: str, name: str, row: int, column: int) -> Proposal:
    (figure,) = figures_in("80 GB", 0, 5, None)
    candidate = Candidate(name, "accelerator")
    place = Place(figure, Span(0, 5), {}, {}, [candidate], table=0, row=row, column=column, block=0)
    return Proposal(item, place, metric, 80.0, candidate, 0.5, 0.1, 0.5, 0.1, 0.0, 0.0, 0, "row 0 False")


def test_each_proposal_hears_the_others_and_not_itself() -> None:
    proposals = [
        proposal(0, "memory_capacity", "NVIDIA H100", 0, 1),
        proposal(0, "memory_bandwidth", "NVIDIA H100", 0, 1),
        proposal(1, "memory_capacity", "NVIDIA H200", 1, 1),
        proposal(2, "power", "NVIDIA H100", 0, 2),
    ]
    log_odds = np.array([2.0, -1.0, 1.0, 0.0])
    rows = consent_rows(proposals, log_odds)
    assert rows.shape == (4, len(CONSENT))
    of = {name: rows[:, at] for at, name in enumerate(CONSENT)}
    assert of["first_behind"].tolist() == [0.0, -3.0, 0.0, 0.0]
    assert of["rival"].tolist() == [-1.0, 2.0, -9.0, -9.0]
    assert of["rival_metric"].tolist() == [-1.0, 2.0, -9.0, -9.0]
    assert of["rivals"].tolist() == [2.0, 2.0, 1.0, 1.0]
    # in the column: item 1 says memory_capacity with odds e^1; nobody else says bandwidth
    assert of["across_metric_mean"].tolist() == pytest.approx(
        [1 / (1 + math.exp(-1)), 0.0, 1 / (1 + math.exp(-2)), -1.0]
    )
    assert of["across_metric_most"].tolist() == [1.0, -9.0, 2.0, -9.0]
    # in the row: item 2 says H100 at even odds, item 0 at e^2 at most
    assert of["line_subject_mean"].tolist() == pytest.approx([0.5, 0.5, -1.0, 1 / (1 + math.exp(-2))])
    assert of["all_count"].tolist() == [2.0, 2.0, 2.0, 2.0]
