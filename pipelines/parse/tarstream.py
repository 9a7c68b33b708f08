"""Read a tar archive (gzip or plain) as a stream: one pass, flat memory, nothing written to disk.

Here live the walk over the headers and the refusal of hostile members. What a member means belongs to its parser;
nothing here looks at a member's content.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import BinaryIO, NamedTuple

from pipelines.parse.inflate import (
    BLOCK,
    DEFAULT,
    HEADER_TYPES,
    ZERO_BLOCK,
    HeaderError,
    Limits,
    StreamEnd,
    is_checksum_right,
    open_blocks,
    pax_records,
    read_name,
    read_number,
)
from pipelines.problems import InputError, Problem, Reason

_REGULAR = (0x30, 0x00, 0x37)  # '0', NUL (old tar) and '7' (contiguous) hold a file's bytes
_DIRECTORY = 0x35
_REFUSED_TYPES = {
    0x31: "a hard link",
    0x32: "a symbolic link",
    0x33: "a character device",
    0x34: "a block device",
    0x36: "a named pipe",
    0x53: "a sparse file",
}
_WITHOUT_CONTENT = frozenset(b"123456")  # links, devices, folders and pipes: no bytes follow, whatever the size says
_LONG_NAME, _LONG_LINK, _PAX, _PAX_GLOBAL = 0x4C, 0x4B, 0x78, 0x67


class Member(NamedTuple):
    """One regular file: its whole name, the name below the archive's top folder, its size, its time (Unix seconds)."""

    path: str
    inner: str
    size: int
    modified: int


Guard = Callable[[str], AbstractContextManager[None]]
"""Bounds what is done inside the block, named by its place; raises InputError where that takes too much."""


def unbounded(_place: str) -> AbstractContextManager[None]:
    """No bound."""
    return nullcontext()


