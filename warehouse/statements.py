"""SQL files that hold several named statements, for those who ask the published file."""

from __future__ import annotations

import re
from pathlib import Path

_NAME = re.compile(r"^-- name: (\w+)\n", re.MULTILINE)
_PART = re.compile(r"\{\{(\w+)\}\}")


def statements(path: Path) -> dict[str, str]:
    """The statements of a file by name: each stands under a line `-- name: x`.

    `{{x}}` in a statement stands for the part x of the same file, or of its caller where the file has none.
    """
    pieces = _NAME.split(path.read_text(encoding="utf-8"))
    found: dict[str, str] = {}
    for name, text in zip(pieces[1::2], pieces[2::2], strict=True):
        found[name] = _PART.sub(lambda match: found.get(match[1], match[0]), text.strip())
    return found
