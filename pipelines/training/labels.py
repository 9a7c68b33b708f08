"""Label files and their documents: read, checked line by line, and compared with readings of values.

A label is one JSON line: doc, subject, metric, value, unit, and where it stands (`quote`, or `start` and `end` in the
file's characters). A file with a fault is refused with line and reason.
"""

from __future__ import annotations

import datetime as dt
import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from pipelines.extract.link.meaning import DATES, entry_of
from pipelines.frozen import frozen
from pipelines.model.claim import Origin
from pipelines.model.document import Document
from pipelines.parse.document import parse_document
from pipelines.registry import load_registry
from pipelines.registry.spellings import spellings
from pipelines.units import UnknownUnit, to_canonical

_WORD = re.compile(r"[^\W_]+")
_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,400}>")
_CAPTURED = dt.datetime(2026, 11, 20, tzinfo=dt.UTC)
_SAME = 0.01
# units of label files that the product's table does not hold
_UNITS = {
    "billion": "billion",
    "GPU-h": "h",
    "USD/GPU-h": "USD/h",
    "minutes": "min",
    "hours": "h",
    "date": "",
    "text": "",
}


# other words of label files for what a figure is per
_PER = {
    "chip": "gpu", "package": "gpu", "server": "node", "instance": "node", "cluster": "system", "site": "system",
    "superpod": "pod", "power shelf": "",
}  # fmt: skip


class LabelError(ValueError):
    """A label file that cannot be used: file, line and reason."""


@frozen
class Label:
    """One claim that a document makes, by hand; `metrics` and `subjects` are all that count as right."""

    doc: str
    subjects: tuple[str, ...]
    metrics: tuple[str, ...]
    values: tuple[float | str, ...]
    quote: str
    is_borderline: bool = False
    per: str = ""  # what its figure is per, in the reader's words
    qualifiers: tuple[tuple[str, str], ...] = ()  # as the label file says them


@dataclass(slots=True)
class Labelled:
    """A parsed document with its labels; `group` is the repository that it comes from."""

    name: str
    group: str
    document: Document
    origin: Origin
    labels: list[Label] = field(default_factory=list)
    borderline: list[Label] = field(default_factory=list)


def load_folder(folder: Path) -> list[Labelled]:
    """The labelled documents of a folder with docs/, docs.jsonl, gold.jsonl and gold_ambiguous.jsonl."""
    found = {row["doc"]: _document(folder / "docs" / row["doc"], row) for _, row in _rows(folder / "docs.jsonl")}
    texts = {
        name: f"{(folder / 'docs' / name).read_text(encoding='utf-8')}\n{item.document.text}"
        for name, item in found.items()
    }
    for label in read_labels(folder / "gold.jsonl", texts):
        found[label.doc].labels.append(label)
    ambiguous = folder / "gold_ambiguous.jsonl"
    for label in read_labels(ambiguous, texts, is_borderline=True) if ambiguous.exists() else ():
        found[label.doc].borderline.append(label)
    return list(found.values())


def read_labels(path: Path, texts: Mapping[str, str], *, is_borderline: bool = False) -> list[Label]:
    """The labels of a file; `texts` are the documents' own characters. Raises LabelError at the first fault."""
    known = {entry.id for entry in load_registry().entries.metrics}
    labels = []
    for number, row in _rows(path):
        try:
            labels.append(_label(row, texts, known, is_borderline))
        except (LabelError, KeyError, TypeError, ValueError) as error:
            raise LabelError(f"{path.name}, line {number}: {error}") from None
    return labels


def _label(row: Mapping[str, Any], texts: Mapping[str, str], known: set[str], is_borderline: bool) -> Label:
    text = texts.get(row["doc"])
    if text is None:
        raise LabelError(f"no document {row['doc']!r}")
    quote = row.get("quote") or text[row["start"] : row["end"]] if not is_borderline else row.get("quote") or ""
    if quote and squashed(quote) not in squashed(text):
        raise LabelError(f"the quote is not in {row['doc']}: {quote[:60]!r}")
    given = row["metric"] if isinstance(row["metric"], list) else [row["metric"]]
    metrics = tuple(dict.fromkeys((*given, *row.get("metric_alt", ()))))
    unknown = [name for name in metrics if name not in known]
    if unknown:
        raise LabelError(f"unknown metric {unknown[0]!r}")
    return label_of(row, quote, is_borderline=is_borderline)


