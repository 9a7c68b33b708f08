"""Claims from a table: each figure with its product, metric, unit and qualifiers from the labels over it. Pure."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from pipelines.extract.build import Reading, claim_of
from pipelines.extract.periods import find_periods
from pipelines.extract.qualify import default_per, per_word
from pipelines.extract.subjects import Mention
from pipelines.extract.table_cells import CellValue, read_cell
from pipelines.extract.table_frame import Axis, Figure, Frame, Surroundings
from pipelines.extract.table_labels import Label, label_unit, read_label, sparsity_words, topic_metric
from pipelines.model.claim import ExtractedClaim, Method, Modality, Origin, Span
from pipelines.model.document import Block, BlockKind, Cell, Document, Table
from pipelines.registry import load_registry
from pipelines.registry.mentions import NameFinder

_DATES = frozenset({"announced_on", "available_from", "deployed_on", "production_from"})
_OF_ORGANISATIONS = frozenset(
    {"capex", "revenue", "cluster_size", "units_shipped", "mtti", "deployed_on", "site_power"}
)
_OF_CPU = re.compile(r"\bCPU\b", re.IGNORECASE)
_OF_NETWORKS = frozenset({"scale_out_bandwidth", "power", "process_node", "transistor_count"})
_OF_WHOLES = frozenset({"accelerator_count", "cpu_count", "cluster_size"})
_EXAMPLE = re.compile(r"\b(?:illustrative|hypothetical|example|fictional)\b", re.IGNORECASE)
_ESTIMATED = re.compile(
    r"\b(?:roadmap|expected|preview|projected|preliminary|planned|rumou?red|upcoming)\b", re.IGNORECASE
)
_LONGEST_INTRO, _LONGEST_CONTEXT = 260, 400
_COUNTED_WORD = re.compile(r"\+?\s?[x×]?\s{0,2}(?P<word>[A-Za-z][\w-]*)")
_GENERAL = re.compile(
    r"(?:[\w-]+ ){0,3}?(?:GPU|TPU|NPU|XPU|accelerator|chip|device|package|OAM|GCD|die|unit|total|per)s?\b",
    re.IGNORECASE,
)
_MARK = re.compile(r"[*†‡§]+|\[\^?\w+\]|[¹²³⁴⁵⁶⁷⁸⁹]")
_HAS_GPU = re.compile(r"\b(?:GPU|HBM|device|accelerator|VRAM|GDDR|graphics|LPDDR)", re.IGNORECASE)


def table_claims(
    document: Document, table: Table, origin: Origin, finder: NameFinder, block: Block | None = None
) -> list[ExtractedClaim]:
    """The claims of one table of a document; `block` is the table's own block, looked for when it is not given."""
    at = block or next((b for b in document.blocks if b.table is not None and document.tables[b.table] is table), None)
    around = surroundings(document, table, at)
    frame = Frame(document, table, finder, around)
    reader = _Reader(document, table, origin, frame, finder)
    return [claim for figure in frame.figures() for claim in reader.claims(figure)]


def surroundings(document: Document, table: Table, block: Block | None) -> Surroundings:
    """Caption, leading line, headings and title of a table."""
    caption = "" if table.caption is None else document.text[table.caption[0] : table.caption[1]]
    headings: tuple[str, ...] = ()
    intro = ""
    if block is not None:
        headings = tuple(reversed(block.heading_path))
        index = bisect_left(document.blocks, block.start, key=lambda each: each.start)
        before = document.blocks[index - 1] if index else None
        if before is not None and before.kind in (BlockKind.PARAGRAPH, BlockKind.CAPTION):
            words = document.text_of(before).rstrip()
            intro = words if words.endswith(":") or len(words) < _LONGEST_INTRO // 2 else ""
    return Surroundings(caption, intro[-_LONGEST_INTRO:], headings, document.title or "")


