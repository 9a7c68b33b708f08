"""What a field of a row means, declared on the field: SQL types, dictionary, CSV columns and copies derive from it.

unit: Annotated[str, Column("the metric's canonical unit")]
"""

from __future__ import annotations

import dataclasses
import types
import typing
from functools import cache
from typing import Any

from pipelines.frozen import frozen


@frozen
class Column:
    """What a column says, its unit, and what the Python type alone does not tell.

    `sql` is the type in the warehouse where it is another one; `known` the words it may hold; `rule` an SQL condition
    that every row meets. `is_optional`: '' in the row is NULL in the warehouse. `is_typed`: the committed ledger has a
    column of this name. `of` is the level the column belongs to: a claim's columns are repeated on its mentions.
    """

    says: str
    unit: str = ""
    sql: str = ""
    known: tuple[str, ...] = ()
    rule: str = ""
    is_optional: bool = False
    is_typed: bool = False
    of: str = "claim"


@frozen
class RowColumn:
    """A field of a row with its declaration; `type` is the Python type without `| None`."""

    name: str
    type: Any
    is_nullable: bool
    column: Column

    def select(self) -> str:
        """The column as the warehouse keeps it, out of a lake file."""
        value = f"nullif({self.name}, '')" if self.column.is_optional else self.name
        if not self.column.sql:
            return f"{value} AS {self.name}" if self.column.is_optional else self.name
        cast = f"JSON::{self.column.sql}" if self.column.sql.startswith("MAP") else self.column.sql
        return f"{value}::{cast} AS {self.name}"


@cache
def columns_of(row_type: type) -> tuple[RowColumn, ...]:
    """The fields of a row class in order. Raises TypeError for a field without a `Column`."""
    hints = typing.get_type_hints(row_type, include_extras=True)
    return tuple(_row_column(row_type, item.name, hints[item.name]) for item in dataclasses.fields(row_type))


def common(row: object, target: type) -> dict[str, Any]:
    """The fields of a frozen row that another row class has too, to be passed on."""
    wanted = {item.name for item in dataclasses.fields(target)}
    return {
        item.name: getattr(row, item.name)
        for item in dataclasses.fields(row)  # type: ignore[arg-type]  # any dataclass
        if item.name in wanted
    }


def _row_column(row_type: type, name: str, hint: Any) -> RowColumn:
    column = next((extra for extra in getattr(hint, "__metadata__", ()) if isinstance(extra, Column)), None)
    if column is None:
        raise TypeError(f"{row_type.__name__}.{name} does not say what it means: Annotated[…, Column(…)]")
    inner = hint.__origin__
    if typing.get_origin(inner) not in (typing.Union, types.UnionType):
        return RowColumn(name, inner, column.is_optional, column)
    (bare,) = [arg for arg in typing.get_args(inner) if arg is not type(None)]
    return RowColumn(name, bare, True, column)
