"""Systems of the registry as rows: the machines, what they hold, and the names they bore."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pipelines.model.registry import SystemNameRow, SystemPartRow, SystemRow
from pipelines.registry.dates import first_day, last_day
from pipelines.registry.entries import PartEntry, Reference, SystemEntry


def system_row(entry: SystemEntry, references: Mapping[str, Reference]) -> SystemRow:
    """One machine with the reference its composition rests on."""
    reference = None if entry.reference is None else references[entry.reference]
    return SystemRow(
        system_id=entry.id,
        vendor_id=entry.vendor,
        name=entry.name,
        kind=entry.kind,
        predecessor_id=entry.predecessor,
        scale_up_domain=entry.scale_up_domain,
        counting_note=entry.counting_note,
        said_by=None if reference is None else reference.said_by,
        evidence=None if reference is None else reference.evidence,
        basis=None if reference is None else reference.basis,
        url=None if reference is None else reference.url,
    )


def part_rows(entry: SystemEntry) -> Iterable[SystemPartRow]:
    """What a machine holds, one row a kind of part."""
    for part in entry.parts:
        kind, name = _named(part)
        yield SystemPartRow(entry.id, kind, name, part.count)


def _named(part: PartEntry) -> tuple[str, str]:
    return ("accelerator", part.accelerator) if part.accelerator is not None else ("cpu", str(part.cpu))


def name_rows(entry: SystemEntry, references: Mapping[str, Reference]) -> Iterable[SystemNameRow]:
    """The dated names of a machine; one that was never renamed bears its own name throughout."""
    if not entry.names:
        whole = system_row(entry, references)
        yield SystemNameRow(entry.id, entry.name, None, None, whole.said_by, whole.evidence, whole.basis, whole.url)
    for named in entry.names:
        reference = references[named.reference]
        yield SystemNameRow(
            system_id=entry.id,
            name=named.name,
            valid_from=None if named.since is None else first_day(named.since),
            valid_to=None if named.until is None else last_day(named.until),
            said_by=reference.said_by,
            evidence=reference.evidence,
            basis=reference.basis,
            url=reference.url,
        )


def system_spellings(entry: SystemEntry) -> Iterable[str]:
    """Every name a machine is known by."""
    yield entry.name
    yield from (named.name for named in entry.names)
    yield from entry.aliases
