"""The file of all colours, read once: makers, other, generations, inks, series; each colour [on light, on dark]."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml


@lru_cache(maxsize=1)
def palette_file() -> dict[str, Any]:
    """The file as it is."""
    found: dict[str, Any] = yaml.safe_load(Path(__file__).with_name("palette.yaml").read_text(encoding="utf-8"))
    return found
