"""The entries of sources.yaml as rows of the warehouse, so that the warehouse needs no more than row types."""

from __future__ import annotations

from pathlib import Path

from pipelines.model.source_row import SourceRow
from pipelines.source_model import Source
from pipelines.sources import load_sources


def source_rows(path: Path) -> list[SourceRow]:
    """A row for each source of a file. Raises SourcesError."""
    return [_row(source) for source in load_sources(path)]


def _row(source: Source) -> SourceRow:
    return SourceRow(
        source_id=source.id,
        title=source.title,
        publisher=source.publisher,
        producer=source.producer,
        publisher_group=source.group,
        layer=source.layer,
        signals=source.signals,
        kind=str(source.kind),
        parser=source.parser or "",
        evidence=source.evidence,
        status=str(source.status),
        is_link_only=source.link_only,
        urls=tuple(str(url) for url in source.urls),
        page_url=source.page_url,
        cadence_hours=int(source.cadence.total_seconds() // 3600),
        terms=source.terms,
        licence=source.licence,
        citation=source.cited_as,
        least_rows=source.expected.min_rows,
    )
