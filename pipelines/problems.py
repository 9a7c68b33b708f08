"""The closed list of things that go wrong with outside input, and the row and exception that carry them.

What is odd in one record becomes a `Problem` row and the rest goes on; what makes a whole input unreadable is raised
as `InputError`. A reason that is not in `Reason` does not exist: add it here first.
"""

from __future__ import annotations

from enum import StrEnum

from pipelines.frozen import frozen


class Reason(StrEnum):
    """Why a record, member, document or source could not be read as expected."""

    # a whole archive
    NOT_AN_ARCHIVE = "not_an_archive"
    ARCHIVE_TRUNCATED = "archive_truncated"
    ARCHIVE_EMPTY = "archive_empty"
    ARCHIVE_DAMAGED = "archive_damaged"
    ARCHIVE_TOO_LARGE = "archive_too_large"
    ROUND_UNKNOWN = "round_unknown"
    ROUND_WITHOUT_RESULTS = "round_without_results"
    # a member of an archive
    MEMBER_REFUSED = "member_refused"
    MEMBER_NAME_UNDECODABLE = "member_name_undecodable"
    MEMBER_TOO_LARGE = "member_too_large"
    MEMBER_LAYOUT_UNKNOWN = "member_layout_unknown"
    # a system description
    SYSTEM_UNREADABLE = "system_unreadable"
    SYSTEM_MISSING = "system_missing"
    SYSTEM_WITHOUT_RESULTS = "system_without_results"
    FIELD_MISSING = "field_missing"
    FIELD_UNREADABLE = "field_unreadable"
    KEY_DUPLICATED = "key_duplicated"
    KEY_UNKNOWN = "key_unknown"
    TEXT_REPAIRED = "text_repaired"
    # a result log
    LOG_UNREADABLE = "log_unreadable"
    LOG_LINE_MALFORMED = "log_line_malformed"
    LOG_WITHOUT_STOP = "log_without_stop"
    RUN_NOT_CONVERGED = "run_not_converged"
    RUN_REJECTED = "run_rejected"
    TOO_FEW_RUNS = "too_few_runs"
    SCALING_UNREADABLE = "scaling_unreadable"
    POWER_UNREADABLE = "power_unreadable"
    BENCHMARK_UNKNOWN = "benchmark_unknown"
    ACCELERATOR_UNKNOWN = "accelerator_unknown"
    ROW_DUPLICATED = "row_duplicated"
    LOG_MISSING = "log_missing"
    RUN_INVALID = "run_invalid"
    FIGURE_MISSING = "figure_missing"
    # a committed fact
    FACT_REFUSED = "fact_refused"
    # fetching
    NO_NETWORK = "no_network"
    CONNECT_FAILED = "connect_failed"
    TIMED_OUT = "timed_out"
    HTTP_STATUS = "http_status"
    BODY_TOO_LARGE = "body_too_large"
    BODY_TRUNCATED = "body_truncated"
    BODY_UNDECODABLE = "body_undecodable"
    ROBOTS_DISALLOWED = "robots_disallowed"
    ROBOTS_UNAVAILABLE = "robots_unavailable"
    ADDRESS_REFUSED = "address_refused"
    HOST_NOT_ALLOWED = "host_not_allowed"
    SCHEME_NOT_ALLOWED = "scheme_not_allowed"
    TOO_MANY_REDIRECTS = "too_many_redirects"
    TLS_FAILED = "tls_failed"
    ARCHIVE_REFUSED = "archive_refused"
    COLLECT_BROKE_OFF = "collect_broke_off"
    CHALLENGE_PAGE = "challenge_page"
    LOGIN_WALL = "login_wall"
    # the archive of captures
    RECORD_DAMAGED = "record_damaged"
    RECORD_TORN = "record_torn"
    CAPTURED_AHEAD = "captured_ahead"
    # a document
    OVER_BUDGET = "over_budget"
    DOCUMENT_EMPTY = "document_empty"
    DOCUMENT_TOO_LARGE = "document_too_large"
    DOCUMENT_ENCRYPTED = "document_encrypted"
    DOCUMENT_DAMAGED = "document_damaged"
    MEDIA_TYPE_UNKNOWN = "media_type_unknown"
    # a market table
    TABLE_UNREADABLE = "table_unreadable"
    VALUE_IMPLAUSIBLE = "value_implausible"
    RECORD_INCOMPLETE = "record_incomplete"
    TOO_FEW_ROWS = "too_few_rows"
    # a source as a whole
    TOO_FEW_ITEMS = "too_few_items"
    TOO_MANY_ITEMS = "too_many_items"
    NOTHING_NEWER = "nothing_newer"
    SET_ASIDE = "set_aside"
    # a partition of the lake
    PARTITION_FAILED = "partition_failed"


@frozen
class Problem:
    """One thing that was wrong with one place of the input.

    `scope` is the partition the place belongs to (a round's key such as `training-v5.0`, or a source id), `place` the
    member path, URL or field, `detail` what was found and expected. `is_fatal` says that the record gave no row.
    """

    source_id: str
    scope: str
    place: str
    reason: Reason
    detail: str
    is_fatal: bool = False


@frozen
class Fault:
    """What was not taken in: its place (address, file or record), why, and what was found."""

    place: str
    reason: Reason
    detail: str


class InputError(Exception):
    """A whole input cannot be read; carries the reason and says what to do."""

    def __init__(self, reason: Reason, place: str, detail: str, remedy: str = "") -> None:
        self.reason = reason
        self.place = place
        self.detail = detail
        self.remedy = remedy
        super().__init__(f"{place}: {detail} ({reason})" + (f". {remedy}" if remedy else ""))
