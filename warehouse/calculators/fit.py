"""Scale up or scale out: what a model fits on, from one accelerator to a rack-scale domain, and the slowest hop."""

from __future__ import annotations

import math
from enum import StrEnum

from pipelines.frozen import frozen
from warehouse.calculators.base.model import Calculator, Part, Reference, choice, cited, figure, number
from warehouse.calculators.base.quantity import q, to
from warehouse.calculators.base.shapes import BYTES, kv_bytes_per_token

LLAMA = "https://arxiv.org/abs/2407.21783"
_SHAPE = cited("Llama 3.1 405B", LLAMA, "2024-07-31", "operator")
INFERENCE, TRAINING = "inference", "training (Adam)"
TRAINING_BYTES = 16.0  # a parameter: bf16 weight and gradient, fp32 weight and two moments (mixed-precision Adam)
RESERVE = 0.10
NODE = 8
LIMIT = 0.15  # exposed communication above this share of a step calls for the larger domain


class Level(StrEnum):
    """What holds the model, from the nearest to the farthest."""

    ACCELERATOR = "one accelerator"
    NODE = "one 8-way node"
    DOMAIN = "one scale-up domain"
    OUT = "several domains over the scale-out network"


@frozen(kw_only=True)
class Inputs:
    """A model with its traffic, and one machine."""

    parameters: float = number("Parameters", "billion", 405, 0.01, 100_000, origin=_SHAPE, help="all experts")
    active: float = number("Active parameters a token", "billion", 405, 0.01, 100_000, origin=_SHAPE)
    use: str = choice("For", (INFERENCE, TRAINING))
    precision: str = choice("Precision of weights", ("bf16", "fp8", "fp4"))
    layers: float = number("Layers", "count", 126, 1, 1_000, whole=True, origin=_SHAPE)
    hidden: float = number("Hidden size", "count", 16_384, 1, 1_000_000, whole=True, origin=_SHAPE)
    kv_heads: float = number("Key-value heads", "count", 8, 1, 1_024, whole=True, origin=_SHAPE)
    head_size: float = number("Size of a head", "count", 128, 1, 4_096, whole=True, origin=_SHAPE)
    context: float = number("Context", "tokens", 8_000, 1, 100_000_000, whole=True, between=(1_000, 128_000))
    batch: float = number("Requests at once", "count", 16, 1, 1_000_000, whole=True, between=(1, 64))
    memory: float = number("Memory of an accelerator", "GB", 80, 1, 100_000, cell="memory", help="usable")
    bandwidth: float = number("Memory bandwidth", "TB/s", 3.35, 0.01, 10_000, cell="memory_bandwidth")
    domain: float = number("Accelerators of a scale-up domain", "count", 8, 1, 100_000, whole=True, cell="domain")
    scale_up: float = number(
        "Scale-up bandwidth", "GB/s", 450, 0.1, 100_000, cell="scale_up", help="one way, per accelerator"
    )
    scale_out: float = number(
        "Scale-out bandwidth", "Gb/s", 400, 0.1, 100_000, cell="scale_out", help="one way, per accelerator"
    )
    reached: float = number("Bandwidth reached", "%", 70, 1, 100, between=(50, 90), help="of links and memory")


@frozen
class Outputs:
    """`parts` add up to `need`."""

    need: float = figure("Memory needed", "TB")
    domain_memory: float = figure("Memory of a domain", "TB")
    accelerators: float = figure("Accelerators for it", "count")
    domains: float = figure("Domains for it", "count")
    level: str = figure("Fits", "")
    slowest_hop: float = figure("Slowest hop", "GB/s", help="one way, per accelerator")
    advantage: float = figure("Scale-up over scale-out", "ratio", help="bandwidth one way")
    step: float = figure("A step's reading of memory", "ms")
    talk: float = figure("A step's communication", "ms", help="two all-reduces a layer over the slowest hop")
    exposed: float = figure("Communication in a step", "%")
    talk_out: float = figure("The same over the scale-out network", "%")
    verdict: str = figure("Verdict", "")
    parts: tuple[Part, ...] = ()


def memory_need(inputs: Inputs) -> tuple[float, float, float]:
    """Bytes of weights (or training state), of the KV cache, and of the reserve of ten percent."""
    if inputs.use == TRAINING:
        state, cache = inputs.parameters * 1e9 * TRAINING_BYTES, 0.0
    else:
        state = inputs.parameters * 1e9 * BYTES[inputs.precision]
        token = kv_bytes_per_token(inputs.layers, inputs.kv_heads, inputs.head_size, BYTES[inputs.precision])
        cache = token * inputs.context * inputs.batch
    return state, cache, RESERVE * (state + cache)


