"""A whole round from its archive: rows, scores, and every odd thing named with its place while the rest is kept."""

from __future__ import annotations

import contextlib
import io
import json
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.model.mlperf import TrainingResult
from pipelines.parse.mlperf.common.rows import RoundRows
from pipelines.parse.mlperf.rounds import parse_round
from pipelines.problems import InputError, Problem, Reason
from pipelines.registry import load_registry
from tests import rounds

BERT = "Example/results/ex8/bert"


@dataclass(frozen=True)
class Named:
    accelerator_id: str


class Names:
    """Knows one accelerator."""

    def match(self, raw_name: str, system_name: str = "") -> Named:
        if raw_name in ("", "N/A"):
            return Named("none")
        return Named("h100" if "H100" in raw_name else "unknown")


def parse(
    members: dict[str, bytes] | bytes | None = None, top: str = "training_results_v9.9-main"
) -> RoundRows[TrainingResult]:
    data = members if isinstance(members, bytes) else rounds.archive(members, top=top)
    return parse_round(io.BytesIO(data), source_id="mlperf", names=Names(), rules=load_registry().mlperf)


def one(rows: RoundRows[TrainingResult]) -> TrainingResult:
    (result,) = rows.results
    return result


def found(rows: RoundRows[TrainingResult]) -> list[tuple[str, Reason]]:
    return [(problem.place, problem.reason) for problem in rows.problems]


def test_a_member_that_takes_too_much_is_named_and_the_rest_is_read() -> None:
    @contextlib.contextmanager
    def guard(place: str) -> Iterator[None]:
        yield
        if place.endswith("result_3.txt"):
            raise InputError(Reason.OVER_BUDGET, place, "reading it took more than 30 s")

    rows = parse_round(io.BytesIO(rounds.archive()), names=Names(), rules=load_registry().mlperf, guard=guard)
    assert len(rows.results) == 1
    assert (f"{BERT}/result_3.txt", Reason.OVER_BUDGET) in found(rows)


def test_a_usual_round_gives_a_row_and_nothing_odd() -> None:
    rows = parse()
    result = one(rows)
    assert (rows.suite, rows.round, rows.commit) == ("training", "v9.9", rounds.COMMIT)
    assert rows.committed_at == datetime.fromtimestamp(rounds.COMMITTED_AT, UTC)
    assert rows.problems == ()
    assert (result.score_minutes, result.raw_minutes, result.scaling_factor) == (14.5, 14.5, None)
    assert (result.n_runs, result.n_runs_required, result.n_not_converged) == (10, 10, 0)
    assert (result.accelerator, result.accelerators, result.nodes) == ("h100", 8, 1)
    assert (result.division, result.availability, result.submitter) == (
        "closed",
        "available on-premise",
        "Example Corp",
    )
    assert (result.member_dir, result.system_path) == (BERT, "Example/systems/ex8.json")
    assert result.member_paths == tuple(f"{BERT}/result_{i}.txt" for i in range(10))
    assert result.first_run_at == datetime.fromtimestamp(rounds.START_MS / 1000, UTC)
    assert result.global_batch_size == 256
    assert [system.has_results for system in rows.systems] == [True]


def test_the_scaling_factor_is_applied_or_the_score_withheld() -> None:
    path = f"{BERT}/scaling.json"
    scaled = one(parse(rounds.usual_members() | {path: b'{"scaling_factor": 1.5}'}))
    assert (scaled.scaling_factor, scaled.score_minutes, scaled.raw_minutes) == (1.5, 21.75, 14.5)
    assert scaled.member_paths[-1] == path
    for broken in (b"{", b'{"scaling_factor": "x"}', b'{"scaling_factor": 0}', b"[]"):
        rows = parse(rounds.usual_members() | {path: broken})
        assert (one(rows).score_minutes, one(rows).raw_minutes) == (None, 14.5)
        assert found(rows) == [(path, Reason.SCALING_UNREADABLE)]


def test_one_failed_run_counts_as_the_slowest_and_two_leave_no_score() -> None:
    members = rounds.usual_members() | {f"{BERT}/result_9.txt": rounds.log(1, status="aborted")}
    rows = parse(members)
    assert (one(rows).score_minutes, one(rows).n_not_converged) == (14.5, 1)
    assert found(rows) == [(f"{BERT}/result_9.txt", Reason.RUN_NOT_CONVERGED)]
    rows = parse(members | {f"{BERT}/result_8.txt": b"no log at all"})
    assert one(rows).score_minutes is None
    assert one(rows).problem == "log_unreadable; run_not_converged"


def test_a_malformed_line_drops_its_run() -> None:
    bad = rounds.log(18) + b':::MLLOG {"time_ms": 5, "key": "x", "value": nullLambdaorkspace, "metadata": {}}\n'
    rows = parse(rounds.usual_members() | {f"{BERT}/result_8.txt": bad})
    assert found(rows) == [(f"{BERT}/result_8.txt", Reason.LOG_LINE_MALFORMED)]
    assert one(rows).score_minutes == pytest.approx((11 + 12 + 13 + 14 + 15 + 16 + 17 + 99) / 8)


