"""Which addresses may be connected to."""

from __future__ import annotations

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.collect.address import Address, check_addresses, refusal
from pipelines.collect.ports import FetchError
from pipelines.problems import Reason

V4_INSIDE = ["10.0.0.0/8", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10"]
ADDRESSES: st.SearchStrategy[Address] = st.one_of(st.ip_addresses(v=4), st.ip_addresses(v=6))


def judged(text: str, *, is_local: bool = False) -> str | None:
    return refusal(ipaddress.ip_address(text), is_local=is_local)


@pytest.mark.parametrize(
    "public", ["93.184.216.34", "1.1.1.1", "172.32.0.1", "2606:2800:220:1::1", "2a00:1450::5", "64:ff9b::5db8:d822"]
)
def test_public_addresses_pass(public: str) -> None:
    assert judged(public) is None
    assert check_addresses("news.example", [public, public]) == (public,)


@pytest.mark.parametrize(
    ("inside", "what"),
    [
        ("0.0.0.0", "this network"),
        ("10.255.255.255", "private"),
        ("100.64.0.1", "carrier-grade NAT"),
        ("127.0.0.1", "loopback"),
        ("169.254.169.254", "link-local"),
        ("172.31.255.255", "private"),
        ("192.0.0.8", "protocol assignments"),
        ("192.0.2.1", "documentation"),
        ("198.19.0.1", "benchmarking"),
        ("224.0.0.1", "multicast"),
        ("255.255.255.255", "reserved"),
        ("::", "unspecified or IPv4-compatible"),
        ("::1", "loopback"),
        ("::127.0.0.1", "unspecified or IPv4-compatible"),
        ("::ffff:10.0.0.1", "IPv4-mapped"),
        ("::ffff:0:10.0.0.1", "IPv4-translated"),
        ("64:ff9b:1::1", "local NAT64"),
        ("2001:0:4136:e378::1", "protocol assignments, Teredo among them"),
        ("2002:7f00:1::", "6to4"),
        ("fd00::1", "unique local"),
        ("fe80::1", "link-local"),
        ("fec0::1", "site-local"),
        ("ff02::1", "multicast"),
    ],
)
def test_special_addresses_are_refused_by_name(inside: str, what: str) -> None:
    assert judged(inside) == f"{ipaddress.ip_address(inside)} is {what}"
    with pytest.raises(FetchError) as raised:
        check_addresses("news.example", ["93.184.216.34", inside])
    assert raised.value.reason == Reason.ADDRESS_REFUSED


def test_a_local_source_may_use_loopback_and_nothing_else_inside() -> None:
    assert judged("127.0.0.1", is_local=True) is None
    assert judged("::1", is_local=True) is None
    assert judged("127.0.0.2", is_local=True) == "127.0.0.2 is loopback"
    assert judged("10.0.0.1", is_local=True) == "10.0.0.1 is private"


@given(st.sampled_from(V4_INSIDE).flatmap(lambda net: st.ip_addresses(v=4, network=net)))
def test_no_wrapping_makes_an_inside_address_public(address: ipaddress.IPv4Address) -> None:
    number = int(address)
    wrapped: list[Address] = [
        address,
        ipaddress.IPv6Address(number),
        ipaddress.IPv6Address((0xFFFF << 32) | number),
        ipaddress.IPv6Address((0x64FF9B << 96) | number),
        ipaddress.IPv6Address((0x2002 << 112) | (number << 80)),
    ]
    assert [refusal(each) is None for each in wrapped] == [False] * 5


@given(ADDRESSES)
def test_what_passes_is_global_by_the_library_too(address: Address) -> None:
    is_refused = judged(str(address)) is not None
    assert is_refused or (address.is_global and not address.is_private)
    assert is_refused or not any((address.is_multicast, address.is_loopback, address.is_link_local))


def test_what_is_no_address_is_refused() -> None:
    with pytest.raises(FetchError, match="'localhost' is no address"):
        check_addresses("news.example", ["localhost"])
