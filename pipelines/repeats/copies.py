"""Which documents repeat others: near-duplicates, respun copies, and pages that show it by their own signs. Pure.

Words change when a page is respun, names and figures hardly do. So two sketches are compared: runs of five words find
copies, runs of three names or figures find spins. Sketches are datasketch's MinHash; `near` says which are compared.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pipelines.model.claim_row import CopyRow
from pipelines.repeats.near import Bands, Places, bands_of

Digests = np.ndarray[Any, np.dtype[np.uint32]]
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
    """What is kept of a document's words and names, and the bands of both; b'' where there are too few to tell."""

    document_id: str
    words: bytes
    names: bytes
    signs: tuple[str, ...]
    word_bands: bytes
    name_bands: bytes


def sketch(document_id: str, text: str) -> Sketch:
    """The sketch of one document."""
    words = _WORD.findall(text)
    named = [word.casefold() for word in words if _NAME.match(word)]
    told, names = _hashed([word.casefold() for word in words], 5), _hashed(named, 3)
    bands = bands_of(told, COPY_FROM, PERMUTATIONS), bands_of(names, SPIN_FROM, PERMUTATIONS)
    return Sketch(document_id, told, names, spin_signs(text), *bands)


@dataclass(frozen=True, slots=True)
class Held:
    """What tells of a document which others it may repeat: its day, and the bands of its sketches."""

    document_id: str
    stated_on: dt.date
    word_bands: bytes
    name_bands: bytes


@dataclass(frozen=True, slots=True)
class Documents:
    """All documents in the order of their day and id: a column of each, for there may be very many."""

    ids: Sequence[str]
    word_bands: Sequence[bytes]
    name_bands: Sequence[bytes]

    @classmethod
    def of(cls, sketches: Mapping[str, Sketch], stated_on: Mapping[str, dt.date]) -> Documents:
        """The documents that have a day, by their sketches."""
        ids = sorted(stated_on, key=lambda name: (stated_on[name], name))
        return cls(ids, [sketches[name].word_bands for name in ids], [sketches[name].name_bands for name in ids])


class Comparison:
    """All documents held, of which some were compared before.

    `known` are documents that were held with the same day then, `before` those that a row came of with the origin that
    it names. Only rows that may be others now are found again: of what is new, of what shares a band with something new
    before it, and of what repeats a document that has gone or has another day. The rest, which `stands` names, is as
    a comparison of all would find it.
    """

    def __init__(self, held: Documents, known: Collection[str], before: Mapping[str, str]) -> None:
        self._ids = held.ids
        self._bands = {"names": Bands.of(held.name_bands), "words": Bands.of(held.word_bands)}
        place_of = {document_id: place for place, document_id in enumerate(self._ids)}
        stands = {name: origin for name, origin in before.items() if name in place_of}
        new = [place for place, document_id in enumerate(self._ids) if document_id not in known]
        again = {*new}.union(*(bands.after(new) for bands in self._bands.values()))
        origins = {"", *place_of}.intersection({"", *known})
        again |= {place_of[name] for name, origin in stands.items() if origin not in origins}
        self._again = sorted(again)
        self.stands = frozenset(name for name in stands if place_of[name] not in again)
        self.compared = len(again)

    def rows(self, sketches_of: Callable[[Collection[str]], Mapping[str, Sketch]]) -> list[CopyRow]:
        """One row per document that was compared and repeats an earlier one or is respun, in order of document id."""
        near = {field: list(bands.earlier(self._again)) for field, bands in self._bands.items()}
        asked = {field: _places(found) for field, found in near.items()}
        wanted = {*self._again}.union(*(places.tolist() for places in asked.values()))
        sketches = sketches_of([self._ids[place] for place in sorted(wanted)])
        told = (sketches[self._ids[place]] for place in self._again)
        suspects = (CopyRow(item.document_id, "", "suspect", 0.0, 0.0, item.signs) for item in told)
        rows = {row.document_id: row for row in suspects if len(row.signs) >= SIGNS_FROM}
        for kind, field, threshold in (("spin", "names", SPIN_FROM), ("copy", "words", COPY_FROM)):
            digests = b"".join(getattr(sketches[self._ids[place]], field) for place in asked[field].tolist())
            matrix = np.frombuffer(digests, "<u4").reshape(-1, PERMUTATIONS)
            for place, others in near[field]:
                lines = np.searchsorted(asked[field], others)
                nearest = _nearest(matrix[np.searchsorted(asked[field], place)], matrix[lines], threshold)
                if nearest is not None:
                    one, origin = (sketches[self._ids[number]] for number in (place, others[nearest]))
                    rows[one.document_id] = _row(one, origin, kind)
        return [rows[key] for key in sorted(rows)]


def spin_signs(text: str) -> tuple[str, ...]:
    """The signs of word-for-word replacement in a text, each as 'kind: words', in order of the text."""
    found = {(m.start(), f"{kind}: {m.group(0).lower()}") for kind, pattern in _SIGNS for m in pattern.finditer(text)}
    return tuple(dict.fromkeys(sign for _, sign in sorted(found)))


def _places(near: Iterable[tuple[int, Places]]) -> Places:
    """The places of all that are compared, in order."""
    found = [np.append(others, place) for place, others in near]
    return np.unique(np.concatenate(found)) if found else np.array([], np.intp)


def _nearest(one: Digests, others: Digests, threshold: float) -> int | None:
    """Which of these is nearest, of equals the first; None where none is near enough."""
    shares = (others == one).mean(axis=1)
    best = int(shares.argmax())
    return best if shares[best] >= threshold else None


def _row(one: Sketch, origin: Sketch, kind: str) -> CopyRow:
    return CopyRow(
        document_id=one.document_id,
        origin_document_id=origin.document_id,
        kind=kind,
        word_similarity=round(_similarity(one.words, origin.words), 3),
        name_similarity=round(_similarity(one.names, origin.names), 3),
        signs=one.signs,
    )


def _similarity(left: bytes, right: bytes) -> float:
    """The share of equal values, an estimate of Jaccard's index."""
    if not left or not right:
        return 0.0
    one, other = (np.frombuffer(digest, "<u4") for digest in (left, right))
    return float(np.mean(one == other))


def _hashed(words: Sequence[str], run: int) -> bytes:
    runs = {" ".join(words[i : i + run]) for i in range(len(words) - run + 1)}
    if len(runs) < SHORTEST:
        return b""
    from datasketch import MinHash  # loaded where there is something to compare

    found = MinHash(num_perm=PERMUTATIONS, seed=_SEED)
    found.update_batch([item.encode() for item in sorted(runs)])
    return np.asarray(found.hashvalues).astype("<u4").tobytes()
