"""Writes the cookbook as a notebook to copy: `python docs/cookbook/notebook.py`. Its blocks are those of README.md.

The Python and SQL blocks come in their order, below one cell that says where the ledger is. Addresses of the API stay
text. A test compares the committed file with what this writes.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
NOTEBOOK = HERE / "ten-questions.ipynb"
SETUP = """import duckdb

from rackledger.client import Ledger

FOLDER = "warehouse/published/VERSION"  # a folder of published files, or one that was downloaded
ledger = Ledger(FOLDER)
database = duckdb.connect(f"{FOLDER}/rackledger.duckdb", read_only=True)"""
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$\n?", re.MULTILINE | re.DOTALL)


def notebook(text: str) -> dict[str, Any]:
    """The notebook (nbformat 4.5) of a cookbook in Markdown."""
    head, *questions = re.split(r"^(?=## )", text, flags=re.MULTILINE)
    first = "Ten questions to the ledger, in Python and in SQL. Run the first cell, then any other.\n"
    cells = [_cell("markdown", f"{head.splitlines()[0]}\n\n{first}"), _cell("code", SETUP)]
    for question in questions:
        blocks = dict(_BLOCK.findall(question))
        words = _BLOCK.sub("", question).strip()
        cells.append(_cell("markdown", f"{words}\n\nOver HTTP: `{blocks['http'].strip()}`"))
        cells.append(_cell("code", blocks["python"].strip()))
        cells.append(_cell("code", f'database.sql("""\n{blocks["sql"].strip()}\n""").df()'))
    for place, cell in enumerate(cells):
        cell["id"] = f"cell-{place}"
    return {"cells": cells, "metadata": {"language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5}


def _cell(kind: str, text: str) -> dict[str, Any]:
    more: dict[str, Any] = {"execution_count": None, "outputs": []} if kind == "code" else {}
    return {"cell_type": kind, "metadata": {}, "source": text.splitlines(keepends=True), **more}


def written() -> str:
    """The file as it is to be."""
    return json.dumps(notebook((HERE / "README.md").read_text(encoding="utf-8")), ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    NOTEBOOK.write_text(written(), encoding="utf-8")
