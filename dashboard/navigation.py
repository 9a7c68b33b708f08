"""The list of pages. Adding one: import its view, add one line to its section. Nothing else lives here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from dashboard.views import (
    calculators,
    conflicts,
    data,
    density,
    evidence,
    inference,
    learn,
    prices,
    roadmap,
    sources,
    sql,
    stratification,
    systems,
    today,
    training,
)


@dataclass(frozen=True, slots=True)
class PageEntry:
    """A page: what draws it, its name in the menu, its address, its icon, and one sentence for link previews."""

    show: Callable[[], None]
    title: str
    path: str
    icon: str
    says: str


SECTIONS: dict[str, list[PageEntry]] = {
    "Market": [
        PageEntry(today.show, "Today", "today", "today", "What is new in the AI-hardware market, with evidence."),
        PageEntry(
            stratification.show,
            "Stratification",
            "stratification",
            "layers",
            "Which layer runs which generation, since when.",
        ),
        PageEntry(
            density.show, "Density", "density", "view_module", "Power, accelerators and memory of a rack, by claim."
        ),
        PageEntry(
            roadmap.show, "Roadmap", "roadmap", "timeline", "What was promised, what came, and how far it slipped."
        ),
        PageEntry(prices.show, "Prices", "prices", "payments", "What an accelerator hour is offered for, by source."),
        PageEntry(systems.show, "Systems", "systems", "memory", "Every accelerator and system, cell by cell."),
    ],
    "Benchmarks": [
        PageEntry(training.show, "Training", "training", "timer", "Every MLPerf Training result, with its evidence."),
        PageEntry(
            inference.show, "Inference", "inference", "speed", "Every MLPerf Inference result, with its evidence."
        ),
    ],
    "Evidence": [
        PageEntry(evidence.show, "Evidence", "evidence", "fact_check", "Every claim: who says it, when, and where."),
        PageEntry(conflicts.show, "Conflicts", "conflicts", "balance", "Where claims disagree, and which one stands."),
        PageEntry(sources.show, "Sources", "sources", "inventory_2", "What is collected, how often, on what terms."),
    ],
    "Learn": [
        PageEntry(learn.show, "Lessons", "learn", "school", "Short lessons; every figure in them is a dated claim."),
        PageEntry(
            calculators.show,
            "Calculators",
            "calculators",
            "calculate",
            "Cost, fit and power, from figures of the ledger.",
        ),
    ],
    "Data": [
        PageEntry(data.show, "Data", "data", "download", "All tables as files, and the meaning of every column."),
        PageEntry(sql.show, "SQL", "sql", "database", "Ask the published tables in SQL, read-only and shareable."),
    ],
}


def page_entries() -> list[PageEntry]:
    """All pages in the order of the menu; the first is the one that opens without an address."""
    return [entry for entries in SECTIONS.values() for entry in entries]
