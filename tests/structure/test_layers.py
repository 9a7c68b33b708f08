"""Who may import whom, and where SQL stands. Each rule is a function over source text, shown to fail on a planted case.

pipelines → lake; warehouse reads lake and row types; dashboard reads the published file; commands are the outermost
shell and may import all of pipelines and warehouse, never the dashboard (`serve` starts it as a process), but for the
command that writes the dashboard's charts as plain files.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

# What a package may import of the other two, the nearest rule first: a path, then the prefixes that are allowed.
ALLOWED: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("pipelines/commands/site.py", ("pipelines", "warehouse", "dashboard.site")),  # its charts are the dashboard's
    ("pipelines/commands/", ("pipelines", "warehouse")),
    ("pipelines/cli.py", ("pipelines",)),
    ("pipelines/assets/", ("pipelines", "warehouse")),  # the one step that builds the warehouse
    ("pipelines/publish/", ("pipelines", "warehouse")),  # writes the published file as packages
    ("pipelines/facts/", ("pipelines", "warehouse")),  # keeps sums of a build where rows may not be kept
    ("pipelines/", ("pipelines",)),
    ("warehouse/calculators/", ("warehouse.calculators", "pipelines.units", "pipelines.frozen")),
    ("warehouse/answers/", ("warehouse", "pipelines.model", "pipelines.units", "pipelines.frozen")),
    (
        "warehouse/",
        ("warehouse", *(f"pipelines.{name}" for name in ("frozen", "lake", "model", "problems", "registry"))),
    ),
    (
        "dashboard/",
        ("dashboard", "warehouse.answers", "warehouse.calculators", "warehouse.dictionary", "warehouse.metrics",
         "warehouse.outcome", "warehouse.present", "warehouse.read", "warehouse.sandbox", "warehouse.statements",
         "warehouse.versions",
         "pipelines.__version__", "pipelines.frozen", "pipelines.settings", "pipelines.model",
         "pipelines.registry.comparability"),
    ),
)  # fmt: skip
# Inside a package imports run down these lists: whoever stands earlier may import whoever stands later.
FLOORS: dict[str, tuple[str, ...]] = {
    "dashboard": (
        "server",
        "app",
        "watch_routes",
        "feed_routes",
        "api_routes",
        "embed_routes",
        "plain_routes",
        "warming",
        "asked",
        "site",
        "site_lessons",
        "site_sql",
        "embeds",
        "stated_cards",
        "cards",
        "rate",
        "frame",
        "views",
        "navigation",
        "components",
        "charts",
        "headlines",
        "queries",
        "search",
        "addresses",
        "sandboxed",
    ),
    "warehouse": ("build", "answers", "calculators"),
    "pipelines": (
        "cli",
        "commands",
        "main_job",
        "facts",
        "definitions",
        "candidates",
        "training",
        "assets",
        "publish",
        "collect",
        "upkeep",
        "endpoint",
        "ledger",
        "archive",
        "claims",
        "extract",
        "repeats",
        "sources",
        "parse",
        "source_model",
        "units",
        "registry",
        "model",
        "lake",
        "settings",
        "problems",
        "frozen",
    ),
}
SQL_PLACES = ("dashboard/queries/", "warehouse/", "pipelines/publish/", "pipelines/facts/")
NO_SQL_PLACES = ("warehouse/calculators/",)
SQL = re.compile(
    r"\b(SELECT\s.+?\bFROM\b|WITH\s+\w+\s+AS\s*\(|INSERT\s+INTO\b|ATTACH\s+')"
    r"|\b(FROM|JOIN)\s+(registry|evidence|facts|marts|meta)\.\w+",
    re.DOTALL,
)
SHOWN_TO_READERS = {"pipelines/commands/sql.py", "pipelines/commands/run.py"}  # their words quote queries


def modules(tree: ast.AST) -> Iterator[str]:
    """Every module that is imported, also inside functions."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def wrong_imports(path: str, text: str) -> list[str]:
    """Imports of our own packages that the rule for this path does not allow."""
    allowed = next(prefixes for place, prefixes in ALLOWED if path.startswith(place))
    ours = [name for name in modules(ast.parse(text)) if name.split(".")[0] in ("pipelines", "warehouse", "dashboard")]
    return [name for name in ours if not any(f"{name}.".startswith(f"{prefix}.") for prefix in allowed)]


def upward_imports(path: str, text: str) -> list[str]:
    """Imports of a floor above the file's own, inside its package."""
    package, _, inner = path.partition("/")
    floors = FLOORS.get(package, ())
    own = inner.split("/")[0].removesuffix(".py")
    if own not in floors:
        return []
    above = {f"{package}.{floor}" for floor in floors[: floors.index(own)]}
    return [name for name in modules(ast.parse(text)) if ".".join(name.split(".")[:2]) in above]


def room_of(module: str) -> str:
    """The folder or file right below a package that a module stands in: 'pipelines.parse' of 'pipelines.parse.html'."""
    return ".".join(module.split(".")[:2])


