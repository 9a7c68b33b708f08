"""The published files beside the warehouse: every table as Parquet and CSV, a data package, and checksums.

A version's folder is written whole under a temporary name and renamed; `latest.json` moves last, so a reader that
follows it never finds half a version. The files are also described as Croissant 1.0 (MLCommons), so that tools for data
sets can load them; the form is told at docs.mlcommons.org/croissant/docs/croissant-spec.html.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson

from pipelines.frozen import frozen
from pipelines.lake import sync_folder
from warehouse.answers.questions import declaration
from warehouse.dictionary import load_dictionary
from warehouse.private import PRIVATE_TABLES, copy_without_private
from warehouse.read import CATALOG, Warehouse

LICENCE = {
    "name": "CC-BY-4.0",
    "path": "https://creativecommons.org/licenses/by/4.0/",
    "title": "Creative Commons Attribution 4.0",
}
LATEST, DESCRIPTOR = "latest.json", "datapackage.json"
CROISSANT = "croissant.json"  # the same files for tools that load data sets
QUESTIONS = "questions.json"  # what may be asked of the version, with its SQL: the client asks without a server
KEPT_VERSIONS = 12
_FIELD_TYPES = {"VARCHAR": "string", "DOUBLE": "number", "DATE": "date", "BOOLEAN": "boolean"}


@frozen
class Package:
    """Where a version was published, how many tables and bytes it has; `is_new` False when it was there already."""

    folder: Path
    version: str
    tables: int
    byte_count: int
    is_new: bool


@frozen
class _Holding:
    """An open warehouse with what its dictionary says of each table and of its columns, read once."""

    warehouse: Warehouse
    tables: dict[str, dict[str, Any]]
    columns: dict[str, list[dict[str, Any]]]


def publish_package(warehouse_path: Path, published: Path) -> Package:
    """Write the published version's files; a table that is as it was keeps its file. Old versions go, the newest stay.

    Raises WarehouseMissing or WarehouseUnreadable.
    """
    with Warehouse(warehouse_path) as warehouse:
        version = warehouse.publication.version
        folder = published / version
        is_new = not folder.exists()
        if is_new:
            _write_version(warehouse, folder, _previous(published))
        tables = len(list(folder.glob("*.parquet")))
    _point_latest(published, version)
    _forget_old(published, version)
    size = sum(path.stat().st_size for path in folder.iterdir())
    return Package(folder, version, tables, size, is_new)


def _previous(published: Path) -> Path | None:
    """The folder that `latest` points to, where it is whole."""
    try:
        folder = published / str(json.loads((published / LATEST).read_text(encoding="utf-8"))["folder"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return folder if (folder / DESCRIPTOR).is_file() else None


def _forget_old(published: Path, current: str) -> None:
    """Versions sort by their time; of those that are not the current one the newest stay."""
    old = sorted(path for path in published.iterdir() if path.is_dir() and (path / DESCRIPTOR).is_file())
    for path in [path for path in old if path.name != current][: -(KEPT_VERSIONS - 1)]:
        shutil.rmtree(path, ignore_errors=True)


def _held(warehouse: Warehouse) -> _Holding:
    tables = {str(row["table"]): row for row in warehouse.rows('FROM meta.tables ORDER BY "table"')}
    columns: dict[str, list[dict[str, Any]]] = {table: [] for table in tables}
    for row in warehouse.rows("FROM meta.columns ORDER BY position"):
        columns.setdefault(str(row["table"]), []).append(row)
    return _Holding(warehouse, tables, columns)


def _write_version(warehouse: Warehouse, folder: Path, previous: Path | None) -> None:
    temporary = folder.with_name(f".{folder.name}.writing")
    shutil.rmtree(temporary, ignore_errors=True)
    temporary.mkdir(parents=True)
    copy_without_private(warehouse.path, temporary / "rackledger.duckdb")
    held = _held(warehouse)
    views = "SELECT schema_name || '.' || view_name AS view FROM duckdb_views() WHERE NOT internal"
    repeated = {row["view"] for row in warehouse.rows(views)}  # a view's rows are in the files of its tables
    tables = [table for table in held.tables if table not in PRIVATE_TABLES and table not in repeated]
    known = _resources(previous)
    resources = [
        _taken_over(held, table, known, previous, temporary) or _write_table(held, table, temporary) for table in tables
    ]
    both = [each for resource in resources for each in (resource, _as_parquet(resource, temporary))]
    digests = {str(each["path"]): str(each["hash"]).removeprefix("sha256:") for each in both}
    descriptor = _descriptor(warehouse, both)
    for name, told in (
        (DESCRIPTOR, descriptor),
        (QUESTIONS, declaration()),
        (CROISSANT, croissant(descriptor, digests)),
    ):
        (temporary / name).write_bytes(orjson.dumps(told, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))
    (temporary / "SHA256SUMS").write_text(_checksums(temporary, digests), encoding="utf-8")
    for path in temporary.iterdir():
        path.chmod(path.stat().st_mode | 0o644)  # whatever the umask: these files are there to be read
    temporary.chmod(0o755)
    sync_folder(temporary)
    temporary.rename(folder)
    sync_folder(folder.parent)


def _resources(folder: Path | None) -> dict[str, dict[str, Any]]:
    """The resources of a version by the name of their file."""
    if folder is None:
        return {}
    descriptor = json.loads((folder / DESCRIPTOR).read_text(encoding="utf-8"))
    return {str(resource["path"]): resource for resource in descriptor["resources"]}


def _taken_over(
    held: _Holding, table: str, known: dict[str, dict[str, Any]], previous: Path | None, folder: Path
) -> dict[str, Any] | None:
    """The resource of a table whose rows and description are those of the version before: its files are linked."""
    resource = known.get(f"{table}.csv")
    if previous is None or resource is None:
        return None
    described = _described(held, table)
    if any(resource.get(name) != value for name, value in described.items()):
        return None
    for name in (f"{table}.parquet", f"{table}.csv"):
        try:
            os.link(previous / name, folder / name)
        except OSError:  # a disk that knows no second name for a file, or the file has gone
            return None
    return resource


def _described(held: _Holding, table: str) -> dict[str, Any]:
    """What a resource says of its table, apart from its file: equal where rows and words are equal."""
    entry, fields = held.tables[table], [_field(row) for row in held.columns[table]]
    licence = LICENCE if entry["licence"] == "CC BY 4.0" else {"name": entry["licence"], "title": entry["licence"]}
    declared = load_dictionary().get(table)
    key = {"primaryKey": list(declared.key)} if declared and declared.key and declared.key_where == "true" else {}
    return {
        "title": entry["title"],
        "description": f"{entry['says']} One row is {entry['grain']}.",
        "licenses": [licence],
        "content_hash": entry["content_hash"],
        "schema": {"fields": fields, "missingValues": [""], **key},
        **_sources(held.warehouse, table, {field["name"] for field in fields}),
    }


def _sources(warehouse: Warehouse, table: str, columns: set[str]) -> dict[str, Any]:
    """Whose pages and files the rows of a table come from; where its rows do not say it, that they are our own."""
    own = {"sources": [{"title": "rackledger, kept or computed here; what it rests on is in the other tables"}]}
    if "source_id" not in columns:
        return own
    found = warehouse.rows(
        f"""SELECT title, urls[1] AS path FROM evidence.sources
            WHERE source_id IN (SELECT source_id FROM {table}) ORDER BY source_id"""  # noqa: S608 - names come from the catalog
    )
    listed = [{"title": row["title"]} | ({"path": row["path"]} if row["path"] else {}) for row in found]
    return {"sources": listed} if listed else own


def _write_table(held: _Holding, table: str, folder: Path) -> dict[str, Any]:
    """One table as Parquet and CSV; returns its Frictionless resource."""
    import pyarrow.csv
    import pyarrow.parquet

    connection = held.warehouse.connection
    arrow = connection.execute(f"FROM {CATALOG}.{table}").to_arrow_table()
    (folder / f"{table}.parquet").unlink(missing_ok=True)  # a link that came without its other half
    pyarrow.parquet.write_table(arrow, folder / f"{table}.parquet", compression="zstd")
    flat = connection.execute(_flat_select(table, held.columns[table])).to_arrow_table()
    pyarrow.csv.write_csv(flat, folder / f"{table}.csv")
    path = folder / f"{table}.csv"
    return {
        "name": table.replace(".", "-").replace("_", "-"),
        "path": path.name,
        "profile": "tabular-data-resource",
        "format": "csv",
        "mediatype": "text/csv",
        "encoding": "utf-8",
        "bytes": path.stat().st_size,
        "hash": f"sha256:{_digest(path)}",
        **_described(held, table),
    }


def _as_parquet(resource: dict[str, Any], folder: Path) -> dict[str, Any]:
    """The resource of the same table as Parquet: its words, keys, licence and sources are those of the CSV."""
    path = (folder / resource["path"]).with_suffix(".parquet")
    told = {name: value for name, value in resource.items() if name != "encoding"}
    return told | {
        "name": f"{resource['name']}-parquet",
        "path": path.name,
        "profile": "data-resource",
        "format": "parquet",
        "mediatype": "application/vnd.apache.parquet",
        "bytes": path.stat().st_size,
        "hash": f"sha256:{_digest(path)}",
    }


def _flat_select(table: str, columns: list[dict[str, Any]]) -> str:
    """CSV has no lists or records: they become JSON. Text that a spreadsheet would run as a formula gets a quote."""
    parts = []
    for row in columns:
        name, data_type = f'"{row["column"]}"', row["data_type"]
        if data_type.endswith(("[]", ")")) and not data_type.startswith(("ENUM", "DECIMAL")):
            parts.append(f"to_json({name})::VARCHAR AS {name}")
        elif data_type == "VARCHAR":
            parts.append(
                f"CASE WHEN regexp_matches({name}, '^[=+@\\t\\r-]') THEN '''' || {name} ELSE {name} END AS {name}"
            )
        elif data_type.startswith("ENUM"):
            parts.append(f"{name}::VARCHAR AS {name}")
        elif data_type.startswith("TIMESTAMP"):
            parts.append(f"strftime({name}, '%Y-%m-%dT%H:%M:%SZ') AS {name}")
        else:
            parts.append(name)
    return f"SELECT {', '.join(parts)} FROM {CATALOG}.{table}"  # noqa: S608 - names come from the catalog


def _field(row: dict[str, Any]) -> dict[str, Any]:
    data_type = row["data_type"]
    kind = _FIELD_TYPES.get(data_type)
    if kind is None:
        is_whole = data_type.endswith("INT") or data_type == "INTEGER"  # not a list of them
        kind = "integer" if is_whole else "datetime" if data_type.startswith("TIMESTAMP") else "string"
    field = {"name": row["column"], "type": kind, "description": row["says"]}
    return field | ({"unit": row["unit"]} if row["unit"] else {})


def _descriptor(warehouse: Warehouse, resources: list[dict[str, Any]]) -> dict[str, Any]:
    publication = warehouse.publication
    return {
        "profile": "data-package",
        "name": "rackledger",
        "title": "rackledger: a dated, evidence-graded ledger of the AI-hardware market",
        "version": publication.version,
        "created": f"{publication.built_at:%Y-%m-%dT%H:%M:%SZ}",
        "licenses": [LICENCE],
        "resources": resources,
    }


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _checksums(folder: Path, known: dict[str, str]) -> str:
    """Each file's digest; those of tables are known."""
    return "".join(f"{known.get(path.name) or _digest(path)}  {path.name}\n" for path in sorted(folder.iterdir()))


