"""A claim as the lake and the warehouse hold it: the one declaration of its fields; and what else reading leaves.

The Parquet schema, the tables `evidence.mentions` and `evidence.claims`, their dictionary and the columns of the
committed ledger are derived from `MentionRow`. A new field is declared here, filled where it is known, shown where
it is wanted, and touched nowhere else. `StatementRow` is a claim as the rule of what stands reads it.
"""

from __future__ import annotations

import datetime as dt
from typing import Annotated

from pipelines.frozen import frozen
from pipelines.model.claim import Method, Modality
from pipelines.model.columns import Column
from pipelines.model.evidence import Evidence

STATES = ("open", "met", "missed", "ambiguous")  # of a forecast


@frozen(kw_only=True)
class MentionRow:
    """One document (or one row of the committed ledger) saying one claim.

    The claim's columns repeat on each of its mentions. Exactly one of `value`, `value_text` (non-empty) and
    `value_start`/`value_end` is set. `qualifiers` is a JSON object with sorted keys. `locator_start..locator_end` are
    characters of the document's text; both are None for a row of the ledger, whose `locator` names file and row.
    """

    claim_id: Annotated[
        str, Column("digest of what was said (subject as written, metric, value, unit, qualifiers, period, claimant)")
    ]
    subject: Annotated[str, Column("the subject's canonical name", rule="subject <> ''")]
    subject_id: Annotated[
        str, Column("registry id of the subject; empty where the registry does not know it", is_optional=True)
    ]
    subject_kind: Annotated[
        str, Column("what the subject is: accelerator, system, cpu, network, software, organisation, site, …")
    ]
    metric: Annotated[str, Column("id of the metric, see registry.metrics")]
    value: Annotated[float | None, Column("the number in the metric's canonical unit; empty for dates and texts")] = (
        None
    )
    value_text: Annotated[str, Column("what is said, where the metric is a text", is_optional=True)] = ""
    value_start: Annotated[
        dt.date | None, Column("first day of the period that is said, where the metric is a date")
    ] = None
    value_end: Annotated[dt.date | None, Column("last day of the period that is said, where the metric is a date")] = (
        None
    )
    value_low: Annotated[float | None, Column("lower end, where one claim says a range")] = None
    value_high: Annotated[float | None, Column("upper end, where one claim says a range")] = None
    unit: Annotated[str, Column("the metric's canonical unit")]
    qualifiers: Annotated[
        str,
        Column(
            "what the number counts: per, precision, sparsity, counted_as, direction, baseline, workload, bound, …;"
            " 'unstated' where the text does not say",
            sql="MAP(VARCHAR, VARCHAR)",
        ),
    ]
    modality: Annotated[
        Modality,
        Column(f"how firm the thing is ({', '.join(Modality)})", known=tuple(Modality), is_typed=True),
    ]
    claimant: Annotated[str, Column("who says it, as named", rule="claimant <> ''", is_typed=True)]
    claimant_id: Annotated[
        str, Column("registry id of the claimant; empty where the registry does not know it", is_optional=True)
    ]
    evidence: Annotated[Evidence, Column("evidence tag, strongest first", sql="evidence_tag", is_typed=True)]
    stated_on: Annotated[
        dt.date | None,
        Column("day on which it was first stated; empty where no page that says it gives a day"),
    ] = None
    stated_on_precision: Annotated[
        str,
        Column("day, month, year, or capture or unknown (the page names no date)"),
    ]
    stated_not_after: Annotated[
        dt.date | None,
        Column("where the page gives no day: the day by which it had been stated", is_typed=True),
    ] = None
    read_on: Annotated[dt.date | None, Column("day on which it was read here; never an event", is_typed=True)] = None
    period_start: Annotated[
        dt.date | None, Column("first day of the period for which it holds or is promised to hold")
    ] = None
    period_end: Annotated[dt.date | None, Column("last day of that period")] = None
    caveats: Annotated[
        tuple[str, ...],
        Column(
            "coded words that lower trust: own_product, indirect, imprecise, single_source, copied, altered,"
            " unit_unclear, …",
            is_typed=True,
        ),
    ] = ()
    doubt: Annotated[
        str,
        Column(
            "why the claim waits for review and is not published; empty where it is", is_optional=True, of="mention"
        ),
    ] = ""
    document_id: Annotated[
        str,
        Column(
            "id of the document, see evidence.documents; empty for rows of the committed ledger",
            is_optional=True,
            of="mention",
        ),
    ] = ""
    source_id: Annotated[str, Column("id of the source in sources.yaml", rule="source_id <> ''")]
    url: Annotated[str, Column("address of the document", rule="url LIKE 'http%'", is_typed=True)]
    publisher: Annotated[str, Column("who published the document", of="mention", is_typed=True)]
    printed_by: Annotated[str, Column("whose page it is, by its domain", is_typed=True)]
    locator: Annotated[
        str, Column("where in the document or file it stands, in words", rule="locator <> ''", of="mention")
    ]
    locator_start: Annotated[
        int | None, Column("first character of the value in the document's text", of="mention")
    ] = None
    locator_end: Annotated[int | None, Column("character after the value", of="mention")] = None
    context_start: Annotated[
        int | None, Column("first character of the shortest passage that carries the claim", of="mention")
    ] = None
    context_end: Annotated[int | None, Column("character after that passage", of="mention")] = None
    printed: Annotated[str, Column("value and unit as printed")]
    method: Annotated[Method, Column(f"how it was read ({', '.join(Method)})", known=tuple(Method))]
    extractor: Annotated[str, Column("name of the extractor; ledger for rows entered by hand", of="mention")]
    extractor_version: Annotated[str, Column("version of the extractor", of="mention")]
    confidence: Annotated[float, Column("how sure the reading is, 0 to 1", rule="confidence BETWEEN 0 AND 1")]
    first_seen: Annotated[
        dt.datetime | None,
        Column("first capture of a document that carries it, UTC; empty for rows of the committed ledger"),
    ] = None
    # left open in the lake, for it changes with every capture: the warehouse asks the documents
    last_seen: Annotated[dt.datetime | None, Column("last capture of a document that carries it, UTC")] = None
    ref: Annotated[
        str, Column("row of the committed ledger; empty for what was extracted", is_optional=True, is_typed=True)
    ] = ""
    origin_ref: Annotated[
        str,
        Column("row of the ledger that this one repeats or alters", is_optional=True, is_typed=True, of="mention"),
    ] = ""
    due_on: Annotated[
        dt.date | None, Column("day by which a forecast is to be judged", is_typed=True, of="mention")
    ] = None
    criterion: Annotated[str, Column("what decides a forecast", is_optional=True, is_typed=True, of="mention")] = ""
    state: Annotated[
        str,
        Column(
            f"state of a forecast ({', '.join(STATES)}); empty for what is no forecast",
            known=STATES,
            is_optional=True,
            is_typed=True,
            of="mention",
        ),
    ] = ""
    arithmetic: Annotated[
        str,
        Column(
            "whether it agrees with its own parts (consistent, inconsistent); empty where nothing could be checked",
            known=("consistent", "inconsistent"),
            is_optional=True,
        ),
    ] = ""
    formula: Annotated[str, Column("the sum that the text does itself", is_optional=True, of="mention")] = ""
    note: Annotated[str, Column("corrections and remarks of the ledger", is_optional=True, is_typed=True)] = ""