def test_an_unknown_benchmark_is_scored_by_the_general_rule_and_said() -> None:
    members = {"Example/systems/ex8.json": rounds.system()}
    rows = parse(members | rounds.results((5, 6, 7), "Example/results/ex8/new_model"))
    assert (one(rows).benchmark, one(rows).score_minutes, one(rows).n_runs_required) == ("new_model", 6, None)
    assert found(rows) == [("Example/results/ex8/new_model", Reason.BENCHMARK_UNKNOWN)]


def test_too_few_runs_are_said() -> None:
    members = {"Example/systems/ex8.json": rounds.system()} | rounds.results((5, 6, 7), BERT)
    assert one(parse(members)).problem == "too_few_runs"


def test_a_result_without_a_system_keeps_its_row() -> None:
    members = rounds.usual_members()
    del members["Example/systems/ex8.json"]
    rows = parse(members)
    result = one(rows)
    assert found(rows) == [(BERT, Reason.SYSTEM_MISSING)]
    assert (result.score_minutes, result.submitter, result.division) == (14.5, "Example", "unknown")
    assert (result.accelerator, result.accelerators, result.system_path) == ("unknown", 0, "")


def test_a_broken_description_leaves_its_results_and_its_text() -> None:
    rows = parse(rounds.usual_members() | {"Example/systems/ex8.json": b'{"submitter": "Exa'})
    assert [reason for _, reason in found(rows)] == [Reason.SYSTEM_UNREADABLE] * 2
    assert one(rows).score_minutes == 14.5
    assert rows.systems[0].raw_json == '{"submitter": "Exa'


def test_a_system_without_results_is_said() -> None:
    rows = parse(rounds.usual_members() | {"Example/systems/spare.json": rounds.system()})
    assert found(rows) == [("Example/systems/spare.json", Reason.SYSTEM_WITHOUT_RESULTS)]
    assert [system.has_results for system in rows.systems] == [True, False]


def test_unknown_keys_and_accelerators_are_said_once_a_round() -> None:
    odd = rounds.system(accelerator_model_name="Mystery 9000", disks="12")
    members = rounds.usual_members() | {"Example/systems/ex8.json": odd, "Example/systems/other.json": odd}
    details = {p.reason: p.detail for p in parse(members).problems}
    assert details[Reason.ACCELERATOR_UNKNOWN] == "'Mystery 9000' in 2 descriptions is not in the registry"
    assert details[Reason.KEY_UNKNOWN] == "'disks' in 2 descriptions; kept in raw_json"


def test_accelerators_without_a_name_are_unknown_not_none() -> None:
    members = rounds.usual_members() | {"Example/systems/ex8.json": rounds.system(accelerator_model_name="")}
    assert one(parse(members)).accelerator == "unknown"


def test_logs_submitted_twice_are_said() -> None:
    again = {path.replace("ex8", "copy"): data for path, data in rounds.usual_members().items()}
    rows = parse(rounds.usual_members() | again)
    (copy, original) = rows.results
    assert (copy.member_dir, copy.problem) == ("Example/results/copy/bert", "")
    assert (original.problem, original.score_minutes) == ("row_duplicated", 14.5)


def test_a_member_given_twice_is_said_and_the_first_kept() -> None:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as tar:
        entries = [*rounds.usual_members().items(), (f"{BERT}/result_0.txt", rounds.log(1))]
        for name, data in entries:
            entry = tarfile.TarInfo(f"training_results_v9.9-main/{name}")
            entry.size = len(data)
            tar.addfile(entry, io.BytesIO(data))
    rows = parse(buffer.getvalue())
    assert found(rows) == [(f"{BERT}/result_0.txt", Reason.ROW_DUPLICATED)]
    assert one(rows).score_minutes == 14.5


def test_misplaced_logs_are_said() -> None:
    rows = parse(
        rounds.usual_members()
        | {
            f"{BERT}/copy/result_0.txt": rounds.log(1),
            "Example/results/ex8/result_1.txt": rounds.log(2),
            "Example/results/ex8/resnet/run_1.log": rounds.log(3),
        }
    )
    by_dir = {result.member_dir: result for result in rows.results}
    assert set(by_dir) == {BERT, "Example/results/ex8", "Example/results/ex8/resnet"}
    assert by_dir["Example/results/ex8"].benchmark == "bert"
    assert {by_dir[place].score_minutes for place in by_dir if place != BERT} == {None}
    assert (f"{BERT}/copy", Reason.MEMBER_LAYOUT_UNKNOWN) in found(rows)


def test_weak_scaling_counts_models_and_instances() -> None:
    sizes = "".join(
        f':::MLLOG {{"time_ms": 1, "key": "{key}", "value": {value}, "metadata": {{}}}}\n'
        for key, value in (("number_of_nodes", 4), ("accelerators_per_node", 8))
    ).encode()
    logs = rounds.results((1, 2, 3, 4, 5), "Example/results/ex8/weak/deepcam")
    members = {"Example/systems/ex8.json": rounds.system()} | {path: sizes + log for path, log in logs.items()}
    result = one(parse(members, top="hpc_results_v3.0-main"))
    assert (result.table, result.score_minutes, result.n_models, result.instance_scale) == ("weak", 5, 5, 32)
    assert result.problem == ""


