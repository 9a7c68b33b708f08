"""Which documents repeat others: near-duplicates, respun copies, and pages that show it by their own signs. Pure.

Words change when a page is respun, names and figures hardly do. So two sketches are compared: runs of five words find
copies, runs of three names or figures find spins. Sketches and look-up are datasketch's MinHash and LSH.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from datasketch import MinHash, MinHashLSH

from pipelines.model.claim_row import CopyRow

PERMUTATIONS = 128
COPY_FROM = 0.5  # Jaccard of five-word runs
SPIN_FROM = 0.35  # Jaccard of three-name runs
SHORTEST = 12  # runs; below, agreement says nothing
_SEED = 1
_WORD = re.compile(r"[^\W_]+(?:[.,’'-][^\W_]+)*")
_NAME = re.compile(r"^(?:[^\W\d_]*[A-Z][^\W\d_]*|.*\d.*)$")

# Numerals and idioms that word-for-word replacement makes and writers of English hardly do.
_SIGNS = (
    ("numeral", re.compile(r"\b(?:tens|lots|hundreds) of (?:hundreds|tens|of)\b", re.IGNORECASE)),
    ("numeral", re.compile(r"\bpractically a (?:billion|million|thousand)\b", re.IGNORECASE)),
    ("word", re.compile(r"\b(?:fashions|mannequins?) (?:have|with|of) .{0,40}\bparameters\b", re.IGNORECASE)),
    ("word", re.compile(r"\binformation (?:heart|middle|centre)s?\b|\bknowledge (?:heart|middle)s?\b", re.IGNORECASE)),
    ("word", re.compile(r"\bsynthetic intelligence\b|\bmachine studying\b|\blarge language fashions\b", re.IGNORECASE)),
    ("word", re.compile(r"\b(?:vitality|power) effectivity\b", re.IGNORECASE)),
)  # fmt: skip
SIGNS_FROM = 2


@dataclass(frozen=True, slots=True)
class Text:
    """A document's words and the date that decides which of two came first."""

    document_id: str
    text: str
    stated_on: dt.date


@dataclass(frozen=True, slots=True)
class _Sketch:
    text: Text
    words: MinHash | None
    names: MinHash | None


def find_copies(texts: Iterable[Text]) -> list[CopyRow]:
    """One row per document that repeats an earlier one or is respun, in order of document id.

    Of several candidates the most similar, then the oldest, is named as the origin.
    """
    sketches = [_sketch(text) for text in sorted(texts, key=lambda t: (t.stated_on, t.document_id))]
    rows = {row.document_id: row for row in _suspects(sketches)}
    for kind, threshold in (("spin", SPIN_FROM), ("copy", COPY_FROM)):
        for row in _pairs(sketches, kind, threshold):
            rows[row.document_id] = row
    return [rows[key] for key in sorted(rows)]


def spin_signs(text: str) -> tuple[str, ...]:
    """The signs of word-for-word replacement in a text, each as 'kind: words', in order of the text."""
    found = {(m.start(), f"{kind}: {m.group(0).lower()}") for kind, pattern in _SIGNS for m in pattern.finditer(text)}
    return tuple(dict.fromkeys(sign for _, sign in sorted(found)))


def _suspects(sketches: Sequence[_Sketch]) -> list[CopyRow]:
    rows = []
    for sketch in sketches:
        signs = spin_signs(sketch.text.text)
        if len(signs) >= SIGNS_FROM:
            rows.append(CopyRow(sketch.text.document_id, "", "suspect", 0.0, 0.0, signs))
    return rows


def _pairs(sketches: Sequence[_Sketch], kind: str, threshold: float) -> list[CopyRow]:
    index = MinHashLSH(threshold=threshold, num_perm=PERMUTATIONS)
    by_id = {sketch.text.document_id: sketch for sketch in sketches}
    rows = []
    for sketch in sketches:
        hashed = sketch.words if kind == "copy" else sketch.names
        if hashed is None:
            continue
        near = [by_id[name] for name in index.query(hashed)]
        scored = [(_similarity(sketch, other, kind), other) for other in near]
        best = max(scored, key=lambda pair: (pair[0], -pair[1].text.stated_on.toordinal()), default=None)
        if best is not None and best[0] >= threshold:
            rows.append(_row(sketch, best[1], kind))
        index.insert(sketch.text.document_id, hashed)
    return rows


def _row(sketch: _Sketch, origin: _Sketch, kind: str) -> CopyRow:
    return CopyRow(
        document_id=sketch.text.document_id,
        origin_document_id=origin.text.document_id,
        kind=kind,
        word_similarity=round(_similarity(sketch, origin, "copy"), 3),
        name_similarity=round(_similarity(sketch, origin, "spin"), 3),
        signs=spin_signs(sketch.text.text),
    )


def _similarity(one: _Sketch, other: _Sketch, kind: str) -> float:
    left, right = (one.words, other.words) if kind == "copy" else (one.names, other.names)
    return float(left.jaccard(right)) if left is not None and right is not None else 0.0


def _sketch(text: Text) -> _Sketch:
    words = _WORD.findall(text.text)
    named = [word.casefold() for word in words if _NAME.match(word)]
    return _Sketch(text, _hashed([word.casefold() for word in words], 5), _hashed(named, 3))


def _hashed(words: Sequence[str], run: int) -> MinHash | None:
    runs = {" ".join(words[i : i + run]) for i in range(len(words) - run + 1)}
    if len(runs) < SHORTEST:
        return None
    sketch = MinHash(num_perm=PERMUTATIONS, seed=_SEED)
    sketch.update_batch([item.encode() for item in sorted(runs)])
    return sketch
