"""Which metrics a value may be of, by its dimensions, and the value in each one's canonical unit. Pure.

`METRICS` are those that the models are taught; what else has a card is read by its words (`untaught`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from pipelines.extract.link.figures import Figure
from pipelines.extract.values.value import Reading, Value
from pipelines.model.claim import Span
from pipelines.registry import load_registry
from pipelines.registry.metric_entries import MetricEntry

_COUNTS = (
    "accelerator_count", "cpu_count", "die_count", "cluster_size", "scale_up_domain_size", "port_count", "part_count",
    "units_shipped",
)  # fmt: skip
_RATES = ("memory_bandwidth", "scale_up_bandwidth", "scale_out_bandwidth")
DATES = ("available_from", "announced_on", "deployed_on", "production_from")
_GAINS = ("speedup", "efficiency_gain")
# what a bare number in a table is taken as, for metrics whose heads often leave the unit to the reader
_TAKEN = {
    "compute": "TFLOP/s", "memory_capacity": "GB", "memory_bandwidth": "GB/s", "power": "W", "token_rate": "tokens/s",
    "speedup": "ratio", "transistor_count": "billion", "process_node": "nm", "site_power": "MW",
    "scale_up_bandwidth": "GB/s", "scale_out_bandwidth": "Gb/s",
}  # fmt: skip
_NOWHERE = Span(0, 0)
_LEAST_GB_S = 25  # a bare memory bandwidth below this is in TB/s: a Jetson Nano's is 25.6 GB/s
METRICS: Mapping[str, tuple[str, ...]] = {
    "compute": ("compute",),
    "data": ("memory_capacity",),
    "data_rate": _RATES,
    "power": ("power", "site_power", "port_power"),
    "length": ("process_node", "cable_length"),
    "mass": ("weight",),
    "time": ("train_time", "mtti"),
    "token_rate": ("token_rate",),
    "ratio": _GAINS,
    "percent": (*_GAINS, "liquid_cooled_share"),
    "money": ("price", "gpu_hour_price", "capex", "revenue"),
    "money_rate": ("gpu_hour_price",),
    "period": DATES,
    "year": DATES,
    "count": (*_COUNTS, "cable_count", "failure_count", "transistor_count"),
    "letter": (),
    "bare": (*_COUNTS, "cable_count", "failure_count", *_TAKEN),
}
ALL_METRICS = tuple(dict.fromkeys(metric for metrics in METRICS.values() for metric in metrics))
DIMENSIONS = tuple(METRICS)
METRIC_AT = {metric: at for at, metric in enumerate(ALL_METRICS)}
_IN_THOUSANDS = ("units_shipped", "cluster_size")  # what tables count in thousands or millions
# of the lexicon: what no chip is counted in
_NO_CHIPS = frozenset({"node", "rack", "system", "nic", "switch", "cable"})
DIMENSION_AT = {dimension: at for at, dimension in enumerate(DIMENSIONS)}


@lru_cache(maxsize=256)
def entry_of(metric: str) -> MetricEntry:
    """The registry's card of a metric; raises KeyError for none."""
    return {entry.id: entry for entry in load_registry().entries.metrics}[metric]


@lru_cache(maxsize=1)
def untaught() -> tuple[MetricEntry, ...]:
    """The cards of numbers that no model was taught and that are not typed by hand only."""
    cards = load_registry().entries.metrics
    return tuple(card for card in cards if card.id not in ALL_METRICS and card.is_number and not card.by_hand)


class _Values(Mapping[str, float]):
    """The metrics that a value may be of, each with the value in its canonical unit, worked out when it is asked."""

    __slots__ = ("_figure", "_known", "_metrics")

    def __init__(self, figure: Figure, metrics: tuple[str, ...]) -> None:
        self._figure, self._metrics = figure, metrics
        self._known: dict[str, float] = {}

    def __getitem__(self, metric: str) -> float:
        if metric in self._known:
            return self._known[metric]
        value = canonical(self._figure, metric) if metric in self._metrics else None
        if value is None:
            raise KeyError(metric)
        self._known[metric] = value
        return value

    def __iter__(self) -> Iterator[str]:
        return iter(self._metrics)

    def __len__(self) -> int:
        return len(self._metrics)


def values_of(figure: Figure, *, in_table: bool) -> Mapping[str, float] | None:
    """The metrics that a value may be of, by its dimension and unit, with the value in each one's canonical unit.

    Empty where it may only be of metrics that no model was taught; None where it is of none.
    """
    metrics = _possible(_shape(figure), in_table)
    return None if metrics is None else _Values(figure, metrics)


def _shape(figure: Figure) -> Figure:
    """A figure with all that says what it may be of, and nothing else: many are alike."""
    value = figure.value
    readings = tuple([Reading(each.unit, each.dimension, 1.0, 1.0) for each in value.readings])
    bare = Value(0, 0, "", value.kind, (0, 0), 1.0, 1.0, readings, value.period, thing=value.thing)
    return Figure(bare, _NOWHERE, _NOWHERE, figure.dimension, "", figure.lent, figure.lender)


@lru_cache(maxsize=4096)
def _possible(figure: Figure, in_table: bool) -> tuple[str, ...] | None:
    """The metrics that figures of a shape may be of; None where they are not even of one that no model was taught."""
    possible: Iterable[str] = _by_dimension(figure, in_table)
    if (thing := figure.value.thing) in _NO_CHIPS:  # 1,024 CPU nodes are no 1,024 processors
        possible = (metric for metric in possible if thing in entry_of(metric).counts)
    metrics = tuple([metric for metric in possible if canonical(figure, metric) is not None])
    if metrics or (figure.unit and any(canonical(figure, card.id) is not None for card in untaught())):
        return metrics
    return None


def _by_dimension(figure: Figure, in_table: bool) -> tuple[str, ...]:
    if figure.dimension == "bare" and not in_table and figure.lender != "key":
        return ()
    if figure.lent.endswith(" count"):
        return _IN_THOUSANDS
    if figure.lender == "caption":  # said of the whole table, which may hold other figures too
        return tuple(dict.fromkeys((*METRICS.get(figure.dimension, ()), *METRICS.get("bare", ()))))
    if figure.lender or figure.dimension in ("period", "year", "bare"):
        return METRICS.get(figure.dimension, ())
    dimensions = dict.fromkeys(reading.dimension for reading in figure.value.readings) or {"count": None}
    if "ratio" in dimensions and "count" not in dimensions and in_table:
        dimensions["count"] = None
    return tuple(dict.fromkeys(metric for name in dimensions for metric in METRICS.get(name, ())))


def canonical(figure: Figure, metric: str) -> float | None:
    """The value in the metric's canonical unit, a date's first year for dates; None where its unit is another's."""
    if metric in DATES:
        period = figure.value.period
        return float(period.first.year) if period is not None else None
    unit, taken = figure.lent, _TAKEN.get(metric, "")
    if metric == "memory_bandwidth" and figure.number < _LEAST_GB_S:
        taken = "TB/s"
    found = figure.value.in_metric(entry_of(metric), unit or (taken if figure.dimension == "bare" else ""))
    if found is None and figure.lender == "caption":
        found = figure.value.in_metric(entry_of(metric), taken)
    return found[figure.end == "high"] if found is not None else None
