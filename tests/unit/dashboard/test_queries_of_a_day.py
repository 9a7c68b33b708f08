"""What is asked as of a day reads the form of that day: a table of the present would tell what came later."""

from __future__ import annotations

import re

from pipelines.settings import PROJECT_ROOT
from warehouse.sql_files import sql_files
from warehouse.statements import statements

FORMS = {name.removesuffix("_as_of") for file in sql_files() for name in file.macros if name.endswith("_as_of")}
READ = re.compile(r"\b(?:FROM|JOIN)\s+(\w+\.\w+)\b(?!\()")
# Statements that read a table of the present although there is a form of a day, and why they may.
PRESENT = {
    "one claim with all that was said beside it": {
        "claims claim", "claims history", "claims history_of", "claims sides",
    },
    "all conflicts, each with its day": {"claims conflicts", "questions conflicts_newest"},
    "sums that were refuted, of all days": {"claims arithmetic"},
    "what there is to choose from": {"claims offered_metric", "claims offered_claimant", "claims offered_evidence"},
    "names, and how much is known of each": {
        "questions named", "questions search", "search figures", "things catalog", "parties counted", "news watchable",
    },
    "rows that carry the day from which they hold or count": {
        "inference best", "parties inference", "parties absent", "things results_of", "training best_by_round",
        "training counts_over_rounds", "market renames", "news renames", "things names", "parties layers",
    },
    "looks at prices, each of its day": {
        "prices offered", "prices series", "prices offers", "prices neocloud_offers", "prices neocloud_medians",
        "things hours_of", "today hour", "news price_steps",
    },
    "events by the day on which they were told": {"layers service", "layers known", "today events", "today read_late"},
    "news between two days": {"news revisions", "news conflicts", "news claims", "news stood_days", "news last_claim"},
    "how sources are now": {"sources health", "health sources", "health claims"},
    "the newest day only": {"market density_trend", "market first_day", "results rounds_not_held"},
}  # fmt: skip


def test_only_named_statements_read_a_table_of_the_present() -> None:
    folders = (PROJECT_ROOT / "dashboard" / "queries", PROJECT_ROOT / "warehouse" / "answers")
    found = {
        f"{path.stem} {name}"
        for folder in folders
        for path in folder.glob("*.sql")
        for name, text in statements(path).items()
        if FORMS & set(READ.findall(re.sub(r"--.*", "", text)))
    }
    assert found == set().union(*PRESENT.values())
