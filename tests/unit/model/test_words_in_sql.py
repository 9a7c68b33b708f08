"""The closed words of the model as SQL compares with them: a misspelt one would match nothing, and nobody would see."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import get_args

import pytest

import dashboard
import warehouse
from pipelines.candidates.adoption import KINDS
from pipelines.candidates.figure import MODALITIES
from pipelines.model.attempt import Outcome
from pipelines.model.claim import Modality
from pipelines.model.claim_row import STATES
from pipelines.model.evidence import Evidence
from pipelines.model.market import PricePer, PriceType
from pipelines.model.mlperf import UNKNOWN
from pipelines.model.promise import MilestoneKind, PromiseModality

SQL = sorted(path for room in (warehouse, dashboard) for path in Path(str(room.__file__)).parent.rglob("*.sql"))
# a column of this name holds these words wherever it stands
WORDS: dict[str, Collection[str]] = {
    "price_type": tuple(PriceType),
    "price_per": tuple(PricePer),
    # the rule of what stands also reads judged cases, which speak as candidates do
    "modality": [*Modality, *PromiseModality, *KINDS, *MODALITIES, "estimated"],
    "milestone": get_args(MilestoneKind),
    "evidence": tuple(Evidence),
    "outcome": [*Outcome, *STATES],
    "division": ["closed", "open", "network", UNKNOWN],
    "suite": ["training", "inference", "hpc"],
}
_WORD = r"'((?:[^']|'')*)'"
_COMPARED = re.compile(
    rf"\b(?:\w+\.)?(?P<column>{'|'.join(WORDS)})(?:::\w+)?\s*"
    rf"(?:(?:=|<>|!=|IS (?:NOT )?DISTINCT FROM)\s*(?P<one>{_WORD})|(?:NOT )?IN\s*\((?P<list>[^()]*)\))",
    re.IGNORECASE,
)


def compared(sql: str) -> Iterator[tuple[str, str]]:
    """Each column of known words with each word that the statements compare it with."""
    plain = re.sub(r"--[^\n]*", "", sql)
    for found in _COMPARED.finditer(plain):
        for word in re.findall(_WORD, found["one"] or found["list"]):
            yield found["column"].lower(), word


def strange(sql: str) -> list[tuple[str, str]]:
    return [(column, word) for column, word in compared(sql) if word not in {str(each) for each in WORDS[column]}]


@pytest.mark.parametrize("path", SQL, ids=lambda path: path.name)
def test_sql_compares_a_column_of_known_words_with_those_words_alone(path: Path) -> None:
    assert strange(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("sql", "found"),
    [
        ("WHERE o.price_type = 'on-demand'", [("price_type", "on-demand")]),
        ("modality NOT IN ('expected', 'anounced')", [("modality", "anounced")]),
        ("evidence::VARCHAR <> 'vendors' OR suite = 'hpc'", [("evidence", "vendors")]),
        ("milestone IS DISTINCT FROM 'deliveries'", [("milestone", "deliveries")]),
        ("-- outcome = 'lost'\nWHERE outcome = 'failed'", []),
    ],
)
def test_a_planted_word_is_seen(sql: str, found: list[tuple[str, str]]) -> None:
    assert strange(sql) == found


def test_most_words_are_compared_somewhere_so_that_the_columns_are_really_found() -> None:
    seen = {column for path in SQL for column, _ in compared(path.read_text(encoding="utf-8"))}
    assert seen == set(WORDS)
