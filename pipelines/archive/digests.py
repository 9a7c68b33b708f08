"""Digests as WARC writes them: `algorithm:value`, the value in hex, base32 or base64. Pure."""

from __future__ import annotations

import base64
import binascii
import hashlib

_ALGORITHMS = frozenset({"md5", "sha1", "sha256", "sha384", "sha512"})


def format_sha256(hexdigest: str) -> str:
    """A SHA-256 as this archive writes it into a record."""
    return f"sha256:{hexdigest}"


class DigestCheck:
    """Compares bytes, given piece by piece, with a digest as printed in a record."""

    def __init__(self, printed: str) -> None:
        """Raise ValueError when the algorithm is unknown or the value is no digest of it."""
        self.printed = printed
        algorithm, _, value = printed.strip().partition(":")
        algorithm = algorithm.lower().replace("-", "")
        if algorithm not in _ALGORITHMS:
            raise ValueError(f"unknown digest algorithm in {printed!r}")
        self._hash = hashlib.new(algorithm, usedforsecurity=False)
        self._wanted = _decode(value, self._hash.digest_size)

    def update(self, data: bytes) -> None:
        """Take the next piece."""
        self._hash.update(data)

    def matches(self) -> bool:
        """Whether all pieces together give the printed digest."""
        return self._hash.digest() == self._wanted

    def computed(self) -> str:
        """The digest of the pieces so far, as `algorithm:hex`."""
        return f"{self._hash.name}:{self._hash.hexdigest()}"


def sha256_hex(printed: str | None) -> str | None:
    """The hex form of a printed digest when it is a SHA-256, else None."""
    if printed is None or not printed.lower().startswith("sha256:"):
        return None
    return _decode(printed.partition(":")[2].strip(), 32).hex()


def _decode(value: str, size: int) -> bytes:
    """Tell hex, base32 and base64 apart by length, which differs for every algorithm in use."""
    value = value.strip()
    bare = value.rstrip("=")
    try:
        if len(bare) == 2 * size:
            raw = bytes.fromhex(bare)
        elif len(bare) == -(-size * 8 // 5):
            raw = base64.b32decode(bare.upper() + "=" * (-len(bare) % 8))
        else:
            raw = base64.b64decode(bare.translate({45: 43, 95: 47}) + "=" * (-len(bare) % 4), validate=True)
    except (ValueError, binascii.Error) as error:
        raise ValueError(f"unreadable digest value {value!r}") from error
    if len(raw) != size:
        raise ValueError(f"digest value {value!r} has {len(raw)} bytes, expected {size}")
    return raw
