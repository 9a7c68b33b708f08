"""How evidence is shown: a mark of letter and shape for each tag, and the footnote that MLPerf figures carry."""

from __future__ import annotations

from typing import Any

from pipelines.model.evidence import Evidence
from warehouse.answers.formats import day

# A letter and a shape, never colour alone: filled shapes are reviewed or measured, open ones are said, a dot is weak.
MARKS: dict[Evidence, tuple[str, str]] = {
    Evidence.AUDITED: ("■ A", "reviewed under published rules"),
    Evidence.MEASURED: ("● M", "measured by a party without stake, method public"),
    Evidence.OPERATOR: ("▲ O", "said by the one who runs it"),
    Evidence.VENDOR: ("△ V", "said by the maker or seller"),
    Evidence.OBSERVED: ("○ S", "seen by a named author"),
    Evidence.REPORTED: ("□ R", "relayed by press or analysts"),
    Evidence.ESTIMATED: ("◇ E", "a named analyst's model or judgement"),
    Evidence.DERIVED: ("ƒ D", "computed here from other figures"),
    Evidence.ILLUSTRATIVE: ("… I", "an example, no market figure"),
    Evidence.UNVERIFIED: ("? U", "no named author, or no method"),
}
SUITES = {"training": "MLPerf Training", "hpc": "MLPerf HPC", "inference": "MLPerf Inference"}
TRADEMARK = (
    "The MLPerf name and logo are registered and unregistered trademarks of MLCommons Association in the United States "
    "and other countries. All rights reserved. Unauthorized use strictly prohibited. See www.mlcommons.org for more "
    "information."
)


def mark(tag: str) -> str:
    """The mark and the word of a tag: '■ A audited'."""
    letter, _ = MARKS[Evidence(tag)]
    return f"{letter} {tag}"


def meaning(tag: str) -> str:
    """What a tag means, in a few words."""
    return MARKS[Evidence(tag)][1]


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
