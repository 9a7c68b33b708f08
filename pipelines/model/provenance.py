"""Where the rows of one MLPerf round came from; repeated on every row of its partition in the lake."""

from __future__ import annotations

import datetime as dt

from pipelines.frozen import frozen
from pipelines.model.evidence import Evidence


@frozen
class RoundProvenance:
    """The repository state that was read, when it was captured, and the date on which the round was published.

    `stated_on_basis` is 'round' when the registry knows the publication date, else 'commit'. `origin` is
    'archive' for rows parsed from a captured repository archive and 'computed table' for rows of rounds whose archive
    was not at hand.
    """

    source_id: str
    repository: str  # 'mlcommons/training_results_v5.0'
    commit: str | None
    committed_at: dt.datetime | None
    archive_sha256: str | None
    captured_at: dt.datetime
    stated_on: dt.date
    stated_on_basis: str
    evidence: Evidence
    origin: str


@frozen
class CaptureRow:
    """One capture as the warehouse lists it: what was fetched or added, when, and its digest."""

    capture_id: str
    source_id: str
    scope: str  # 'training-v5.0' for a round, else the source id
    kind: str  # 'repository archive', 'response', 'revisit', 'resource'
    url: str
    captured_at: dt.datetime
    sha256: str
    byte_count: int
    commit: str | None
    kept_as: str  # path below the archive's folder
    kept_members: int | None
    kept_bytes: int | None
