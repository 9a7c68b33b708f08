"""The published files described as Croissant 1.0 (MLCommons), so that tools for data sets can load them. Pure.

Source of the form: docs.mlcommons.org/croissant/docs/croissant-spec.html.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

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
        "field": [_field(table, field) for field in fields],
    }  # fmt: skip
    if key := resource["schema"].get("primaryKey"):
        made["key"] = [{"@id": f"{table}/{column}"} for column in key]
    return made


def _field(table: str, field: Mapping[str, Any]) -> dict[str, Any]:
    unit = f" [{field['unit']}]" if field.get("unit") else ""
    return {
        "@type": "cr:Field", "@id": f"{table}/{field['name']}", "name": f"{table}/{field['name']}",
        "description": f"{field['description']}{unit}", "dataType": _TYPES[str(field["type"])],
        "source": {"fileObject": {"@id": f"{table}.parquet"}, "extract": {"column": field["name"]}},
    }  # fmt: skip
