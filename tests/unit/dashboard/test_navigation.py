"""Pages and charts are found by file, and a page is no more than its file says."""

from __future__ import annotations

from dashboard.navigation import SECTIONS, charts, page_entries, sections


def test_the_menu_has_each_page_once_in_its_order() -> None:
    entries = page_entries()
    assert entries[0].path == "today"
    assert [entry.path for entry in sections()["Benchmarks"]] == ["training", "inference"]
    assert [entry for found in sections().values() for entry in found] == entries
    assert len({entry.title for entry in entries}) == len(entries)
    assert list(sections()) == [name for name in SECTIONS if name in sections()]
    for listed in sections().values():
        assert len({entry.place for entry in listed}) == len(listed), "two pages at one place of the menu"


def test_each_chart_leads_to_a_page_that_is_in_the_menu() -> None:
    paths = {entry.path for entry in page_entries()}
    assert {entry.page for entry in charts().values()} <= paths
    assert charts()["density_over_time"].page == "density"


def test_a_module_that_is_no_page_is_not_in_the_menu() -> None:
    assert not {"lesson", "result", "inference_result"} & {entry.path for entry in page_entries()}