def circle(texts: Mapping[str, str]) -> list[str]:
    """Modules that import one another in a circle, else rooms that do; [] where a drawing has no arrow upward."""
    known = {path.removesuffix(".py").removesuffix("/__init__").replace("/", "."): text for path, text in texts.items()}
    between: dict[str, set[str]] = {}
    for name, text in known.items():
        named = {found if found in known else found.rpartition(".")[0] for found in modules(ast.parse(text))}
        between[name] = {found for found in named if found in known} - {name}
    rooms: dict[str, set[str]] = {}
    for name, others in between.items():
        rooms.setdefault(room_of(name), set()).update(room_of(other) for other in others)
    for graph in (between, {room: others - {room} for room, others in rooms.items()}):
        try:
            TopologicalSorter(graph).prepare()
        except CycleError as error:
            return list(error.args[1])
    return []


def sql_in(path: str, text: str) -> list[str]:
    """SQL in the string literals of a file outside the places for it; docstrings are no literals here."""
    is_place = path.startswith(SQL_PLACES) and not path.startswith(NO_SQL_PLACES)
    if is_place or path in SHOWN_TO_READERS:
        return []
    tree = ast.parse(text)
    docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    texts = (
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs
    )
    return [found for found in texts if SQL.search(found)]


FILES = [
    str(path.relative_to(ROOT))
    for package in ("pipelines", "warehouse", "dashboard")
    for path in sorted((ROOT / package).rglob("*.py"))
]
RULES = {rule.__name__: rule for rule in (wrong_imports, upward_imports, sql_in)}


@pytest.mark.parametrize("rule", RULES)
def test_packages_stay_untied(rule: str) -> None:
    found = {path: RULES[rule](path, (ROOT / path).read_text(encoding="utf-8")) for path in FILES}
    assert len(found) > 400
    assert {path: breaches for path, breaches in found.items() if breaches} == {}


def test_no_module_and_no_room_is_imported_by_what_it_imports() -> None:
    assert circle({path: (ROOT / path).read_text(encoding="utf-8") for path in FILES}) == []


@pytest.mark.parametrize(
    ("texts", "found"),
    [
        ({"pipelines/lake.py": "import pipelines.clock", "pipelines/clock.py": "from pipelines import lake"},
         {"pipelines.lake", "pipelines.clock"}),
        ({"pipelines/parse/html.py": "def f():\n    from pipelines.model.page import Page",
          "pipelines/model/row.py": "from pipelines.parse.text import words",
          "pipelines/model/page.py": "", "pipelines/parse/text.py": ""}, {"pipelines.parse", "pipelines.model"}),
        ({"pipelines/parse/html.py": "from pipelines.parse.text import words", "pipelines/parse/text.py": ""}, set()),
    ],
)  # fmt: skip
def test_a_planted_circle_is_seen(texts: dict[str, str], found: set[str]) -> None:
    assert set(circle(texts)) == found


@pytest.mark.parametrize(
    ("rule", "path", "text"),
    [
        ("wrong_imports", "pipelines/commands/brief.py", "from dashboard.queries import open_ledger"),
        ("wrong_imports", "pipelines/parse/html.py", "from warehouse.read import Warehouse"),
        ("wrong_imports", "pipelines/lake.py", "def f() -> None:\n    import warehouse.build"),
        ("wrong_imports", "warehouse/staging.py", "from pipelines.claims.speakers import Speakers"),
        ("wrong_imports", "warehouse/build.py", "from pipelines.parse import sources"),
        ("wrong_imports", "warehouse/answers/news.py", "from dashboard.components import page"),
        ("wrong_imports", "warehouse/calculators/fit.py", "from warehouse.read import Warehouse"),
        ("wrong_imports", "dashboard/views/sql.py", "from pipelines.lake import Lake"),
        ("wrong_imports", "dashboard/views/sql.py", "from warehouse.build import build"),
        ("upward_imports", "dashboard/queries/prices.py", "from dashboard.components import page"),
        ("upward_imports", "dashboard/charts/prices.py", "from dashboard.views import prices"),
        ("upward_imports", "warehouse/calculators/fit.py", "from warehouse.answers import news"),
        ("upward_imports", "pipelines/assets/lake_assets.py", "from pipelines.definitions import build_definitions"),
        ("upward_imports", "pipelines/registry/load.py", "from pipelines.parse.text import words"),
        ("sql_in", "dashboard/views/prices.py", "Q = 'SELECT a FROM marts.prices'"),
        ("sql_in", "dashboard/components/page.py", "def f(t): return f'FROM meta.tables WHERE t = {t}'"),
        ("sql_in", "pipelines/commands/sources.py", "Q = 'SELECT count(*)\\nFROM evidence.claims'"),
        ("sql_in", "warehouse/calculators/fit.py", "Q = 'WITH a AS (SELECT 1)'"),
    ],
)
def test_a_planted_breach_is_seen(rule: str, path: str, text: str) -> None:
    assert RULES[rule](path, text) != []


def test_words_that_look_like_sql_are_none() -> None:
    text = '"""SELECT a FROM marts.prices"""\nHINT = "select what you want from the list"\nWHERE = "Where it is said"'
    assert sql_in("dashboard/views/prices.py", text) == []
