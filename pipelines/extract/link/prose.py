"""The values of running text, lists and code: the words around each and the names it may be a figure of. Pure."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence

from pipelines.extract.link.figures import Figure
from pipelines.extract.link.lent import with_lent_units
from pipelines.extract.link.meaning import values_of
from pipelines.extract.link.scene import NOWHERE, Around, Candidate, Place, Scene, headword, take_over
from pipelines.extract.names.mention import Mention
from pipelines.extract.values import MOST
from pipelines.model.claim import Span
from pipelines.model.document import Block, BlockKind
from pipelines.registry.phrases import phrases

_LABEL = re.compile(r"\s*[*•·-]*\s*(?P<label>(?:[^:：\n.!?]|\.(?=\w)){1,60}?)\s?(?:[:：]|\s[–—-]\s)\s*(?=\S)")
_LONGEST_PARENT, _PARENT_LOOK = 50, 120  # characters of an item of a list that may be a name, and that are looked at
_FARTHEST = 2  # sentences back; those that lie farther count as that
_UNTIL = (" until", " till", " through", " expires", " bis")
_NEAREST = 16  # names on either side of a value that may be its subject
_OF = re.compile(r"\s*(?:of|for|in|on|per|from|by)\b")
_THAN = re.compile(
    r"\b(?:than|vs\.?|versus|over|against|unlike|outperforms?|beats?|relative to|compared (?:to|with)|from|"
    r"(?:upgrade|successor) (?:to|of)|replac(?:es|ing)|(?:fast|much|many|high|efficient) as)"
    r"\s(?:the |an? )?(?:[\w-]+ \(?)?$"
)


def prose_places(scene: Scene, around: Around, block: Block, index: int) -> Iterator[Place]:
    """The values of a block's sentences in order."""
    starts = (at.start - block.start for at in scene.sentences(block))  # hardly ever asked
    whole = scene.figures(block.start, block.end, starts)
    if not whole and not scene.names_in(block.start, block.end):
        return
    own = [figure for figure in whole if not scene.is_of_name(figure)]
    whole = with_lent_units(scene.text, own, around.listed_figures if block.kind is BlockKind.LIST_ITEM else ())
    around.listed_figures = whole
    spots = [figure.digits.start for figure in whole]
    for at in scene.sentences(block):
        names = scene.names_in(at.start, at.end)
        figures = whole[bisect_left(spots, at.start) : bisect_left(spots, at.end)][:MOST]
        line: _Line | None = None
        for number, figure in enumerate(figures):
            values = values_of(figure, in_table=False) if not _is_end(scene.text, at.start, figure) else None
            if values is not None:
                line = line or _Line(scene, around, block, at, names, figures)
                yield line.place(number, values, index)
        if names and block.kind is not BlockKind.HEADING:
            around.remember(names[: 2 * _NEAREST])


def _is_end(text: str, start: int, figure: Figure) -> bool:
    """Whether a time is when something ends: 'on sale until June 2027', but not 'not until June'."""
    if figure.value.period is None:
        return False
    before = text[start : figure.at.start]
    is_until = before.rstrip().casefold().endswith(_UNTIL)
    return is_until and not phrases("denied").are_in(before)


