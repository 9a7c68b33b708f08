"""Looks captures up over all sources: in listings of months that are over, in the index, and in the WARC files.

Nothing here is written but what follows from the WARC files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path

from pipelines.archive.entries import Draft, Entry, RecordPlace, make_entry
from pipelines.archive.index import BAD_STATUS, FileIndex, Month, listed, read_index, scan_file
from pipelines.archive.layout import index_path, source_folder, source_ids, warc_sizes
from pipelines.model.capture import Validators

_Pending = tuple[Path, Draft, RecordPlace]


class Catalog:
    """Looks captures up over all sources, from the index, and from WARC files where that lags.

    Of files that are not listed it holds in memory only captures that carry bytes. What was seen is sorted for looking
    up when that is first asked for: who lists captures does not wait for it. Without `is_listed` the index of each file
    is asked, whatever the listings say.
    """

    def __init__(self, root: Path, *, is_listed: bool = True) -> None:
        self._root = root
        self._is_listed = is_listed
        self.has_seen_all = False
        self._listed: dict[str, list[Month]] = {}
        self._unsorted: list[Iterable[Entry]] = []
        self._seen: dict[Path, tuple[int, int]] = {}
        self._tails: dict[Path, tuple[Entry, ...]] = {}
        self._by_record: dict[tuple[str, str], Entry] = {}
        self._by_id: dict[str, Entry] = {}
        self._by_url: dict[str, tuple[Entry, Entry]] = {}  # what an address last answered, and what holds the bytes
        self._by_payload: dict[tuple[str, str, int], Entry] = {}

    def reset(self) -> None:
        """Forget everything; the next refresh reads it all again."""
        self.has_seen_all = False
        self._unsorted.clear()
        for held in (self._listed, self._seen, self._tails, self._by_record, self._by_id, self._by_url):
            held.clear()
        self._by_payload.clear()

    def refresh(self, source_id: str | None = None) -> None:
        """Take in what has been written since the last look, by any process: everywhere, or by one source.

        A look at one source costs what that source holds. A record of it that is not indexed may point to any other.
        """
        pending = self._look_at(source_id) if source_id is not None else []
        if source_id is None or (pending and not self.has_seen_all):
            pending += [item for name in source_ids(self._root) for item in self._look_at(name)]
            self.has_seen_all = True
        self._take_tails(pending)

    def _look_at(self, source_id: str) -> list[_Pending]:
        """Take in what listings and index files say of a source's files; what they do not say yet is pending."""
        pending: list[_Pending] = []
        sizes = warc_sizes(self._root, source_id)
        before, now = self._listed.get(source_id, []), listed(self._root, source_id, sizes) if self._is_listed else []
        self._listed[source_id] = now
        self._unsorted += [month.entries() for month in now if not any(month is known for known in before)]
        for name in _beside(now, sizes):
            pending += self._look_at_file(source_folder(self._root, source_id) / name)
        return pending

    def _look_at_file(self, path: Path) -> list[_Pending]:
        file = index_path(self._root, path)
        state = _state(path, file)
        if state is None or self._seen.get(path) == state:
            return []
        self._seen[path] = state
        index = read_index(file)
        self._tails.pop(path, None)
        self._unsorted.append([entry for entry in index.entries if entry.end <= state[0]])
        if index.covered < state[0]:
            return [(path, *found) for found in scan_file(self._root, path, index.covered).drafts]
        if index.covered > state[0]:
            self._seen.pop(path)
        return []

    def _take_tails(self, pending: list[_Pending]) -> None:
        resolved = self.resolve((draft, place) for _, draft, place in pending)
        by_place = {(entry.capture.warc_path, entry.capture.offset): entry for entry in resolved}
        for path, _, place in pending:
            entry = by_place[place.warc_path, place.offset]
            self._tails[path] = (*self._tails.get(path, ()), entry)

    def resolve(self, drafts: Iterable[tuple[Draft, RecordPlace]]) -> list[Entry]:
        """Make entries of drafts and note them; originals first, so that revisits find them whatever the order."""
        drafts = list(drafts)
        entries = [make_entry(*pair) for pair in drafts if not pair[0].capture.is_revisit]
        for entry in entries:
            self.note(entry)
        for draft, place in drafts:
            if draft.capture.is_revisit:
                entries.append(make_entry(draft, place, self.original_of(draft, place.source_id)))
                self.note(entries[-1])
        return sorted(entries, key=lambda entry: (entry.capture.warc_path, entry.capture.offset))

    def note(self, entry: Entry) -> None:
        """Take in an entry that was written."""
        self._unsorted.append((entry,))

    def _sort(self) -> None:
        """Make what was seen since the last time ready to be looked up, in the order it was seen."""
        unsorted, self._unsorted = self._unsorted, []
        for entries in unsorted:
            for entry in entries:
                self._remember(entry)

    def _remember(self, entry: Entry) -> None:
        """Remember an entry that carries bytes, and of any good one what its address last answered."""
        capture = entry.capture
        original = self._by_id.get(capture.refers_to or "") if capture.is_revisit else entry
        if not capture.is_revisit:
            self._by_record[capture.source_id, entry.record_id] = entry
            self._by_record.setdefault(("", entry.record_id), entry)
            self._by_id[capture.capture_id] = entry
            if capture.byte_count:
                self._by_payload.setdefault((capture.source_id, capture.payload_sha256, capture.status), entry)
        if original is None or not 200 <= original.capture.status < 300:
            return
        for url in (capture.url,) if capture.url == capture.final_url else (capture.url, capture.final_url):
            held = self._by_url.get(url)
            if held is None or held[0].capture.captured_at <= capture.captured_at:
                self._by_url[url] = entry, original

    def original_of(self, draft: Draft, source_id: str) -> Entry | None:
        """The entry that a revisit points to: by record id, in its own source first, else by its payload digest."""
        self._sort()
        for scope in (source_id, ""):
            if (entry := self._by_record.get((scope, draft.refers_to_id or ""))) is not None:
                return entry
        return self._by_payload.get((source_id, draft.capture.payload_sha256, draft.capture.status))

    def by_id(self, capture_id: str) -> Entry | None:
        """The capture of that id, when it carries bytes."""
        self._sort()
        return self._by_id.get(capture_id)

    def by_payload(self, source_id: str, payload_sha256: str, status: int) -> Entry | None:
        """The capture of a source that carries these bytes and was answered with that status."""
        self._sort()
        return self._by_payload.get((source_id, payload_sha256, status))

    def latest(self, url: str) -> Entry | None:
        """The capture whose bytes an address gave when it last answered well, asked for or arrived at."""
        self._sort()
        found = self._by_url.get(url)
        return found[1] if found else None

    def validators(self, url: str) -> Validators | None:
        """What a conditional request for an address may say."""
        self._sort()
        if (found := self._by_url.get(url)) is None:
            return None
        answer, original = (entry.capture for entry in found)
        return Validators(answer.etag, answer.last_modified, original.payload_sha256)

    def entries(self, source_id: str, after: datetime | None = None) -> Iterator[Entry]:
        """All entries of a source, revisits too, in the order they were written.

        With `after` none of the months that have no capture after it.
        """
        for month in self._months(source_id):
            if after is None or (month.newest is not None and month.newest > after):
                yield from month.entries()

    def newest_good(self, source_id: str, latest: datetime | None = None) -> datetime | None:
        """The instant of the newest good capture of a source, with `latest` of those that are not after it."""
        found: list[datetime | None] = []
        for month in self._months(source_id):
            if latest is None or month.newest is None or month.newest <= latest:
                found.append(month.newest_good)
            else:
                good = (entry.capture for entry in month.entries() if entry.capture.status < BAD_STATUS)
                found += [capture.captured_at for capture in good if capture.captured_at <= latest]
        return max((at for at in found if at is not None), default=None)

    def _months(self, source_id: str) -> Iterator[Month]:
        """What is held of a source: its months that are over as they were listed, then all other files together."""
        sizes, folder = warc_sizes(self._root, source_id), source_folder(self._root, source_id)
        settled = [month for month in self._listed.get(source_id, ()) if month.sizes.items() <= sizes.items()]
        others = _beside(settled, sizes)
        if others and any(name > others[0] for month in settled[-1:] for name in month.sizes):
            settled, others = [], [*sizes]  # one before them is not listed: the order is that of all files
        yield from settled
        yield Month.of({name: FileIndex(tuple(self.entries_of(folder / name)), sizes[name]) for name in others})

    def unsettled(self, source_id: str) -> Iterator[Path]:
        """The WARC files of a source that no listing vouches for."""
        sizes = warc_sizes(self._root, source_id)
        settled = listed(self._root, source_id, sizes) if self._is_listed else []
        return (source_folder(self._root, source_id) / name for name in _beside(settled, sizes))

    def entries_of(self, path: Path) -> Iterator[Entry]:
        """All entries of one WARC file, revisits too, in the order they were written."""
        file = index_path(self._root, path)
        state = _state(path, file)
        if state is None:
            return
        index = read_index(file)
        yield from (entry for entry in index.entries if entry.end <= state[0])
        yield from (entry for entry in self._tails.get(path, ()) if entry.end > index.covered)


def _beside(months: Iterable[Month], sizes: Mapping[str, int]) -> list[str]:
    """The files that are in none of these months."""
    told = set[str]().union(*(month.sizes for month in months))
    return [name for name in sizes if name not in told]


def _state(path: Path, index: Path) -> tuple[int, int] | None:
    """Sizes of a WARC file and its index; None when the file has gone since it was listed."""
    try:
        index_size = index.stat().st_size
    except FileNotFoundError:
        index_size = 0
    try:
        return path.stat().st_size, index_size
    except FileNotFoundError:
        return None
