"""A run's `mlperf_log_detail.txt`: the few values that the official figure needs, found without reading the rest.

The bulk of such a log is one line with the loaded samples (up to megabytes). The wanted keys are short lines near the
log's end, so each piece is searched for the first of them and only what follows is looked at.
"""

from __future__ import annotations

import re
from typing import Final

_FIRST: Final = b'"key": "result_'
_PAIR: Final = re.compile(
    rb'"key": "((?:result_|early_stopping_latency|power_begin|power_end)[^"]*)", '
    rb'"value": (?:"([^"]*)"|([^,"]+)),'
)
_EARLY: Final = re.compile(rb'"key": "(generated_query_count|generated_samples_per_query)", "value": ()(\d+),')
_BEFORE: Final = 1 << 14  # power_begin stands a few lines before the first result
_OVERLAP: Final = 1 << 14


class DetailScanner:
    """Scans one log fed in pieces; `values` are numbers, `texts` quoted values, by key. The last of a key counts."""

    def __init__(self, *, with_generated: bool = False) -> None:
        self._with_generated = with_generated
        self._tail = b""
        self._has_results = False
        self.values: dict[str, float] = {}
        self.texts: dict[str, str] = {}

    def feed(self, piece: bytes) -> None:
        """Scan one piece; a line that it cuts is seen whole with the next."""
        data = self._tail + piece if self._tail else piece
        if self._with_generated:
            self._take(_EARLY.finditer(data))
        if self._has_results:
            self._take(_PAIR.finditer(data))
        else:
            at = data.find(_FIRST)
            if at >= 0:
                self._has_results = True
                self._take(_PAIR.finditer(data, max(0, at - _BEFORE)))
        self._tail = data[-_OVERLAP:]

    def _take(self, found: object) -> None:
        for match in found:  # type: ignore[attr-defined]
            key = match[1].decode("ascii", "replace")
            if match[2] is not None and match[3] is None:
                self.texts[key] = match[2].decode("utf-8", "replace")
                continue
            try:
                self.values[key] = float(match[3])
            except ValueError:
                self.texts[key] = match[3].decode("ascii", "replace")
