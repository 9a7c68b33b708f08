"""The bytes of an archive as a flow of blocks: gzip taken off where it is there, with limits against bombs.

Knows nothing of tar but its first block, by which it tells a plain archive from no archive.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO, Final

from isal import igzip_lib

from pipelines.frozen import frozen
from pipelines.parse.tarheader import BLOCK, ZERO_BLOCK, is_checksum_right
from pipelines.problems import InputError, Reason

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
