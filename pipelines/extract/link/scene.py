"""What a document's values stand among: its names, and who may be the subject of a value, each with its marks. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from pipelines.extract.link.figures import Figure
from pipelines.extract.link.named_text import NamedText
from pipelines.extract.link.units_said import unit_of_all, units_told
from pipelines.extract.names.mention import THINGS, DocumentNames, Mention
from pipelines.extract.sentences import LETTERS, SMALL_WORD, sentences
from pipelines.extract.values.periods import find_periods
from pipelines.model.claim import Origin, Span
from pipelines.model.document import Block, BlockKind, Document
from pipelines.registry import load_registry
from pipelines.registry.field_words import load_field_words
from pipelines.registry.names import name_key

NOWHERE = Span(0, 0)
_LONGEST_LABEL = 70
_EXPLAINED = 8  # paragraphs that say units, which are remembered
_INTRO = 300  # characters before a list or table that may say what it is about
_SAID_OF = (" (", "（", " — ", " – ", ": ", "：")
_RANKED_ALONE = frozenset({"site", "organisation", "network", "cpu", "system", "unknown"})
_MAINS = 2  # of each kind
_KEPT, _TOPICS = 5, 3  # sentences back whose names are remembered, and things of a section that it begins with
_TOPICAL = THINGS | {"unknown"}
_TITLE_WEIGHT = 5  # places of a name that one in the title is worth
_OF_HEADINGS = str.maketrans("#*`", "   ")
_MARKUP = re.compile(
    r"[`*]{1,3}|\[?\^\w{1,12}\]?|\[\d+\]|\(\*\)|\((?:19|20)\d\d\)|"
    r"\((?:API|api|beta|preview|planned|new)\)|†|‡|[\u2190-\u2bff\ufe0f\U0001f000-\U0001faff]"
)
# models and programs that run on the hardware: no figure of hardware is theirs
_PROGRAM = re.compile(
    r"\b(?:gpt|llama|bert|mixtral|gemma|qwen|mistral|deepseek|resnet|bloom|falcon|nemotron|sdxl|dlrm|unet|grok|claude|"
    r"gemini)\b|\b(?:gpt|llama)-?\d|\b\d+(?:\.\d+)?b\b",
    re.IGNORECASE,
)
# formats of numbers name the rows and columns of a table, never a thing
_FORMAT = re.compile(
    r"(?:(?:dense|sparse|tensor|vector|matrix|peak)\W+)*(?:(?:nv|mx)?fp|bf|tf|u?int)\W?\d{1,2}\b.{0,24}", re.IGNORECASE
)
_GENERIC = re.compile(
    r"(?:^|\s)(?:hardware|overview|specifications?|specs|details|user guide|documentation|guide|configurations?|"
    r"resources|information|description|summary|introduction|abstract|background|results|discussion|conclusions?|"
    r"analysis|management)$|"
    r"^(?:about|the|introduction to|overview of|using|(?:item|section|chapter|part|table|figure)\s\d\d?[a-z]?[.:]?)\s|"
    r"(?:['’]s|[\s:–—-]+)$",
    re.IGNORECASE,
)


@dataclass(slots=True)
class Candidate:
    """Someone or something a value may be a figure of; `marks` say how it stands to the value, by feature name."""

    name: str
    kind: str
    subject_id: str = ""
    vendor_id: str = ""
    marks: dict[str, float] = field(default_factory=dict)


@dataclass(slots=True)
class Place:
    """A value in its surroundings; `zones` are words by zone, `marks` what is known of the place itself."""

    figure: Figure
    context: Span
    zones: dict[str, str]
    marks: dict[str, float]
    candidates: list[Candidate]
    table: int = -1
    row: int = -1
    column: int = -1
    block: int = -1
    values: Mapping[str, float] = field(default_factory=dict)  # by the metrics that it may be of


@dataclass(slots=True)
class Around:
    """What stands above the block being read."""

    headings: list[tuple[int, str, Sequence[Mention]]] = field(default_factory=list)
    parents: list[tuple[int, Span]] = field(default_factory=list)
    intro: Span = NOWHERE
    listed: Span = NOWHERE  # the list that ends here, which may be what introduces a table
    recent: list[Sequence[Mention]] = field(default_factory=list)
    topics: list[Mention] = field(default_factory=list)  # the first things named since the last heading
    listed_figures: Sequence[Figure] = ()  # of the block above
    sums: str = ""  # the unit of the page's sums: 'All prices in USD'
    explained: list[str] = field(default_factory=list)  # paragraphs that may say units: 'Rmax in PF'
    above: Mapping[str, Candidate] | None = None  # of headings, title and document, until the next heading

    def enter(self, scene: Scene, block: Block) -> None:
        """Go on to a block of text: what a heading or an item of a list stood over is left behind."""
        if block.kind is BlockKind.HEADING:
            words = " ".join(scene.document.text_of(block).translate(_OF_HEADINGS).split())
            self.headings = [each for each in self.headings if each[0] < block.level]
            self.headings.append((block.level, words, scene.names_in(block.start, block.end)))
            self.recent, self.topics, self.parents, self.intro, self.above = [], [], [], NOWHERE, None
        elif block.kind is BlockKind.LIST_ITEM:
            self.listed = Span(self.listed.start if self.listed.end else block.start, block.end)
            self.parents = [each for each in self.parents if each[0] < block.level]
            self.parents.append((block.level, Span(block.start, block.end)))
        else:
            self.parents = []
            words = scene.document.text_of(block)[:_INTRO]
            said = unit_of_all(words)
            self.sums = said[0] if said is not None and said[1] == "money" else self.sums
            self.explained = [*self.explained, words][-_EXPLAINED:] if units_told(words) else self.explained
        if block.kind is not BlockKind.LIST_ITEM:
            self.listed = NOWHERE

    def remember(self, names: Sequence[Mention]) -> None:
        """Go on behind a sentence with names."""
        self.recent = [names, *self.recent[: _KEPT - 1]]
        if len(self.topics) < _TOPICS:
            known = {topic.name for topic in self.topics}
            new = {name.name: name for name in reversed(names) if name.name not in known and name.kind in _TOPICAL}
            self.topics += list(reversed(new.values()))[: _TOPICS - len(self.topics)]

    def leave(self, block: Block) -> None:
        """What a paragraph says at its end may introduce the list or the table after it."""
        if block.kind not in (BlockKind.HEADING, BlockKind.LIST_ITEM, BlockKind.CAPTION):
            self.intro = Span(max(block.start, block.end - _INTRO), block.end)

    def before_table(self) -> Span:
        """The characters of a paragraph or list before a table that may say what it is about."""
        own = self.listed
        return Span(max(own.start, own.end - _INTRO), own.end) if own.end else self.intro


class Scene(NamedText):
    """A document and the names in it; makes and marks the candidates of its values."""

    def __init__(self, document: Document, origin: Origin, names: DocumentNames) -> None:
        names_here, self.title_names, self._publisher = names
        super().__init__(document.text, names_here, origin.published_on)
        self.document, self.origin = document, origin
        self.title = document.title or ""
        self._has_titled_thing = any(name.kind in THINGS for name in self.title_names)
        self._count = Counter(name.name for name in self.names)
        self._rank = self._ranks()
        self._plain = frozenset(SMALL_WORD.findall(document.text))
        self._sentences: dict[Span, Sequence[Span]] = {}
        first = {name.name: name for name in reversed(self.names)}  # the most frequent names, at their first places
        self._mains = sorted(name for name in first.values() if self._rank[name.name] < _MAINS)

    def sentences(self, block: Block) -> Sequence[Span]:
        """The sentences of a block, found once."""
        at = Span(block.start, block.end)
        if at not in self._sentences:
            self._sentences[at] = list(sentences(self.text, at.start, at.end))
        return self._sentences[at]

    def _ranks(self) -> dict[str, int]:
        """The place of each name among those of its group by how often it stands here; one of the title counts more."""
        weight = self._count + Counter(_TITLE_WEIGHT * [title.name for title in self.title_names])
        kinds = {mention.name: mention.kind for mention in (*self.names, *self.title_names)}
        rank: dict[str, int] = {}
        seen: Counter[str] = Counter()
        for name in sorted(weight, key=lambda name: (-weight[name], name)):
            group = kinds[name] if kinds[name] in _RANKED_ALONE else "chip"
            rank[name] = seen[group]
            seen[group] += 1
        return rank

    def above(self, found: dict[str, Candidate], around: Around) -> None:
        """Mark the names and labels of the headings, the title, the publisher and the document's main names."""
        if around.above is None:
            around.above = self._above(around)
        take_over(found, around.above)

    def _above(self, around: Around) -> Mapping[str, Candidate]:
        found: dict[str, Candidate] = {}
        for depth, (_, words, names) in enumerate(reversed(around.headings)):
            self.mark_all(found, names, "heading", 1.0 / (1 + depth))
            if depth <= 1 and 2 < len(words) <= 50 and not names:
                self.label(found, headword(words), heading_label=1.0 / (1 + depth))
        self.mark_all(found, self.title_names, "title")
        if self.title and not self._has_titled_thing:
            self.label(found, headword(self.title), title=1.0)
        self.mark_all(found, self._publisher, "publisher")
        party = _party(self.origin.publisher)
        if not self._publisher and _may_be_party(party):
            self.label(found, party, publisher=1.0)
        self.mark_all(found, self._mains, "main")
        return found

    def mark_all(self, found: dict[str, Candidate], names: Iterable[Mention], zone: str, mark: float = 1.0) -> None:
        """Mark the names that stand together in a zone, each with its order there."""
        for order, name in enumerate(names):
            self.mark(found, name, **{zone: mark, f"{zone.rstrip('012')}_order": order})

    def mark(self, found: dict[str, Candidate], name: Mention, **marks: float) -> None:
        """Mark a name; programs are nobody, and standards only where they label a row."""
        if name.kind != "software" and (name.name not in load_field_words().no_owner or "row_name" in marks):
            marks |= {"count": self._count[name.name], "rank": self._rank.get(name.name, 9)}
            _add(found, name_key(name.name), Candidate(name.name, name.kind, name.subject_id, name.vendor_id, marks))
            chip = _chip_of(name.name)
            if chip is not None:
                _add(found, name_key(chip.name), replace(chip, marks=dict(marks)))

    def label(self, found: dict[str, Candidate], words: str, **marks: float) -> None:
        """Mark a label that may be a name which the registry does not know."""
        words, key = _label(words)
        if key:
            _add(found, key, Candidate(words, "label", marks=marks | {"plain": self._plainness(words)}))

    def _plainness(self, words: str) -> float:
        """The share of a label's words that the text also writes small, as it does no name."""
        own = LETTERS.findall(words.casefold())
        return sum(word in self._plain for word in own) / max(len(own), 1)


