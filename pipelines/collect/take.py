"""One source's run: its addresses one by one, and where those lead, within the cap on new items."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from pipelines.collect.discover import Leads, discover
from pipelines.collect.keep import Keeper, Kept
from pipelines.collect.ports import FetchError
from pipelines.collect.report import Tally
from pipelines.collect.visit import Visited, Visitor
from pipelines.model.capture import Capture
from pipelines.problems import InputError, Reason
from pipelines.source_model import Kind, Source


@dataclass(slots=True)
class SourceRun:
    """Goes through one source and counts."""

    source: Source
    visitor: Visitor
    keeper: Keeper
    tally: Tally

    async def all(self) -> None:
        """Every address of the source; feeds and listings lead on to their items."""
        leads_on = self.source.kind in (Kind.FEED, Kind.LISTING) and not self.source.link_only
        for url in self.source.urls:
            capture = await self.take(url)
            if capture is None or not leads_on:
                continue
            leads = await self._leads(capture)
            await self._items(leads)
            for place in leads.lists[: self.source.max_new_items]:
                capture = await self.take(place)
                if capture is not None:
                    await self._items(await self._leads(capture))

    async def take(self, url: str) -> Capture | None:
        """Fetch an address and store the answer; its capture when that is good."""
        self.tally.asked.add(url)
        known = partial(self.keeper.validators, self.source, url)
        try:
            is_first = await known(url) is None
            visited = await self.visitor.visit(url, known)
            self.tally.bytes += visited.answer.byte_count
            kept = await self.keeper.keep(self.source, visited)
        except FetchError as error:
            self.tally.fail(url, error.reason, error.detail)
            return None
        return self._count(visited, kept, is_first)

    def _count(self, visited: Visited, kept: Kept, is_first: bool) -> Capture | None:
        answer = visited.answer
        if answer.status >= 400:
            detail = f"answered {answer.status} {answer.reason}".rstrip()
            self.tally.fail(visited.url, Reason.HTTP_STATUS, detail)
            return None
        if kept.is_unchanged:
            self.tally.unchanged += 1
        else:
            self.tally.fetched += 1
            self.tally.new += is_first
        return kept.capture

    async def _leads(self, capture: Capture) -> Leads:
        try:
            payload = await self.keeper.payload(capture, self.source.size_cap_bytes)
            leads = discover(self.source, payload, capture.final_url, capture.charset_hint, capture.captured_at.date())
        except InputError as error:
            self.tally.fail(capture.url, error.reason, error.detail)
            return Leads(())
        floor = self.source.expected.min_items or 0
        if len(leads.items) < floor and not leads.lists:
            self.tally.fail(capture.url, Reason.TOO_FEW_ITEMS, f"{len(leads.items)} items, at least {floor} expected")
        if leads.left_hosts:
            hosts = ", ".join(sorted(leads.left_hosts)[:5])
            self.tally.notes.append(f"links to {len(leads.left_hosts)} hosts that are not allowed were left: {hosts}")
        return leads

    async def _items(self, leads: Leads) -> None:
        for url in leads.items:
            if self.tally.items_left <= 0:
                return
            if url in self.tally.asked or await self.keeper.has_url(url):
                continue
            refused = self.tally.refused
            await self.take(url)
            # what robots.txt disallows costs no request
            self.tally.items_left -= self.tally.refused == refused
