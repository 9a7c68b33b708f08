"""Measures the parsed text on real pages: are the labelled quotes in it, and how much of it is page furniture.

`boilerplate.csv` holds pages marked by hand: byte spans of each file that are furniture (navigation, controls, tag
lists, related titles, closing credits). Figures are printed; the floors here only rise. Where the shared folder is
absent the same measures run on a small page of our own.
"""

from __future__ import annotations

import csv
import hashlib
import json
import re
import sys
from collections import defaultdict
from dataclasses import dataclass
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path

import pytest

from pipelines.model.document import Document, DocumentFormat
from pipelines.parse.document import parse_document

HERE = Path(__file__).parent
SHARED = HERE.parents[2] / "../shared"
OWN_PAGE = HERE.parents[1] / "fixtures/documents/product_page.html"

# Floors and ceilings, pinned at what was measured. They may only get stricter.
QUOTE_FLOOR = 0.995
BOILERPLATE_CEILING = 0.015
CONTENT_FLOOR = 0.995

_MARK = "\ue000"
_WORD = re.compile(r"\w+")
# Marks of markdown and reStructuredText inside a line; a quote is cut from the source, so it carries them.
_INLINE_MARKUP = re.compile(r"\[\[(?:[^\]|]*\|)?|\]\([^)]*\)|<br>|[\[\]*`\\]")
_SILENT = frozenset({"script", "style", "title", "noscript", "template", "svg"})

needs_shared = pytest.mark.skipif(
    not SHARED.is_dir(), reason="the shared folder with the labelled pages is not beside the repository"
)


@dataclass(frozen=True)
class Measure:
    """Characters of words: kept ones, those of them that are furniture, and the content words of the source."""

    kept: int
    kept_furniture: int
    content: int

    @property
    def furniture_share(self) -> float:
        return self.kept_furniture / max(self.kept, 1)

    @property
    def content_share(self) -> float:
        return (self.kept - self.kept_furniture) / max(self.content, 1)


def show(line: str) -> None:
    """A line of the report; `make eval` shows it, a quiet run does not."""
    sys.stdout.write(line + "\n")


def parse(payload: bytes, name: str) -> Document:
    return parse_document(
        payload, media_type=None, charset=None, url=name, captured_at=datetime(2026, 11, 20, tzinfo=UTC)
    )


def bare(text: str) -> str:
    """A text without white space and inline markup."""
    return re.sub(r"\s+", "", _INLINE_MARKUP.sub("", text))


class _MarkWords(HTMLParser):
    """Puts a mark before each printed word that lies in one of the spans; counts the other words."""

    def __init__(self, source: str, spans: list[tuple[int, int]]) -> None:
        super().__init__(convert_charrefs=False)
        self.inserts: list[int] = []
        self.content = 0
        self._spans = spans
        self._lines = [0, *(match.end() for match in re.finditer("\n", source))]
        self._silent = 0
        self.feed(source)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._silent += tag in _SILENT

    def handle_endtag(self, tag: str) -> None:
        self._silent = max(self._silent - (tag in _SILENT), 0)

    def handle_data(self, data: str) -> None:
        if self._silent:
            return
        line, column = self.getpos()
        at = self._lines[line - 1] + column
        for word in _WORD.finditer(data):
            place = at + word.start()
            if any(start <= place < end for start, end in self._spans):
                self.inserts.append(place)
            else:
                self.content += len(word[0])


def measure_html(payload: bytes, name: str, spans: list[tuple[int, int]]) -> Measure:
    """Mark the furniture's words in the page itself, parse it, and count which marks came through."""
    source = payload.decode("utf-8")
    chars = [
        (len(payload[:start].decode("utf-8", "ignore")), len(payload[:end].decode("utf-8"))) for start, end in spans
    ]
    marked = _MarkWords(source, chars)
    pieces: list[str] = []
    last = 0
    for place in marked.inserts:
        pieces.extend((source[last:place], _MARK))
        last = place
    text = parse("".join([*pieces, source[last:]]).encode("utf-8"), name).text
    furniture = sum(len(word) for word in re.findall(rf"{_MARK}(\w+)", text))
    return Measure(sum(map(len, _WORD.findall(text))), furniture, marked.content)