class _Reader:
    """Turns a table's figures into claims; holds what is the same for all of them."""

    def __init__(self, document: Document, table: Table, origin: Origin, frame: Frame, finder: NameFinder) -> None:
        self._document = document
        self._origin = origin
        self._frame = frame
        self._finder = finder
        around = frame.around
        self._unit = next((unit for zone in around.zones[:3] if (unit := label_unit(zone)) is not None), None)
        self._is_example = any(_EXAMPLE.search(zone) is not None for zone in around.zones[:3])
        self._is_expected = any(_ESTIMATED.search(zone) is not None for zone in around.zones[:3])
        self._said = next((said[0] for zone in around.zones[:2] if len(said := sparsity_words(zone)) == 1), "")
        self._has_sparse = any("sparse" in sparsity_words(frame.words(cell)) for cell in self._labels())
        self._notes = _notes(document, table)
        self._labelled: dict[tuple[tuple[str, ...], tuple[str, ...]], Label] = {}

    def _labels(self) -> Iterator[Cell]:
        for row in self._frame.grid[: self._frame.head]:
            yield from (cell for cell in row if cell is not None)
        yield from (row[0] for row in self._frame.grid[self._frame.head :] if row and row[0] is not None)

    def claims(self, figure: Figure) -> Iterator[ExtractedClaim]:
        """The claims of one cell."""
        label = self._label(figure)
        if figure.compared is not None:
            yield from self._ratio(figure, label)
        elif label.topic in _DATES:
            yield from self._date(figure, label)
        else:
            text = self._document.text[figure.cell.start : figure.cell.end]
            for value in read_cell(text, label, self._unit):
                counted = self._counted(text, value)
                if counted is None:
                    continue
                claim = self._claim(figure, label, replace(value, qualifiers={**value.qualifiers, **counted}))
                if claim is not None:
                    yield claim

    def _counted(self, text: str, value: CellValue) -> Mapping[str, str] | None:
        """The product that a count names ('8x H100'); None where it counts something that is no accelerator."""
        if value.metric not in ("accelerator_count", "cluster_size"):
            return {}
        after = text[value.digits.end :]
        word = _COUNTED_WORD.match(after)
        if word is None:
            return {}
        hits = self._finder.find(after, self._frame.around.title or "accelerators")
        named = next((hit for hit in hits if hit.start <= word.start("word") + 12 and hit.kind == "accelerator"), None)
        if named is not None and "\n" not in after[: named.start]:
            return {"accelerator": named.name}
        is_general = _GENERAL.match(after[word.start("word") :]) is not None or word["word"].casefold() in (
            "or",
            "to",
            "and",
        )
        return {} if is_general else None

    def _label(self, figure: Figure) -> Label:
        around = (*figure.sections, *(zone for zone in self._frame.around.headings[:1]))
        key = (figure.labels, around)
        if key not in self._labelled:
            self._labelled[key] = read_label(figure.labels, around)
        return self._labelled[key]

    def _claim(self, figure: Figure, label: Label, value: CellValue) -> ExtractedClaim | None:
        found = self._subject(figure.axis, value, label)
        if found is None:
            return None
        axis, extra = found
        metric = self._as_site(axis, value)
        qualifiers = {**self._qualifiers(figure, label, value, axis), **extra}
        cell = figure.cell
        return claim_of(
            Reading(
                metric=metric, subject=axis.subject, value=value.value, unit=value.unit,
                value_at=Span(cell.start + value.digits.start, cell.start + value.digits.end),
                context=self._context(figure),
                printed=self._document.text[cell.start + value.printed.start : cell.start + value.printed.end],
                qualifiers=qualifiers, modality=self._modality(axis, metric), claimant=self._origin.publisher,
                is_attributed=False, confidence=self._confidence(figure, label), method=Method.TABLE,
                is_illustrative=self._is_example,
            )
        )  # fmt: skip

    def _as_site(self, axis: Axis, value: CellValue) -> str:
        """Megawatts of a cluster or an organisation are the power of a site."""
        if value.metric == "cluster_size" and axis.subject.kind == "site":
            return "accelerator_count"
        is_large = value.unit in ("MW", "GW", "TW")
        is_whole = axis.subject.kind in ("site", "organisation")
        return "site_power" if value.metric == "power" and is_large and is_whole else value.metric

    def _subject(self, axis: Axis, value: CellValue, label: Label) -> tuple[Axis, dict[str, str]] | None:
        """Whom a figure is about: an organisation only where the metric is of organisations, a whole for its parts."""
        kind, metric = axis.subject.kind, value.metric
        if metric in _OF_WHOLES and label.per in ("pod", "rack", "domain", "node", "system"):
            return axis, {"per": label.per}
        if metric in _OF_WHOLES and "superchip" in axis.subject.name.casefold():
            return axis, {"per": "superchip"}
        if metric == "cluster_size" and kind == "site":
            return axis, {"per": "system"}
        if metric in _OF_WHOLES and kind in ("accelerator", "product", "generation", "cpu") and axis.cell is not None:
            whole = self._whole()
            name = "accelerator" if metric != "cpu_count" else "node_type"
            return None if whole is None else (whole, {name: axis.subject.name, "per": "system"})
        if kind == "organisation" and topic_metric(metric) not in _OF_ORGANISATIONS:
            return None
        if kind == "cpu" and metric != "cpu_count":
            return None
        if (kind == "network") != (metric == "port_count") and not (kind == "network" and metric in _OF_NETWORKS):
            return None
        is_machine = kind in ("site", "system", "organisation")
        is_gpu_memory = _HAS_GPU.search(f"{label.text} {value.qualifiers.get('memory_type', '')}") is not None
        if metric == "memory_capacity" and is_machine and not is_gpu_memory:
            return None
        if _OF_CPU.search(label.text) is not None and metric.startswith("memory"):
            is_shared = (
                metric == "memory_capacity" and "LPDDR" in f"{label.text} {value.qualifiers.get('memory_type', '')}"
            )
            return (axis, {"memory_kind": "CPU"}) if is_shared else None
        return axis, {}

    def _whole(self) -> Axis | None:
        """The machine that the words above the table name."""
        for zone in self._frame.around.zones:
            hits = [hit for hit in self._finder.find(zone, self._frame.around.title) if hit.kind in ("site", "system")]
            if len({hit.subject_id for hit in hits}) == 1:
                hit = hits[0]
                return Axis(Mention(hit.start, hit.end, hit.name, hit.kind, hit.subject_id, hit.vendor_id), None, "")
        return None

    def _qualifiers(self, figure: Figure, label: Label, value: CellValue, axis: Axis) -> Mapping[str, str]:
        found = {name: word for name, word in value.qualifiers.items() if word and name != "note"}
        if value.metric == "compute":
            found["sparsity"] = (
                found.get("sparsity") or self._sparsity(label, value, found.get("precision", "")) or "unstated"
            )
        if value.metric not in (
            "process_node",
            "capex",
            "revenue",
            "mtti",
            "cluster_size",
            "scale_up_domain_size",
            "units_shipped",
            "site_power",
        ):
            found["per"] = self._per(figure, label, value, axis) or "unstated"
        if value.metric == "scale_up_bandwidth":
            found.setdefault("direction", "unstated")
        if value.metric in ("capex", "revenue", "units_shipped"):
            found["period"] = self._year()
        beside = _beside(axis)
        if beside:
            found["variant"] = beside
        return found

    def _sparsity(self, label: Label, value: CellValue, precision: str) -> str:
        note = self._note(label.text, value)
        if note:
            return note
        if self._said and not (self._said == "sparse" and re.search(r"(?:fp|f)(?:64|32)", precision)):
            return self._said
        return "dense" if self._has_sparse and not label.sparsity else ""

    def _note(self, label: str, value: CellValue) -> str:
        """What a footnote to the label or the figure says of sparsity."""
        if not self._notes or not (value.qualifiers.get("note") or _MARK.search(label) is not None):
            return ""
        said = sparsity_words(self._notes)
        return said[0] if said else ""

    def _per(self, figure: Figure, label: Label, value: CellValue, axis: Axis) -> str:
        said = per_word(value.per) if value.per else ""
        if said:
            return said
        if label.per and label.per != "total":
            return label.per
        default = default_per(axis.subject)
        if axis.subject.kind == "accelerator" and default == "gpu" and label.per != "total":
            return _board(axis.subject.subject_id, value) or default
        return default

    def _year(self) -> str:
        years = [match for zone in self._frame.around.zones for match in re.findall(r"\b(20[0-4]\d)\b", zone)]
        return years[0] if years else ""

    def _modality(self, axis: Axis, metric: str) -> Modality:
        if metric == "mtti":
            return Modality.MEASURED
        if self._is_expected:
            return Modality.EXPECTED
        is_whole = axis.subject.kind in ("site", "organisation") and metric in (*_OF_WHOLES, "deployed_on")
        return Modality.DEPLOYED if is_whole else Modality.ANNOUNCED

    def _confidence(self, figure: Figure, label: Label) -> float:
        known = 0.9 if figure.axis.subject.subject_id else 0.75
        return known if label.unit is not None or label.topic not in ("compute",) else known - 0.1

    def _context(self, figure: Figure) -> Span:
        """From the cell that names the row to the figure."""
        row = [cell for cell in self._frame.grid[figure.cell.row] if cell is not None]
        first = min([figure.cell, *row], key=lambda cell: cell.start)
        start = first.start if figure.cell.end - first.start <= _LONGEST_CONTEXT else figure.cell.start
        return Span(start, max(figure.cell.end, start + 1))

    def _ratio(self, figure: Figure, label: Label) -> Iterator[ExtractedClaim]:
        """'2x' in a column that compares two products, in a row of arithmetic."""
        text = self._document.text[figure.cell.start : figure.cell.end]
        match = re.fullmatch(r"\s*(?:~|≈)?(?P<value>\d+(?:\.\d+)?)\s?[x×]\s*", text, re.IGNORECASE)
        if match is None or label.topic != "compute" or figure.compared is None:
            return
        qualifiers = {
            "baseline": figure.compared.subject.name,
            "workload": "peak compute",
            "precision": "/".join(label.precision),
        }
        at = Span(figure.cell.start + match.start("value"), figure.cell.start + match.end("value"))
        claim = claim_of(
            Reading(
                metric="speedup", subject=figure.axis.subject, value=float(match["value"]), unit="x", value_at=at,
                context=self._context(figure), printed=text.strip(), qualifiers=qualifiers, modality=Modality.ANNOUNCED,
                claimant=self._origin.publisher, is_attributed=False, confidence=0.8, method=Method.TABLE,
            )
        )  # fmt: skip
        if claim is not None:
            yield claim

    def _date(self, figure: Figure, label: Label) -> Iterator[ExtractedClaim]:
        text = self._document.text[figure.cell.start : figure.cell.end]
        organisation = load_registry().organisation(figure.axis.subject.vendor_id)
        month = organisation.fiscal_year_start if organisation is not None else None
        masked = _MARK.sub(lambda match: " " * len(match[0]), text)
        periods = find_periods(masked, self._origin.published_on, month)
        if len(periods) != 1 or figure.axis.subject.kind == "cpu":
            return
        period = periods[0]
        yield ExtractedClaim(
            subject=figure.axis.subject.name, subject_id=figure.axis.subject.subject_id,
            subject_kind=figure.axis.subject.kind, metric=label.topic, value=None, unit="date",
            value_at=Span(figure.cell.start + period.start, figure.cell.start + period.end),
            context=self._context(figure), printed=text[period.start : period.end],
            modality=self._date_modality(label.topic, period.last), claimant=self._origin.publisher,
            method=Method.TABLE, confidence=0.8, period_start=period.first, period_end=period.last,
        )  # fmt: skip

    def _date_modality(self, topic: str, last: object) -> Modality:
        published = self._origin.published_on
        if published is not None and str(last) > str(published):
            return Modality.EXPECTED
        return Modality.DEPLOYED if topic == "deployed_on" else Modality.ANNOUNCED


