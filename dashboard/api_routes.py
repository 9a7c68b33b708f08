"""The HTTP API: the declared questions at `/api/v1/<question>`, as JSON, read-only, for anybody.

An answer names its version and carries an ETag that is known before the question is asked, so that what a reader holds
already costs nothing. What cannot be answered is a problem as RFC 9457 has it. Outside text is a JSON string only.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import math
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from dashboard.queries import Ledger, open_ledger
from dashboard.rate import buckets
from pipelines import __version__
from pipelines.settings import current_settings
from warehouse import versions
from warehouse.answers.openapi import MOST_ROWS, PROBLEM, ROWS, openapi
from warehouse.answers.questions import Asked, Question, Wrong, digest, plain, questions, read, rows
from warehouse.read import TookTooLong, WarehouseMissing, WarehouseUnreadable

SECONDS = 10.0  # the time that one question may take
MOST_BYTES = 2_000_000  # of an answer: what is longer is cut between rows, and `next` leads on
MOST_ADDRESS = 4_000
AT_ONCE, WAITING_SECONDS = 4, 5.0
KEPT_ANSWERS, KEPT_BYTES = 200, 100_000
OPEN = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": "ETag, Retry-After",
    "X-Content-Type-Options": "nosniff",
}
_turns = threading.BoundedSemaphore(AT_ONCE)
_kept: OrderedDict[str, bytes] = OrderedDict()
_kept_lock = threading.Lock()


class _Refused(Exception):
    """An answer that is a problem: its status, title, words, further members and headers."""

    def __init__(self, status: int, title: str, detail: str, **more: Any) -> None:
        super().__init__(detail)
        self.status, self.title, self.detail = status, title, detail
        self.headers: dict[str, str] = more.pop("headers", {})
        self.more = more


def serve_question(request: Request) -> Response:
    """The rows of a question, or why there are none."""
    if request.method == "OPTIONS":
        return _preflight()
    try:
        _let_in(request)
        ledger = _ledger()
        question = questions().get(request.path_params["question"])
        if question is None:
            raise _Refused(404, "No such question", f"The questions are {', '.join(questions())}.")
        return _answer(request, ledger, question)
    except _Refused as refused:
        return _problem(refused)
    except Wrong as wrong:
        more = {"parameter": wrong.parameter, "expected": wrong.expected, "found": wrong.found}
        return _problem(_Refused(400, "A parameter cannot be read", str(wrong), **more, nearest=list(wrong.nearest)))
    except TookTooLong as error:
        return _problem(_Refused(503, "Took too long", str(error), headers={"Retry-After": "30"}))


def serve_index(request: Request) -> Response:
    """What may be asked, and where."""
    listed = {name: {"says": each.says, "href": f"api/v1/{name}"} for name, each in questions().items()}
    return JSONResponse({"questions": listed, "openapi": "api/v1/openapi.json"}, headers=OPEN)


def serve_openapi(request: Request) -> Response:
    """The description of all this."""
    return JSONResponse(openapi(__version__), headers={**OPEN, "Cache-Control": "public, max-age=3600"})


def routes() -> list[Route]:
    """Where it is served."""
    return [
        Route("/api/v1/openapi.json", serve_openapi),
        Route("/api/v1/", serve_index),
        Route("/api/v1/{question}", serve_question, methods=["GET", "OPTIONS"]),
    ]


def _let_in(request: Request) -> None:
    """Raises _Refused for an address that is too long, and for one who asks too often."""
    if len(str(request.url)) > MOST_ADDRESS:
        raise _Refused(414, "Address too long", f"An address may have {MOST_ADDRESS:,} characters.")
    client = request.client.host if request.client else ""
    wait = buckets(current_settings().api_rate).wait(client)
    if wait:
        seconds = str(math.ceil(wait))
        raise _Refused(429, "Too many requests", f"Ask again in {seconds} s.", headers={"Retry-After": seconds})


def _ledger() -> Ledger:
    try:
        return open_ledger(current_settings().warehouse)
    except (WarehouseMissing, WarehouseUnreadable):
        raise _Refused(503, "Nothing to read yet", "There is no ledger to read yet.") from None


def _answer(request: Request, ledger: Ledger, question: Question) -> Response:
    given: dict[str, list[str]] = {}
    for name, value in request.query_params.multi_items():
        given.setdefault(name, []).append(value)
    limit, cursor = _limit(given.pop("limit", [])), given.pop("cursor", [""])[-1]
    asked = read(question, given, lambda sql, named: ledger.within(SECONDS, sql, named), ledger.built_at.date())
    words = json.dumps([question.name, asked.words], default=str, sort_keys=True)
    start = _start(cursor, ledger.version, words) if cursor else 0
    published = "" if question.sql else str([each.version for each in versions.versions(current_settings().published)])
    tag = _digest(ledger.version, published, digest(), __version__, words, str(limit), str(start))
    headers = {**OPEN, "ETag": f'"{tag}"', "Cache-Control": "public, max-age=60"}
    if tag in {
        each.strip().removeprefix("W/").strip('"') for each in request.headers.get("if-none-match", "").split(",")
    }:
        return Response(status_code=304, headers=headers)
    content = _from_memory(tag) or _remember(tag, _content(ledger, asked, words, limit, start))
    return Response(content, media_type="application/json", headers=headers)


def _content(ledger: Ledger, asked: Asked, words: str, limit: int, start: int) -> bytes:
    """The answer as JSON; one row more than is shown is asked for, to know whether others follow."""
    if not _turns.acquire(timeout=WAITING_SECONDS):
        raise _Refused(503, "Busy", "Other questions are being answered.", headers={"Retry-After": "5"})
    try:
        found = _rows(ledger, asked, limit + 1, start)
    finally:
        _turns.release()
    kept = _within_size(found[:limit])
    follows = _cursor(ledger.version, words, start + len(kept)) if len(found) > len(kept) else None
    answer = {
        "question": asked.question.name,
        "version": ledger.version,
        "built_at": f"{ledger.built_at:%Y-%m-%dT%H:%M:%SZ}",
        "parameters": asked.words,
        "is_known": bool(found) or start > 0,
        "rows": kept,
        "next": follows,
    }
    return json.dumps(answer, default=str, ensure_ascii=False, allow_nan=False).encode("utf-8", "replace")


def _rows(ledger: Ledger, asked: Asked, limit: int, start: int) -> list[dict[str, Any]]:
    """A stretch of the rows, from the record or the published files. Raises Wrong for a version that is not there."""
    if asked.question.sql:
        return rows(asked, lambda sql, named: ledger.within(SECONDS, sql, named), limit, start)
    try:
        found = versions.answer(asked.question.name, asked.values, current_settings().published)
    except versions.NoSuchVersion as error:
        raise Wrong("older or newer", str(error)) from None
    except ValueError as error:
        raise Wrong("table", str(error)) from None
    return [plain(row) for row in found[start : start + limit]]


def _within_size(found: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The first rows that an answer can hold. Raises _Refused where not even one fits."""
    kept, size = [], 0
    for row in found:
        size += len(json.dumps(row, ensure_ascii=False).encode("utf-8", "replace"))
        if size > MOST_BYTES:
            break
        kept.append(row)
    if found and not kept:
        raise _Refused(503, "Too large", f"One row is longer than {MOST_BYTES:,} bytes; take it from the files.")
    return kept


