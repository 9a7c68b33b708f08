"""Names taken whole: a model with the form that follows it, a product with its maker in front. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from pipelines.registry.grammar import Stated, choose
from pipelines.registry.load import Entries
from pipelines.registry.name_hit import NameHit

# what may follow a model and narrows it to one variant: 'H100 PCIe', 'A100 80GB SXM4', 'H200 (NVL)'
FORM = re.compile(
    r"[ \t\u00a0_-]{0,2}\(?(?:\d{2,3} ?GB[ -]{0,2})?(?P<form>SXM ?\d?|PCI-?e|NVL|OAM)(?![\w-]*\d)(?!\w)\)?",
    re.IGNORECASE,
)
_FORMS = {"SXM": "SXM", "PCIE": "PCIe", "NVL": "NVL", "OAM": "OAM"}


class WholeNames:
    """The models and owners of one set of entries, ready to be asked."""

    def __init__(self, entries: Entries) -> None:
        self._models = {entry.id: entry for entry in entries.accelerators}
        self._parents = {entry.id: entry.parent or "" for entry in entries.organisations}

    def names(self, text: str, hits: Iterable[NameHit]) -> list[NameHit]:
        """The names of a text, in order, each as far as it reaches.

        'NVIDIA' or 'Blackwell' directly before 'GB200' is part of the name, not a second one.
        """
        joined: list[NameHit] = []
        for hit in (self._narrowed(text, found) for found in hits):
            before = joined[-1] if joined else None
            if before is not None and hit.start < before.end:
                continue  # swallowed when the one before was narrowed
            if (
                before is not None
                and self._belongs(before, hit)
                and not text[before.end : hit.start].strip(" \t\u00a0®™")
            ):
                joined[-1] = replace(hit, start=before.start)
                continue
            joined.append(hit)
        return joined

    def _narrowed(self, text: str, hit: NameHit) -> NameHit:
        """A model with the form factor that follows it: 'H100 PCIe' is not 'H100 SXM'."""
        entry = self._models.get(hit.subject_id) if hit.kind == "accelerator" else None
        match = FORM.match(text, hit.end) if entry is not None else None
        if entry is None or match is None:
            return hit
        form = _FORMS[re.sub(r"[^A-Z]", "", match["form"].upper())] + "".join(c for c in match["form"] if c.isdigit())
        choice = choose(entry, Stated(None, form))
        end = match.end() if match.group().count("(") == match.group().count(")") else match.end("form")
        return replace(hit, end=end, subject_id=choice.accelerator_id, name=f"{hit.name} {form}")

    def _belongs(self, before: NameHit, hit: NameHit) -> bool:
        """Whether a name is the maker or the architecture of the product that follows it."""
        if not hit.vendor_id or hit.kind == "organisation":
            return False
        if before.kind == "generation":
            return hit.kind in ("accelerator", "system") and hit.vendor_id == before.vendor_id
        is_maker = hit.vendor_id in (before.subject_id, self._parents.get(before.subject_id, "-"))
        return before.kind == "organisation" and is_maker
