"""The file of all looks, read once: colours as [on light, on dark], widths of letters, what all charts look like."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml


@lru_cache(maxsize=1)
def palette_file() -> dict[str, Any]:
    """The file as it is."""
    found: dict[str, Any] = yaml.load(
        Path(__file__).with_name("palette.yaml").read_text(encoding="utf-8"), yaml.CSafeLoader
    )
    return found
