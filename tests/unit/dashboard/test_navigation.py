"""Pages and charts are found by file, and a page is no more than its file says."""

from __future__ import annotations

from dashboard.addresses import MOVED, SECTIONS, moved_to, state_name
from dashboard.navigation import charts, page_entries, sections


def test_the_menu_has_each_page_once_in_its_order() -> None:
    entries = page_entries()
    assert entries[0].path == "today"
    assert [entry.path for entry in sections()["Benchmarks"]][:2] == ["benchmarks", "training"]
    assert [entry for found in sections().values() for entry in found] == [each for each in entries if each.place]
    assert len({entry.title for entry in entries}) == len(entries)
    assert list(sections()) == [name for name in SECTIONS if name in sections()]
    for listed in sections().values():
        assert len({entry.place for entry in listed}) == len(listed), "two pages at one place of the menu"


def test_each_chart_leads_to_a_page_that_is_in_the_menu() -> None:
    paths = {entry.path for entry in page_entries()}
    assert {entry.page for entry in charts().values()} <= paths
    assert charts()["density_over_time"].page == "racks"


def test_addresses_of_before_lead_to_those_of_now_with_their_state() -> None:
    assert moved_to("today", []) == ""
    assert moved_to("density", [("question", "Power per rack")]) == "racks?racks.question=Power+per+rack"
    assert moved_to("systems", [("subject", "amd-helios"), ("as_of", "2026-01-01")]) == (
        "thing?id=amd-helios&as_of=2026-01-01"
    )
    assert moved_to("systems", [("compare", "a"), ("compare", "b")]) == "compare?thing=a&thing=b"
    assert moved_to("racks", []) is None
    now = {entry.path for entry in page_entries()}
    assert {str(moved_to(path, [])).split("?")[0] for path in MOVED} <= now | {""}


def test_state_is_named_after_its_page_unless_it_means_the_same_everywhere() -> None:
    assert state_name("conflicts", "kind") == "conflicts.kind"
    assert state_name("who-has-it", "kind") == "who-has-it.kind"
    assert state_name("", "since") == "since"
    assert [state_name("prices", key) for key in ("as_of", "id", "q3", "fit.layers")] == [
        "as_of",
        "id",
        "q3",
        "fit.layers",
    ]


def test_a_module_that_is_no_page_is_not_in_the_menu() -> None:
    assert not {"lesson", "result", "inference_result"} & {entry.path for entry in page_entries()}
