"""What speaks against publishing a reading beside the others of its page, whoever's page it is. Pure.

`rackledger extract` tells such readings all the same: each is what the page says, and what is missing is what tells it
from its neighbour. As a fact of its own it would be a false one, and open a conflict that nobody has.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from pipelines.extract.link.meaning import entry_of
from pipelines.model.claim import CONFIDENT, ExtractedClaim

_TWICE = 0.1  # how far a pair may be from 1 to 2


def weighed(claims: Sequence[ExtractedClaim]) -> list[ExtractedClaim]:
    """The readings of one page; of those without a doubt some get one."""
    first = [dataclasses.replace(one, doubt=one.doubt or _count(one)) for one in claims]
    standing = [one for one in first if one.state != "candidate"]
    return [dataclasses.replace(one, doubt=one.doubt or _pair(one, claims) or _twin(one, standing)) for one in first]


def _pair(claim: ExtractedClaim, claims: Sequence[ExtractedClaim]) -> str:
    """Why the second of '2.2/4.5 PFLOP/s' waits: it is twice another, and whether it counts sparsity is not said."""
    for other in claims if _is_open(claim) else ():
        if _is_twin(claim, other) and claim.value and other.value and abs(claim.value / other.value - 2) <= _TWICE:
            return f"twice the {other.printed} of the same page: whether it counts sparsity is not said"
    return ""


def _twin(claim: ExtractedClaim, standing: Sequence[ExtractedClaim]) -> str:
    """Why a reading waits beside another of its page: they differ, and what tells them apart was not read.

    A reading that is sure gives way only to one that is sure too; the smaller of a pair stands. Sizes of memory may
    both hold: a product is sold with several.
    """
    for other in standing:
        is_surer = claim.confidence >= CONFIDENT > other.confidence
        if is_surer or not _is_twin(claim, other) or not claim.value or not other.value:
            continue
        is_pair = _is_open(claim) and abs(other.value / claim.value - 2) <= _TWICE
        if abs(claim.value / other.value - 1) > entry_of(claim.metric).tolerance and not is_pair:
            return f"the page also says {other.printed}: what tells them apart was not read"
    return ""


def _is_open(claim: ExtractedClaim) -> bool:
    """Whether a rate may count sparsity or not."""
    return claim.metric == "compute" and claim.qualifier("sparsity") == "unstated"


def _is_twin(one: ExtractedClaim, two: ExtractedClaim) -> bool:
    """Whether two readings say the same thing of the same subject, but for the value."""
    if (one.subject, one.metric) != (two.subject, two.metric) or one.metric == "memory_capacity":
        return False
    periods = (one.period_start, one.period_end), (two.period_start, two.period_end)
    return one.qualifiers == two.qualifiers and periods[0] == periods[1]


def _count(claim: ExtractedClaim) -> str:
    """Why a count of a thing waits that was read as its own: how many somebody's machine has is no figure of it."""
    entry = entry_of(claim.metric)
    is_own = not entry.counts or claim.subject_kind in (*entry.owners, "label", "unknown")
    is_within = claim.qualifier("per") in ("", "unstated", "gpu", "accelerator")
    return "" if is_own or is_within else "a count in somebody's machine, no figure of the thing"
