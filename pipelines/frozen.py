"""How a value is declared here: a dataclass whose fields are fixed once it is made, and which takes no others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar, dataclass_transform, overload

T = TypeVar("T")


@overload
def frozen(cls: type[T], /) -> type[T]: ...
@overload
def frozen(*, kw_only: bool = False, order: bool = False, eq: bool = True) -> Callable[[type[T]], type[T]]: ...
@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: type | None = None, /, **options: bool) -> Any:
    """`dataclass` with `frozen` and `slots`; a class that computes a property once and keeps it cannot have slots."""
    make = dataclass(frozen=True, slots=True, **options)
    return make if cls is None else make(cls)