def _limit(given: Sequence[str]) -> int:
    if not given:
        return ROWS
    text = given[-1]
    if not text.isascii() or not text.isdigit() or len(text) > 6 or not 1 <= int(text) <= MOST_ROWS:
        raise Wrong("limit", f"a whole number from 1 to {MOST_ROWS}", text[:40])
    return int(text)


def _cursor(version: str, words: str, start: int) -> str:
    told = json.dumps([version, _digest(words), start], separators=(",", ":"))
    return base64.urlsafe_b64encode(told.encode()).decode().rstrip("=")


def _start(cursor: str, version: str, words: str) -> int:
    """The row to begin with. Raises Wrong for a cursor of another question or version, or of nobody's making."""
    try:
        padded = cursor.encode("ascii") + b"=" * (-len(cursor) % 4)
        of_version, of_words, start = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
    except (ValueError, TypeError, binascii.Error, RecursionError):
        raise Wrong("cursor", "`next` of the answer before", cursor[:40]) from None
    if of_words != _digest(words) or not isinstance(start, int) or not 0 <= start < 10**9:
        raise Wrong("cursor", "`next` of an answer to this very question", cursor[:40])
    if of_version != version:
        raise Wrong("cursor", f"a cursor of version {version}; begin anew without a cursor", str(of_version)[:40])
    return start


def _digest(*parts: str) -> str:
    return hashlib.sha256("\x1f".join(parts).encode("utf-8", "replace")).hexdigest()[:32]


def _from_memory(tag: str) -> bytes | None:
    with _kept_lock:
        content = _kept.get(tag)
        if content is not None:
            _kept.move_to_end(tag)
        return content


def _remember(tag: str, content: bytes) -> bytes:
    """Keep a small answer for the next who asks; the tag holds version and question, so it can never be stale."""
    if len(content) <= KEPT_BYTES:
        with _kept_lock:
            _kept[tag] = content
            if len(_kept) > KEPT_ANSWERS:
                _kept.popitem(last=False)
    return content


def _preflight() -> Response:
    allowed = {"Access-Control-Allow-Methods": "GET, HEAD, OPTIONS", "Access-Control-Allow-Headers": "If-None-Match"}
    return Response(status_code=204, headers={**OPEN, **allowed, "Access-Control-Max-Age": "86400"})


def _problem(refused: _Refused) -> Response:
    kind = refused.title.lower().replace(" ", "-")
    told = {"type": f"tag:rackledger,2026:{kind}", "title": refused.title, "status": refused.status}
    content = json.dumps({**told, "detail": refused.detail, **refused.more}, ensure_ascii=False)
    headers = {**OPEN, "Cache-Control": "no-store", **refused.headers}
    return Response(content.encode("utf-8", "replace"), refused.status, headers, media_type=PROBLEM)