def _notes(document: Document, table: Table) -> str:
    """The footnotes of a table: lines after it, or its own last rows, that begin with a mark."""
    after = document.text[table.end : table.end + 600]
    lines = [line for line in after.splitlines() if line.strip()][:4]
    own = [line for line in document.text[table.start : table.end].splitlines()[-4:] if line.strip()]
    return "\n".join(
        line for line in (*own, *lines) if re.match(r"\s*(?:[*†‡§¹²³]|\[\^?\w+\]|\(?\d\)?[.)\s])", line) is not None
    )


def _board(subject_id: str, value: CellValue) -> str:
    """'superchip' where a board's figure stands under its name: twice a package's memory, or its power."""
    entry = load_registry().accelerator(subject_id)
    if entry is None or entry.form_factor != "Superchip":
        return ""
    if value.metric == "memory_capacity" and entry.memory_gb is not None:
        return "superchip" if value.value > 1.5 * entry.memory_gb else ""
    return "superchip" if value.metric == "power" and value.value >= 1700 else ""


def _beside(axis: Axis) -> str:
    """What stands in brackets beside a product's name: 'Liquid Cooled'."""
    match = re.search(r"\((?P<words>[A-Za-z][^()]{2,30})\)", axis.words)
    return "" if match is None or match["words"] in axis.subject.name else match["words"]


def claims_of_tables(
    document: Document, tables: Sequence[Table], origin: Origin, finder: NameFinder
) -> Iterator[ExtractedClaim]:
    """The claims of several tables in order."""
    for table in tables:
        yield from table_claims(document, table, origin, finder)
