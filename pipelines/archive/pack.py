"""Repository archives, kept as packs: the original bytes of the members a parser needs, in an archive of that shape.

A pack is a `.tar.gz` with the original's top folder, member paths, times and commit (pax comment), so the same parser
reads both. Beside it lies a manifest with the digest, address and commit of the original. Packs are never changed.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import io
import os
import re
import tarfile
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO

from isal import igzip
from pydantic import TypeAdapter, ValidationError

from pipelines.archive.layout import replace_file
from pipelines.frozen import frozen
from pipelines.model.capture import Exchange, Validators
from pipelines.parse.mlperf.common.kind import recognise, round_of
from pipelines.parse.mlperf.common.rows import Suite
from pipelines.parse.mlperf.rounds import SUITES, suite_of
from pipelines.parse.tarstream import Member, TarReader
from pipelines.problems import InputError, Problem, Reason

FOLDER = "repositories"
_GITHUB = re.compile(r"https://github\.com/([^/]+)/([^/]+)/archive/")
_COMMIT = re.compile(r"[0-9a-f]{40}")
_COMPRESSION = 2
_IN_MEMORY = 16 << 20


@frozen
class PackManifest:
    """What a pack is of. Sizes in bytes; `scope` is the partition, e.g. `training-v5.0`; paths below the archive."""

    scope: str
    suite: str
    round: str
    source_id: str
    url: str
    repository: str
    top_folder: str
    commit: str | None
    committed_at: dt.datetime | None
    captured_at: dt.datetime
    archive_sha256: str
    archive_bytes: int
    pack_path: str
    pack_sha256: str
    members: int
    member_bytes: int
    is_complete: bool
    problems: tuple[Problem, ...]
    etag: str | None = None
    last_modified: str | None = None

    @property
    def inputs_hash(self) -> str:
        """Changes when a partition must be made again from this pack."""
        return f"{self.archive_sha256[:16]}-{self.pack_sha256[:16]}-{self.captured_at.isoformat()}"


@frozen
class AddedPack:
    """A pack and whether it is new; False when the very archive was kept already."""

    manifest: PackManifest
    is_new: bool


_MANIFEST: TypeAdapter[PackManifest] = TypeAdapter(PackManifest)


def scope_of_url(url: str) -> str | None:
    """The round that a repository address names, e.g. `training-v5.0`; None where it names none."""
    kind = recognise(url)
    return kind.key if kind else None


def is_parsed(scope: str) -> bool:
    """Whether a round is of a suite whose members this store knows to pick."""
    return scope.partition("-")[0] in SUITES


class PackStore:
    """Packs below `archive/repositories/<scope>/`."""

    def __init__(self, archive: Path) -> None:
        self.archive = archive
        self.root = archive / FOLDER

    def packs(self) -> list[PackManifest]:
        """All packs, oldest first. Raises InputError naming a manifest that cannot be read."""
        manifests = [_read_manifest(path) for path in sorted(self.root.glob("*/*.json"))]
        return sorted(manifests, key=lambda m: (m.scope, m.captured_at, m.archive_sha256))

    def latest(self) -> list[PackManifest]:
        """One pack a round: the newest of those that were read to their end, else the newest."""
        chosen: dict[str, PackManifest] = {}
        for manifest in self.packs():
            held = chosen.get(manifest.scope)
            if held is None or manifest.is_complete >= held.is_complete:
                chosen[manifest.scope] = manifest
        return list(chosen.values())

    def add(
        self,
        stream: BinaryIO,
        *,
        source_id: str,
        url: str,
        captured_at: dt.datetime,
        place: str,
        etag: str | None = None,
        last_modified: str | None = None,
    ) -> AddedPack:
        """Read an archive in one pass and keep what its parser needs; an empty `source_id` is that of its suite.

        Raises InputError when it is no archive, is empty, or names no round; nothing is kept then.
        """
        self.root.mkdir(parents=True, exist_ok=True)
        temporary = self.root / f".{os.getpid()}.pack.tmp"
        hashing = _HashingStream(stream)
        try:
            reader = TarReader(hashing, source_id=source_id, place=place)  # type: ignore[arg-type]
            members, size = _copy_wanted(reader, temporary)
            hashing.drain()
            added = self._keep(reader, hashing, temporary, members, size, source_id, url, captured_at)
            if not added.is_new:
                return added
            return self._finish(replace(added.manifest, etag=etag, last_modified=last_modified), temporary)
        finally:
            temporary.unlink(missing_ok=True)

    def _keep(
        self,
        reader: TarReader,
        hashing: _HashingStream,
        temporary: Path,
        members: int,
        size: int,
        source_id: str,
        url: str,
        captured_at: dt.datetime,
    ) -> AddedPack:
        kind = round_of(reader.top_folder)
        digest = hashing.digest.hexdigest()
        known = next((m for m in self.packs() if m.scope == kind.key and m.archive_sha256 == digest), None)
        if known is not None:
            return AddedPack(known, is_new=False)
        name = f"{captured_at:%Y%m%dT%H%M%SZ}-{digest[:12]}"
        manifest = PackManifest(
            scope=kind.key,
            suite=kind.suite,
            round=kind.round,
            source_id=source_id or kind.source_id,
            url=url,
            repository=_repository(reader.top_folder, url),
            top_folder=reader.top_folder,
            commit=reader.commit if reader.commit and _COMMIT.fullmatch(reader.commit) else None,
            committed_at=_moment(reader.modified),
            captured_at=captured_at,
            archive_sha256=digest,
            archive_bytes=hashing.count,
            pack_path=f"{FOLDER}/{kind.key}/{name}.tar.gz",
            pack_sha256=_file_digest(temporary),
            members=members,
            member_bytes=size,
            is_complete=reader.is_complete,
            problems=tuple(replace(p, scope=kind.key, source_id=source_id or kind.source_id) for p in reader.problems),
        )
        return AddedPack(manifest, is_new=True)

    def _finish(self, manifest: PackManifest, temporary: Path) -> AddedPack:
        """Put the pack in place, then its manifest."""
        path = self.archive / manifest.pack_path
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.replace(path)
        _write_manifest(manifest, path.with_name(path.name.removesuffix(".tar.gz") + ".json"))
        return AddedPack(manifest, is_new=True)

    def takes(self, url: str) -> bool:
        """Whether an address is that of a round's repository, which is kept as a pack."""
        scope = scope_of_url(url)
        return scope is not None and is_parsed(scope)

    def validators(self, url: str) -> Validators | None:
        """What a conditional request for a repository archive may say: that of its last complete pack."""
        held = [m for m in self.packs() if m.url == url and m.is_complete]
        return Validators(held[-1].etag, held[-1].last_modified, held[-1].archive_sha256) if held else None

    def keep(self, exchange: Exchange) -> bool:
        """Keep a fetched archive as a pack; False when that very archive was kept before. Raises InputError."""
        headers = {name.lower(): value for name, value in exchange.response_headers}
        with _body_of(exchange) as stream:
            added = self.add(
                stream,
                source_id=exchange.source_id,
                url=exchange.url,
                captured_at=exchange.requested_at,
                place=exchange.url,
                etag=headers.get("etag"),
                last_modified=headers.get("last-modified"),
            )
        return added.is_new

    def verify(self) -> list[Problem]:
        """Every pack against its manifest's digest; one problem for each that differs or is missing."""
        found = []
        for manifest in self.packs():
            path = self.archive / manifest.pack_path
            if not path.exists():
                detail = "the pack is missing; add the round's archive again"
            elif _file_digest(path) != manifest.pack_sha256:
                detail = f"its bytes differ from the digest {manifest.pack_sha256[:16]}…; add the round's archive again"
            else:
                continue
            found.append(Problem(manifest.source_id, manifest.scope, manifest.pack_path, Reason.RECORD_DAMAGED, detail))
        return found


