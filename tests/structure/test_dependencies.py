"""What the code imports is declared, and what is declared as needed to run is imported."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
IMPORT = re.compile(r"^ *(?:from (\w+)[\w.]* import|import (\w+))", re.MULTILINE)
OWN = ("pipelines", "warehouse", "dashboard")
# Modules that bear another name than the package, and parts of a package that are modules of their own.
PACKAGE_OF = {"PIL": "pillow",
    "bs4": "beautifulsoup4", "yaml": "pyyaml", "vl_convert": "vl-convert-python", "markdown_it": "markdown-it-py",
    "sklearn": "scikit-learn", "pdfminer": "pdfplumber", "httpcore": "httpx", "brotli": "httpx", "zstandard": "httpx",
    "pydantic_core": "pydantic", "starlette": "streamlit", "anyio": "httpx", "mcp_types": "mcp", "uvicorn": "mcp",
}  # fmt: skip
STARTED = {"dagster-webserver"}  # a process that `rackledger dev` starts


def names(requirements: list[str]) -> set[str]:
    return {re.split(r"[\[<>=~ ;]", one)[0] for one in requirements}


def imported(*packages: str) -> set[str]:
    """The packages whose modules ours import."""
    texts = (path.read_text(encoding="utf-8") for package in packages for path in (ROOT / package).rglob("*.py"))
    found = {module for text in texts for pair in IMPORT.findall(text) for module in pair}
    others = found - {"", *OWN, *sys.stdlib_module_names}
    return {PACKAGE_OF.get(module, module.replace("_", "-")) for module in others}


def test_what_runs_is_declared_and_what_is_declared_runs() -> None:
    needed, extras = names(PROJECT["dependencies"]), PROJECT["optional-dependencies"]
    used = imported(*OWN)
    at_choice = {name for extra in extras if extra not in {"dev", "bench"} for name in names(extras[extra])}
    assert used - needed - at_choice == set()
    assert needed - used - STARTED == set()
