"""State in the address: every widget's key is named after its page, and an unknown value leads to the nearest."""

from __future__ import annotations

import ast
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from dashboard.addresses import PLAIN
from dashboard.components.state import nearest
from pipelines.settings import PROJECT_ROOT

DASHBOARD = PROJECT_ROOT / "dashboard"
NAMED = {"_own", "key_of"}  # what puts the name of the page or calculator before a key
KINDS = ["Rack", "Server", "Pod"]


def bound_widgets() -> list[tuple[str, str, str]]:
    """Every call of the dashboard that binds a widget to the address: its place, its key, the function around it."""
    found = []
    texts = {path: path.read_text(encoding="utf-8") for path in sorted(DASHBOARD.rglob("*.py"))}
    for path, text in texts.items():
        tree = ast.parse(text if "bind" in text else "")
        constants = {
            each.targets[0].id: each.value.value
            for each in tree.body
            if isinstance(each, ast.Assign)
            if isinstance(each.targets[0], ast.Name)
            if isinstance(each.value, ast.Constant)
        }  # fmt: skip
        for function in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
            for call in (node for node in ast.walk(function) if isinstance(node, ast.Call)):
                words = {word.arg: word.value for word in call.keywords}
                if "bind" in words:
                    key = ast.unparse(words["key"]).strip("'\"")
                    found.append((f"{path.name}:{call.lineno}", str(constants.get(key, key)), ast.unparse(function)))
    return found


@pytest.mark.parametrize(("place", "key", "function"), bound_widgets())
def test_no_widget_is_bound_to_the_address_by_a_bare_key(place: str, key: str, function: str) -> None:
    """Its key is named after its page or calculator, holds a dot, or means the same on every page."""
    assert any(f"{name}(" in function for name in NAMED) or "." in key or key in PLAIN, f"{place}: {key}"


def page(kinds: list[str]) -> None:
    """A page of three widgets."""
    from dashboard.components.state import begin_page, choose_many, choose_one

    begin_page("racks")
    choose_one("Kind", kinds, key="kind")
    choose_many("Kinds", kinds, key="kinds")
    choose_one("Model", ["m70", "m405"], key="model", names={"m70": "Llama 2 70B", "m405": "Llama 3 405B"})


def asked(**state: str) -> Any:
    test = AppTest.from_function(page, args=(KINDS,))
    for name, value in state.items():
        test.query_params[name.replace("__", ".")] = value
    return test.run()


def test_an_unknown_value_says_so_and_leads_to_the_nearest_with_all_other_state() -> None:
    test = asked(racks__kind="rak", as_of="2026-01-01")
    texts = [each.value for each in test.markdown]
    assert texts[0] == "Kind: “rak” is not offered here."
    assert texts[1] == "[Show Rack](<?as_of=2026-01-01&racks.kind=Rack>)"
    assert len(texts) == 2


def test_an_option_by_its_id_leads_to_its_name() -> None:
    texts = [each.value for each in asked(racks__model="m405").markdown]
    assert texts == ["Model: “m405” is not offered here.", "[Show Llama 3 405B](<?racks.model=Llama+3+405B>)"]


def test_known_values_and_those_of_other_pages_are_taken_or_left_without_a_word() -> None:
    test = asked(racks__kinds="Pod", roadmap__kind="rak")
    assert [each.value for each in test.markdown] == []
    assert test.multiselect[0].value == ["Pod"]
    assert test.multiselect[0].key == "racks.kinds"


@pytest.mark.parametrize(("value", "near"), [("server", "Server"), ("podd", "Pod"), ("Racks of today", "Rack")])
def test_the_nearest_is_found_in_any_case_of_letters(value: str, near: str) -> None:
    assert nearest(value, KINDS) == near
    assert nearest(value, []) == ""
