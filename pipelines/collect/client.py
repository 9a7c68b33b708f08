"""One request, one answer: headers out, status and headers in, the body streamed to a sink under both caps.

Redirects, robots, retries and pacing are decided elsewhere. Requests go through httpcore, whose backend is the address
guard; httpx's own client is left out on purpose: it keeps cookies, takes proxies from the environment and reads
redirects before we judge them.
"""

from __future__ import annotations

import asyncio
import email.utils
import http
import ssl
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

import httpcore
import httpx

from pipelines.archive.decode import Decoder, codings_of
from pipelines.collect.ports import Clock, CollectSettings, FetchError
from pipelines.frozen import frozen
from pipelines.model.capture import Headers
from pipelines.problems import InputError, Reason

ACCEPT_ENCODING = "gzip, deflate, br, zstd"
REDIRECTS = frozenset({301, 302, 303, 307, 308})
# Answers that say the page is gone: they are kept as evidence of that.
GONE = frozenset({404, 410})


@frozen
class Answer:
    """One response as served. `body` is empty unless the status is 2xx or says that the page is gone."""

    url: str
    requested_at: datetime
    request_headers: Headers
    status: int
    reason: str
    response_headers: Headers
    http_version: str
    body: bytes | Path = b""
    byte_count: int = 0

    def header(self, name: str) -> str | None:
        """A response header's first value."""
        return next((value for key, value in self.response_headers if key.lower() == name.lower()), None)

    @property
    def is_conditional(self) -> bool:
        """Whether the request allowed an answer without a body."""
        return any(name.lower() in ("if-none-match", "if-modified-since") for name, _ in self.request_headers)

    def discard(self) -> None:
        """Remove the body's file."""
        if isinstance(self.body, Path):
            self.body.unlink(missing_ok=True)


@frozen
class Limits:
    """What one attempt may take: bytes as sent and as decompressed, and seconds."""

    cap_bytes: int
    total_s: float


class BodySink:
    """Takes a body in; `close` gives it as bytes, or as a file in `folder` when it has more than `in_memory_bytes`."""

    def __init__(self, folder: Path, in_memory_bytes: int) -> None:
        self._folder = folder
        self._limit = in_memory_bytes
        self._parts: list[bytes] = []
        self._path: Path | None = None
        self._file: BinaryIO | None = None
        self.size = 0

    def write(self, data: bytes) -> None:
        """Add bytes; OSError when the disk refuses."""
        self.size += len(data)
        if self._file is None and self.size <= self._limit:
            self._parts.append(data)
            return
        if self._file is None:
            number, name = tempfile.mkstemp(dir=self._folder, prefix="body-")
            self._file, self._path = open(number, "wb"), Path(name)  # noqa: PTH123, SIM115
            self._file.write(b"".join(self._parts))
            self._parts.clear()
        self._file.write(data)

    def close(self) -> bytes | Path:
        """End the body."""
        if self._file is None or self._path is None:
            return b"".join(self._parts)
        self._file.close()
        return self._path

    def discard(self) -> None:
        """Forget the body and remove its file."""
        self._parts.clear()
        if self._file is not None and self._path is not None:
            self._file.close()
            self._path.unlink(missing_ok=True)