@lru_cache(maxsize=4096)
def _chip_of(name: str) -> Candidate | None:
    """The chip that some name by what it is rented in: 'Trn2' may be a machine or a Trainium2."""
    chip_id = load_field_words().rented_as.get(name.rpartition(" ")[2].casefold(), "")
    chip = load_registry().accelerator(chip_id) if chip_id else None
    return None if chip is None else Candidate(chip.name, "accelerator", chip.id, chip.vendor)


def _party(publisher: str) -> str:
    """A publisher's name without its legal form: 'Acme Silicon, Inc.' is Acme Silicon."""
    words = publisher.replace(",", " ").split()
    while words and words[-1] in load_field_words().legal_forms:
        words.pop()
    return " ".join(words)


def _may_be_party(publisher: str) -> bool:
    """Whether a publisher's name may be a party's: no repository's or host's."""
    return 3 <= len(publisher) <= 40 and set("/().:").isdisjoint(publisher)


def take_over(found: dict[str, Candidate], others: Mapping[str, Candidate]) -> None:
    """Add candidates that several values share, last of all."""
    for key in found.keys() & others.keys():
        _add(found, key, others[key])
    for key in [key for key in others if key not in found]:
        found[key] = others[key]


def _add(found: dict[str, Candidate], key: str, other: Candidate) -> None:
    """Add a candidate; one that is known already gets the marks that it lacks."""
    candidate = found.setdefault(key, other)
    if candidate is not other:
        is_label = "count" not in candidate.marks  # and stays one, though it is a name elsewhere
        lacking = {name: mark for name, mark in other.marks.items() if not (is_label and name in ("count", "rank"))}
        candidate.marks = lacking | candidate.marks


