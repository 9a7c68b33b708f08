"""Typed access to the keys of a system description, with a note for each that is missing, misspelt or unreadable."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from typing import Any, Final

from pipelines.model.mlperf import UNKNOWN
from pipelines.parse.mlperf.common.jsontext import Note
from pipelines.problems import Reason

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