def _point_latest(published: Path, version: str) -> None:
    temporary = published / ".latest.json.tmp"
    temporary.write_text(json.dumps({"version": version, "folder": version}) + "\n", encoding="utf-8")
    temporary.chmod(0o644)
    temporary.replace(published / LATEST)


CONFORMS_TO = "http://mlcommons.org/croissant/1.0"
_JSON_PARTS = ("data", "examples")
_PARTS = (
    "citeAs", "column", "dataType", "extract", "field", "fileObject", "fileProperty", "fileSet", "format", "includes",
    "isLiveDataset", "jsonPath", "key", "md5", "parentField", "path", "recordSet", "references", "regex", "repeated",
    "replace", "separator", "source", "subField", "transform", *_JSON_PARTS,
)  # fmt: skip
_TYPES = {
    "string": "sc:Text",
    "number": "sc:Float",
    "integer": "sc:Integer",
    "date": "sc:Date",
    "datetime": "sc:DateTime",
    "boolean": "sc:Boolean",
}


def croissant(descriptor: Mapping[str, Any], digests: Mapping[str, str]) -> dict[str, Any]:
    """The description of a version from its data package; `digests` are the SHA-256 of its Parquet files by name."""
    resources = [
        (str(each["path"]).removesuffix(".parquet"), each)
        for each in descriptor["resources"]
        if each["format"] == "parquet"
    ]
    return {
        "@context": _context(),
        "@type": "sc:Dataset",
        "conformsTo": CONFORMS_TO,
        "name": descriptor["name"],
        "description": descriptor["title"],
        "version": descriptor["version"],
        "datePublished": str(descriptor["created"])[:10],
        "license": sorted(
            {licence.get("path", licence["name"]) for _, each in resources for licence in each["licenses"]}
        ),
        "isLiveDataset": True,
        "distribution": [_file(f"{table}.parquet", digests[f"{table}.parquet"]) for table, _ in resources],
        "recordSet": [_records(table, resource) for table, resource in resources],
    }


