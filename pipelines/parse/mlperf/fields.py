"""Typed access to the keys of a system description, with a note for each that is missing, misspelt or unreadable."""

from __future__ import annotations

import json
from typing import Any, Final

from pipelines.parse.mlperf.jsontext import Note
from pipelines.parse.mlperf.rules import UNKNOWN
from pipelines.problems import Reason

_REQUIRED: Final = (
    "submitter", "division", "status", "system_name", "number_of_nodes", "accelerators_per_node",
    "accelerator_model_name", "host_processor_model_name",
)  # fmt: skip


class Fields:
    """Reads keys of one object. A required key that is missing is looked for among the others by spelling.

    `read_as` maps a key as written to the key it was taken for; `notes` grows.
    """

    def __init__(self, value: dict[str, Any], notes: list[Note]) -> None:
        self._value = value
        self.notes = notes
        self.read_as: dict[str, str] = {}
        for key in _REQUIRED:
            if key not in value:
                self._find_misspelt(key)

    def _find_misspelt(self, key: str) -> None:
        """Take a key that differs in spaces, dashes, case or one letter for the missing one."""
        for written in self._value:
            plain = written.strip().lower().replace(" ", "_").replace("-", "_")
            if written not in _REQUIRED and (plain == key or is_one_edit_apart(plain, key)):
                self.read_as[written] = key
                self._value = {**self._value, key: self._value[written]}
                self.notes.append((Reason.FIELD_MISSING, f"no {key!r}; {written!r} was read for it"))
                return
        self.notes.append((Reason.FIELD_MISSING, f"no {key!r}"))

    def text(self, key: str) -> str:
        """The value as text; a list or object as JSON; '' where it is missing."""
        value = self._value.get(key)
        if value is None:
            return ""
        return value.strip() if isinstance(value, str) else json.dumps(value, ensure_ascii=False)

    optional_text = text

    def word(self, key: str, raw: str, meaning: str) -> str:
        """A word's meaning as looked up by the caller; one that no table knows is noted."""
        if meaning == UNKNOWN and raw:
            self.notes.append((Reason.FIELD_UNREADABLE, f"{key!r} is {raw!r}, which no table knows"))
        return meaning

    def count(self, key: str) -> int | None:
        """A whole number, however it is written; what is none is noted."""
        value = self._value.get(key)
        count = as_count(value)
        if count is None and value is not None:
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