def without_signs(words: str) -> str:
    """Words without markup, footnote signs and pictures."""
    return " ".join(_MARKUP.sub(" ", words).split())


def headword(words: str) -> str:
    """What a heading or an item begins with, without what is said of it: 'Merlin (2023–)', '2. fennec — new'.

    'Notes: Skadi' is Skadi.
    """
    words = words.removeprefix("Notes: ").removeprefix("Notes on ")
    number, _, rest = words.partition(" ")
    if rest and number.endswith(".") and number.replace(".", "").isdecimal():
        words = rest
    for sign in _SAID_OF:
        words = words.partition(sign)[0]
    return words


def is_time(words: str) -> bool:
    """Whether words name nothing but a time: '2026', 'Q3 FY26'."""
    times = find_periods(words, None) if any(map(str.isdecimal, words)) else ()
    return len(times) == 1 and not any(map(str.isalnum, words[: times[0].start] + words[times[0].end :]))


@lru_cache(maxsize=16384)
def _label(words: str) -> tuple[str, str]:
    """A label as a name with its key, without signs and the words of its genre.

    'Vaughan hardware' is Vaughan; a label of such words alone stays. The key is '' where it can be no name of hardware.
    """
    words = without_signs(words)
    while (shorter := _GENERIC.sub("", words).strip()) != words and shorter:
        words = shorter
    is_name = (
        _GENERIC.sub("", words) != ""
        and len(words) <= _LONGEST_LABEL
        and _PROGRAM.search(words) is None
        and _FORMAT.fullmatch(words) is None
        and not is_time(words)
        and words.casefold() not in load_field_words().no_label
    )
    return words, name_key(words) if is_name else ""
