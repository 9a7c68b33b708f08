"""The page of SQL on the site: the published tables with their columns and units, and DuckDB-WASM to ask them.

DuckDB and what it needs come from npm by `make site-sql`; without them the page says so, and how else to ask.
"""

from __future__ import annotations

import gzip
import html
import json
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from string import Template
from typing import Any

from dashboard.queries import Ledger, catalog
from dashboard.queries.examples import EXAMPLES, Example
from warehouse.answers.plain_html import SQL, PlainFile, SitePage, Table, table_html

SCRIPTS = Path(__file__).parent / "site_scripts"
SCRIPT, ENGINE = "data/sql.js", "data/duckdb"
# What is taken from the packages, and under which name it is served.
PARTS = {
    "duckdb-browser-eh.worker.js": "@duckdb/duckdb-wasm/dist/duckdb-browser-eh.worker.js",
    "arrow.min.js": "apache-arrow/Arrow.es2015.min.js",
    "parquet_wasm.js": "parquet-wasm/esm/parquet_wasm.js",
    "parquet_wasm_bg.wasm": "parquet-wasm/esm/parquet_wasm_bg.wasm",
}
DATABASE = "@duckdb/duckdb-wasm/dist/duckdb-eh.wasm"  # 34 MB, more than some hosts take: it is served packed
MODULE = "@duckdb/duckdb-wasm/dist/duckdb-browser.mjs"
PACKAGES = ("@duckdb/duckdb-wasm", "apache-arrow", "parquet-wasm")
_ARROW = 'from"apache-arrow"'
_USED = re.compile(r'import\*as (\w+) from"apache-arrow"')
_TABLE = re.compile(r"\b(?:registry|evidence|facts|marts|meta)\.\w+")


def is_installed(packages: Path) -> bool:
    """Whether npm put everything there."""
    return all((packages / part).is_file() for part in (*PARTS.values(), DATABASE, MODULE))


def sql_page(ledger: Ledger, tables: Sequence[str], packages: Path, address: str) -> tuple[SitePage, list[PlainFile]]:
    """The page and its files, for tables that the site holds as Parquet; `packages` is npm's folder."""
    runs = is_installed(packages) and bool(tables)
    says = (
        "Ask the published tables in DuckDB's SQL. It runs in your browser: nothing is sent anywhere, and nothing is "
        "fetched before you run a statement."
        if runs
        else "The published tables, with the meaning and unit of each column, and how to ask them in SQL."
    )
    examples = [one for one in EXAMPLES if set(_TABLE.findall(one.sql)) <= set(tables)]
    parts = [_form(tables, examples) if runs else _without(tables), _elsewhere(tables, address)]
    if not runs:
        parts += [f"<h3>{html.escape(one.title)}</h3><pre>{html.escape(one.sql)}</pre>" for one in examples]
    page = SitePage(
        SQL, "SQL", "data", says, "Dataset", len(tables), (), script=SCRIPT if runs else "",
        prose="\n".join([*parts, _tables(ledger, tables)]),
    )  # fmt: skip
    return page, _files(packages) if runs else []


def _form(tables: Sequence[str], examples: Sequence[Example]) -> str:
    names = html.escape(json.dumps(list(tables)))
    buttons = "".join(
        f'<li><button type="button" data-sql="{html.escape(one.sql)}">{html.escape(one.title)}</button></li>'
        for one in examples
    )
    first = html.escape(examples[0].sql) if examples else ""
    form = Template("".join((SCRIPTS / "sql.html").read_text(encoding="utf-8").splitlines()))
    return form.substitute(first=first, buttons=buttons, names=names)


def _without(tables: Sequence[str]) -> str:
    """What is said where DuckDB-WASM, or the tables, were not there when the site was written."""
    if not tables:
        return (
            '<p class="kept">This copy of the site holds no tables: it was written beside no published version. '
            "<code>rackledger publish</code> makes them; the site is then written again.</p>"
        )
    return (
        '<p class="kept">Statements do not run on this page: this copy of the site was written without DuckDB-WASM. '
        "Whoever writes it gets that with <code>make site-sql</code> and writes the site again. The same tables can be "
        "asked elsewhere:</p>"
    )


def _elsewhere(tables: Sequence[str], address: str) -> str:
    if not tables:
        return ""
    name = "marts.cells" if "marts.cells" in tables else tables[0]
    line = f"duckdb -c \"FROM '{address}files/latest/{name}.parquet' LIMIT 5\""
    return (
        f"<p>With DuckDB's own command:</p><pre>{html.escape(line)}</pre>"
        "<p>All tables in one file: <code>files/latest/rackledger.duckdb</code>. The dashboard "
        "has a page of SQL too.</p>"
    )


def _tables(ledger: Ledger, tables: Sequence[str]) -> str:
    """Each table with what a row of it is, its columns and their units."""
    columns: dict[str, list[Mapping[Any, Any]]] = defaultdict(list)
    for row in catalog.described_columns(ledger).to_dict("records"):
        columns[str(row["table"])].append(row)
    parts = ["<h2>Tables</h2>"]
    for row in ledger.frame_of("catalog.described_tables").to_dict("records"):
        name = str(row["table"])
        if name not in tables:
            continue
        lines = tuple(
            (str(one["column"]), str(one["data_type"]), str(one["unit"] or ""), str(one["says"]))
            for one in columns[name]
        )
        shown = table_html(Table(str(row["title"]), ("Column", "Type", "Unit", "Meaning"), lines), heading="h3")
        says = f"{row['says']} One row is {row['grain']}. {row['row_count']:,} rows; {row['licence']}."
        file = f'<a href="../files/latest/{html.escape(name)}.parquet">Parquet</a>'
        parts.append(
            f"<details><summary><code>{html.escape(name)}</code> {html.escape(str(row['title']))}</summary>"
            f"<p>{html.escape(says)} {file}</p>{shown}</details>"
        )
    return "\n".join(parts)


def _files(packages: Path) -> list[PlainFile]:
    """The page's script, the engine and what npm brought."""
    versions = json.dumps(
        [json.loads((packages / name / "package.json").read_text(encoding="utf-8"))["version"] for name in PACKAGES]
    )
    texts = {SCRIPT: (SCRIPTS / "sql.js").read_text(encoding="utf-8")}
    texts[f"{ENGINE}/engine.js"] = (SCRIPTS / "engine.js").read_text(encoding="utf-8")
    module = (packages / MODULE).read_text(encoding="utf-8")
    texts[f"{ENGINE}/duckdb.js"] = module.replace(_ARROW, 'from"./arrow.js"')
    texts[f"{ENGINE}/arrow.js"] = arrow_module(module)
    made = [PlainFile(path, text, text.encode) for path, text in texts.items()]
    database = packages / DATABASE
    made.append(PlainFile(f"{ENGINE}/duckdb-eh.wasm.packed", versions, lambda: packed(database.read_bytes())))
    return made + [
        PlainFile(f"{ENGINE}/{name}", versions, (packages / part).read_bytes, packages / part)
        for name, part in PARTS.items()
    ]


def packed(content: bytes) -> bytes:
    """As gzip without a name or a time, so that the same content gives the same bytes."""
    return gzip.compress(content, compresslevel=9, mtime=0)


def arrow_module(module: str) -> str:
    """Arrow as a module: of its one classic script the names that DuckDB's module uses."""
    aliases = "|".join(sorted(set(_USED.findall(module))))
    names = sorted(set(re.findall(rf"(?<![\w.$])(?:{aliases})\.([A-Za-z]\w*)", module))) if aliases else []
    return "".join(f"export const {name} = globalThis.Arrow.{name};\n" for name in names)
