"""Shapes of published models: what a fit or a serving cost needs to know of a transformer, with the source. Pure."""

from __future__ import annotations

from pipelines.frozen import frozen
from warehouse.calculators.base.model import InputOrigin, cited, shared_card

BYTES = {"bf16": 2.0, "fp8": 1.0, "fp4": 0.5}  # a weight; scales of block formats are left out


@frozen
class Shape:
    """Parameters in billions (all, and active per token), layers, key-value heads, size of a head, hidden size."""

    name: str
    origin: InputOrigin
    parameters: float
    active: float
    layers: int
    kv_heads: int
    head_size: int
    hidden: int


SHAPES = {
    name: Shape(name, cited(shared_card()["cited"][page]), *figures)
    for name, (page, *figures) in shared_card()["shapes"].items()
}


def kv_bytes_per_token(layers: float, kv_heads: float, head_size: float, bytes_each: float) -> float:
    """Bytes of keys and values that one token of context leaves: 2 x layers x kv heads x head size x bytes each."""
    return 2 * layers * kv_heads * head_size * bytes_each
