"""An archive as a flow of blocks, gzip taken off where it is there, with limits against bombs; a tar header's fields.

Headers are 512 bytes (ustar, pax, GNU); by the first of them a plain archive is told from no archive. The walk over
them is the reader's.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO, Final

from isal import igzip_lib, isal_zlib

from pipelines.frozen import frozen
from pipelines.problems import InputError, Reason

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


_IsalError: type[Exception] = igzip_lib.IsalError  # type: ignore[assignment]  # its stub says an instance
_GZIP_MAGIC: Final = b"\x1f\x8b"
_READ_SIZE: Final = 1 << 17
_INFLATED_SIZE: Final = 1 << 20


@frozen
class Limits:
    """What an archive may ask for before it is refused; sizes in bytes.

    `ratio` is unpacked over packed size and counts only beyond `ratio_from` unpacked bytes: the logs of a round
    compress up to 40 times, a bomb a thousand times.
    """

    unpacked: int = 64 << 30
    members: int = 5_000_000
    ratio: int = 300
    ratio_from: int = 256 << 20
    header: int = 1 << 20
    name: int = 4096
    name_part: int = 255
    trailer: int = 64 << 20
    notes: int = 500


DEFAULT = Limits()


class StreamEnd(Exception):
    """The flow ends before the archive does: cut off, damaged or beyond a limit. Never leaves the reader."""

    def __init__(self, reason: Reason, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason
        self.detail = detail


def open_blocks(stream: BinaryIO, limits: Limits, place: str) -> Iterator[bytes]:
    """Blocks of at most 1 MiB. Raises `InputError` for what is no archive; the flow raises `StreamEnd`."""
    head = stream.read(_READ_SIZE)
    if not head:
        raise InputError(Reason.ARCHIVE_EMPTY, place, "no bytes at all", "Fetch or copy the archive again.")
    if head.startswith(_GZIP_MAGIC):
        return _inflate(stream, head, limits)
    if len(head) >= BLOCK and (is_checksum_right(head[:BLOCK]) or head[:BLOCK] == ZERO_BLOCK):
        return _plain(stream, head)
    raise InputError(
        Reason.NOT_AN_ARCHIVE,
        place,
        f"neither gzip nor tar: it starts with {head[:16]!r}",
        "A round's archive is the .tar.gz that GitHub serves for a repository.",
    )


def _plain(stream: BinaryIO, head: bytes) -> Iterator[bytes]:
    while head:
        yield head
        head = stream.read(_READ_SIZE)


def _inflate(stream: BinaryIO, data: bytes, limits: Limits) -> Iterator[bytes]:
    """Decompressed blocks of at most 1 MiB, across gzip members; raises `StreamEnd` where the stream is bad or ends."""
    decompressor = igzip_lib.IgzipDecompressor(flag=igzip_lib.DECOMP_GZIP)
    packed, unpacked = len(data), 0
    while True:
        try:
            block = decompressor.decompress(data, _INFLATED_SIZE)
        except _IsalError as error:
            raise StreamEnd(Reason.ARCHIVE_DAMAGED, f"the compressed stream is damaged ({error})") from None
        if block:
            unpacked += len(block)
            if unpacked > limits.ratio_from and unpacked > packed * limits.ratio:
                raise StreamEnd(Reason.ARCHIVE_TOO_LARGE, f"it unpacks to more than {limits.ratio} times its size")
            yield block
        if decompressor.eof:
            data = decompressor.unused_data or stream.read(_READ_SIZE)
            if not data.startswith(_GZIP_MAGIC):
                return  # nothing, or padding that gzip allows after its last member
            decompressor = igzip_lib.IgzipDecompressor(flag=igzip_lib.DECOMP_GZIP)
        elif decompressor.needs_input:
            data = stream.read(_READ_SIZE)
            packed += len(data)
            if not data:
                raise StreamEnd(Reason.ARCHIVE_TRUNCATED, "the compressed stream ends early")
        else:
            data = b""
