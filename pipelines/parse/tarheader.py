"""The fields of one 512-byte tar header (ustar, pax, GNU) and the records of a pax header. Knows no stream."""

from __future__ import annotations

from typing import Final

from isal import isal_zlib

BLOCK: Final = 512
ZERO_BLOCK: Final = bytes(BLOCK)  # ends an archive
HEADER_TYPES: Final = frozenset(b"LKxg")  # entries that describe the next one, or the archive

_ADLER_MODULUS: Final = 65521
_MAX_NUMBER_DIGITS: Final = 20


class HeaderError(ValueError):
    """A header field that cannot be read."""


def is_checksum_right(header: bytes) -> bool:
    """Whether the header's checksum is that of its bytes.

    The sum of the bytes is taken from the low half of Adler-32, which is that sum plus one, modulo 65521: fifty times
    faster than adding in Python, and a wrong sum passes only if it is off by exactly 65521 (of at most 130,560).
    """
    stored = header[148:156].strip(b" \0")
    if not stored.isdigit():
        return False
    try:
        expected = int(stored, 8)
    except ValueError:
        return False
    total: int = (isal_zlib.adler32(header) & 0xFFFF) - 1 - sum(header[148:156]) + 8 * 0x20
    return (total - expected) % _ADLER_MODULUS == 0


def read_number(field: bytes) -> int:
    """An octal number, or GNU's base 256 where the first bit is set. Raises `HeaderError`."""
    if field[0] & 0x80:
        value = int.from_bytes(field, "big", signed=False) & ~(0x80 << 8 * (len(field) - 1))
        return value - (1 << (8 * len(field) - 1)) if field[0] & 0x40 else value
    digits = field.partition(b"\0")[0].strip()
    if not digits:
        return 0
    try:
        return int(digits, 8)
    except ValueError:
        raise HeaderError(repr(digits)) from None


def read_name(header: bytes) -> bytes:
    """The name of a ustar, GNU or old header, with the ustar prefix in front."""
    name = header[:100].partition(b"\0")[0]
    if header[345] and header[257:263] == b"ustar\0":
        return header[345:500].partition(b"\0")[0] + b"/" + name
    return name


def pax_records(data: bytes) -> dict[str, bytes]:
    """The records `length key=value\\n` of a pax header. Raises `HeaderError`."""
    records: dict[str, bytes] = {}
    at = 0
    while at < len(data) and data[at]:
        space = data.find(b" ", at, at + _MAX_NUMBER_DIGITS)
        digits = data[at:space]
        if space < 0 or not digits.isdigit():
            raise HeaderError("a record without a length")
        end = at + int(digits)
        key, equals, value = data[space + 1 : end - 1].partition(b"=")
        if end > len(data) or end <= space or not equals or data[end - 1 : end] != b"\n":
            raise HeaderError("a record with a wrong length")
        records[key.decode("utf-8", "backslashreplace")] = value
        at = end
    return records
