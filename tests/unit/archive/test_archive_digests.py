"""Digests in every form that WARC files print them in."""

from __future__ import annotations

import base64
import hashlib

import pytest

from pipelines.archive.records import DigestCheck, sha256_hex

ALGORITHMS = ("md5", "sha1", "sha256", "sha384", "sha512")


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("form", ["hex", "HEX", "base32", "base64", "url", "bare32"])
def test_every_form_of_a_digest(algorithm: str, form: str) -> None:
    for body in (b"", b"hello", b"page 17"):
        raw = hashlib.new(algorithm, body).digest()
        value = {
            "hex": raw.hex(),
            "HEX": raw.hex().upper(),
            "base32": base64.b32encode(raw).decode(),
            "base64": base64.b64encode(raw).decode(),
            "url": base64.urlsafe_b64encode(raw).decode(),
            "bare32": base64.b32encode(raw).decode().rstrip("=").lower(),
        }[form]
        check = DigestCheck(f"{algorithm}:{value}")
        check.update(body)
        assert check.matches()
        check.update(b"x")
        assert not check.matches()


@pytest.mark.parametrize(
    "printed", ["", "sha1", "crc:00", "sha1:zz", "sha256:" + "g" * 64, "sha1:" + "0" * 39, "sha1:é"]
)
def test_what_is_no_digest(printed: str) -> None:
    with pytest.raises(ValueError, match="digest"):
        DigestCheck(printed)


def test_computed_is_printed_as_hex() -> None:
    check = DigestCheck("sha-1:" + "0" * 40)
    check.update(b"hello")
    assert check.computed() == "sha1:aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d"


def test_only_sha256_is_taken_over() -> None:
    raw = hashlib.sha256(b"hello").digest()
    assert sha256_hex("sha256:" + base64.b32encode(raw).decode()) == raw.hex()
    assert sha256_hex("sha1:" + "0" * 40) is None
    assert sha256_hex(None) is None
