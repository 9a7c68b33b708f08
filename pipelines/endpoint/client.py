"""One question to a chat-completions address, with patience: waits where it is told to, gives up in the end."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx

_WAITS = (1.0, 2.0, 4.0, 8.0)  # seconds before each further try, where the answer names none
_LONGEST_WAIT = 60.0
_LARGEST = 4 << 20  # bytes of an answer


class EndpointError(RuntimeError):
    """The address cannot be asked, or does not answer as one of its kind; the message says which."""


@dataclass(slots=True)
class Client:
    """Asks one address; `sleep` and `transport` are for tests."""

    url: str
    key: str = ""
    timeout_s: float = 120.0
    sleep: Callable[[float], None] = time.sleep
    transport: httpx.BaseTransport | None = None
    _http: httpx.Client | None = field(default=None, repr=False)

    def answer(self, body: Mapping[str, Any]) -> str | None:
        """The words of the model; None where it refused. Raises EndpointError when it cannot be had."""
        for wait in (*_WAITS, None):
            problem, pause = self._try(body)
            if isinstance(problem, httpx.Response):
                return _words(problem)
            if wait is None:
                raise EndpointError(f"{self.url}: {problem}, {len(_WAITS) + 1} times")
            self.sleep(min(_LONGEST_WAIT, pause if pause is not None else wait))
        raise AssertionError

    def _try(self, body: Mapping[str, Any]) -> tuple[httpx.Response | str, float | None]:
        """An answer, or why there is none yet and how long to wait."""
        if self._http is None:
            headers = {"Authorization": f"Bearer {self.key}"} if self.key else {}
            self._http = httpx.Client(headers=headers, timeout=self.timeout_s, transport=self.transport)
        try:
            response = self._http.post(f"{self.url.rstrip('/')}/chat/completions", json=dict(body))
        except httpx.TransportError as error:
            return f"no answer ({type(error).__name__})", None
        if response.status_code == 429 or response.status_code >= 500:
            return f"status {response.status_code}", _retry_after(response)
        if response.status_code != 200:
            raise EndpointError(f"{self.url}: status {response.status_code}")
        if len(response.content) > _LARGEST:
            raise EndpointError(f"{self.url}: an answer of {len(response.content):,} bytes")
        return response, None


def _retry_after(response: httpx.Response) -> float | None:
    try:
        return max(0.0, float(response.headers["Retry-After"]))
    except (KeyError, ValueError):
        return None


def _words(response: httpx.Response) -> str | None:
    """The content of the first choice; None for a refusal or an answer that was cut off by a filter."""
    try:
        choice = response.json()["choices"][0]
        message = choice["message"]
        if message.get("refusal") or choice.get("finish_reason") == "content_filter":
            return None
        content = message["content"]
    except (ValueError, KeyError, IndexError, TypeError, AttributeError):
        raise EndpointError(f"{response.url}: no chat completion") from None
    return content if isinstance(content, str) else None
