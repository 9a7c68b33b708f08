"""sources.yaml → frozen, checked `Source` objects: what is collected, from whom, how, and on what terms.

The schema and its loader live here, and nothing that fetches, parses or stores. All mistakes of the file are reported
at once, each with the source's id, the field, the line and what was expected.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pipelines.frozen import frozen
from pipelines.marked_yaml import MarkedYaml, YamlFault, read_marked, shortened, suggested, validated
from pipelines.marked_yaml import Path as YamlPath
from pipelines.model.reading import Reading
from pipelines.model.source_row import SourceRow
from pipelines.parse.parsers import find_parser, parser_names
from pipelines.source_model import DeniedProvider, Kind, Source, Status

__all__ = [
    "DeniedProvider",
    "Mistake",
    "Source",
    "SourceCatalog",
    "SourcesError",
    "Status",
    "load_sources",
    "parse_sources",
    "source_rows",
]

# What each kind of source can be read as. A feed and a listing are read for their items' links by one parser only.
_READ_AS: Mapping[Kind, tuple[Reading, ...]] = {
    Kind.FEED: (Reading.DOCUMENT,),
    Kind.LISTING: (Reading.DOCUMENT,),
    Kind.PAGE: (Reading.DOCUMENT, Reading.TABLE),
    Kind.TABLE: (Reading.TABLE,),
    Kind.API: (Reading.TABLE,),
    Kind.TARBALL: (Reading.ROUND,),
}
_ONLY_PARSER: Mapping[Kind, str] = {Kind.FEED: "feed", Kind.LISTING: "html"}

# columns of a source's row that its entry calls otherwise
_ELSEWHERE = {
    "source_id": "id", "publisher_group": "group", "parser": "parser_name", "is_link_only": "link_only",
    "citation": "cited_as",
}  # fmt: skip
_TOP_LEVEL = ("provider_denylist", "sources")


@frozen
class Mistake:
    """One wrong place in sources.yaml. `source_id` is empty where no source is concerned; `line` counts from 1."""

    source_id: str
    field: str
    line: int
    expected: str
    found: str

    def __str__(self) -> str:
        where = ".".join(part for part in (self.source_id, self.field) if part) or "file"
        return f"line {self.line}: {where}: expected {self.expected}; found {self.found}"


class SourcesError(Exception):
    """sources.yaml cannot be used; carries every mistake, in the order of their lines."""

    def __init__(self, path: str, mistakes: Iterable[Mistake]) -> None:
        self.path = path
        self.mistakes = tuple(sorted(mistakes, key=lambda m: (m.line, m.source_id, m.field)))
        count = len(self.mistakes)
        head = f"{path}: {count} mistake{'' if count == 1 else 's'}"
        super().__init__("\n  ".join([head, *map(str, self.mistakes)]))


@frozen
class SourceCatalog:
    """All sources by id, in the file's order, and the providers whose rows are dropped wherever they come from."""

    sources: Mapping[str, Source]
    provider_denylist: tuple[DeniedProvider, ...]
    lines: Mapping[YamlPath, int]

    def __iter__(self) -> Iterator[Source]:
        return iter(self.sources.values())

    def __len__(self) -> int:
        return len(self.sources)

    def __getitem__(self, source_id: str) -> Source:
        return self.sources[source_id]

    def check_publishers(self, known: set[str]) -> tuple[Mistake, ...]:
        """Mistakes for publishers that are no organisation of the registry (`known`: its ids)."""
        wrong = (source for source in self if source.publisher not in known)
        return tuple(
            Mistake(
                source.id,
                "publisher",
                self.lines.get(("sources", source.id, "publisher"), 1),
                "an organisation of the registry" + suggested(source.publisher, known),
                repr(source.publisher),
            )
            for source in wrong
        )

    def warnings(self) -> tuple[Mistake, ...]:
        """What is allowed but worth a look: addresses without TLS."""
        return tuple(
            Mistake(source.id, f"urls.{i}", self.lines.get(("sources", source.id, "urls", i), 1), "https", url)
            for source in self
            if not source.is_local
            for i, url in enumerate(source.urls)
            if url.startswith("http://")
        )


def source_rows(path: Path) -> list[SourceRow]:
    """A row of the warehouse for each source of a file. Raises SourcesError."""
    fields = {item.name: _ELSEWHERE.get(item.name, item.name) for item in dataclasses.fields(SourceRow)}
    return [
        SourceRow(**{name: getattr(source, field) for name, field in fields.items()}) for source in load_sources(path)
    ]


def denied_by(denylist: Iterable[DeniedProvider], provider: str) -> DeniedProvider | None:
    """The entry for a provider's name as printed anywhere, or None: compared without case or marks."""
    plain = _plain(provider)
    return next((d for d in denylist if plain in map(_plain, (d.provider, *d.names))), None)