@dataclass(slots=True)
class Client:
    """Asks on behalf of one source; connections are shared with nobody. Use as an async context manager."""

    backend: httpcore.AsyncNetworkBackend
    tls: ssl.SSLContext
    settings: CollectSettings
    clock: Clock
    folder: Path
    _pool: httpcore.AsyncConnectionPool = field(init=False)

    def __post_init__(self) -> None:
        self._pool = httpcore.AsyncConnectionPool(
            ssl_context=self.tls, http1=True, http2=True, network_backend=self.backend
        )

    async def __aenter__(self) -> Client:
        return self

    async def __aexit__(self, *exc_info: object) -> None:
        await self._pool.aclose()

    async def ask(self, url: str, headers: dict[str, str], limits: Limits) -> Answer:
        """One attempt. Raises FetchError; of a status that is worth another attempt too (429, 5xx)."""
        try:
            async with asyncio.timeout(limits.total_s):
                return await self._ask(url, headers, limits)
        except TimeoutError as error:
            raise FetchError(Reason.TIMED_OUT, f"not whole within {limits.total_s:g} s") from error

    async def _ask(self, url: str, headers: dict[str, str], limits: Limits) -> Answer:
        common = {"User-Agent": self.settings.user_agent, "Accept": "*/*"}
        timeout = httpx.Timeout(self.settings.read_s, connect=self.settings.connect_s)
        request = httpx.Request("GET", url, headers=common | headers)
        to = request.url
        address = httpcore.URL(scheme=to.raw_scheme, host=to.raw_host, port=to.port, target=to.raw_path)
        sent, extensions = request.headers.raw, {"timeout": timeout.as_dict()}
        requested_at = self.clock()
        try:
            response = await self._pool.handle_async_request(
                httpcore.Request("GET", address, headers=sent, extensions=extensions)
            )
        except (httpcore.NetworkError, httpcore.ProtocolError, httpcore.TimeoutException) as error:
            raise failure_of(error) from error
        try:
            answer = _answer_of(url, requested_at, _texts(sent), response)
            if answer.status == 429 or answer.status >= 500:
                raise busy(answer, self.clock())
            if not (200 <= answer.status < 300 or answer.status in GONE):
                return answer
            return await self._with_body(answer, response, limits)
        finally:
            await response.aclose()

    async def _with_body(self, answer: Answer, response: httpcore.Response, limits: Limits) -> Answer:
        stated = answer.header("Content-Length")
        if stated is not None and stated.isdigit() and int(stated) > limits.cap_bytes:
            detail = f"the body is announced with {stated} bytes, the cap is {limits.cap_bytes}"
            raise FetchError(Reason.BODY_TOO_LARGE, detail)
        sink = BodySink(self.folder, self.settings.in_memory_bytes)
        is_kept = False
        try:
            decoder = Decoder(codings_of(answer.response_headers), limits.cap_bytes, answer.url)
            async for piece in response.aiter_stream():
                if sink.size + len(piece) > limits.cap_bytes:
                    raise FetchError(Reason.BODY_TOO_LARGE, f"more than {limits.cap_bytes} bytes as sent")
                for _ in decoder.feed(piece):
                    pass  # decoded to be counted; what is kept is what was sent
                sink.write(piece)
            decoder.finish()
            is_kept = True
        except InputError as error:
            raise FetchError(error.reason, error.detail, is_passing=error.reason is Reason.BODY_TRUNCATED) from error
        except httpcore.TimeoutException as error:
            raise FetchError(Reason.TIMED_OUT, f"silent for {self.settings.read_s:g} s, body not whole") from error
        except (httpcore.NetworkError, httpcore.ProtocolError) as error:
            detail = f"the body broke off after {sink.size} bytes" + (f" of {stated}" if stated else "")
            raise FetchError(Reason.BODY_TRUNCATED, detail, is_passing=True) from error
        finally:
            if not is_kept:
                sink.discard()
        await _leave(response)
        return replace(answer, body=sink.close(), byte_count=sink.size)


async def _leave(response: httpcore.Response) -> None:
    """Close a connection of HTTP/1: bytes sent beyond the stated length must not be taken for the next answer."""
    stream = response.extensions.get("network_stream")
    if stream is not None and _version_of(response) != "HTTP/2":
        await stream.aclose()


def _answer_of(url: str, requested_at: datetime, sent: Headers, response: httpcore.Response) -> Answer:
    reason: bytes = response.extensions.get("reason_phrase", b"")
    try:
        phrase = reason.decode("latin-1") or http.HTTPStatus(response.status).phrase
    except ValueError:
        phrase = ""
    version = _version_of(response)
    return Answer(url, requested_at, sent, response.status, phrase, _texts(response.headers), version)


def _version_of(response: httpcore.Response) -> str:
    version: bytes = response.extensions.get("http_version", b"HTTP/1.1")
    return version.decode("ascii", "ignore")


def _texts(raw: Sequence[tuple[bytes, bytes]]) -> Headers:
    return tuple((name.decode("latin-1"), value.decode("latin-1")) for name, value in raw)


def busy(answer: Answer, now: datetime) -> FetchError:
    """The failure of a 429 or 5xx answer, with the pause it asks for."""
    wait = retry_after_s(answer.header("Retry-After"), now)
    detail = f"answered {answer.status} {answer.reason}".rstrip()
    if wait is not None:
        detail += f", asks to be left alone for {wait:g} s"
    closes_host = answer.status == 429 or wait is not None
    return FetchError(
        Reason.HTTP_STATUS, detail, is_passing=True, closes_host=closes_host, retry_after_s=wait, status=answer.status
    )


def retry_after_s(value: str | None, now: datetime) -> float | None:
    """Seconds that a Retry-After header asks for, in either form (RFC 9110, 10.2.3); None when it is neither."""
    if value is None:
        return None
    text = value.strip()
    if text.isascii() and text.isdigit():
        return float(min(int(text), 10**9))
    try:
        until = email.utils.parsedate_to_datetime(text)
    except ValueError:
        return None
    if until.tzinfo is None:
        until = until.replace(tzinfo=UTC)
    return max(0.0, (until - now).total_seconds())


def failure_of(error: Exception) -> FetchError:
    """A failure before any answer, in our words."""
    if isinstance(error, httpcore.TimeoutException):
        return FetchError(Reason.TIMED_OUT, "connected, but no answer in time")
    at: BaseException | None = error
    while at is not None:
        if isinstance(at, ssl.SSLCertVerificationError):
            return FetchError(Reason.TLS_FAILED, f"the certificate is refused: {at.verify_message}", closes_host=True)
        if isinstance(at, ssl.SSLError):
            return FetchError(Reason.TLS_FAILED, f"TLS failed: {at.reason or at}", closes_host=True)
        at = at.__cause__ or at.__context__
    if isinstance(error, httpcore.ProtocolError) and "disconnected" not in str(error):
        return FetchError(Reason.CONNECT_FAILED, f"the answer is not HTTP: {error}", is_passing=True)
    return FetchError(Reason.CONNECT_FAILED, "the connection broke off before an answer", is_passing=True)