def all_reduce_seconds(size: float, members: float, bandwidth: float) -> float:
    """A ring all-reduce of so many bytes over members with so many bytes a second one way: 2 (n - 1) / n x size / B."""
    return 0.0 if members <= 1 else 2 * (members - 1) / members * size / bandwidth


def level_of(accelerators: int, domain: int) -> Level:
    """What so many accelerators make up in a machine whose scale-up domain has `domain` of them."""
    if accelerators <= 1:
        return Level.ACCELERATOR
    if accelerators <= min(NODE, domain):
        return Level.NODE
    return Level.DOMAIN if accelerators <= domain else Level.OUT


def calculate(inputs: Inputs) -> Outputs:
    """Accelerators = ceil(need / memory); the slowest hop is the scale-out network where one domain is too small."""
    state, cache, reserve = memory_need(inputs)
    need = state + cache + reserve
    members = max(1, math.ceil(need / (inputs.memory * 1e9) - 1e-9))
    domain = int(inputs.domain)
    level = level_of(members, domain)
    up = inputs.scale_up
    out = to(q(inputs.scale_out, "gigabit/second"), "gigabyte/second")
    hop = {Level.ACCELERATOR: inputs.bandwidth * 1_000, Level.OUT: out}.get(level, up)
    reached = inputs.reached / 100
    touched = min(inputs.parameters, inputs.active * inputs.batch) * 1e9 * BYTES[inputs.precision]
    read = (touched + cache) / (members * inputs.bandwidth * 1e12 * reached)
    message = inputs.batch * inputs.hidden * 2.0  # activations travel as bf16
    rounds = 2 * inputs.layers
    talk = rounds * all_reduce_seconds(message, members, hop * 1e9 * reached)
    talk_out = rounds * all_reduce_seconds(message, members, out * 1e9 * reached)
    return Outputs(
        need=need / 1e12,
        domain_memory=inputs.memory * domain / 1_000,
        accelerators=members,
        domains=math.ceil(members / domain),
        level=level.value,
        slowest_hop=hop,
        advantage=up / out,
        step=read * 1_000,
        talk=talk * 1_000,
        exposed=100 * talk / (talk + read),
        talk_out=100 * talk_out / (talk_out + read),
        verdict=_verdict(level, talk_out / (talk_out + read)),
        parts=(
            _state_part(inputs, state),
            Part("KV cache", cache / 1e12, "2 x layers x kv heads x head size x bytes x context x requests"),
            Part("Reserve", reserve / 1e12, "ten percent for activations and buffers"),
        ),
    )


def _state_part(inputs: Inputs, state: float) -> Part:
    if inputs.use == TRAINING:
        return Part("Weights, gradients, optimiser", state / 1e12, f"{TRAINING_BYTES:g} bytes a parameter")
    return Part("Weights", state / 1e12, f"{BYTES[inputs.precision]:g} bytes a parameter")


def _verdict(level: Level, exposed_outside: float) -> str:
    if level is Level.ACCELERATOR:
        return "One accelerator holds it: neither scale-up nor scale-out is needed for one copy."
    if level is Level.OUT:
        return (
            "It does not fit this machine's scale-up domain: every step crosses the scale-out network. A larger "
            "domain, a smaller precision or a split by layers instead of within them would change that."
        )
    if exposed_outside > LIMIT:
        return (
            f"Scale up: the same traffic over the scale-out network would be {exposed_outside:.0%} of a step, "
            f"more than the {LIMIT:.0%} taken as the limit."
        )
    return f"It fits, and scale-out would do: the traffic would be {exposed_outside:.0%} of a step."


CALCULATOR = Calculator(
    calculate, "Scale-up or scale-out fit", "Does a model fit, and what is the slowest hop?",
    headline="need",
    formula=(
        "need = parameters x bytes + KV cache + 10 % (training: 16 bytes a parameter with mixed-precision Adam)",
        "accelerators = ceil(need / memory); one node is 8, a domain is what the machine's maker built",
        "all-reduce = 2 (n - 1) / n x bytes / (bandwidth one way x reached), two a layer and step",
        "scale up when it fits a domain and the traffic over the scale-out network would exceed 15 % of a step",
    ),
    sources=(
        Reference("Rajbhandari et al. 2019, ZeRO (16 bytes a parameter)", "https://arxiv.org/abs/1910.02054"),
        Reference("Shoeybi et al. 2019, Megatron-LM (two all-reduces a layer)", "https://arxiv.org/abs/1909.08053"),
    ),
    lesson="nvl72",
    machine="h100-nvl8",
    notes=("The 15 % limit is an assumption; communication that overlaps with computing is not exposed.",),
)  # fmt: skip
