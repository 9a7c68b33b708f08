"""What labels and typed figures say of things, as facts; a document never hears of its own repository."""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path

import pyarrow.parquet as pq

from pipelines.extract.link.lore import spelled
from pipelines.extract.link.meaning import ALL_METRICS, METRICS
from pipelines.extract.names.mentions import find_mentions
from pipelines.registry import load_registry
from pipelines.registry.mentions import NameFinder
from pipelines.registry.spellings import spellings
from pipelines.training.cases import Case
from pipelines.training.labels import Label

Stated = tuple[str, str, float, str]  # name, metric, value (the first year of a date), who says it
_REGISTRY = "registry"
_GAINS = frozenset(METRICS["ratio"])  # so much against something else: no figure of a thing that others would repeat
# columns of the table of chips, with the factor to the metric's unit
_SPECIFICATIONS = {
    **{
        f"{name}_s": ("compute", 1e-15)
        for name in (
            "tensor_fp16_flop", "fp8_flop", "fp4_flop", "fp64_flop", "fp32_flop", "tf32_flop", "fp16_flop", "int8_op",
            "int4_op",
        )
    },
    "memory_bytes": ("memory_capacity", 1e-9), "memory_bytes_s": ("memory_bandwidth", 1e-12),
    "intranode_bytes_s": ("scale_up_bandwidth", 1e-12), "internode_bits_s": ("scale_out_bandwidth", 1e-9),
    "tdp_w": ("power", 1e-3), "process_nm": ("process_node", 1.0), "transistors_m": ("transistor_count", 1e-3),
}  # fmt: skip
_WHOLE = 0.6  # of a name that a known one must cover to stand for it


class Sayings:
    """The facts of some labelled documents and those typed; made-up pages say none."""

    def __init__(self, cases: Sequence[Case], typed: Sequence[Stated]) -> None:
        self._stated = [
            (reader_name(subject), metric, value, case.source.group)
            for case in cases
            if not case.is_practice
            for label in case.source.labels
            for subject in label.subjects
            for metric in label.metrics
            for value in _values(label)
        ]
        self._typed = typed

    def without(self, group: str = "") -> dict[str, dict[str, list[list[float]]]]:
        """The facts that others than one repository's documents say."""
        return facts_of([*self._typed, *(stated for stated in self._stated if stated[3] != group)])


@lru_cache(maxsize=1)
def _finder() -> NameFinder:
    return NameFinder.load()


@lru_cache(maxsize=8192)
def reader_name(given: str) -> str:
    """A name as the reader would give it, the name itself where it knows none."""
    found = find_mentions(given, _finder())
    return next((name.name for name in found if name.end - name.start >= _WHOLE * len(given)), given)


def typed_facts(folder: Path) -> list[Stated]:
    """What was typed: the ledger's claims, the tables of chips, and what the registry gives for its things."""
    stated = [*_ledger(folder / "ledger"), *_specifications(folder / "hardware_specs.parquet"), *_registered()]
    return [(reader_name(name), metric, value, who) for name, metric, value, who in stated if value > 0]


def _ledger(folder: Path) -> Iterator[Stated]:
    names = {each.subject_id: each.name for each in spellings(load_registry().entries) if each.subject_id}
    for path in sorted(folder.glob("*.csv")):
        with path.open(newline="", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                name = names.get(row["subject"], row["subject"])
                for given in ("value", "value_low", "value_high") if row["metric"] in ALL_METRICS else ():
                    yield name, row["metric"], _number(row[given]), row["publisher"]


def _specifications(path: Path) -> Iterator[Stated]:
    for row in pq.read_table(path, columns=["hardware_raw", *_SPECIFICATIONS]).to_pylist():
        for column, (metric, factor) in _SPECIFICATIONS.items():
            yield row["hardware_raw"], metric, (row[column] or 0.0) * factor, "Epoch AI"


def _registered() -> Iterator[Stated]:
    entries = load_registry().entries
    for chip in entries.accelerators:
        yield chip.name, "memory_capacity", chip.memory_gb or 0.0, _REGISTRY
    for system in entries.systems:
        yield system.name, "scale_up_domain_size", float(system.scale_up_domain or 0), _REGISTRY
        for part in system.parts:
            metric = "accelerator_count" if part.accelerator else "cpu_count"
            yield system.name, metric, float(part.count), _REGISTRY


def facts_of(stated: Iterable[tuple[str, str, float, str]]) -> dict[str, dict[str, list[list[float]]]]:
    """Facts from (name, metric, value, who says it): each publisher counts once for a value."""
    found: dict[str, dict[str, dict[float, set[str]]]] = defaultdict(lambda: defaultdict(lambda: defaultdict(set)))
    for name, metric, value, publisher in stated:
        if value > 0 and metric not in _GAINS and (key := spelled(name)):
            found[metric][key][float(f"{value:.4g}")].add(publisher)
    return {
        metric: {
            name: [[value, float(len(who))] for value, who in sorted(given.items())]
            for name, given in sorted(names.items())
        }
        for metric, names in sorted(found.items())
    }


def _values(label: Label) -> Iterator[float]:
    for value in label.values:
        yield value if isinstance(value, float) else _number(str(value))


def _number(given: str) -> float:
    """A number, or the year of a date; 0 for anything else."""
    try:
        return float(given)
    except ValueError:
        return float(given[:4]) if given[:4].isdigit() else 0.0
