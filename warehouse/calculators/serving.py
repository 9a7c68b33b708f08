"""What a million output tokens cost to serve, by a roofline of prefill and decode on one instance."""

from __future__ import annotations

import math

from pipelines.frozen import frozen
from warehouse.calculators.base.engine import InputError
from warehouse.calculators.base.model import Calculator, Part, Reference, choice, cited, figure, number
from warehouse.calculators.base.quantity import q, to
from warehouse.calculators.base.shapes import BYTES, kv_bytes_per_token

LLAMA = "https://arxiv.org/abs/2407.21783"
RESERVE = 0.10  # of the memory, for activations and buffers
_SHAPE = cited("Llama 3.1 405B", LLAMA, "2024-07-31", "operator")


@frozen(kw_only=True)
class Inputs:
    """A model, its traffic, and one instance: the accelerators that hold it together."""

    parameters: float = number("Parameters", "billion", 405, 0.01, 100_000, origin=_SHAPE, help="all experts")
    active: float = number("Active parameters a token", "billion", 405, 0.01, 100_000, origin=_SHAPE)
    precision: str = choice("Precision of weights", ("fp8", "fp4", "bf16"))
    kv_precision: str = choice("Precision of the KV cache", ("fp8", "bf16", "fp4"))
    layers: float = number("Layers", "count", 126, 1, 1_000, whole=True, origin=_SHAPE)
    kv_heads: float = number("Key-value heads", "count", 8, 1, 1_024, whole=True, origin=_SHAPE)
    head_size: float = number("Size of a head", "count", 128, 1, 4_096, whole=True, origin=_SHAPE)
    input_tokens: float = number("Input tokens a request", "count", 2_000, 1, 10_000_000, whole=True)
    output_tokens: float = number("Output tokens a request", "count", 500, 1, 1_000_000, whole=True)
    batch: float = number("Requests at once", "count", 64, 1, 100_000, between=(16, 128), whole=True)
    accelerators: float = number("Accelerators of the instance", "count", 8, 1, 10_000, whole=True)
    memory: float = number("Memory", "GB", 80, 1, 100_000, cell="memory", help="of one accelerator, usable")
    bandwidth: float = number(
        "Memory bandwidth", "TB/s", 3.35, 0.01, 10_000, cell="memory_bandwidth", help="of one accelerator"
    )
    peak: float = number("Peak, dense", "PFLOP/s", 1.979, 0.0001, 1_000, cell="compute", help="of one accelerator")
    bandwidth_used: float = number("Bandwidth reached", "%", 60, 1, 100, between=(45, 75))
    peak_used: float = number("Peak reached", "%", 45, 1, 100, between=(30, 60))
    utilisation: float = number("Utilisation", "%", 60, 1, 100, between=(30, 85), help="time with work of all time")
    rent: float = number("Price of an hour", "USD/hour", 1.30, 0.001, 1_000, cell="rent", help="per accelerator")


@frozen
class Outputs:
    """Of one instance; `parts` add up to `cost`."""

    cost: float = figure("A million output tokens", "USD", help="the request's input is paid with its output")
    throughput: float = figure("Output tokens an accelerator", "tokens/s", help="while there is work")
    per_user: float = figure("Output tokens a user", "tokens/s", help="during decode")
    first_token: float = figure("Prefill of a request", "second", help="alone on the instance, without waiting")
    memory_used: float = figure("Memory needed", "GB", help="weights, KV cache of the batch, reserve")
    most_batch: float = figure("Most requests at once", "count", help="that fit the memory at full length")
    kv_token: float = figure("KV cache of a token", "kB")
    ridge: float = figure("Ridge of the roofline", "FLOP/byte", help="below it memory bandwidth is the limit")
    intensity: float = figure("Decode's intensity", "FLOP/byte")
    parts: tuple[Part, ...] = ()


def token_cost(rate: float, tokens_per_second: float, utilisation: float = 1.0) -> float:
    """USD a million tokens of an accelerator at USD per hour, tokens a second and a utilisation (a fraction)."""
    return to(q(rate, "USD/hour") / (q(tokens_per_second, "token/second") * utilisation), "USD/token") * 1e6


@frozen
class _Step:
    """One decode step of the batch: seconds for weights, KV cache and arithmetic, and the longer of both sides."""

    weights: float
    cache: float
    arithmetic: float

    @property
    def seconds(self) -> float:
        return max(self.weights + self.cache, self.arithmetic)


def _step(inputs: Inputs, cache_bytes: float) -> _Step:
    """A step reads the weights in use once and each request's cache once; a larger batch touches more experts."""
    touched = min(inputs.parameters, inputs.active * inputs.batch) * 1e9 * BYTES[inputs.precision]
    speed = q(inputs.accelerators * inputs.bandwidth * inputs.bandwidth_used / 100, "terabyte/second")
    power = q(inputs.accelerators * inputs.peak * inputs.peak_used / 100, "petaflop/second")
    return _Step(
        to(q(touched, "byte") / speed, "second"),
        to(q(cache_bytes, "byte") / speed, "second"),
        to(q(2 * inputs.active * 1e9 * inputs.batch, "flop") / power, "second"),
    )


def _prefill(inputs: Inputs) -> float:
    """Seconds of one request's input: arithmetic, or one reading of the weights if that takes longer."""
    power = q(inputs.accelerators * inputs.peak * inputs.peak_used / 100, "petaflop/second")
    speed = q(inputs.accelerators * inputs.bandwidth * inputs.bandwidth_used / 100, "terabyte/second")
    arithmetic = to(q(2 * inputs.active * 1e9 * inputs.input_tokens, "flop") / power, "second")
    touched = min(inputs.parameters, inputs.active * inputs.input_tokens) * 1e9 * BYTES[inputs.precision]
    return max(arithmetic, to(q(touched, "byte") / speed, "second"))


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
    step, prefill = _step(inputs, token * context * inputs.batch), _prefill(inputs)
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


def _parts(inputs: Inputs, step: _Step, prefill_share: float, cost: float) -> tuple[Part, ...]:
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


CALCULATOR = Calculator(
    calculate, "Serving cost", "What does a million output tokens cost?",
    headline="cost",
    formula=(
        "KV cache of a token = 2 x layers x kv heads x head size x bytes",
        "decode step = max((weights read + KV cache read) / bandwidth reached, 2 x active x batch / peak reached)",
        "prefill = 2 x active x input tokens / peak reached",
        "tokens/s = batch x output / (batch x prefill + output x step); cost = price / (tokens/s x utilisation)",
    ),
    sources=(
        Reference("Williams et al. 2009, Roofline", "https://doi.org/10.1145/1498765.1498785"),
        Reference("Pope et al. 2022, Efficiently scaling transformer inference", "https://arxiv.org/abs/2211.05102"),
    ),
    lesson="serving-cost",
    machine="h100-nvl8",
    notes=(
        "An estimate from specifications, without scheduling, network, attention arithmetic or speculative decoding.",
        "The MLPerf figure beside it is a reviewed result of its own rules and is not divided by this one.",
    ),
)  # fmt: skip
