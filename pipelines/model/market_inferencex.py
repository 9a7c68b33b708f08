"""Rows of InferenceX: one measured run of one model on one kind of accelerator with one stack and one load."""

from __future__ import annotations

import datetime as dt

from pipelines.frozen import frozen


@frozen
class InferencexRun:
    """One run as the benchmark's API gives it.

    Throughputs are tokens per second and GPU: `total` is all tokens over all GPUs; with `is_disaggregated` the input
    rate is per prefill GPU and the output rate per decode GPU, so the two do not add up to the total. Latencies are
    seconds, interactivity is tokens per second and user. `run_type` is 'single_turn' unless the row says otherwise.
    """

    stated_on: dt.date  # day of the run
    model: str  # display name, as asked for in the URL
    model_key: str
    hardware_raw: str
    framework: str
    image: str
    precision: str  # of the weights
    speculation: str  # 'none', 'mtp', ...
    run_type: str
    is_disaggregated: bool
    is_multinode: bool
    input_tokens: int | None
    output_tokens: int | None
    concurrency: int
    prefill_tensor_parallel: int | None
    prefill_expert_parallel: int | None
    prefill_workers: int | None
    prefill_gpus: int | None
    has_prefill_attention_parallel: bool | None
    decode_tensor_parallel: int | None
    decode_expert_parallel: int | None
    decode_workers: int | None
    decode_gpus: int | None
    has_decode_attention_parallel: bool | None
    total_tokens_per_s_per_gpu: float | None
    input_tokens_per_s_per_gpu: float | None
    output_tokens_per_s_per_gpu: float | None
    median_ttft_s: float | None
    p99_ttft_s: float | None
    median_tpot_s: float | None
    p99_tpot_s: float | None
    median_itl_s: float | None
    p99_itl_s: float | None
    median_e2e_s: float | None
    p99_e2e_s: float | None
    median_tokens_per_s_per_user: float | None
    p99_tokens_per_s_per_user: float | None
    gpu_power_w: float | None
    joules_per_output_token: float | None
    is_power_valid: bool | None
    run_url: str
    caveats: tuple[str, ...] = ()