def _body_of(exchange: Exchange) -> BinaryIO:
    return exchange.body.open("rb") if isinstance(exchange.body, Path) else io.BytesIO(exchange.body)


class _HashingStream:
    """Counts and digests what is read through it."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.digest = hashlib.sha256()
        self.count = 0

    def read(self, size: int = -1) -> bytes:
        data = self._stream.read(size)
        self.digest.update(data)
        self.count += len(data)
        return data

    def drain(self) -> None:
        """Read to the end, so that the digest is the whole file's even where the archive broke off before."""
        while self.read(1 << 20):
            pass


def _copy_wanted(reader: TarReader, path: Path) -> tuple[int, int]:
    """Copy the wanted members; the pax comment is known before the first of them. Returns their count and bytes."""
    count = size = 0
    pack: tarfile.TarFile | None = None
    suite: Suite[Any, Any] | None = None
    with path.open("wb") as raw, igzip.IGzipFile("", "wb", _COMPRESSION, raw, mtime=0) as packed:
        for member in reader:
            suite = suite or suite_of(reader.top_folder)
            if not suite.is_wanted(member.inner, member.size):
                _note_too_large(reader, member, suite)
                continue
            if pack is None:
                pack = _open_pack(packed, reader.commit)
            if _copy_member(reader, member, pack):
                count, size = count + 1, size + member.size
        if pack is None:
            round_of(reader.top_folder)
            pack = _open_pack(packed, reader.commit)
            pack.addfile(_folder_entry(reader.top_folder))
        pack.close()
    with path.open("rb") as written:
        os.fsync(written.fileno())
    return count, size


