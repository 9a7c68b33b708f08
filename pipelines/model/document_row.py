"""A document as the lake and the warehouse list it, whether it could be parsed or not."""

from __future__ import annotations

import datetime as dt

from pipelines.frozen import frozen


@frozen
class DocumentRow:
    """One capture read as a document.

    `document_id` is empty and `problem` says the reason where it could not be parsed. `text` is what its locators count
    in; it and `structure_json` (blocks, tables, lists as offsets into it) stay in the lake and are not published.
    `captured_at` is UTC. `claimant` is who asserts what it says, where the person who added it named somebody else than
    its publisher.
    """

    document_id: str
    capture_id: str
    source_id: str
    url: str
    captured_at: dt.datetime
    payload_sha256: str
    format: str
    title: str
    publisher: str
    claimant: str
    authors: tuple[str, ...]
    published_on: dt.date | None
    published_basis: str
    language: str
    canonical_url: str
    block_count: int
    table_count: int
    character_count: int
    notes: tuple[str, ...]
    problem: str
    detail: str
    text: str
    structure_json: str
