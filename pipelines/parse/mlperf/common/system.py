"""A system description read into the columns of its row, with what was odd. All keys are kept in `raw_json`.

Submitters' JSON is read strictly, then with the repairs that cannot change a meaning, each one named; a key that is
missing, misspelt or unreadable is noted.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final

from pipelines.frozen import frozen
from pipelines.model.mlperf import UNKNOWN, MlperfSystem
from pipelines.parse.mlperf.common.kind import RoundKind
from pipelines.problems import Reason

_TRAILING_COMMA: Final = re.compile(r'("(?:\\.|[^"\\])*")|,(?=\s*[}\]])', re.DOTALL)
_KEYED_LINE: Final = re.compile(r"(\w+): ?(\{.*)")
_CONSTANT: Final = re.compile(r"\b(null|true|false)\b")
_PYTHON_WORDS: Final = {"null": "None", "true": "True", "false": "False"}
_LONGEST_LITERAL: Final = 1 << 16

Note = tuple[Reason, str]


@frozen
class JsonText:
    """What a text holds (None where it cannot be read) and what was odd about it."""

    value: dict[str, Any] | None
    notes: tuple[Note, ...]


def read_object(data: bytes) -> JsonText:
    """A JSON object from bytes; what was odd or repaired stands in the notes.

    Repairs: bytes that are not UTF-8 are read as Latin-1; a comma before a closing bracket is left out; lines of
    `key: {json}` (v0.6) become one object. Of a key given twice the last value counts, as in MLCommons' tool.
    """
    notes: list[Note] = []
    text = _decoded(data, notes)
    try:
        value = _loads(text, notes)
    except (ValueError, RecursionError) as error:
        value = _repaired(text, error, notes)
    if value is not None and not isinstance(value, dict):
        notes.append((Reason.SYSTEM_UNREADABLE, f"a JSON {type(value).__name__} where an object is expected"))
        value = None
    return JsonText(value, tuple(notes))


def _decoded(data: bytes, notes: list[Note]) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        notes.append((Reason.TEXT_REPAIRED, f"not UTF-8 at byte {error.start}; read as Latin-1"))
        return data.decode("latin-1")


def _loads(text: str, notes: list[Note]) -> Any:
    def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) != len(pairs):
            keys = [key for key, _ in pairs]
            twice = sorted({key for key in keys if keys.count(key) > 1})
            repeated.append(f"{', '.join(map(repr, twice))} given more than once; the last value counts")
        return found

    repeated: list[str] = []
    value = json.loads(text, object_pairs_hook=_object)
    notes.extend((Reason.KEY_DUPLICATED, detail) for detail in repeated)
    return value


def _repaired(text: str, error: Exception, notes: list[Note]) -> Any:
    without_commas = _TRAILING_COMMA.sub(lambda found: found[1] or "", text)
    try:
        value = _loads(without_commas, notes)
    except (ValueError, RecursionError):
        value = _keyed_lines(text)
        repair = "lines of 'key: {json}' read as one object"
    else:
        repair = "a comma before a closing bracket left out"
    if value is None:
        notes.append((Reason.SYSTEM_UNREADABLE, f"no JSON: {error}"))
    else:
        notes.append((Reason.TEXT_REPAIRED, f"no JSON ({error}); {repair}"))
    return value


def _keyed_lines(text: str) -> dict[str, Any] | None:
    """Lines `key: {"value": ..., "metadata": ...}` as one object of the values; None where a line is otherwise."""
    found: dict[str, Any] = {}
    for line in filter(None, map(str.strip, text.splitlines())):
        match = _KEYED_LINE.fullmatch(line)
        if match is None:
            return None
        try:
            record = json.loads(match[2])
        except (ValueError, RecursionError):
            return None
        found[match[1]] = unquoted(record.get("value")) if isinstance(record, dict) else record
    return found or None


def load_loosely(text: str) -> Any:
    """JSON, or a Python literal with JSON's words in it; None where it is neither. Evaluates nothing."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        pass
    try:
        return ast.literal_eval(_CONSTANT.sub(lambda word: _PYTHON_WORDS[word[1]], text))
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return None


def unquoted(value: Any) -> Any:
    """A text that holds a Python dict or list becomes that, and so within; anything else stays. Evaluates nothing."""
    if isinstance(value, str) and value[:1] in ("{", "[") and len(value) <= _LONGEST_LITERAL:
        try:
            value = ast.literal_eval(value)
        except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
            return value
    if isinstance(value, dict):
        return {str(key): unquoted(item) for key, item in value.items()}
    return value


ABSENT: Final = frozenset({"", "-", "n/a", "none", "na"})  # how submitters write that there is nothing


