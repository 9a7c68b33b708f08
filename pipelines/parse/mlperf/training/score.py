"""The official score of a result from its runs: which runs count, the olympic mean, weak scaling. Reads no files."""

from __future__ import annotations

from collections.abc import Sequence

from pipelines.frozen import frozen
from pipelines.parse.mlperf.common.kind import RoundKind
from pipelines.parse.mlperf.training import rules
from pipelines.parse.mlperf.training.mllog import RunLog
from pipelines.problems import Reason

MS_PER_MINUTE = 60_000.0


@frozen
class Verdict:
    """What a run is worth: its minutes, or the reason why it does not count."""

    minutes: float | None
    reason: Reason | None = None
    detail: str = ""


@frozen
class WeakScore:
    """Weak scaling: minutes from the first start to the last stop of the runs that count, and how many those are."""

    minutes: float | None
    models: int


def judge(run: RunLog, kind: RoundKind) -> Verdict:
    """Whether a run counts, by the rules that MLCommons' tool applies; first reason found.

    A run counts when its log is well formed, it has a start and a stop, its stop says success and its initialisation
    kept within the limit.
    """
    if not run.format:
        return Verdict(None, Reason.LOG_UNREADABLE, "no line of a known MLPerf log format")
    if run.malformed:
        return Verdict(
            None, Reason.LOG_LINE_MALFORMED, f"{run.malformed} malformed log lines; first: {run.malformed_line}"
        )
    if run.start_ms is None or run.stop_ms is None:
        missing = " and ".join(
            name for name, at in (("run_start", run.start_ms), ("run_stop", run.stop_ms)) if at is None
        )
        return Verdict(None, Reason.LOG_WITHOUT_STOP, f"no {missing}")
    if run.status != "success":
        stated = "states no status" if run.status is None else f"says {run.status!r}"
        return Verdict(None, Reason.RUN_NOT_CONVERGED, f"run_stop {stated}")
    limit = rules.init_limit_ms(kind, run.division)
    if limit is not None and run.init_ms is not None and run.init_ms >= limit:
        detail = f"initialisation took {run.init_ms / MS_PER_MINUTE:.2f} minutes of {limit / MS_PER_MINUTE:g} allowed"
        return Verdict(None, Reason.RUN_REJECTED, detail)
    minutes = (run.stop_ms - run.start_ms) / MS_PER_MINUTE
    if minutes <= 0:
        return Verdict(None, Reason.RUN_REJECTED, "run_stop is not after run_start")
    return Verdict(minutes)


def olympic_mean(values: Sequence[float], *, dropped: int, trim: int) -> float | None:
    """The mean without the `trim` first and last of the ordered values.

    `dropped` runs failed already and count as the last ones. None where more failed than may, or nothing is left.
    """
    if dropped > trim:
        return None
    counted = values[trim : len(values) - (trim - dropped)]
    return sum(counted) / len(counted) if counted else None


def strong_minutes(minutes: Sequence[float], *, dropped: int, trim: int) -> float | None:
    """The official mean of the runs that count, before the scaling factor."""
    return olympic_mean(sorted(minutes), dropped=dropped, trim=trim)


def strong_energy(pairs: Sequence[tuple[float, float]], *, dropped: int, trim: int) -> float | None:
    """The energy of a result from (minutes, joules) of its runs: the runs are ordered by time, not by energy."""
    joules = [energy for _, energy in sorted(pairs, key=lambda pair: pair[0])]
    return olympic_mean(joules, dropped=dropped, trim=trim)


def weak_score(runs: Sequence[RunLog], required: int | None) -> WeakScore:
    """Time to train all models; no score with fewer models than required. `runs` are those that count."""
    starts = [run.start_ms for run in runs if run.start_ms is not None]
    stops = [run.stop_ms for run in runs if run.stop_ms is not None]
    if not starts or not stops or len(runs) < (required or 1):
        return WeakScore(None, len(runs))
    return WeakScore((max(stops) - min(starts)) / MS_PER_MINUTE, len(runs))
