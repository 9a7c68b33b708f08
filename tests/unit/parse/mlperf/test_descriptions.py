"""System descriptions in their three forms, with the mistakes that submitters make; where members stand."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.parse.mlperf.common.kind import MemberPlace, RoundKind
from pipelines.parse.mlperf.common.system import Description, as_count, is_one_edit_apart, read_object, unquoted
from pipelines.parse.mlperf.training import system
from pipelines.parse.mlperf.training.layout import Role, place_of
from pipelines.parse.mlperf.training.result import TRAINING
from pipelines.problems import Reason
from pipelines.registry import load_registry
from tests import rounds


def read_description(data: bytes, org: str = "") -> Description:
    return system.read_description(data, RoundKind("training", "v5.0"), load_registry().mlperf, org=org)


def reasons(data: bytes) -> list[Reason]:
    return [reason for reason, _ in read_description(data).notes]


def test_a_usual_description_is_typed_and_kept_whole() -> None:
    data = rounds.system(number_of_nodes="4", status="Available cloud", division="Closed")
    found = read_description(data)
    assert (found.row.nodes, found.row.accelerators_per_node, found.row.accelerators) == (4, 8, 32)
    assert (found.row.division, found.division_raw) == ("closed", "Closed")
    assert (found.row.availability, found.availability_raw) == ("available cloud", "Available cloud")
    assert json.loads(found.row.raw_json) == json.loads(data)
    assert found.notes == ()
    assert found.unknown_keys == ()


def test_an_unknown_key_is_named_and_kept() -> None:
    found = read_description(rounds.system(disk_drives="12"))
    assert found.unknown_keys == ("disk_drives",)
    assert json.loads(found.row.raw_json)["disk_drives"] == "12"


@pytest.mark.parametrize(("written", "count"), [("8", 8), (8, 8), (1.0, 1), ("1.0", 1), (" 2 ", 2), (0, 0)])
def test_whole_numbers_however_written(written: object, count: int) -> None:
    assert as_count(written) == count


@pytest.mark.parametrize("written", ["N/A", "", "8x", 1.5, -1, True, None, [], "nan", "inf", "1e400"])
def test_what_is_no_whole_number(written: object) -> None:
    assert as_count(written) is None


def test_a_misspelt_key_is_read_and_said() -> None:
    whole = json.loads(rounds.system())
    whole["divison"] = whole.pop("division")
    whole["number of nodes"] = whole.pop("number_of_nodes")
    whole["sumitter"] = whole.pop("submitter")
    found = read_description(json.dumps(whole).encode())
    assert (found.row.division, found.row.nodes, found.row.submitter_raw) == ("closed", 1, "Example Corp")
    assert [reason for reason, _ in found.notes] == [Reason.FIELD_MISSING] * 3
    assert "'divison' was read for it" in " ".join(detail for _, detail in found.notes)


def test_missing_and_unreadable_fields_are_said() -> None:
    assert reasons(rounds.system(number_of_nodes=None)) == [Reason.FIELD_MISSING]
    assert reasons(rounds.system(number_of_nodes="many")) == [Reason.FIELD_UNREADABLE]
    assert reasons(rounds.system(status="one day")) == [Reason.FIELD_UNREADABLE]


def test_a_trailing_comma_is_left_out_but_not_one_in_a_text() -> None:
    read = read_object(b'{"a": "x,}", "b": [1, 2,\n], }')
    assert read.value == {"a": "x,}", "b": [1, 2]}
    assert [reason for reason, _ in read.notes] == [Reason.TEXT_REPAIRED]


def test_doubled_keys_other_encodings_and_marks() -> None:
    assert read_object(b'{"a": 1, "a": 2}').value == {"a": 2}
    assert read_object(b'{"a": 1, "a": 2}').notes[0][0] is Reason.KEY_DUPLICATED
    assert read_object(b'\xef\xbb\xbf{"a": 1}\r\n').value == {"a": 1}
    latin = read_object(b'{"a": "caf\xe9"}')
    assert latin.value == {"a": "café"}
    assert latin.notes[0][0] is Reason.TEXT_REPAIRED


@pytest.mark.parametrize("data", [b"", b"{", b"[1]", b"not json", b'{"a": }', b"[" * 100_000])
def test_what_cannot_be_read_is_said_and_kept(data: bytes) -> None:
    found = read_description(data)
    assert not found.is_readable
    assert found.row.raw_json == data.decode()
    assert [reason for reason, _ in found.notes] == [Reason.SYSTEM_UNREADABLE]


@given(st.binary(max_size=300))
def test_any_bytes_give_a_description(data: bytes) -> None:
    assert isinstance(read_description(data).row.raw_json, str)


def test_v05_entry_has_groups_of_nodes() -> None:
    nodes = [
        {"num_nodes": 2, "num_accelerators": 8, "accelerator": "V100", "cpu": "Xeon"},
        {"num_nodes": 1, "num_accelerators": "4", "accelerator": "P100", "cpu": "Xeon"},
    ]
    entry = {"division": "closed", "status": "on-prem", "hardware": "Box", "framework": "F", "os": "L", "nodes": nodes}
    found = read_description(json.dumps(entry).encode(), org="Example Inc.")
    assert (found.row.submitter_raw, found.row.system_name, found.row.operating_system) == ("Example Inc.", "Box", "L")
    assert (found.row.nodes, found.row.accelerators_per_node, found.row.accelerators) == (3, None, 20)
    assert (found.row.accelerator_raw, found.row.host_processor) == ("V100 + P100", "Xeon")


def test_v06_lines_with_python_dicts_are_read_and_said() -> None:
    entry = str({"hardware": "Box", "nodes": str({"num_nodes": "3", "num_accelerators": "16", "accelerator": "V100"})})
    lines = {"org": "Example", "division": "closed", "status": "onprem", "platform": "3xBox", "entry": entry}
    data = "\n".join(f"{key}: {json.dumps({'value': value, 'metadata': {}})}" for key, value in lines.items())
    found = read_description(data.encode())
    assert (found.row.submitter_raw, found.row.system_name, found.row.nodes, found.row.accelerators) == (
        "Example",
        "3xBox",
        3,
        48,
    )
    assert found.row.accelerator_raw == "V100"
    assert found.notes[0][0] is Reason.TEXT_REPAIRED


def test_a_python_text_is_never_run() -> None:
    assert unquoted("{'a': __import__('os').getcwd()}") == "{'a': __import__('os').getcwd()}"


@pytest.mark.parametrize(
    ("written", "is_near"),
    [("divison", True), ("division", True), ("dvision", True), ("divisionn", True), ("dvison", False), ("div", False)],
)
def test_one_letter_apart(written: str, is_near: bool) -> None:
    assert is_one_edit_apart(written, "division") is is_near


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("A/systems/x.json", MemberPlace(Role.SYSTEM, "A", "x")),
        (
            "A/results/x/bert/result_0.txt",
            MemberPlace(Role.LOG, "A", "x", "strong", "bert", "A/results/x/bert", "result_0"),
        ),
        (
            "A+B/results/x y/weak/deepcam/result_run1.txt",
            MemberPlace(Role.LOG, "A+B", "x y", "weak", "deepcam", "A+B/results/x y/weak/deepcam", "result_run1"),
        ),
        ("A/results/x/bert/scaling.json", MemberPlace(Role.SCALING, "A", "x", "strong", "bert", "A/results/x/bert")),
        (
            "A/results/x/bert/power/result_0/node_1.txt",
            MemberPlace(Role.POWER, "A", "x", "strong", "bert", "A/results/x/bert", "result_0"),
        ),
        (
            "v0.5.0/org/sub/deep/results/tpu/gnmt/result_3.txt",
            MemberPlace(
                Role.LOG, "org/sub/deep", "tpu", "strong", "gnmt",
                "v0.5.0/org/sub/deep/results/tpu/gnmt", "result_3",
            ),
        ),
        ("v0.5.0/org/sub/results/tpu/entry.json", MemberPlace(Role.ENTRY, "org/sub", "tpu")),
        ("v0.5.0/org/sub/submission.json", MemberPlace(Role.SUBMISSION, "org/sub")),
        ("A/submission.json", MemberPlace(Role.SUBMISSION, "A")),
    ],
)  # fmt: skip
def test_where_members_stand(path: str, place: MemberPlace) -> None:
    assert place_of(path) == place
    assert TRAINING.is_wanted(path, 1)


@pytest.mark.parametrize(
    "path",
    [
        "A/benchmarks/bert/implementations/x/systems/x.json",
        "A/benchmarks/bert/results/x/bert/result_0.txt",
        "A/systems/.x.json.swp",
        "A/systems/deep/x.json",
        "A/systems/package_checker.log",
        "A/results/x/readme.md",
        "A/results/x/bert/power/result_0/total_power.txt",
        "summary.json",
        "",
    ],
)
def test_look_alikes_are_streamed_past(path: str) -> None:
    assert place_of(path) is None
    assert not TRAINING.is_wanted(path, 1)


@pytest.mark.parametrize(
    ("path", "role"),
    [
        ("A/results/x/result_1.txt", Role.STRAY_LOG),
        ("A/results/x/resnet/2007_1.log", Role.STRAY_LOG),
        ("A/results/x/resnet/bert/result_1.txt", Role.NESTED_LOG),
        ("A/results/x/weak/cosmoflow/pruned_results/result_1.txt", Role.NESTED_LOG),
    ],
)
def test_misplaced_logs_are_seen(path: str, role: Role) -> None:
    found = place_of(path)
    assert found is not None
    assert found.role is role


@given(st.text(alphabet="ab./v05results_ystemjonxl-", max_size=60))
def test_any_path_has_a_place_or_none(path: str) -> None:
    found = place_of(path)
    assert found is None or isinstance(found.role, Role)