class TarReader:
    """An archive being read in one pass: iterate over it for the members, `read` and `chunks` give its bytes.

    A member that is not read is skipped without being held. `commit` is the pax comment (GitHub puts the commit
    there), `top_folder` the first folder's name, `modified` the latest time of a member; all grow while reading.
    What was refused or cut off stands in `problems`; after the last member `is_complete` says whether the end was
    reached. Iterating raises `InputError` when there was not one entry.
    """

    def __init__(
        self, stream: BinaryIO, *, limits: Limits = DEFAULT, source_id: str = "", place: str = "archive"
    ) -> None:
        """`place` names the archive in messages. Raises `InputError` when the bytes are empty or no archive at all."""
        self.guard: Guard = unbounded  # around the reading of each member
        self.commit: str | None = None
        self.top_folder = ""
        self.modified: int | None = None
        self.problems: list[Problem] = []
        self.member_count = 0
        self.is_complete = False
        self.unpacked_size = 0
        self._limits = limits
        self._source_id, self._place = source_id, place
        self._unnoted = 0
        self._blocks = open_blocks(stream, limits, place)
        self._block = b""
        self._at = 0
        self._left = 0  # bytes of the current member that were not given out
        self._padding = 0
        self._broken: StreamEnd | None = None
        self._long_name: bytes | None = None
        self._pax: dict[str, bytes] = {}

    def __iter__(self) -> Iterator[Member]:
        try:
            yield from self._walk()
            self.is_complete = True
        except StreamEnd as stop:
            self._broken = stop
        if self._unnoted:
            self._add(Reason.MEMBER_REFUSED, self._place, f"{self._unnoted} more refused members, not listed")
        if self._broken is not None:
            self._finish_broken(self._broken)
        elif not self.top_folder:
            raise InputError(Reason.ARCHIVE_EMPTY, self._place, "an archive without a single entry")

    def read(self) -> bytes:
        """The current member's bytes; raises `InputError` where the archive ends within it."""
        return b"".join(self.chunks())

    def chunks(self) -> Iterator[bytes]:
        """The current member's bytes piece by piece (at most 1 MiB each); `InputError` where the archive ends."""
        try:
            while self._left:
                piece = self._block[self._at : self._at + self._left]
                if piece:
                    self._at += len(piece)
                    self._left -= len(piece)
                    yield piece
                else:
                    self._refill()
        except StreamEnd as stop:
            self._broken = stop
            raise InputError(stop.reason, self._place, stop.detail) from None

    def _finish_broken(self, stop: StreamEnd) -> None:
        if not self.top_folder:
            raise InputError(stop.reason, self._place, stop.detail)
        self._add(stop.reason, self._place, f"{stop.detail}; kept what was read before", is_fatal=True)

    def _add(self, reason: Reason, place: str, detail: str, *, is_fatal: bool = False) -> None:
        self.problems.append(Problem(self._source_id, "", place, reason, detail, is_fatal))

    def _note(self, reason: Reason, place: str, detail: str) -> None:
        if len(self.problems) < self._limits.notes:
            self._add(reason, place, detail)
        else:
            self._unnoted += 1

    def _walk(self) -> Iterator[Member]:
        while True:
            if self._left or self._padding:
                self._skip()
            header = self._take(BLOCK)
            if header == ZERO_BLOCK:
                self._end()
                return
            if not is_checksum_right(header):
                raise StreamEnd(*self._damage("a header with a wrong checksum"))
            self.member_count += 1
            if self.member_count > self._limits.members:
                raise StreamEnd(Reason.ARCHIVE_TOO_LARGE, f"more than {self._limits.members} entries")
            member = self._member(header)
            if member is not None:
                yield member
                if self._broken is not None:
                    raise self._broken

    def _damage(self, found: str) -> tuple[Reason, str]:
        if self.member_count == 0:
            return Reason.NOT_AN_ARCHIVE, "the bytes are no tar archive"
        return Reason.ARCHIVE_DAMAGED, f"{found} after {self.member_count} entries"

    def _member(self, header: bytes) -> Member | None:
        """One entry: a member to give out, or None where it is a folder, a name for the next one, or refused."""
        kind = header[156]
        try:
            size = read_number(header[124:136])
        except HeaderError as error:
            raise StreamEnd(*self._damage(f"a header with an unreadable size ({error})")) from None
        if kind in HEADER_TYPES:
            self._read_extension(kind, size)
            return None
        name, size = self._name_and_size(header, size)
        self._left = 0 if kind in _WITHOUT_CONTENT else size
        self._padding = -self._left % BLOCK
        if self.unpacked_size + size > self._limits.unpacked:
            raise StreamEnd(Reason.ARCHIVE_TOO_LARGE, f"an entry of {size} bytes goes beyond the limit for the whole")
        return self._checked(kind, name, size, header)

    def _name_and_size(self, header: bytes, size: int) -> tuple[bytes, int]:
        name = read_name(header) if self._long_name is None else self._long_name
        self._long_name = None
        if self._pax:
            name = self._pax.get("path", name)
            if "size" in self._pax:
                try:
                    size = int(self._pax["size"])
                except ValueError:
                    raise StreamEnd(*self._damage("a pax header with an unreadable size")) from None
            self._pax = {}
        if size < 0:
            raise StreamEnd(*self._damage("an entry with a size below zero"))
        return name, size

    def _checked(self, kind: int, name: bytes, size: int, header: bytes) -> Member | None:
        limits = self._limits
        try:
            path = name.decode()
        except UnicodeDecodeError:
            path = name.decode("utf-8", "backslashreplace")
            self._note(Reason.MEMBER_NAME_UNDECODABLE, path, "the name is not UTF-8; shown with escapes")
        refusal = ""
        if kind in _REFUSED_TYPES:
            refusal = _REFUSED_TYPES[kind]
        elif kind not in _REGULAR and kind != _DIRECTORY:
            refusal = f"an entry of unknown type {kind:#04x}"
        elif name.startswith(b"/"):
            refusal = "an absolute path"
        elif b".." in name and ".." in path.split("/"):
            refusal = "a path that climbs out by '..'"
        elif len(name) > limits.name_part and _is_too_long(name, limits):
            refusal = f"a name longer than {limits.name} bytes, or with a part longer than {limits.name_part}"
        elif not name or b"\0" in name:
            refusal = "an empty name or one with a NUL"
        if refusal:
            self._note(Reason.MEMBER_REFUSED, path[:200], refusal)
            return None
        return self._member_of(kind, path, size, header)

    def _member_of(self, kind: int, path: str, size: int, header: bytes) -> Member | None:
        top, _, inner = path.removeprefix("./").partition("/")
        if not self.top_folder:
            self.top_folder = top
        if kind == _DIRECTORY:
            return None
        try:
            modified = read_number(header[136:148])
        except HeaderError:
            modified = 0
        if self.modified is None or modified > self.modified:
            self.modified = modified
        return Member(path, inner, size, modified)

    def _read_extension(self, kind: int, size: int) -> None:
        """A GNU long name or a pax header: names and sizes for the next entry, or the comment for the whole."""
        if size > self._limits.header or size < 0:
            raise StreamEnd(Reason.ARCHIVE_TOO_LARGE, f"a header of {size} bytes")
        data = self._take(size + -size % BLOCK)[:size]
        if kind == _LONG_NAME:
            self._long_name = data.rstrip(b"\0")
            return
        if kind == _LONG_LINK:
            return
        try:
            records = pax_records(data)
        except HeaderError as error:
            raise StreamEnd(*self._damage(f"an unreadable pax header ({error})")) from None
        if kind == _PAX:
            self._pax = records
        elif "comment" in records:
            self.commit = records["comment"].decode("utf-8", "backslashreplace")

    def _take(self, size: int) -> bytes:
        at = self._at
        taken = self._block[at : at + size]
        self._at = at + len(taken)
        if len(taken) == size:
            return taken
        parts = [taken]
        missing = size - len(taken)
        while missing:
            self._refill()
            part = self._block[:missing]
            self._at = len(part)
            missing -= len(part)
            parts.append(part)
        return b"".join(parts)

    def _skip(self) -> None:
        left = self._left + self._padding
        self._left = self._padding = 0
        while left > len(self._block) - self._at:
            left -= len(self._block) - self._at
            self._refill()
        self._at += left

    def _refill(self) -> None:
        self._at = 0
        self._block = b""
        block = next(self._blocks, b"")
        if not block and not self.unpacked_size:
            raise StreamEnd(Reason.ARCHIVE_EMPTY, "no bytes unpacked")
        if not block:
            raise StreamEnd(Reason.ARCHIVE_TRUNCATED, f"the archive ends within entry {self.member_count + 1}")
        self._block = block
        self.unpacked_size += len(block)
        if self.unpacked_size > self._limits.unpacked:
            raise StreamEnd(Reason.ARCHIVE_TOO_LARGE, f"more than {self._limits.unpacked} bytes unpacked")

    def _end(self) -> None:
        """Read what follows the end mark, so that the checksum of the compressed stream is tested too."""
        left = self._limits.trailer
        for block in self._blocks:
            left -= len(block)
            if left < 0:
                raise StreamEnd(Reason.ARCHIVE_TOO_LARGE, "a long tail after the archive's end mark")


def _is_too_long(name: bytes, limits: Limits) -> bool:
    return len(name) > limits.name or max(map(len, name.split(b"/"))) > limits.name_part
