"""Names of rooms, pages and state in an address, in one place; addresses of before lead to those of now. Pure.

A page's address is its view's name unless `ADDRESSES` says another. State carries its page's name, such as
`racks.question`, so that no page takes another's; what means the same on every page is `PLAIN`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import urlencode

FIRST = "today"  # the page that opens without an address
ROOMS = ("Today", "Racks", "Roadmap", "Who has it", "Benchmarks", "Prices", "Evidence")
BESIDE = ("Learn", "Data")  # what helps in all rooms; it stands apart in the menu
SECTIONS = (*ROOMS, *BESIDE)
ADDRESSES = {"density": "racks", "stratification": "who-has-it", "inference": "benchmarks"}
# Addresses of before and where they lead now; where a parameter names one thing, to that thing.
MOVED = {
    "today": "",
    "density": "racks",
    "stratification": "who-has-it",
    "inference": "benchmarks",
    "systems": "things",
}
MOVED_BY_PARAMETER = {("systems", "subject"): ("thing", "id"), ("systems", "compare"): ("compare", "thing")}
# State that means the same on every page that has it. All other state is named after its page: `racks.question`.
PLAIN = ("as_of", "id", "thing", "claim", "conflict", "source", "result", "lesson", "calc", "sql", "since", "embed")
_ANSWER = re.compile(r"q\d")


def address_of(view: str) -> str:
    """The address of a view's page below the root."""
    return ADDRESSES.get(view, view)


def state_name(path: str, key: str) -> str:
    """What a piece of a page's state is called in the address."""
    return key if "." in key or key in PLAIN or _ANSWER.fullmatch(key) else f"{path or FIRST}.{key}"


def with_names(path: str, query: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """The state of an address with the names it has now: addresses of before had no page's name in them."""
    return [(state_name(path, key), value) for key, value in query]


def moved_to(path: str, query: Sequence[tuple[str, str]]) -> str | None:
    """Where an address of before leads now, with its state; None for an address that never moved."""
    if path not in MOVED:
        return None
    target, kept = MOVED[path], list(query)
    for name, _ in query:
        if (path, name) in MOVED_BY_PARAMETER:
            target, renamed = MOVED_BY_PARAMETER[path, name]
            kept = [(renamed if each == name else each, value) for each, value in query]
            break
    return f"{target}?{urlencode(with_names(target, kept))}" if kept else target
