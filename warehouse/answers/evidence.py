"""How evidence is written: mark and meaning of a tag, and the footnote that MLPerf figures carry."""

from __future__ import annotations

from typing import Any

from pipelines.model.evidence import Evidence
from warehouse.answers.formats import day

SUITES = {"training": "MLPerf Training", "hpc": "MLPerf HPC", "inference": "MLPerf Inference"}
TRADEMARK = (
    "The MLPerf name and logo are registered and unregistered trademarks of MLCommons Association in the United States "
    "and other countries. All rights reserved. Unauthorized use strictly prohibited. See www.mlcommons.org for more "
    "information."
)


def mark(tag: str) -> str:
    """The mark and the word of a tag: '■ A audited'."""
    return f"{Evidence(tag).mark} {tag}"


def meaning(tag: str) -> str:
    """What a tag means, in a few words."""
    return Evidence(tag).meaning


def mlperf_footnote(row: dict[str, Any], *, is_derived: bool = False) -> str:
    """The citation MLCommons' messaging guidelines ask for: suite, division, benchmark, result id, source and date.

    Source of the rule: MLPerf Results Messaging Guidelines (mlcommons/policies). The repositories carry no public
    result id, so it says 'ID pending' and names the result by its folder.
    """
    suite = SUITES[row["suite"]]
    text = (
        f"{suite} {row['round']}, {row['division']} division, {row['benchmark']}, result ID pending "
        f"(entry {row['submitter_dir']}/{row['system']}). Retrieved {day(row['captured_at'])} "
        f"from {row['repository']}, round published {day(row['stated_on'])}."
    )
    if is_derived:
        text += " Values per accelerator, speed-ups and efficiencies are computed here and not verified by MLCommons."
    return f"{text} {TRADEMARK}"


def mlperf_footnote_of_many(suite: str, rounds: str, benchmark: str, retrieved: str) -> str:
    """The same for a chart over several results; each row of its table names its entry."""
    name = SUITES[suite]
    return (
        f"{name} {rounds}, {benchmark}. Result IDs pending; the table names each entry by its folder. Retrieved "
        f"{retrieved} from the rounds' public repositories at github.com/mlcommons. Speed-ups, efficiencies and values "
        f"per accelerator are computed here and not verified by MLCommons. {TRADEMARK}"
    )
