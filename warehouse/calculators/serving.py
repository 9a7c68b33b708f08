"""What a million output tokens cost to serve, by a roofline of prefill and decode on one instance."""

from __future__ import annotations

import math

from pipelines.frozen import frozen
from warehouse.calculators.base.engine import InputError
from warehouse.calculators.base.model import DECLARED, Part, calculator, inputs
from warehouse.calculators.base.quantity import q, to
from warehouse.calculators.base.shapes import BYTES, kv_bytes_per_token

RESERVE = 0.10  # of the memory, for activations and buffers


@inputs
class Inputs:
    """A model, its traffic, and one instance: the accelerators that hold it together."""

    parameters: float = DECLARED
    active: float = DECLARED
    precision: str = DECLARED
    kv_precision: str = DECLARED
    layers: float = DECLARED
    kv_heads: float = DECLARED
    head_size: float = DECLARED
    input_tokens: float = DECLARED
    output_tokens: float = DECLARED
    batch: float = DECLARED
    accelerators: float = DECLARED
    memory: float = DECLARED
    bandwidth: float = DECLARED
    peak: float = DECLARED
    bandwidth_used: float = DECLARED
    peak_used: float = DECLARED
    utilisation: float = DECLARED
    rent: float = DECLARED


@frozen
class Outputs:
    """Of one instance; `parts` add up to `cost`."""

    cost: float
    throughput: float
    per_user: float
    first_token: float
    memory_used: float
    most_batch: float
    kv_token: float
    ridge: float
    intensity: float
    parts: tuple[Part, ...] = ()


def token_cost(rate: float, tokens_per_second: float, utilisation: float = 1.0) -> float:
    """USD a million tokens of an accelerator at USD per hour, tokens a second and a utilisation (a fraction)."""
    return to(q(rate, "USD/hour") / (q(tokens_per_second, "token/second") * utilisation), "USD/token") * 1e6


@frozen
class _Pass:
    """One pass through the model: seconds for weights, KV cache and arithmetic, and the longer of both sides."""

    weights: float
    cache: float
    arithmetic: float

    @property
    def seconds(self) -> float:
        return max(self.weights + self.cache, self.arithmetic)


def _pass(inputs: Inputs, tokens: float, cache_bytes: float) -> _Pass:
    """A pass reads the weights in use once and each request's cache once; more tokens touch more experts.

    A decode step has a token of each request of the batch, a prefill the input of one request.
    """
    touched = min(inputs.parameters, inputs.active * tokens) * 1e9 * BYTES[inputs.precision]
    speed = q(inputs.accelerators * inputs.bandwidth * inputs.bandwidth_used / 100, "terabyte/second")
    power = q(inputs.accelerators * inputs.peak * inputs.peak_used / 100, "petaflop/second")
    return _Pass(
        to(q(touched, "byte") / speed, "second"),
        to(q(cache_bytes, "byte") / speed, "second"),
        to(q(2 * inputs.active * 1e9 * tokens, "flop") / power, "second"),
    )


def calculate(inputs: Inputs) -> Outputs:
    """Time of a batch = batch x prefill + output tokens x decode step. Raises InputError where it does not fit."""
    token = kv_bytes_per_token(inputs.layers, inputs.kv_heads, inputs.head_size, BYTES[inputs.kv_precision])
    weights = inputs.parameters * BYTES[inputs.precision]
    room = inputs.accelerators * inputs.memory * (1 - RESERVE) - weights
    request = token * (inputs.input_tokens + inputs.output_tokens) / 1e9
    if room < request:
        need = (weights + request) / (1 - RESERVE)
        raise InputError(
            "accelerators",
            f"{inputs.accelerators:,.0f} x {inputs.memory:,g} GB cannot hold the model and one request "
            f"({need:,.0f} GB): take more accelerators, a larger memory or a smaller precision",
        )
    most = math.floor(room / request)
    if inputs.batch > most:
        raise InputError("batch", f"{inputs.batch:,.0f} requests at once do not fit: at most {most:,} at this length")
    context = inputs.input_tokens + inputs.output_tokens / 2
    step = _pass(inputs, inputs.batch, token * context * inputs.batch)
    prefill = _pass(inputs, inputs.input_tokens, 0).seconds
    batch_time = inputs.batch * prefill + inputs.output_tokens * step.seconds
    rate = inputs.batch * inputs.output_tokens / batch_time / inputs.accelerators
    cost = token_cost(inputs.rent, rate, inputs.utilisation / 100)
    moved = (step.weights + step.cache) * inputs.bandwidth * inputs.bandwidth_used / 100 * 1e12 * inputs.accelerators
    return Outputs(
        cost=cost,
        throughput=rate,
        per_user=1 / step.seconds,
        first_token=prefill,
        memory_used=(weights + request * inputs.batch) / (1 - RESERVE),
        most_batch=most,
        kv_token=token / 1_000,
        ridge=inputs.peak * 1e15 / (inputs.bandwidth * 1e12),
        intensity=2 * inputs.active * 1e9 * inputs.batch / moved,
        parts=_parts(inputs, step, inputs.batch * prefill / batch_time, cost),
    )


def _parts(inputs: Inputs, step: _Pass, prefill_share: float, cost: float) -> tuple[Part, ...]:
    busy = cost * inputs.utilisation / 100
    decode = busy * (1 - prefill_share)
    if step.arithmetic > step.weights + step.cache:
        decoding = [Part("Decode: arithmetic", decode, "the batch is large enough to keep the arithmetic busy")]
    else:
        share = step.weights / (step.weights + step.cache)
        decoding = [
            Part("Decode: reading weights", decode * share, "read once a step for the whole batch"),
            Part("Decode: reading the KV cache", decode * (1 - share), "read once a step for every request"),
        ]
    return (
        Part("Prefill", busy * prefill_share, "arithmetic over the input tokens"),
        *decoding,
        Part("Idle time", cost - busy, "the hours without work"),
    )


CALCULATOR = calculator(calculate)
