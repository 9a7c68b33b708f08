"""How a sentence stands to its figure: denied, supposed, asked, a change, a former value; how firm, and whose word."""

from __future__ import annotations

import pytest

from pipelines.extract.names.mention import Mention
from pipelines.extract.stance import (
    clause_of,
    is_changed,
    is_dropped,
    is_example,
    is_generic,
    is_lasting,
    is_of_amount,
    is_of_coming,
    is_of_telling,
    is_possible,
    modality_of,
    speaker_of,
)
from pipelines.model.claim import Modality


def around(sentence: str, figure: str) -> tuple[str, str]:
    before, _, after = sentence.partition(figure)
    return before, after


DROPPED = (
    ("The rack does not draw 140 kW.", "140 kW"),
    ("It draws 120 kW rather than 140 kW.", "140 kW"),
    ("The chip doesn't take 1,400 W.", "1,400 W"),
    ("If the rack drew 140 kW, it would need liquid.", "140 kW"),
    ("Suppose a pod of 9,216 chips.", "9,216"),
    ("To cool it, a hall needs to hold 2 MW.", "2 MW"),
    ("Does the rack draw 140 kW?", "140 kW"),
    ("The often quoted 140 kW is wrong.", "140 kW"),
    ("By my estimate each cluster should be able to reach 16 EFLOPS.", "16 EFLOPS"),
)
KEPT = (
    ("The rack draws 140 kW.", "140 kW"),
    ("The rack draws not only 140 kW but also needs water.", "140 kW"),
    ("It is not air cooled, and the rack draws 140 kW.", "140 kW"),
    ("It is not new, it draws 140 kW.", "140 kW"),
    ("Not everyone who bought the rack knew of its 140 kW.", "140 kW"),
    ("NVIDIA said it would deliver 72 packages.", "72"),
    ("- 3.35 TB/s (max)?", "3.35 TB/s"),
)


@pytest.mark.parametrize(("sentence", "figure"), [*DROPPED, *KEPT])
def test_a_figure_that_is_denied_supposed_asked_or_refuted_is_dropped(sentence: str, figure: str) -> None:
    assert is_dropped(sentence, around(sentence, figure)[0]) is ((sentence, figure) in DROPPED)


def test_a_difference_a_change_and_a_former_value_are_no_figure_of_the_thing() -> None:
    assert is_changed("", " more than its predecessor")
    assert is_changed("", " would suffice for it")
    assert not is_changed("", " of memory")
    assert is_changed("The new pump lowers the power draw by about ", "")
    assert not is_changed("The rack is cooled by ", "")
    assert is_changed("The bandwidth went from ", " to 8 TB/s")
    assert is_changed("It holds 288 GB (up from ", ")")
    assert is_changed("against ", " of the previous generation")
    assert not is_changed("The rack gets its power from ", " feeds")
    assert not is_changed("It reads up from ", " to 8 TB/s")


@pytest.mark.parametrize(
    ("after", "is_amount"),
    [
        (" more memory than its rival", True),
        (" the HBM capacity", True),
        (" times the memory bandwidth of the H100", True),
        (" less power", True),
        (" more performance", False),
        (" faster than the H100", False),
        (" better power efficiency", False),
        (" the power efficiency of Hopper", False),
        (" the tokens per second", False),
    ],
)
def test_a_ratio_of_an_amount_is_no_speed(after: str, is_amount: bool) -> None:
    assert is_of_amount(after) is is_amount


def test_a_kind_of_thing_and_an_example_are_told_from_one_thing() -> None:
    assert is_generic("A typical ")
    assert is_generic("any modern air-cooled ")
    assert not is_generic("a single rack holds ")
    assert not is_generic("The GB200 NVL72 takes ")


def test_what_can_be_is_not_what_something_is() -> None:
    assert is_possible("but throughput and energy per operation can be ")
    assert is_possible("It might easily reach more than ")
    assert not is_possible("The can held ")
    assert not is_possible("it can be seen that B200 is ")
    assert is_example("For example, a hall of 10 MW")
    assert not is_example("A hall of 10 MW")


def test_a_plan_behind_a_fact_is_a_clause_of_its_own() -> None:
    sentence = "Meta runs 24,000 GPUs and plans to run 600,000 by 2025; others wait."
    assert clause_of(sentence, sentence.index("24,000")) == "Meta runs 24,000 GPUs"
    assert clause_of(sentence, sentence.index("600,000")) == " and plans to run 600,000 by 2025"
    assert clause_of(sentence, sentence.index("others")) == "; others wait."