class _Line:
    """A sentence with its names and figures, and what each of its values asks of it.

    `beyond` are the candidates that stand outside the sentence, `above` the words over it, by zone.
    """

    def __init__(
        self, scene: Scene, around: Around, block: Block, at: Span, names: Sequence[Mention], figures: Sequence[Figure]
    ) -> None:
        text = scene.text
        self.scene, self.block, self.at, self.names, self.figures = scene, block, at, names, figures
        self.starts = [name.start for name in names]
        self.spots = [figure.digits.start for figure in figures]
        self.kinds = ["accelerator" if name.kind == "product" else name.kind for name in names]
        # '$2.49 an hour for A, $3.79 for B' are alike
        self.dimensions = ["money" if each.dimension == "money_rate" else each.dimension for each in figures]
        self.label = _LABEL.match(text, at.start, min(at.end, at.start + 80))
        intro = around.intro if block.kind is BlockKind.LIST_ITEM else NOWHERE
        self.beyond = self._beyond(around, intro)
        self.above = {
            "parent": " ".join(text[s.start : s.end][:80] for _, s in around.parents[:-1][-2:]),
            "intro": text[intro.start : intro.end][-160:],
            "heading": " ".join(words for _, words, _ in around.headings[-2:]), "title": scene.title,
        }  # fmt: skip
        before = [text[max(at.start, start - 24) : start].casefold() for start in self.starts]
        self.many = scene.counted_together(figures)
        self.than = [_THAN.search(words) is not None for words in before]  # whether 'than' or its like stands before

    def _beyond(self, around: Around, intro: Span) -> dict[str, Candidate]:
        """The candidates that stand outside the sentence, the same for all of its values."""
        scene, found = self.scene, dict[str, Candidate]()
        for back, earlier in enumerate(around.recent):
            scene.mark_all(found, earlier, f"back{min(back, _FARTHEST)}")
        scene.mark_all(found, around.topics, "topic")
        for depth, (_, span) in enumerate(reversed(around.parents[:-1])):
            names = scene.names_in(span.start, span.end)
            scene.mark_all(found, names, "parent", 1.0 / (1 + depth))
            said = scene.text[span.start : min(span.end, span.start + _PARENT_LOOK)]
            words = headword(said.strip()).rstrip(":：*")
            if all(name.kind == "unknown" for name in names) and 2 < len(words) <= _LONGEST_PARENT:
                scene.label(found, words, line_label=1.0 / (2 + depth))
        scene.mark_all(found, scene.names_in(intro.start, intro.end), "intro")
        scene.above(found, around)
        return found

    def place(self, number: int, values: Mapping[str, float], index: int) -> Place:
        """One of the figures in its surroundings."""
        text, at, figure, kind = self.scene.text, self.at, self.figures[number], self.block.kind
        label = self.label if self.label is not None and self.label.end() <= figure.digits.start else None
        zones = {
            "own": text[figure.at.start : figure.at.end],
            "before": text[max(at.start, figure.at.start - 70) : figure.at.start],
            "after": text[figure.at.end : min(at.end, figure.at.end + 70)],
            "sentence": text[max(at.start, figure.at.start - 160) : min(at.end, figure.at.end + 160)],
            "label": label["label"] if label is not None else "", **self.above,
        }  # fmt: skip
        marks = {
            "is_list": kind is BlockKind.LIST_ITEM,
            "is_heading": kind is BlockKind.HEADING, "sentence_length": at.end - at.start,
            "values": len(self.figures), "number": number, "names": len(self.names),
            "position": (figure.at.start - at.start) / max(at.end - at.start, 1),
            "dimension_values": self.dimensions.count(self.dimensions[number]),
        }  # fmt: skip
        found: dict[str, Candidate] = {}
        self._mark_names(found, number)
        if label is not None:
            self._mark_label(found, label)
        take_over(found, self.beyond)
        return Place(figure, at, zones, marks, list(found.values()), block=index, values=values)

    def _mark_label(self, found: dict[str, Candidate], label: re.Match[str]) -> None:
        """Mark what stands before a colon, where no name is nearly all of it: 'Kestrel node: 4 GPUs'."""
        start, end = label.span("label")
        names = [name for name in self.scene.names_in(start, end) if name.kind != "unknown"]
        if not any(name.end - name.start >= 0.8 * (end - start) for name in names):
            self.scene.label(found, label["label"], line_label=1.0, has_name=bool(names))

    def _mark_names(self, found: dict[str, Candidate], number: int) -> None:
        """Mark the names near a figure: side and gap are of a name's nearest place, the rest of its first."""
        figure, starts, spots = self.figures[number], self.starts, self.spots
        middle = bisect_left(starts, figure.digits.start)
        nearest: dict[str, tuple[int, bool]] = {}
        first: dict[str, int] = {}
        for order in range(max(0, middle - _NEAREST), min(middle + _NEAREST, len(starts))):
            name, is_before = self.names[order], order < middle
            far = max(figure.at.start - name.end if is_before else name.start - figure.at.end, 0)
            first.setdefault(name.name, order)
            if name.name not in nearest or far < nearest[name.name][0]:
                nearest[name.name] = far, is_before
        for order in first.values():
            name, is_after = self.names[order], order >= middle
            low, high = (figure.at.end, name.start) if is_after else (name.end, figure.at.start)
            gap = self.scene.text[low:high] if low < high else ""
            between = bisect_left(starts, high) - bisect_left(starts, low) if gap else 0
            values = bisect_left(spots, high) - bisect_left(spots, low) if gap else 0
            far, is_before = nearest[name.name]
            counted_at = (at - figure.value.start + figure.at.start for at in figure.value.counted_at)
            self.scene.mark(
                found, name, in_sentence=1.0, before=is_before, after=not is_before, gap=far, between=between,
                values_between=values, first=order == 0, comma="," in gap or ";" in gap,
                and_=" and " in gap or "/" in gap, inside=name.start in range(*counted_at),
                of=is_after and _OF.match(gap) is not None, than=self.than[order],
                offset=name.start - self.at.start, ordinal=self._has_ordinal(order, number),
                many=self.many.get(name.name, 0.0),
            )  # fmt: skip

    def _has_ordinal(self, order: int, number: int) -> bool:
        """Whether names and values of a kind run in parallel and these two have the same place: 'A has 1, B 2'."""
        kind, dimension = self.kinds[order], self.dimensions[number]
        if not self.kinds.count(kind) == self.dimensions.count(dimension) > 1:
            return False
        return self.kinds[:order].count(kind) == self.dimensions[:number].count(dimension)
