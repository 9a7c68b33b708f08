"""A build that ends with the tables a test asks of: what comes after them says nothing of them, and costs the most."""

from __future__ import annotations

import duckdb

from warehouse.build import BuildPlan, _fill, put_in_place
from warehouse.dictionary import META
from warehouse.read import SCHEMA_VERSION
from warehouse.reuse import made_before
from warehouse.sql_files import sql_files


def build_until(plan: BuildPlan, *tables: str) -> None:
    """Put a file in place whose tables are made up to the last of these, each by the rules of a whole build.

    The tables behind it are those of the version before. The file says of no table what it was made of, so that a build
    that comes after it takes none over.
    """
    part = plan.target.with_name(f"{plan.target.name}.part")
    ends = [file.path for file in sql_files() if {*tables} & {*file.made}]
    _fill(plan, part, {}, made_before(plan.target), until=ends[-1])
    with duckdb.connect(str(part)) as connection:
        connection.execute(META)
        publication = ["part", plan.built_at.replace(tzinfo=None), "", SCHEMA_VERSION, "", plan.run_id]
        connection.execute("INSERT INTO meta.publication VALUES (?, ?, ?, ?, ?, ?)", publication)
    put_in_place(part, plan.target)
