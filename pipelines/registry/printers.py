"""Whose page an address is, by its domain, and the one table of tags: who asserts, and on whose page. Pure."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from urllib.parse import urlsplit

from pipelines.frozen import frozen
from pipelines.model.evidence import Evidence
from pipelines.registry.entries import OrganisationEntry
from pipelines.registry.registry import load_registry

FILINGS = "filing"


@frozen
class Printed:
    """Whose page it is: a name, the registry's organisation where its domain is known, and what kind of page."""

    name: str
    organisation_id: str
    kind: str  # maker, operator, filing, standards, measured, analyst, press, aggregator

    def is_of(self, claimant: str) -> bool:
        """Whether the page is the claimant's own, or that of a company above or below it."""
        if not self.organisation_id:
            return claimant.casefold() == self.name.casefold()
        return bool(_family(self.organisation_id) & _family(_id_of(claimant)))


def domain_owner(url: str) -> OrganisationEntry | None:
    """The organisation whose domain holds the address; `github.com/rocm` counts before the host, the longest first."""
    parts = urlsplit(url)
    host = (parts.hostname or "").removeprefix("www.")
    index = _domains()
    first = parts.path.strip("/").split("/", 1)[0].casefold()
    if first and f"{host}/{first}" in index:
        return index[f"{host}/{first}"]
    labels = host.split(".")
    return next((index[name] for at in range(len(labels) - 1) if (name := ".".join(labels[at:])) in index), None)


def printed_by(url: str, name: str, kind: str) -> Printed:
    """Who printed a page: by its domain; `name` and `kind` as a reader gave them stand where no domain is known."""
    owner = domain_owner(url)
    if owner is None:
        known = kind if kind in ("press", "aggregator", "analyst", "standards") else "press"
        return Printed(name, "", known)
    if owner.publishes_as is not None:
        return Printed(owner.name, owner.id, owner.publishes_as)
    if owner.id == "sec":
        return Printed(owner.name, owner.id, FILINGS)
    return Printed(owner.name, owner.id, kind if kind in ("operator", FILINGS, "standards") else "maker")


def page_tag(kind: str) -> Evidence:
    """The tag of what a page of that kind says, before it is asked who says it of what."""
    return {"aggregator": Evidence.UNVERIFIED, "analyst": Evidence.ESTIMATED}.get(kind, Evidence.REPORTED)


def tag_of(claimant: str, printed: Printed, *, makers: Collection[str], is_run: bool = False) -> Evidence:
    """The evidence tag of a statement, by who asserts it on whose page.

    `makers` are who makes or sells the thing, or who it is; `is_run` marks a thing that is run and not sold, a site,
    whose makers are who runs it. The table is the design's: `vendor` and `operator` only on the own page, a relay is
    `reported` whoever is quoted, a page without a named author or method `unverified`.
    """
    if printed.kind == "aggregator":
        return Evidence.UNVERIFIED
    if not printed.is_of(claimant):
        return Evidence.REPORTED
    if printed.kind == FILINGS:
        return Evidence.AUDITED
    if printed.kind == "analyst":
        return Evidence.ESTIMATED
    if printed.kind in ("press", "standards", "measured"):
        return Evidence.REPORTED
    if _family(printed.organisation_id) & set(makers):
        return Evidence.OPERATOR if is_run else Evidence.VENDOR
    return Evidence.OPERATOR if printed.kind == "operator" else Evidence.REPORTED


def allowed_tag(tag: Evidence, claimant: str, printed: Printed) -> Evidence:
    """The tag, or the strongest that its page allows: a maker's or operator's word stands on its own page only.

    What a named author measured is a reader's finding; what he saw or judged is his on his own page and told elsewhere.
    """
    if tag is Evidence.ILLUSTRATIVE:
        return tag
    if printed.kind == "aggregator":
        return Evidence.UNVERIFIED
    is_own = bool(printed.organisation_id) and printed.is_of(claimant)
    is_reviewed = tag is Evidence.AUDITED and printed.kind in (FILINGS, "measured")
    if tag in (Evidence.VENDOR, Evidence.OPERATOR, Evidence.AUDITED) and not is_own and not is_reviewed:
        return Evidence.REPORTED
    if tag in (Evidence.OBSERVED, Evidence.ESTIMATED) and not printed.is_of(claimant):
        return Evidence.REPORTED
    return tag


def _id_of(name: str) -> str:
    found = load_registry().submitter(name)
    return found.parts[0] if len(found.parts) == 1 else name


def _family(organisation_id: str) -> set[str]:
    found = {organisation_id}
    entry = load_registry().organisation(organisation_id)
    while entry is not None and entry.parent is not None and entry.parent not in found:
        found.add(entry.parent)
        entry = load_registry().organisation(entry.parent)
    return found


@lru_cache(maxsize=1)
def _domains() -> dict[str, OrganisationEntry]:
    registry = load_registry()
    return {
        domain: entry
        for listed in registry.entries.domains
        for domain in listed.domains
        if (entry := registry.organisation(listed.id)) is not None
    }
