"""The evidence tag and the caveats of an extracted claim, by rule. Pure.

What is judged is who speaks about what: a maker about its own product, an operator about its own machines, somebody
relaying either. The rules are those of the design's table of tags.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from pipelines.model.claim import ExtractedClaim
from pipelines.model.evidence import Evidence

# What an operator knows of its own machines at first hand.
OPERATED = frozenset(
    {
        "cluster_size", "accelerator_count", "deployed_on", "site_power", "gpu_hour_price", "capex", "mtti",
        "failure_count", "liquid_cooled_share", "scheduling", "power",
    }
)  # fmt: skip
# Above these the weakest word a publisher can have on the matter stands.
_RELAYED = {Evidence.VENDOR, Evidence.OPERATOR}


@dataclass(frozen=True, slots=True)
class Speaker:
    """Who stands behind a document's words, as registry ids; '' where unknown. `groups` adds the parents."""

    organisation_id: str
    groups: frozenset[str] = frozenset()

    def is_one_of(self, organisation_ids: Collection[str]) -> bool:
        """Whether the speaker, or a company it belongs to, is among these."""
        return bool(({self.organisation_id} | self.groups) & {name for name in organisation_ids if name})


def grade(
    claim: ExtractedClaim, *, publisher: Speaker, claimant: Speaker, makers: Collection[str], default: Evidence
) -> tuple[Evidence, tuple[str, ...]]:
    """The tag and caveats of a claim.

    `makers` are the registry ids of who makes, sells or runs the subject, or who the subject is; `default` is the tag
    of the source. A site is run, not sold: its operator's word is an operator's whatever it is about. A claim put in
    somebody's mouth by another publisher is relayed: it is never stronger than `reported`.
    """
    caveats = set(claim.caveats)
    is_own = claimant.is_one_of(makers)
    is_first_hand = not claim.is_attributed or claimant.is_one_of({publisher.organisation_id} | publisher.groups)
    if is_own:
        caveats.add("own_product")
    if claim.qualifier("approx") or claim.qualifier("bound"):
        caveats.add("imprecise")
    if not is_first_hand:
        caveats.add("indirect")
    return _tag(claim, is_own, is_first_hand, claimant, default), tuple(sorted(caveats))


def _tag(claim: ExtractedClaim, is_own: bool, is_first_hand: bool, claimant: Speaker, default: Evidence) -> Evidence:
    if claim.is_illustrative:
        return Evidence.ILLUSTRATIVE
    if not is_first_hand:
        return max(default, Evidence.REPORTED, key=lambda tag: tag.rank) if claimant.organisation_id else default
    if is_own and default is not Evidence.UNVERIFIED:
        is_run = claim.subject_kind == "organisation" and claim.metric in OPERATED
        return Evidence.OPERATOR if is_run or claim.subject_kind == "site" else Evidence.VENDOR
    return Evidence.REPORTED if default in _RELAYED else default