class Fields:
    """Reads keys of one object; where `misspelt` are looked for, a required key that is missing is sought by spelling.

    `read_as` maps a key as written to the key it was taken for; `notes` grows.
    """

    def __init__(
        self, value: dict[str, Any], required: Collection[str], notes: Iterable[Note], *, misspelt: bool
    ) -> None:
        self._value = value
        self._required = required
        self.notes = list(notes)
        self.read_as: dict[str, str] = {}
        for key in required:
            if key not in value:
                self._find_misspelt(key, value if misspelt else ())

    def _find_misspelt(self, key: str, keys: Iterable[str]) -> None:
        """Take a key that differs in spaces, dashes, case or one letter for the missing one."""
        for written in keys:
            plain = written.strip().lower().replace(" ", "_").replace("-", "_")
            if written not in self._required and (plain == key or is_one_edit_apart(plain, key)):
                self.read_as[written] = key
                self._value = {**self._value, key: self._value[written]}
                self.notes.append((Reason.FIELD_MISSING, f"no {key!r}; {written!r} was read for it"))
                return
        self.notes.append((Reason.FIELD_MISSING, f"no {key!r}"))

    def text(self, *keys: str) -> str:
        """The first of these keys that says something, as text on one line; a list or object as JSON."""
        for key in keys:
            value = self._value.get(key)
            if value not in (None, ""):
                return " ".join((value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)).split())
        return ""

    def word(self, key: str, raw: str, meaning: str) -> str:
        """A word's meaning as looked up by the caller; one that no table knows is noted."""
        if meaning == UNKNOWN and raw:
            self.notes.append((Reason.FIELD_UNREADABLE, f"{key!r} is {raw!r}, which no table knows"))
        return meaning

    def count(self, key: str) -> int | None:
        """A whole number, however it is written; what is none is noted."""
        value = self._value.get(key)
        count = as_count(value)
        if count is None and value is not None and str(value).strip().lower() not in ABSENT:
            self.notes.append((Reason.FIELD_UNREADABLE, f"{key!r} is {value!r}, not a whole number"))
        return count

    def optional_count(self, key: str) -> int | None:
        """A whole number, or None without a note."""
        return as_count(self._value.get(key))


def as_count(value: object) -> int | None:
    """A whole number from 0 up, from a number or a text such as '8' or '1.0'; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return int(number) if number.is_integer() and 0 <= number < 1e9 else None


def is_one_edit_apart(written: str, key: str) -> bool:
    """Whether one letter added, left out or changed makes the one word the other."""
    short, long = sorted((written, key), key=len)
    if len(long) - len(short) > 1:
        return False
    same = next((at for at, letter in enumerate(short) if letter != long[at]), len(short))
    return short[same + (len(short) == len(long)) :] == long[same + 1 :]


@frozen
class Description:
    """One system as its submitter describes it; texts are empty and numbers None where the description is silent.

    `row` knows neither its place nor its accelerator's id yet. `accelerators_basis` says what the total is from.
    """

    row: MlperfSystem
    division_raw: str = ""
    availability_raw: str = ""
    category: str = UNKNOWN
    accelerators_basis: str = ""
    system_notes: str = ""
    unknown_keys: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()

    @property
    def is_readable(self) -> bool:
        """Whether the description's text could be read at all."""
        return all(reason is not Reason.SYSTEM_UNREADABLE for reason, _ in self.notes)


def unreadable(kind: RoundKind, data: bytes, read: JsonText, submitter: str = "") -> Description:
    """An empty description whose notes say why; its text is kept."""
    raw = data.decode("utf-8", "replace")
    return Description(MlperfSystem(round=kind.round, suite=kind.suite, submitter_raw=submitter, raw_json=raw),
                       notes=read.notes)  # fmt: skip


def system_row(kind: RoundKind, fields: Fields, whole: Mapping[str, Any], software: tuple[str, ...]) -> MlperfSystem:
    """The columns that all suites read alike; `whole` is the object as written, `software` its keys on software."""
    texts: dict[str, Any] = {column: fields.text(*keys) for column, keys in _TEXTS.items()}
    return MlperfSystem(
        round=kind.round,
        suite=kind.suite,
        nodes=fields.count("number_of_nodes"),
        accelerators_per_node=fields.count("accelerators_per_node"),
        host_processors_per_node=fields.optional_count("host_processors_per_node"),
        software_json=_dump({key: whole[key] for key in software if key in whole}),
        raw_json=_dump(whole),
        **texts,
    )


_TEXTS: Final[Mapping[str, tuple[str, ...]]] = {
    "submitter_raw": ("submitter",), "system_name": ("system_name",), "accelerator_raw": ("accelerator_model_name",),
    "accelerator_memory": ("accelerator_memory_capacity",), "accelerator_interconnect": ("accelerator_interconnect",),
    "accelerator_host_interconnect": ("accelerator_host_interconnect",), "host_memory": ("host_memory_capacity",),
    "host_processor": ("host_processor_model_name",), "host_networking": ("host_networking",),
    "cooling": ("cooling",), "framework": ("framework", "framework_name"),
    "operating_system": ("operating_system",),
}  # fmt: skip


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
