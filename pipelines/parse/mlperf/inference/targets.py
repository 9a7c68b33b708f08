"""The accuracy that a closed result must reach, by benchmark and round. The table is the data; nothing is computed.

Source: `submission_checker` of MLCommons' inference repository, `accuracy-target` of each round's model configuration
(tag v4.0 for rounds up to v4.0, c7db1c3f for v4.1, b66003e1 later). A benchmark's target suffix (-99, -99.9) is part
of its name.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class Target(NamedTuple):
    """One metric and the least value it must have."""

    metric: str
    least: float


_Since = tuple[tuple[int, int], tuple[Target, ...]]


def _since(major: int, minor: int, *pairs: tuple[str, float]) -> _Since:
    return (major, minor), tuple(Target(metric, least) for metric, least in pairs)


TARGETS: Final[dict[str, tuple[_Since, ...]]] = {
    "mobilenet": (_since(0, 5, ("acc", 70.2464)),),
    "resnet": (_since(0, 5, ("acc", 75.6954)),),
    "ssd-small": (_since(0, 5, ("mAP", 21.78)),),
    "ssd-large": (_since(0, 5, ("mAP", 19.8)),),
    "gnmt": (_since(0, 5, ("bleu", 23.661)),),
    "rnnt": (_since(0, 7, ("WER", 91.62252)),),
    "bert-99": (_since(0, 7, ("F1", 89.96526)),),
    "bert-99.9": (_since(0, 7, ("F1", 90.783126)),),
    "dlrm-99": (_since(0, 7, ("AUC", 79.4475)),),
    "dlrm-99.9": (_since(0, 7, ("AUC", 80.16975)),),
    "3d-unet-99": (
        _since(0, 7, ("DICE", 0.84447)), _since(2, 0, ("DICE", 0.8546769)), _since(2, 1, ("DICE", 0.853083)),
    ),
    "3d-unet-99.9": (
        _since(0, 7, ("DICE", 0.852147)), _since(2, 0, ("DICE", 0.86244669)), _since(2, 1, ("DICE", 0.8608383)),
    ),
    "retinanet": (_since(2, 1, ("mAP", 37.1745)),),
    "dlrm-v2-99": (_since(3, 1, ("AUC", 79.5069)),),
    "dlrm-v2-99.9": (_since(3, 1, ("AUC", 80.22969)),),
    "gptj-99": (_since(3, 1, ("ROUGE1", 42.556635), ("ROUGE2", 19.922265), ("ROUGEL", 29.688219)),),
    "gptj-99.9": (_since(3, 1, ("ROUGE1", 42.9435135), ("ROUGE2", 20.1033765), ("ROUGEL", 29.9581119)),),
    "gpt3-99": (_since(3, 1, ("ROUGE1", 42.556635), ("ROUGE2", 19.922265), ("ROUGEL", 29.688219)),),
    "gpt3-99.9": (_since(3, 1, ("ROUGE1", 42.9435135), ("ROUGE2", 20.1033765), ("ROUGEL", 29.9581119)),),
    "llama2-70b-99": (_since(4, 0, ("ROUGE1", 43.986888), ("ROUGE2", 21.814848), ("ROUGEL", 28.330038)),),
    "llama2-70b-99.9": (_since(4, 0, ("ROUGE1", 44.3867688), ("ROUGE2", 22.0131648), ("ROUGEL", 28.5875838)),),
    "llama2-70b-interactive-99": (
        _since(5, 0, ("ROUGE1", 43.986888), ("ROUGE2", 21.814848), ("ROUGEL", 28.330038)),
    ),
    "llama2-70b-interactive-99.9": (
        _since(5, 0, ("ROUGE1", 44.3867688), ("ROUGE2", 22.0131648), ("ROUGEL", 28.5875838)),
    ),
    "stable-diffusion-xl": (_since(4, 0, ("CLIP_SCORE", 31.68631873)),),
    "mixtral-8x7b": (
        _since(4, 1, ("ROUGE1", 45.036189), ("ROUGE2", 23.050071), ("ROUGEL", 30.057885),
               ("gsm8k_accuracy", 73.0422), ("mbxp_accuracy", 59.5188)),
        _since(5, 0, ("ROUGE1", 45.142911), ("ROUGE2", 23.119074), ("ROUGEL", 30.156192),
               ("gsm8k_accuracy", 72.9234), ("mbxp_accuracy", 59.5584)),
    ),
    "llama3.1-405b": (_since(5, 0, ("ROUGEL", 21.449934), ("exact_match", 89.232165)),),
    "rgat": (_since(5, 0, ("acc", 0.721314)),),
    "pointpainting": (_since(5, 0, ("mAP", 0.5419575)),),
    "llama3.1-8b": (
        _since(5, 1, ("ROUGE1", 38.391408), ("ROUGE2", 15.748425), ("ROUGEL", 24.250743), ("ROUGELSUM", 35.43507)),
    ),
    "llama3.1-8b-edge": (
        _since(5, 1, ("ROUGE1", 38.6694), ("ROUGE2", 15.953553), ("ROUGEL", 24.391125), ("ROUGELSUM", 35.76276)),
    ),
    "deepseek-r1": (_since(5, 1, ("exact_match", 80.544618)),),
    "whisper": (_since(5, 1, ("ACCURACY", 96.953571)),),
    "gpt-oss-120b": (_since(6, 0, ("exact_match", 82.2987)),),
    "qwen3-vl-235b-a22b": (_since(6, 0, ("F1_HIERARCHICAL", 0.782397)),),  # 0.779922 for Interactive
    "dlrm-v3": (_since(6, 0, ("DLRM_ACC", 0.69581349), ("DLRM_AUC", 0.78584337)),),
    "yolo-95": (_since(6, 0, ("mAP", 50.73)),),
    "yolo-99": (_since(6, 0, ("mAP", 52.866)),),
    "wan-2.2-t2v-a14b": (_since(6, 0, ("vbench_score", 69.7752)),),
    "e2e-rag-qna": (_since(6, 1, ("E2E_ACCURACY", 33.95)),),
    "e2e-rag-db": (_since(6, 1, ("E2E_ACCURACY", 98.0)),),
    "qwen3.6-27b": (_since(6, 1, ("mAP", 85.3677)),),
}  # fmt: skip
_VLM_INTERACTIVE: Final = (Target("F1_HIERARCHICAL", 0.779922),)


def targets_of(benchmark: str, version: tuple[int, int], scenario: str = "") -> tuple[Target, ...]:
    """What a benchmark must reach in a round; nothing for one that stands in no table of that round."""
    if benchmark == "qwen3-vl-235b-a22b" and scenario == "Interactive":
        return _VLM_INTERACTIVE
    found: tuple[Target, ...] = ()
    for since, targets in TARGETS.get(benchmark, ()):
        if since <= version:
            found = targets
    return found
