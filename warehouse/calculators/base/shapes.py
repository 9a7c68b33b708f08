"""Shapes of published models: what a fit or a serving cost needs to know of a transformer, with the source. Pure."""

from __future__ import annotations

from pipelines.frozen import frozen
from warehouse.calculators.base.model import InputOrigin, OriginKind

_CITED = OriginKind.CITED
_LLAMA = InputOrigin(
    _CITED, "The Llama 3 herd of models, table 3", "https://arxiv.org/abs/2407.21783", "2024-07-31", "operator"
)
_GPT_OSS = InputOrigin(_CITED, "gpt-oss model card", "https://arxiv.org/abs/2508.10925", "2025-08-08", "operator")

BYTES = {"bf16": 2.0, "fp8": 1.0, "fp4": 0.5}  # a weight; scales of block formats are left out


@frozen
class Shape:
    """Parameters in billions (all, and active per token), layers, key-value heads, size of a head, hidden size."""

    name: str
    parameters: float
    active: float
    layers: int
    kv_heads: int
    head_size: int
    hidden: int
    origin: InputOrigin


SHAPES = {
    shape.name: shape
    for shape in (
        Shape("Llama 3.1 405B", 405, 405, 126, 8, 128, 16_384, _LLAMA),
        Shape("Llama 3.1 70B", 70, 70, 80, 8, 128, 8_192, _LLAMA),
        Shape("Llama 3.1 8B", 8, 8, 32, 8, 128, 4_096, _LLAMA),
        Shape("gpt-oss-120b", 116.8, 5.1, 36, 8, 64, 2_880, _GPT_OSS),
    )
}


def kv_bytes_per_token(layers: float, kv_heads: float, head_size: float, bytes_each: float) -> float:
    """Bytes of keys and values that one token of context leaves: 2 x layers x kv heads x head size x bytes each."""
    return 2 * layers * kv_heads * head_size * bytes_each