@frozen
class UnmatchedRow:
    """A name in a document that looks like a product and that the registry does not know."""

    name: str
    name_key: str
    document_id: str
    source_id: str
    url: str
    locator_start: int
    locator_end: int


@frozen
class CopyRow:
    """A document that repeats another, or that shows by its own signs that it was respun.

    `kind` is 'copy' (near-identical wording), 'spin' (the same names and figures in other words, or figures altered) or
    'suspect' (own signs only: then `origin_document_id` is empty). Similarities are Jaccard estimates from 0 to 1.
    """

    document_id: str
    origin_document_id: str
    kind: str
    word_similarity: float
    name_similarity: float
    signs: tuple[str, ...]


@frozen
class StatementRow:
    """One statement as the rule reads it: macros/25_resolution.sql names the columns; qualifiers are JSON."""

    thing: str
    asked: str | None
    as_of: dt.date
    subject_id: str | None
    statement_id: str
    place: int
    metric: str
    kind: str
    tolerance: float
    requires: tuple[str, ...]
    related: bool
    value: float | None
    low: float | None
    high: float | None
    value_text: str | None
    qualifiers: str
    modality: str
    claimant_key: str
    claimant_kind: str
    printer_key: str
    printer_kind: str
    is_owner: bool
    stated_from: dt.date | None
    stated_to: dt.date | None
    known_from: dt.date | None
    is_doubtful: bool
    variants: tuple[str, ...]