def label_of(row: Mapping[str, Any], quote: str = "", *, is_borderline: bool = False) -> Label:
    """A row as a label, its text not looked at. Raises LabelError for an unknown unit."""
    given = row["metric"] if isinstance(row["metric"], list) else [row["metric"]]
    if is_borderline:
        given = [name for name in given if _fits(name, row.get("unit") or "")] or given
    metrics = tuple(dict.fromkeys((*given, *row.get("metric_alt", ()))))
    values = tuple(
        _value(given[0], value, row.get("unit") or "") for value in (row["value"], *row.get("alt_values", ()))
    )
    subjects = tuple(dict.fromkeys((row.get("subject") or "", *row.get("subject_alt", ()))))
    qualifiers = {name: str(word) for name, word in (row.get("qualifiers") or {}).items() if word}
    per = qualifiers.get("per", "")
    return Label(
        row["doc"], subjects, metrics, values, quote, is_borderline, _PER.get(per, per), tuple(qualifiers.items())
    )


@lru_cache(maxsize=512)
def squashed(text: str) -> str:
    """The letters and digits of a text: spaces, markup signs and line breaks do not matter to a quote."""
    return "".join(_WORD.findall(_TAG.sub("", text).casefold()))


def _value(metric: str, value: Any, unit: str) -> float | str:
    if isinstance(value, str):
        return value
    entry = entry_of(metric)
    if not entry.is_number:
        return str(value)
    try:
        return to_canonical(float(value), _UNITS.get(unit, unit) or entry.unit, entry)
    except UnknownUnit as error:
        raise LabelError(str(error)) from None


def _fits(metric: str, unit: str) -> bool:
    try:
        _value(metric, 1.0, unit)
    except LabelError:
        return False
    return True


def _rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.strip():
            try:
                row = json.loads(line)
            except ValueError as error:
                raise LabelError(f"{path.name}, line {number}: {error}") from None
            yield number, row


def parsed(name: str, text: str | bytes) -> Document:
    """A file's document; its name tells the format."""
    body = text.encode() if isinstance(text, str) else text
    return parse_document(body, media_type=None, charset=None, url=name, captured_at=_CAPTURED)


def _document(path: Path, row: Mapping[str, Any]) -> Labelled:
    document = parsed(path.name, path.read_bytes())
    published = row.get("published")
    day = dt.date(*[*(int(part) for part in published[:10].split("-")), 1, 1][:3]) if published else None
    publisher = row.get("publisher") or document.publisher or ""
    origin = Origin(path.name, publisher, day or document.published_on, row.get("url") or "")
    repository = re.match(r"(?:https?://)?github\.com/[^/ ]+/[^/ ]+", row.get("origin") or "")
    return Labelled(path.name, repository[0] if repository else publisher or path.name, document, origin)


def folds_of(documents: Sequence[Labelled], count: int) -> list[int]:
    """A fold for each document: those of one repository share one, and folds hold about as many labels."""
    weight: dict[str, int] = defaultdict(int)
    for item in documents:
        weight[item.group] += len(item.labels) + 3
    load, fold = [0] * count, {}
    for group in sorted(weight, key=lambda name: (-weight[name], name)):
        fold[group] = min(range(count), key=lambda at: load[at])
        load[fold[group]] += weight[group]
    return [fold[item.group] for item in documents]


def words_in(text: str) -> set[str]:
    """The words and numbers of a text."""
    return set(_WORD.findall(text.casefold()))


def quotes_at(text: str, quotes: Sequence[str]) -> list[list[tuple[int, int]]]:
    """Where each quote stands in a parsed text, found by letters and digits alone; nowhere where the text differs."""
    places = [at for at, letter in enumerate(text) if letter.isalnum()]
    letters = "".join(text[at].lower()[0] for at in places)
    found = []
    for quote in quotes:
        wanted = "".join(letter.lower()[0] for letter in _TAG.sub("", quote) if letter.isalnum())
        starts = [m.start() for m in re.finditer(re.escape(wanted), letters)] if wanted else []
        found.append([(places[start], places[start + len(wanted) - 1] + 1) for start in starts])
    return found


def same_value(label: Label, metric: str, value: float | str) -> bool:
    """Whether a reading says a label's value: numbers within 1 %, periods where one holds the other."""
    if metric not in label.metrics:
        return False
    return any(_same(metric, given, value) for given in label.values)