def measure_lines(payload: bytes, name: str, spans: list[tuple[int, int]]) -> Measure:
    """Find each block of a markdown or plain text in its source, in order, and count the words that lie in spans."""
    source = payload.decode("utf-8")
    words = [(match[0], len(source[: match.start()].encode("utf-8"))) for match in _WORD.finditer(source)]
    document = parse(payload, name)
    at = kept = furniture = 0
    for block in document.blocks:
        for word in _WORD.findall(document.text_of(block)):
            kept += len(word)
            found = next((n for n in range(at, min(at + 400, len(words))) if words[n][0] == word), None)
            if found is None:
                continue
            at = found + 1
            furniture += len(word) * any(start <= words[found][1] < end for start, end in spans)
    content = sum(len(w) for w, place in words if not any(start <= place < end for start, end in spans))
    return Measure(kept, furniture, content)


def read_marks() -> dict[tuple[str, str], list[tuple[int, int]]]:
    marks: dict[tuple[str, str], list[tuple[int, int]]] = defaultdict(list)
    with (HERE / "boilerplate.csv").open(newline="") as file:
        for row in csv.DictReader(file):
            marks[row["document"], row["sha256"]].append((int(row["start"]), int(row["end"])))
    return marks


@needs_shared
def test_labelled_quotes_are_found_in_the_parsed_text() -> None:
    documents: dict[str, str] = {}
    found = verbatim = total = 0
    missing = []
    for line in (SHARED / "gold/gold.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        name = row["doc"]
        if name not in documents:
            documents[name] = parse((SHARED / "gold/docs" / name).read_bytes(), name).text
        total += 1
        verbatim += "".join(row["quote"].split()) in "".join(documents[name].split())
        is_found = bare(row["quote"]) in bare(documents[name])
        found += is_found
        if not is_found:
            missing.append(f"{name}: {row['quote']}")
    show(
        f"\nquotes in {len(documents)} documents: {found} of {total} found ({found / total:.1%}); "
        f"{verbatim} of them also with markdown's own marks left in the quote"
    )
    show("\n".join(missing))
    assert total == 440
    assert found / total >= QUOTE_FLOOR


@needs_shared
def test_little_of_the_kept_text_is_furniture_on_the_marked_pages() -> None:
    measures: dict[str, Measure] = {}
    for (name, digest), spans in read_marks().items():
        payload = (SHARED / name).read_bytes()
        assert hashlib.sha256(payload).hexdigest() == digest, name
        is_html = parse(payload, name).format is DocumentFormat.HTML
        measures[name] = (measure_html if is_html else measure_lines)(payload, name, spans)
    show("")
    for name, one in sorted(measures.items(), key=lambda item: -item[1].furniture_share):
        show(f"{one.furniture_share:6.1%} furniture, {one.content_share:6.1%} of the content kept  {name}")
    whole = Measure(
        sum(one.kept for one in measures.values()),
        sum(one.kept_furniture for one in measures.values()),
        sum(one.content for one in measures.values()),
    )
    show(f"{whole.furniture_share:6.1%} furniture, {whole.content_share:6.1%} of the content kept  all {len(measures)}")
    assert len(measures) >= 12
    assert whole.furniture_share <= BOILERPLATE_CEILING
    assert whole.content_share >= CONTENT_FLOOR


def test_own_page_keeps_its_content_and_none_of_its_furniture() -> None:
    payload = OWN_PAGE.read_bytes()
    parts = [("<header", "</header>"), ('<div id="cookie', "<main>"), ('<aside class="related', "</main>")]
    parts.append(("</main>", "</html>"))
    spans = [(payload.index(start.encode()), payload.index(end.encode())) for start, end in parts]
    one = measure_html(payload, OWN_PAGE.name, spans)
    assert one.kept_furniture == 0
    assert one.content_share == 1.0
    text = bare(parse(payload, OWN_PAGE.name).text)
    for quote in ("Each rack holds **72** accelerators", "[132 kW](#power) per rack", "| Memory | 288 GB | 192 GB |"):
        assert bare(quote).replace("|", "") in text