def load_sources(path: Path) -> SourceCatalog:
    """Read and check sources.yaml.

    Raises SourcesError with every mistake of the file; a file that is missing or no UTF-8 is one mistake.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SourcesError(str(path), [Mistake("", "", 1, "a readable UTF-8 file", str(error))]) from error
    return parse_sources(text, str(path))


@lru_cache(maxsize=4)  # a run asks for the same list in every step
def parse_sources(text: str, name: str = "sources.yaml") -> SourceCatalog:
    """The catalogue in a text; `name` stands in the error. Raises SourcesError."""
    marked = read_marked(text)
    mistakes = [_mistake(fault) for fault in marked.faults]
    value = marked.value if isinstance(marked.value, dict) else {}
    if not isinstance(marked.value, dict) and not mistakes:
        mistakes.append(Mistake("", "", 1, "a mapping with `sources`", shortened(marked.value)))
    for key in value.keys() - set(_TOP_LEVEL):
        expected = f"one of {', '.join(_TOP_LEVEL)}"
        mistakes.append(Mistake("", key, marked.line((key,)), expected, "a key that is not known"))
    sources = _read_sources(marked, value.get("sources"), mistakes)
    denied = _read_denylist(marked, value.get("provider_denylist", []), mistakes)
    mistakes += _repeated_urls(marked, sources)
    if mistakes:
        raise SourcesError(name, mistakes)
    return SourceCatalog(MappingProxyType({s.id: s for s in sources}), tuple(denied), MappingProxyType(marked.lines))


def _read_sources(marked: MarkedYaml, raw: Any, mistakes: list[Mistake]) -> list[Source]:
    if not isinstance(raw, dict) or not raw:
        if marked.value is not None:
            line = marked.line(("sources",))
            mistakes.append(Mistake("", "sources", line, "a mapping of source ids to sources", shortened(raw)))
        return []
    sources = []
    for source_id, fields in raw.items():
        path: YamlPath = ("sources", source_id)
        if not isinstance(fields, dict):
            mistakes.append(Mistake(source_id, "", marked.line(path), "a mapping of fields", shortened(fields)))
            continue
        if "id" in fields:
            mistakes.append(Mistake(source_id, "id", marked.line((*path, "id")), "the id as key only", "an id field"))
        found, faults = validated(Source, {**fields, "id": source_id}, marked, path)
        mistakes += map(_mistake, faults)
        if found is not None:
            sources.append(_with_reading(found, marked, mistakes))
    return sources


def _with_reading(source: Source, marked: MarkedYaml, mistakes: list[Mistake]) -> Source:
    """The source with what its parser reads; one that no file is, or that does not fit, is a mistake."""
    if source.parser is None:
        return source

    def wrong(field: str, expected: str, found: str) -> Source:
        mistakes.append(Mistake(source.id, field, marked.line(("sources", source.id, field)), expected, repr(found)))
        return source

    parser = find_parser(source.parser)
    if parser is None:
        return wrong("parser", "a parser that exists" + suggested(source.parser, parser_names()), source.parser)
    if "read_as" in source.model_fields_set and source.read_as is not parser.reads:
        return wrong("read_as", f"{parser.reads}, which the parser {parser.name!r} reads", source.read_as)
    if parser.reads not in _READ_AS[source.kind] or _ONLY_PARSER.get(source.kind, parser.name) != parser.name:
        fitting = _ONLY_PARSER.get(source.kind) or "a parser of a " + " or a ".join(_READ_AS[source.kind])
        return wrong("parser", f"{fitting}, for the kind is {source.kind}", parser.name)
    expected = source.expected
    if expected.min_rows is not None and parser.reads is not Reading.TABLE:
        return wrong("expected", "no min_rows: only a table has rows", f"min_rows: {expected.min_rows}")
    if expected.min_items is not None and source.kind not in _ONLY_PARSER:
        return wrong("expected", "no min_items: only a feed or a listing has items", f"min_items: {expected.min_items}")
    if expected.newest_within is not None and parser.reads is Reading.ROUND:
        return wrong("expected", "no newest_within: a round is dated once", str(expected.newest_within))
    return source.model_copy(update={"read_as": parser.reads})


def _read_denylist(marked: MarkedYaml, raw: Any, mistakes: list[Mistake]) -> list[DeniedProvider]:
    if not isinstance(raw, list):
        line = marked.line(("provider_denylist",))
        mistakes.append(Mistake("", "provider_denylist", line, "a list of providers", shortened(raw)))
        return []
    read = [validated(DeniedProvider, entry, marked, ("provider_denylist", i)) for i, entry in enumerate(raw)]
    mistakes += [_mistake(fault) for _, faults in read for fault in faults]
    return [entry for entry, _ in read if entry is not None]


def _mistake(fault: YamlFault) -> Mistake:
    """A mistake at a path of the file: below `sources` the second part is the source's id, the rest its field."""
    parts = [str(part) for part in fault.path]
    source_id, field = ("".join(parts[1:2]), parts[2:]) if parts[:1] == ["sources"] else ("", parts)
    return Mistake(source_id, ".".join(field), fault.line, fault.expected, fault.found)


def _repeated_urls(marked: MarkedYaml, sources: Iterable[Source]) -> list[Mistake]:
    seen: dict[str, tuple[str, int]] = {}
    out = []
    for source in sources:
        for i, url in enumerate(source.urls):
            line = marked.line(("sources", source.id, "urls", i))
            if url in seen:
                first_id, first_line = seen[url]
                found = f"{url} also in {first_id} on line {first_line}"
                out.append(Mistake(source.id, f"urls.{i}", line, "each URL in one source, once", found))
            else:
                seen[url] = (source.id, line)
    return out


@lru_cache(maxsize=4096)  # a table of prices names few providers in many rows
def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.casefold())