def test_a_round_of_the_first_form() -> None:
    where = "v0.5.0/org/sub"
    entry = {"division": "closed", "status": "cloud", "hardware": "Box", "framework": "F",
             "nodes": [{"num_nodes": 2, "num_accelerators": 8, "accelerator": "H100", "cpu": "Xeon"}]}  # fmt: skip
    log = ":::MLPv0.5.0 resnet 1541732000 (a.py:1) run_start\n:::MLPv0.5.0 resnet {} (a.py:2) run_stop: {}\n"
    members = {f"{where}/submission.json": b'{"org": "Org Inc."}',
               f"{where}/results/box/entry.json": json.dumps(entry).encode()}  # fmt: skip
    for i in range(5):
        stop = log.format(1541732000 + 60 * (i + 1), '{"success": true}')
        members[f"{where}/results/box/resnet/result_{i}.txt"] = stop.encode()
    result = one(parse(members, top="training_results_v0.5-master"))
    assert (result.score_minutes, result.submitter, result.accelerators) == (3, "Org Inc.", 16)
    assert (result.submitter_dir, result.availability) == ("org/sub", "available cloud")


def test_power_gives_energy() -> None:
    power = "".join(
        f':::MLLOG {{"time_ms": {at}, "key": "{key}", "value": {value}, "metadata": ""}}\n'
        for at, key, value in ((0, "power_measurement_start", "null"), (10, "power_reading", 1000),
                               (10, "power_measurement_stop", "null"))
    ).encode()  # fmt: skip
    logs = {f"{BERT}/power/result_{i}/node_0.txt": power for i in range(10)}
    result = one(parse(rounds.usual_members() | logs))
    assert result.energy_j == pytest.approx(1000 * 14.5 * 60)
    assert f"{BERT}/power/result_0/node_0.txt" in result.member_paths
    del logs[f"{BERT}/power/result_3/node_0.txt"]
    rows = parse(rounds.usual_members() | logs)
    assert (one(rows).energy_j, one(rows).score_minutes) == (None, 14.5)
    assert found(rows) == [(BERT, Reason.POWER_UNREADABLE)]


def test_links_in_code_are_one_problem_and_one_in_the_results_is_named() -> None:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as tar:
        for name in ("E/benchmarks/a", "E/benchmarks/b", "E/results/x/bert/result_0.txt"):
            entry = tarfile.TarInfo(f"training_results_v9.9/{name}")
            entry.type, entry.linkname = tarfile.SYMTYPE, "/etc/passwd"
            tar.addfile(entry)
        entry = tarfile.TarInfo("training_results_v9.9/README.md")
        tar.addfile(entry)
    rows = parse(buffer.getvalue())
    refused = [problem for problem in rows.problems if problem.reason is Reason.MEMBER_REFUSED]
    assert sorted(problem.place for problem in refused) == [
        "training_results_v9.9/E/benchmarks/a",
        "training_results_v9.9/E/results/x/bert/result_0.txt",
    ]
    assert any(problem.detail.startswith("2 symbolic links") for problem in refused)


@pytest.mark.parametrize("top", ["some_project-main", "training_results-main", "training_results_v5.0.1-main"])
def test_another_archive_is_refused_by_name(top: str) -> None:
    with pytest.raises(InputError, match="round_unknown"):
        parse({"a/systems/b.json": b"{}"}, top=top)


def test_a_round_without_results_is_said() -> None:
    rows = parse({"README.md": b"nothing"})
    assert rows.results == ()
    (problem,) = rows.problems
    assert problem == Problem(
        "mlperf", "training-v9.9", "", Reason.ROUND_WITHOUT_RESULTS, "not one result in the whole archive", True
    )


@given(st.integers(0, 3000))
@settings(max_examples=60, deadline=None)
def test_a_cut_round_never_gives_a_wrong_score(length: int) -> None:
    members = rounds.usual_members() | rounds.results(rounds.TEN_RUNS[::-1], "Example/results/ex8/gnmt")
    content = rounds.archive(members)
    with contextlib.suppress(InputError):  # cut before the first entry: refused as a whole
        rows = parse(content[: length % len(content)])
        assert {result.score_minutes for result in rows.results} <= {14.5, None}
        assert Reason.ARCHIVE_TRUNCATED in {problem.reason for problem in rows.problems}


def test_a_log_larger_than_a_piece_is_read_whole() -> None:
    noise = b"step 1 of many, loss 0.5\n" * 400_000  # 10 MB, the pieces are of 4 MiB
    start, _, stop = rounds.log(12.0).rpartition(b":::MLLOG")
    members = rounds.usual_members() | {f"{BERT}/result_2.txt": start + noise + b":::MLLOG" + stop}
    assert one(parse(members)).score_minutes == 14.5
    members[f"{BERT}/result_2.txt"] = start + noise + b":::MLLOG broken\n" + noise + b":::MLLOG" + stop
    assert one(parse(members)).problem == "log_line_malformed"