def _same(metric: str, given: float | str, value: float | str) -> bool:
    if metric in DATES:
        one, two = _months(str(given)), _months(str(value))
        return one is not None and two is not None and (_holds(one, two) or _holds(two, one))
    if isinstance(given, str) or isinstance(value, str):
        return str(given).casefold() == str(value).casefold()
    return abs(given - value) <= _SAME * max(abs(given), abs(value))


def _holds(outer: tuple[int, int], inner: tuple[int, int]) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def _months(label: str) -> tuple[int, int] | None:
    found = re.match(r"(\d{4})(?:-(?:H([12])|Q([1-4])|(\d{2})(?!\d)))?", label)
    if found is None:
        return None
    first = int(found[1]) * 12
    if found[2]:
        return first + 6 * (int(found[2]) - 1), first + 6 * int(found[2]) - 1
    if found[3]:
        return first + 3 * (int(found[3]) - 1), first + 3 * int(found[3]) - 1
    return (first + int(found[4]) - 1,) * 2 if found[4] else (first, first + 11)


_PLAIN_WORDS = (
    "gpu gpus chip chips accelerator accelerators series system systems the a an of for with and server "
    "servers cluster clusters family per card device platform instinct tesla tensor core processor processors "
    "supercomputer new next generation product data center datacenter deployment "
)
_PLAIN = frozenset(_PLAIN_WORDS.split())
_SIZE = re.compile(r"\d+(?:gb|gib|tb)")
# forms of a product of which a thing has one: where two names state different ones they are two things
_FORMS = (frozenset({"sxm", "pcie", "nvl"}), frozenset({"tile", "node"}), frozenset({"gen1", "gen2"}))
_TELLING = ("ultra", "cpx")


@lru_cache(maxsize=65536)
def same_subject(one: str, two: str) -> bool:
    """Whether two names are of one thing: their codes and numbers agree, and half of the other words of the shorter.

    A maker's or operator's name is no word of the thing: it stands only for itself.
    """
    first, second = _name_words(one), _name_words(two)
    if first == second:
        return bool(first)
    if any(first & forms and second & forms and not first & second & forms for forms in _FORMS):
        return False
    if any((word in first) != (word in second) for word in _TELLING):
        return False
    own, other = first - _parties(), second - _parties()
    if not own or not other:
        return own == other and bool(first & second)
    if {w for w in own if _has_digit(w)} != {w for w in other if _has_digit(w)}:
        return False
    return len(own & other) >= 0.5 * min(len(own), len(other))


@lru_cache(maxsize=65536)
def _name_words(name: str) -> frozenset[str]:
    folded = _as_entry(name).casefold()
    folded = re.sub(r"\b(tpu|trn) ?v?\.?(\d)", r"\1 v\2", folded)
    folded = re.sub(r"\b([a-z]{1,10})[ -](\d+(?:\.\d+)?(?!\d*(?:gb|gib|tb)\b)[a-z]*)\b", r"\1\2", folded)
    folded = re.sub(r"(\d)\.0\b", r"\1", folded).replace("sxm5", "sxm").replace("sxm4", "sxm")
    words = {word.strip(".") for word in re.findall(r"[^\W_][\w.]*", folded)}
    return frozenset(word for word in words - _PLAIN if word and _SIZE.fullmatch(word) is None)


@lru_cache(maxsize=1)
def _parties() -> frozenset[str]:
    """The words by which organisations are known."""
    names = [name for entry in load_registry().entries.organisations for name in (entry.name, *entry.aliases)]
    return frozenset(name.casefold() for name in names if " " not in name)


def _as_entry(name: str) -> str:
    """A whole name as its registry entry is called, with or without its maker: 'Ironwood TPU' is TPU v7."""
    known = _spellings()
    bare = name.partition(" ")[2]
    return known.get(name.casefold()) or known.get(bare.casefold()) or name


@lru_cache(maxsize=1)
def _spellings() -> Mapping[str, str]:
    found: dict[str, str] = {}
    for each in spellings(load_registry().entries):
        if each.kind in ("accelerator", "system"):
            found.setdefault(each.text.casefold(), each.name)
    return found


def _has_digit(word: str) -> bool:
    return any(letter.isdigit() for letter in word)
