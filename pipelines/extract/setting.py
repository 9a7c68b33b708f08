"""Where a block stands: headings, list parents, the line before a list, whom the section speaks of. Pure."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace

from pipelines.extract.aside import RELATIVE, aside_of, compared
from pipelines.extract.subjects import Mention, find_mentions
from pipelines.model.document import Block, BlockKind, Document
from pipelines.registry.mentions import NameFinder

_LEAD = 800  # characters of a document that say of what field it is
_READ = frozenset({BlockKind.PARAGRAPH, BlockKind.LIST_ITEM, BlockKind.QUOTE, BlockKind.CAPTION, BlockKind.HEADING})
# 'Memory: 288 GB', 'Peak Compute — 50 PF': the words before the sign name what follows.
_LABEL = re.compile(r"\s*[*•·-]?\s*(?P<label>[A-Z0-9~](?:[^:\n.!?]|\.(?=\d)){0,60}?)\s?(?::|\s[–—-])\s+(?=\S)")


@dataclass(frozen=True, slots=True)
class Setting:
    """What is known of a block from around it, nearest first.

    `parents` are the list items above and `intro` the line before the list, as spans' texts with their mentions;
    `headings` are heading texts, innermost first; `label` is the key of a 'key: value' line.
    """

    block: Block
    index: int
    label: str
    parents: tuple[str, ...]
    intro: str
    headings: tuple[str, ...]
    parent_mentions: tuple[Mention, ...]
    intro_mentions: tuple[Mention, ...]
    heading_mentions: tuple[tuple[Mention, ...], ...]
    title_mentions: tuple[Mention, ...]

    def intro_subjects(self, kinds: Collection[str]) -> tuple[Mention, ...]:
        """Whom the line before the list is about: its first machine that is no comparison or platform."""
        fitting = [m for m in self.intro_mentions if m.kind in kinds]
        specific = [m for m in fitting if m.kind != "generation"] or fitting
        return tuple(m for m in specific[:1] if m.kind != "accelerator" or any(c.isdecimal() for c in m.name))

    @property
    def above(self) -> str:
        """The words above the block that may say what its figures are of."""
        return " | ".join((*self.parents, self.intro))


@dataclass(slots=True)
class _Walk:
    """The state while walking down a document."""

    parents: list[Block] = field(default_factory=list)
    intro: Block | None = None
    last: Block | None = None


class Settings:
    """The settings of a document's blocks; finds the mentions of the whole text once."""

    def __init__(self, document: Document, finder: NameFinder) -> None:
        self._document = document
        self._finder = finder
        self._headings: dict[str, tuple[Mention, ...]] = {}
        title = document.title or ""
        self._context = f"{title}\n{document.text[:_LEAD]}"  # what a heading's words alone do not settle
        found = find_mentions(document.text, finder, title)
        named = find_mentions(title, finder, self._context) if title else []
        aside = compared(title, named, 0)
        self._title = tuple(_resolved([m for m in named if m.start not in aside] or named, found))
        self.mentions = _members(document.text, _resolved(found), self._title)
        self._starts = [mention.start for mention in self.mentions]

    def within(self, start: int, end: int) -> Sequence[Mention]:
        """The mentions that begin inside a span."""
        return self.mentions[bisect_left(self._starts, start) : bisect_left(self._starts, end)]

    def __iter__(self) -> Iterator[Setting]:
        walk = _Walk()
        for index, block in enumerate(self._document.blocks):
            self._step(walk, block)
            if block.kind in _READ:
                yield self._setting(walk, block, index)
            walk.last = block

    def _step(self, walk: _Walk, block: Block) -> None:
        if block.kind is not BlockKind.LIST_ITEM:
            walk.parents.clear()
            walk.intro = None
            return
        if walk.last is not None and walk.last.kind is BlockKind.PARAGRAPH:
            walk.intro = walk.last
        while walk.parents and walk.parents[-1].level >= block.level:
            walk.parents.pop()
        walk.parents.append(block)

    def _setting(self, walk: _Walk, block: Block, index: int) -> Setting:
        document = self._document
        parents = walk.parents[:-1][::-1]
        label = _LABEL.match(document.text, block.start, min(block.end, block.start + 90))
        key = _key(document.text, walk.last, block) if label is None else ""
        headings = tuple(reversed(block.heading_path))
        intro = walk.intro
        return Setting(
            block=block,
            index=index,
            label=label["label"].strip() if label is not None else key,
            parents=tuple(document.text_of(parent) for parent in parents),
            intro=document.text_of(intro)[-240:] if intro is not None else "",
            headings=headings,
            parent_mentions=tuple(m for parent in parents for m in self._not_aside(parent)),
            intro_mentions=self._not_aside(intro) if intro is not None else (),
            heading_mentions=tuple(self._machines(self._of_words(heading)) for heading in headings),
            title_mentions=self._title,
        )

    def _machines(self, mentions: tuple[Mention, ...]) -> tuple[Mention, ...]:
        """Without the architecture's name where the document is about a machine of the same maker."""
        first = next((m for m in self._title if m.kind in ("accelerator", "system", "generation")), None)
        if first is None or first.kind == "generation":
            return mentions
        return tuple(m for m in mentions if m.kind != "generation" or m.vendor_id != first.vendor_id)

    def _not_aside(self, block: Block) -> tuple[Mention, ...]:
        mentions = self.within(block.start, block.end)
        aside = aside_of(self._document.text, mentions, block.start)
        text = self._document.text
        return tuple(m for m in mentions if m.start not in aside or RELATIVE.match(text, m.end) is not None)

    def _of_words(self, words: str) -> tuple[Mention, ...]:
        if words not in self._headings:
            found = find_mentions(words, self._finder, self._context) if words else []
            aside = compared(words, found, 0)
            meant = [mention for mention in found if mention.start not in aside] or found
            self._headings[words] = tuple(_resolved(meant, self.mentions if words else []))
        return self._headings[words]


