"""What the published file answers to everybody: figures in words, news, feeds, and where calculators start.

Command line and dashboard both import from here, so they give the same answers. Nothing here draws, prints or opens a
file: a function that needs rows is handed one that runs SQL (`Ask`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

Ask = Callable[[str, tuple[Any, ...]], Sequence[Mapping[str, Any]]]
