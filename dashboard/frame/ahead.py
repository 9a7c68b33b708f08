"""The scripts that a page's parts will ask for, named in its head: the browser fetches them while Streamlit starts.

Streamlit loads a part's scripts when the first of its kind is drawn, one wave after the other. Its own start script
lists them; where the list cannot be read, nothing is named and the page comes a little later.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

import streamlit

STATIC = Path(streamlit.__file__).parent / "static"
ALWAYS = ("Html",)
_CHART, _TABLE = ("ArrowVegaLiteChart",), ("DataFrame",)
PARTS = {  # of Streamlit, by what a view imports
    "chart_card": _CHART,
    "kept_card": _CHART,
    "rows_table": _TABLE,
    "results_table": _TABLE,
    "plain_table": _TABLE,
    "Rows": _TABLE,
    "as_of": ("DateInput",),
    "choose_many": ("Multiselect",),
    "choose_one": ("ButtonGroup", "Selectbox"),
    "Filter": ("Multiselect",),
    "narrow": ("Multiselect",),
    "search_words": ("TextInput",),
}
_LINK = 'rel="modulepreload" fetchpriority="low" crossorigin'  # Streamlit's own scripts come first
_START = re.compile(r'src="\./(static/js/index\.[^"]+\.js)"')
_FILES = re.compile(r"m\.f=\[([^\]]*)\]")
_NAME = re.compile(r'"([^"]+)"')


@lru_cache(maxsize=1)
def _start(index: str) -> str:
    """The text of Streamlit's start script; '' where its page names none."""
    found = _START.search(index)
    path = STATIC / found[1] if found else STATIC
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def links(index: str, uses: Iterable[str]) -> str:
    """Links for the head of a page to the scripts of its parts that the page does not name yet.

    Tables of a page with a lower part stand there: theirs are the largest scripts, and not needed at first.
    """
    wanted = [*ALWAYS, *(part for name in sorted(uses) for part in PARTS.get(name, ()))]
    parts = dict.fromkeys(part for part in wanted if part not in _TABLE or "later" not in uses)
    names = dict.fromkeys(name for part in parts for name in scripts_of(part, _start(index)))
    new = [name for name in names if f"static/js/{name}" not in index]
    return "\n    ".join(f'<link {_LINK} href="./static/js/{name}" />' for name in new)


def scripts_of(part: str, start: str) -> list[str]:
    """The scripts that a part of Streamlit's pages needs by its start script; [] where that does not say."""
    files = _FILES.search(start)
    places = re.search(rf"import\([`'\"]\./{part}\.[^)]*\)(?:\.then\([^)]*\))?,__vite__mapDeps\(\[([\d,]*)\]", start)
    if files is None or places is None:
        return []
    listed = _NAME.findall(files[1])
    wanted = [listed[int(place)] for place in places[1].split(",") if place and int(place) < len(listed)]
    return [name.removeprefix("./") for name in wanted if name.startswith("./") and name.endswith(".js")]