def _note_too_large(reader: TarReader, member: Member, suite: Suite[Any, Any]) -> None:
    """A log that a parser would name and pass over is named here, for the pack does not hold it."""
    if suite.is_too_large(member.inner, member.size):
        detail = f"{member.size} bytes; not kept, the summary is used instead"
        reader.problems.append(Problem("", "", member.inner, Reason.MEMBER_TOO_LARGE, detail))


def _open_pack(target: Any, commit: str | None) -> tarfile.TarFile:
    headers = {"comment": commit} if commit else {}
    return tarfile.open(fileobj=target, mode="w", format=tarfile.PAX_FORMAT, pax_headers=headers)


def _folder_entry(name: str) -> tarfile.TarInfo:
    entry = tarfile.TarInfo(name)
    entry.type = tarfile.DIRTYPE
    return entry


def _copy_member(reader: TarReader, member: Member, pack: tarfile.TarFile) -> bool:
    """Copy one member's bytes; a member that the archive breaks off in is left out, the reader reports it."""
    with tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY) as spool:
        try:
            for chunk in reader.chunks():
                spool.write(chunk)
        except InputError:
            return False
        spool.seek(0)
        entry = tarfile.TarInfo(member.path)
        entry.size, entry.mtime = member.size, member.modified
        pack.addfile(entry, spool)
    return True


def _repository(top_folder: str, url: str) -> str:
    """`owner/name` from the address, else the name from the top folder at MLCommons."""
    found = _GITHUB.match(url)
    if found:
        return f"{found[1]}/{found[2]}"
    name = re.search(r"(?:training|hpc|inference)_results_v\d+\.\d+", top_folder)
    return f"mlcommons/{name[0] if name else top_folder}"


def _moment(unix_seconds: int | None) -> dt.datetime | None:
    """GitHub gives every member the commit's time."""
    if not unix_seconds or unix_seconds < 0:
        return None
    return dt.datetime.fromtimestamp(unix_seconds, dt.UTC)


def _file_digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _read_manifest(path: Path) -> PackManifest:
    try:
        return _MANIFEST.validate_json(path.read_bytes())
    except ValidationError as error:
        mistake = error.errors()[0]
        detail = f"{'.'.join(map(str, mistake['loc']))}: {mistake['msg']}"
        raise InputError(
            Reason.RECORD_DAMAGED, path.name, detail, "Move it away and add the round's archive again."
        ) from error


def _write_manifest(manifest: PackManifest, path: Path) -> None:
    """The manifest comes last and by rename: a pack without one was not finished and is not read."""
    replace_file(path, _MANIFEST.dump_json(manifest, indent=1))