@pytest.mark.parametrize(
    ("sentence", "modality"),
    [
        ("The rack draws 120 kW.", Modality.ANNOUNCED),
        ("The rack will draw 120 kW.", Modality.EXPECTED),
        ("Samples of the 288 GB part went out.", Modality.SAMPLING),
        ("A batch of 32 samples per device took 533 minutes.", Modality.ANNOUNCED),  # no product's samples
        ("It reached 1,580 samples/s on 8 cards.", Modality.ANNOUNCED),
        ("The 120 kW rack is shipping.", Modality.SHIPPING),
        ("We measured 118 kW.", Modality.MEASURED),
        ("The site is equipped with 2,048 GPUs.", Modality.DEPLOYED),
        ("The 700 W card was cancelled.", Modality.WITHDRAWN),
        ("The cancelled card will be shipping.", Modality.WITHDRAWN),  # the end counts more than any plan
        ("It achieved 20 PFLOP/s in our test.", Modality.MEASURED),
        ("The 120 kW are achieved through cold plates.", Modality.ANNOUNCED),  # a way, no measurement
    ],
)
def test_how_firm_a_sentence_is(sentence: str, modality: Modality) -> None:
    assert modality_of(sentence) is modality


def test_the_size_of_a_cluster_is_of_one_that_runs_unless_said_otherwise() -> None:
    assert modality_of("A cluster of 2,048 GPUs.", is_cluster=True) is Modality.DEPLOYED
    assert modality_of("A cluster of 2,048 GPUs is planned.", is_cluster=True) is Modality.EXPECTED


@pytest.mark.parametrize(
    ("text", "speaker"),
    [
        ("According to TrendForce, the rack draws 120 kW.", "TrendForce"),
        ("The rack draws 120 kW as per the latest TrendForce note.", "TrendForce"),
        ("Analysts at TrendForce's server team also estimate 120 kW.", "TrendForce"),
        ("In May, TrendForce said that the rack draws 120 kW.", "TrendForce"),
        ("TrendForce moved into a new office.", ""),
    ],
)
def test_whose_word_a_sentence_is(text: str, speaker: str) -> None:
    at = text.index("TrendForce")
    names = [Mention(at, at + len("TrendForce"), "TrendForce", "organisation")]
    assert speaker_of(text, 0, len(text), names) == speaker
    assert speaker_of(text, 0, len(text), [Mention(at, at + 10, "TrendForce", "product")]) == ""


def test_whom_a_sentence_cites_goes_before_who_says_something_in_it() -> None:
    text = "NVIDIA says 600 kW, but it may be 819 kW as per TrendForce."
    names = [
        Mention(text.index(name), text.index(name) + len(name), name, "organisation")
        for name in ("NVIDIA", "TrendForce")
    ]
    assert speaker_of(text, 0, len(text), names) == "TrendForce"


@pytest.mark.parametrize(
    ("before", "is_told"),
    [
        ("Trainium3, disclosed in ", True),
        ("13 TB/s, as detailed at GTC on ", True),
        ("exports were banned in ", True),
        ("Puhti was shut down in ", True),
        ("announced the MI400, which ships in ", False),
        ("It was unveiled and is available from ", False),
        ("Feynman was announced for ", False),
        ("disclosed by a person who had seen the machine running in ", False),  # too far away
        ("It came in ", False),
        ("", False),
    ],
)
def test_a_day_on_which_something_was_told_of_is_none_on_which_it_came(before: str, is_told: bool) -> None:
    assert is_of_telling(before) is is_told


@pytest.mark.parametrize(
    ("before", "is_coming"),
    [
        ("announced at Computex, shipped in ", True),
        ("It was Sampled, to many, in ", True),
        ("shipped later, but announced in ", False),
        ("shipped to all who had asked for one before ", False),  # far away
        ("launched in ", False),  # both may be meant
    ],
)
def test_a_day_on_which_something_came_is_none_on_which_it_was_told_of(before: str, is_coming: bool) -> None:
    assert is_of_coming(before) is is_coming


@pytest.mark.parametrize(
    ("sentence", "is_span"),
    [
        ("Colossus was built in five months", True),
        ("The site went from nothing to 110,000 GPUs in 5 months", True),
        ("It doubled in two years", True),
        ("It will be installed in five months", False),
        ("The second hall, planned and paid, opens in three months", False),
        ("It ships in three months", False),
        ("It was built in the third quarter", False),
        ("It was built on May 5", False),
    ],
)
def test_how_long_something_took_is_no_day_ahead(sentence: str, is_span: bool) -> None:
    at = max(sentence.rfind(" in "), sentence.rfind(" on ")) + 1
    assert is_lasting(sentence[at:], sentence[:at]) is is_span
    assert not is_lasting("the coming year", sentence[:at])
