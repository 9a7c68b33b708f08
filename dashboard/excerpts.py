"""Every chart of the dashboard by its id: the page where it stands, and how to draw it small elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from dashboard.components.card import Excerpt, small_cards
from dashboard.queries import Ledger
from dashboard.views import conflicts, density, evidence, inference, prices, roadmap, stratification, training


@dataclass(frozen=True, slots=True)
class ChartEntry:
    """The page of a chart, and the page's function that draws it by id with its first choices."""

    page: str
    draw: Callable[[Ledger, str], None]


CHARTS: dict[str, ChartEntry] = {
    "stratification_by_quarter": ChartEntry("stratification", stratification.excerpt),
    "stratification_age": ChartEntry("stratification", stratification.excerpt),
    "stratification_stock": ChartEntry("stratification", stratification.excerpt),
    "stratification_revenue": ChartEntry("stratification", stratification.excerpt),
    "density_over_time": ChartEntry("density", density.excerpt),
    "density_by_system": ChartEntry("density", density.excerpt),
    "roadmap_timeline": ChartEntry("roadmap", roadmap.excerpt),
    "roadmap_slips": ChartEntry("roadmap", roadmap.excerpt),
    "roadmap_per_die": ChartEntry("roadmap", roadmap.excerpt),
    "prices_over_time": ChartEntry("prices", prices.excerpt),
    "training_time": ChartEntry("training", training.excerpt),
    "training_best": ChartEntry("training", training.excerpt),
    "inference_points": ChartEntry("inference", inference.excerpt),
    "inference_best": ChartEntry("inference", inference.excerpt),
    "inference_per_watt": ChartEntry("inference", inference.excerpt),
    "claim_history": ChartEntry("evidence", evidence.excerpt),
    "conflict_sides": ChartEntry("conflicts", conflicts.excerpt),
}


def small_chart(ledger: Ledger, chart: str) -> None:
    """Draw a chart small, with its sources and a link to its page."""
    entry = CHARTS[chart]
    with small_cards(Excerpt(entry.page)):
        entry.draw(ledger, chart)
