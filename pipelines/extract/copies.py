"""Which documents repeat others: near-duplicates, respun copies, and pages that show it by their own signs. Pure.

Words change when a page is respun, names and figures hardly do. So two sketches are compared: runs of five words find
copies, runs of three names or figures find spins. Sketches and look-up are datasketch's MinHash and LSH.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
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
class Sketch:
    """What is kept of a document's words, in hexadecimal; '' where they are too few to tell anything."""

    document_id: str
    words: str
    names: str
    signs: tuple[str, ...]


def sketch(document_id: str, text: str) -> Sketch:
    """The sketch of one document."""
    words = _WORD.findall(text)
    named = [word.casefold() for word in words if _NAME.match(word)]
    return Sketch(document_id, _hashed([word.casefold() for word in words], 5), _hashed(named, 3), spin_signs(text))


def find_copies(sketches: Mapping[str, Sketch], stated_on: Mapping[str, dt.date]) -> list[CopyRow]:
    """One row per document that repeats an earlier one or is respun, in order of document id.

    `sketches` and the dates that decide which of two came first are by document id. Of several candidates the most
    similar, then the oldest, is named as the origin.
    """
    ordered = [sketches[name] for name in sorted(sketches, key=lambda name: (stated_on[name], name))]
    rows = {item.document_id: _suspect(item) for item in ordered if len(item.signs) >= SIGNS_FROM}
    for kind, field, threshold in (("spin", "names", SPIN_FROM), ("copy", "words", COPY_FROM)):
        for one, origin in _pairs([(item, getattr(item, field)) for item in ordered], threshold):
            rows[one.document_id] = _row(one, origin, kind)
    return [rows[key] for key in sorted(rows)]


def spin_signs(text: str) -> tuple[str, ...]:
    """The signs of word-for-word replacement in a text, each as 'kind: words', in order of the text."""
    found = {(m.start(), f"{kind}: {m.group(0).lower()}") for kind, pattern in _SIGNS for m in pattern.finditer(text)}
    return tuple(dict.fromkeys(sign for _, sign in sorted(found)))


def _suspect(item: Sketch) -> CopyRow:
    return CopyRow(item.document_id, "", "suspect", 0.0, 0.0, item.signs)


def _pairs(sketches: Sequence[tuple[Sketch, str]], threshold: float) -> Iterator[tuple[Sketch, Sketch]]:
    """Each document that is near an earlier one, with the nearest; only those that share a band are compared."""
    told = [(item, digest) for item, digest in sketches if digest]
    matrix = np.frombuffer(bytes.fromhex("".join(digest for _, digest in told)), "<u4").reshape(-1, PERMUTATIONS)
    bands = MinHashLSH(threshold=threshold, num_perm=PERMUTATIONS)  # knows how many bands find this threshold best
    seen: dict[tuple[int, bytes], list[int]] = {}
    for place, (item, _) in enumerate(told):
        near: set[int] = set()
        for band in range(bands.b):
            shared = seen.setdefault((band, matrix[place, band * bands.r : (band + 1) * bands.r].tobytes()), [])
            near.update(shared)
            shared.append(place)
        if near:
            others = np.array(sorted(near))
            shares = (matrix[others] == matrix[place]).mean(axis=1)
            best = int(shares.argmax())  # the first of equals, which is the oldest
            if shares[best] >= threshold:
                yield item, told[others[best]][0]


def _row(one: Sketch, origin: Sketch, kind: str) -> CopyRow:
    return CopyRow(
        document_id=one.document_id,
        origin_document_id=origin.document_id,
        kind=kind,
        word_similarity=round(_similarity(one.words, origin.words), 3),
        name_similarity=round(_similarity(one.names, origin.names), 3),
        signs=one.signs,
    )


def _similarity(left: str, right: str) -> float:
    """The share of equal values, an estimate of Jaccard's index."""
    if not left or not right:
        return 0.0
    one, other = (np.frombuffer(bytes.fromhex(digest), "<u4") for digest in (left, right))
    return float(np.mean(one == other))


def _hashed(words: Sequence[str], run: int) -> str:
    runs = {" ".join(words[i : i + run]) for i in range(len(words) - run + 1)}
    if len(runs) < SHORTEST:
        return ""
    found = MinHash(num_perm=PERMUTATIONS, seed=_SEED)
    found.update_batch([item.encode() for item in sorted(runs)])
    return np.asarray(found.hashvalues).astype("<u4").tobytes().hex()