def _context() -> dict[str, Any]:
    own: dict[str, Any] = {part: f"cr:{part}" for part in _PARTS}
    own |= {part: {"@id": f"cr:{part}", "@type": "@json"} for part in _JSON_PARTS}
    own["dataType"] = {"@id": "cr:dataType", "@type": "@vocab"}
    outside = {"cr": "http://mlcommons.org/croissant/", "dct": "http://purl.org/dc/terms/", "sc": "https://schema.org/"}
    return {"@language": "en", "@vocab": "https://schema.org/", "conformsTo": "dct:conformsTo", **outside, **own}


def _file(name: str, digest: str) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject", "@id": name, "name": name, "contentUrl": name,
        "encodingFormat": "application/x-parquet", "sha256": digest,
    }  # fmt: skip


def _records(table: str, resource: Mapping[str, Any]) -> dict[str, Any]:
    fields: Sequence[Mapping[str, Any]] = resource["schema"]["fields"]
    made: dict[str, Any] = {
        "@type": "cr:RecordSet", "@id": table, "name": table, "description": resource["description"],
        "field": [_described_field(table, field) for field in fields],
    }  # fmt: skip
    if key := resource["schema"].get("primaryKey"):
        made["key"] = [{"@id": f"{table}/{column}"} for column in key]
    return made


def _described_field(table: str, field: Mapping[str, Any]) -> dict[str, Any]:
    unit = f" [{field['unit']}]" if field.get("unit") else ""
    return {
        "@type": "cr:Field", "@id": f"{table}/{field['name']}", "name": f"{table}/{field['name']}",
        "description": f"{field['description']}{unit}", "dataType": _TYPES[str(field["type"])],
        "source": {"fileObject": {"@id": f"{table}.parquet"}, "extract": {"column": field["name"]}},
    }  # fmt: skip
