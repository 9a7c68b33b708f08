"""Scale up or scale out: what a model fits on, from one accelerator to a rack-scale domain, and the slowest hop."""

from __future__ import annotations

import math
from enum import StrEnum

from pipelines.frozen import frozen
from warehouse.calculators.base.model import DECLARED, Part, calculator, inputs, options
from warehouse.calculators.base.quantity import q, to
from warehouse.calculators.base.shapes import BYTES, kv_bytes_per_token

INFERENCE, TRAINING = options(__name__, "use")
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


@inputs
class Inputs:
    """A model with its traffic, and one machine."""

    parameters: float = DECLARED
    active: float = DECLARED
    use: str = DECLARED
    precision: str = DECLARED
    layers: float = DECLARED
    hidden: float = DECLARED
    kv_heads: float = DECLARED
    head_size: float = DECLARED
    context: float = DECLARED
    batch: float = DECLARED
    memory: float = DECLARED
    bandwidth: float = DECLARED
    domain: float = DECLARED
    scale_up: float = DECLARED
    scale_out: float = DECLARED
    reached: float = DECLARED


@frozen
class Outputs:
    """`parts` add up to `need`."""

    need: float
    domain_memory: float
    accelerators: float
    domains: float
    level: str
    slowest_hop: float
    advantage: float
    step: float
    talk: float
    exposed: float
    talk_out: float
    verdict: str
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


CALCULATOR = calculator(calculate)