def _key(text: str, last: Block | None, block: Block) -> str:
    """The list line before as key of this one, where keys and values come by turns: 'GPU', '72 Rubin GPU'."""
    if last is None or block.kind is not BlockKind.LIST_ITEM or (last.kind, last.level) != (block.kind, block.level):
        return ""
    words = text[last.start : last.end]
    is_key = len(words) <= 32 and "\n" not in words and not any(letter.isdecimal() for letter in words)
    return words.strip() if is_key and text[block.start].isdecimal() else ""


# a superchip's code, by which its rack is called too
_RACK_OF = re.compile(r"NVIDIA G[BH]\d{3}")
_SIZE = re.compile(r"NVL\d+$")


def _resolved(mentions: list[Mention], known: Sequence[Mention] = ()) -> list[Mention]:
    """Bare 'NVL72' read as the one rack of that size which the document names in full."""
    full: dict[str, set[str]] = {}
    for mention in (*mentions, *known):
        size = _SIZE.search(mention.name)
        if size is not None and mention.kind == "system" and mention.name != f"NVIDIA {size[0]}":
            full.setdefault(size[0], set()).add(mention.name)
    resolved = []
    for mention in mentions:
        names = full.get(mention.name.removeprefix("NVIDIA "), set())
        same = next((m for m in (*mentions, *known) if m.name in names), None) if len(names) == 1 else None
        if same is not None:
            mention = Mention(mention.start, mention.end, same.name, "system", same.subject_id, same.vendor_id)
        resolved.append(mention)
    return resolved


_LINE = re.compile(r"\s(?:brand|line(?:-?up)?|family|series|portfolio|name)\b")


def _members(text: str, mentions: list[Mention], title: Sequence[Mention]) -> list[Mention]:
    """A family's bare name read as the one member that the title names: 'Maia' on a page titled 'Maia 100'."""
    named = {m.name for m in title if m.kind in ("accelerator", "product", "system")}
    if len(named) != 1:
        return mentions
    one = next(m for m in title if m.name in named)
    return [
        replace(m, name=one.name, subject_id=one.subject_id, kind=one.kind)
        if one.name.startswith(f"{m.name} ")
        and _LINE.match(text, m.end) is None
        and (m.kind == one.kind or _RACK_OF.fullmatch(m.name) is not None)
        else m
        for m in mentions
    ]
