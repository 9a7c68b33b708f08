"""The address guard: which addresses may be connected to, and the network backend that connects to no other.

A name is looked up once for a connection; every address it has is judged, and the judged address itself is connected
to, so a name cannot change its meaning in between. TLS still checks the name.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import ipaddress
import os
import socket
import threading
from collections.abc import Callable, Iterable, Sequence

import httpcore

from pipelines.collect.ports import FetchError, Resolver
from pipelines.problems import Reason

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

# IANA's special-purpose registries (RFC 6890 and its updates), written out: what `ipaddress` calls global has changed
# between patch releases of Python. Wrapped IPv4 (mapped, compatible, 6to4, Teredo) is refused as a whole: no name that
# serves the public has such an address.
_SPECIAL = tuple(
    (ipaddress.ip_network(network), what)
    for network, what in (
        ("0.0.0.0/8", "this network"),
        ("10.0.0.0/8", "private"),
        ("100.64.0.0/10", "carrier-grade NAT"),
        ("127.0.0.0/8", "loopback"),
        ("169.254.0.0/16", "link-local"),
        ("172.16.0.0/12", "private"),
        ("192.0.0.0/24", "protocol assignments"),
        ("192.0.2.0/24", "documentation"),
        ("192.88.99.0/24", "6to4 relay"),
        ("192.168.0.0/16", "private"),
        ("198.18.0.0/15", "benchmarking"),
        ("198.51.100.0/24", "documentation"),
        ("203.0.113.0/24", "documentation"),
        ("224.0.0.0/4", "multicast"),
        ("240.0.0.0/4", "reserved"),
        ("::1/128", "loopback"),
        ("::/96", "unspecified or IPv4-compatible"),
        ("::ffff:0:0/96", "IPv4-mapped"),
        ("::ffff:0:0:0/96", "IPv4-translated"),
        ("64:ff9b:1::/48", "local NAT64"),
        ("100::/64", "discard-only"),
        ("2001::/23", "protocol assignments, Teredo among them"),
        ("2001:db8::/32", "documentation"),
        ("2002::/16", "6to4"),
        ("3fff::/20", "documentation"),
        ("5f00::/16", "segment routing"),
        ("fc00::/7", "unique local"),
        ("fe80::/10", "link-local"),
        ("fec0::/10", "site-local"),
        ("ff00::/8", "multicast"),
    )
)
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_UNREACHABLE = {errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENETDOWN, errno.EADDRNOTAVAIL, errno.EACCES, errno.EPERM}


def refusal(address: Address, *, is_local: bool = False) -> str | None:
    """Why an address may not be connected to, in words; None when it may. A local source may also use loopback."""
    if is_local and str(address) in ("127.0.0.1", "::1"):
        return None
    if isinstance(address, ipaddress.IPv6Address):
        if address.scope_id is not None:
            return f"{address} is bound to an interface"
        if address in _NAT64:
            inner = refusal(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
            return f"{address} stands for {inner}" if inner else None
    for network, what in _SPECIAL:
        if address in network:
            return f"{address} is {what}"
    return None if address.is_global and not address.is_multicast else f"{address} is not public"


def check_addresses(host: str, addresses: Iterable[str], *, is_local: bool = False) -> tuple[str, ...]:
    """The addresses of a name, all of them allowed; raises FetchError ADDRESS_REFUSED when a single one is not."""
    allowed: list[str] = []
    for text in addresses:
        try:
            problem = refusal(ipaddress.ip_address(text), is_local=is_local)
        except ValueError:
            problem = f"{text!r} is no address"
        if problem is not None:
            raise FetchError(Reason.ADDRESS_REFUSED, f"{host} resolves to an address that is not public: {problem}")
        if text not in allowed:
            allowed.append(text)
    return tuple(allowed)


async def resolve_by_system(host: str, port: int) -> Sequence[str]:
    """Every address of a name by the system's resolver; raises OSError.

    A thread of its own that nothing waits for: without a network a look-up can hang for half a minute, and a run must
    be able to end before it.
    """
    loop = asyncio.get_running_loop()
    found: asyncio.Future[list[str]] = loop.create_future()

    def settle(addresses: list[str], error: OSError | None) -> None:
        if found.done():
            return
        if error is None:
            found.set_result(addresses)
        else:
            found.set_exception(error)

    def look_up() -> None:
        addresses: list[str] = []
        problem: OSError | None = None
        try:
            addresses = [str(entry[4][0]) for entry in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
        except UnicodeError:
            problem = socket.gaierror(socket.EAI_NONAME, "not a host name")
        except OSError as error:
            problem = error
        with contextlib.suppress(RuntimeError):  # the run is over and its loop closed
            loop.call_soon_threadsafe(settle, addresses, problem)

    threading.Thread(target=look_up, name=f"look up {host}", daemon=True).start()
    return await found


class GuardedBackend(httpcore.AsyncNetworkBackend):
    """Connects to addresses that were judged, and to nothing else. Raises FetchError."""

    def __init__(
        self,
        resolver: Resolver,
        *,
        is_local: bool,
        inner: httpcore.AsyncNetworkBackend,
        on_connected: Callable[[str], None],
    ) -> None:
        self._resolver = resolver
        self._is_local = is_local
        self._inner = inner
        self._on_connected = on_connected

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Look the name up, judge every address, connect to the first that answers."""
        try:
            async with asyncio.timeout(timeout):
                addresses = await self._look_up(host, port)
                stream = await self._connect_any(host, addresses, port, timeout)
        except TimeoutError as error:
            detail = f"no connection to {host} in time ({timeout} s)"
            raise FetchError(Reason.TIMED_OUT, detail, **_NO_CONNECTION) from error
        self._on_connected(host)
        return stream

    async def connect_unix_socket(
        self, path: str, timeout: float | None = None, socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None
    ) -> httpcore.AsyncNetworkStream:
        """Never."""
        raise FetchError(Reason.ADDRESS_REFUSED, f"a socket file is no public address: {path}")

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(seconds)

    async def _look_up(self, host: str, port: int) -> tuple[str, ...]:
        try:
            found = await self._resolver(host, port)
        except TimeoutError:
            raise
        except OSError as error:
            detail = f"the name {host} cannot be resolved: {error.strerror or error}"
            raise FetchError(Reason.CONNECT_FAILED, detail, **_NO_CONNECTION) from error
        if not found:
            raise FetchError(Reason.CONNECT_FAILED, f"the name {host} has no address", **_NO_CONNECTION)
        return check_addresses(host, found, is_local=self._is_local)

    async def _connect_any(
        self, host: str, addresses: Sequence[str], port: int, timeout: float | None
    ) -> httpcore.AsyncNetworkStream:
        share = None if timeout is None else timeout / len(addresses)
        failures: list[httpcore.ConnectError | httpcore.ConnectTimeout] = []
        for address in addresses:
            try:
                return await self._inner.connect_tcp(address, port, timeout=share)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failures.append(error)
        if all(isinstance(error, httpcore.ConnectTimeout) for error in failures):
            raise TimeoutError
        cause = _os_error(failures[-1])
        words = os.strerror(cause.errno) if cause.errno else str(cause)
        raise FetchError(
            Reason.CONNECT_FAILED,
            f"no connection to {host} ({addresses[-1]}, port {port}): {words}",
            is_passing=True,
            is_unreachable=cause.errno in _UNREACHABLE,
            closes_host=True,
        ) from failures[-1]


_NO_CONNECTION = {"is_passing": True, "is_unreachable": True, "closes_host": True}


def _os_error(error: BaseException) -> OSError:
    """The system's own error at the bottom of a chain of wrapped ones; of a group, its first."""
    found = OSError(str(error))
    at: BaseException | None = error
    while at is not None:
        if isinstance(at, BaseExceptionGroup):
            at = at.exceptions[0]
            continue
        if isinstance(at, OSError):
            found = at
        at = at.__cause__ or at.__context__
    return found
