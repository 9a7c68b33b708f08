"""Finds parsers by their files: what a source names in sources.yaml is a module, and nothing registers it.

A document's format is `parse/<format>.py`; a table or a round of results has `parse/sources/<id>.py`. Such a module has
`parse`, and a table's says in `TABLES` which tables of the lake it fills, a round's in `SUITES` which suites it reads.
A module without them is a part that parsers share.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any, Final

from pipelines import parse as formats
from pipelines.frozen import frozen
from pipelines.model.document import DocumentFormat
from pipelines.model.reading import Reading
from pipelines.parse import sources

_FORMATS: Final = frozenset(map(str, DocumentFormat))


@frozen
class Parser:
    """A parser by its name. A document's takes (bytes, charset, URL, latest day), a table's a CapturedTable.

    `tables` are the tables of the lake that it fills, `suites` the suites of rounds that it reads.
    """

    name: str
    reads: Reading
    parse: Callable[..., Any]
    tables: tuple[str, ...] = ()
    suites: tuple[str, ...] = ()


def find_parser(name: str) -> Parser | None:
    """The parser of this name; None where no file is one."""
    for package in (sources, formats):
        if name.isidentifier() and find_spec(f"{package.__name__}.{name}") is not None:
            found = _parser(name, import_module(f"{package.__name__}.{name}"))
            if found is not None:
                return found
    return None


def _parser(name: str, module: ModuleType) -> Parser | None:
    parse, tables, suites = (getattr(module, word, None) for word in ("parse", "TABLES", "SUITES"))
    if parse is None:
        return None
    if tables:
        return Parser(name, Reading.TABLE, parse, tables=tuple(tables))
    if suites:
        return Parser(name, Reading.ROUND, parse, suites=tuple(suites))
    return Parser(name, Reading.DOCUMENT, parse) if name in _FORMATS else None


@cache
def parser_names() -> frozenset[str]:
    """The names of all parsers there are."""
    names = {module.name for package in (sources, formats) for module in pkgutil.iter_modules(package.__path__)}
    return frozenset(name for name in names if find_parser(name) is not None)
