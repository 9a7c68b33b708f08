"""Speed and memory of the MLPerf Inference parser against named references, in one run; prints ratios.

References: the floor (the same header walk and decompression, no member read), Python's tarfile and gzip over the same
file, and the times that MLCommons' submission checker took on this class of machine (the checker also needs the tree
unpacked, which is counted apart). Every contender runs in a process of its own on one core, best of several.

    python bench/mlperf_inference.py ARCHIVE... [--whole] [--repeat 3]

--whole measures on an archive padded to the size and shape that GitHub serves: the shared ones lack most detail logs
and all code. Each result without a detail log gets one of the real mean size, whose bulk is the incompressible line of
loaded samples; the rest are files of the installed Python packages. Its figures are of no use, its shape is real.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tarfile
import time
from enum import Enum
from pathlib import Path
from typing import BinaryIO

from pipelines.frozen import frozen

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from isal import igzip  # noqa: E402

from bench import walks  # noqa: E402
from pipelines.parse.mlperf.common.kind import recognise  # noqa: E402
from pipelines.parse.mlperf.inference.layout import Role, place_of  # noqa: E402
from pipelines.parse.mlperf.rounds import parse_round  # noqa: E402
from pipelines.parse.tarstream import TarReader  # noqa: E402
from pipelines.registry import load_registry  # noqa: E402

FOLDER = ROOT.parent / "shared" / "mlperf" / "inference"
DEFAULT_ARCHIVES = [FOLDER / "inference_results_v5.1.part.tar.gz"]
# Real archives: unpacked MB and files of the whole, mean bytes of a result's detail and power logs.
REAL_SIZES = {
    "inference-v5.1": (2034, 53_911, 120_000),
    "inference-v3.0": (6667, 149_835, 110_000),
    "inference-v2.1": (5334, 126_296, 110_000),
}
# MLCommons' checker, wall seconds on two busy cores of this class, and unpacking before it where it was measured.
CHECKER = {"inference-v5.1": (29.0, 22.2), "inference-v3.0": (192.0, 0.0), "inference-v2.1": (177.0, 0.0)}


def main() -> None:
    arguments = _arguments()
    if arguments.child == "pad":
        _pad(*arguments.archives)
        return
    if arguments.child:
        _child(arguments.child, arguments.archives[0])
        return
    for path, archive in walks.files_of(__file__, arguments.archives, is_whole=arguments.whole):
        _compare(path, archive, arguments.repeat)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("archives", nargs="*", type=Path, default=DEFAULT_ARCHIVES)
    parser.add_argument("--whole", action="store_true", help="pad to the size of the real archive first")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--child", help=argparse.SUPPRESS)
    return parser.parse_args()


def _compare(path: Path, archive: Path, repeat: int) -> None:
    print(f"{archive.name}{' padded' if path != archive else ''}: {path.stat().st_size / 1e6:.1f} MB packed")
    figures = {name: _best(name, path, repeat) for name in ("floor", "ours", "tarfile")}
    floor, ours = figures["floor"], figures["ours"]
    for name, figure in figures.items():
        print(
            f"  {name:12}{figure.seconds:9.3f} s{figure.cpu:9.3f} s CPU{figure.peak_mb:8.0f} MB peak"
            f"{figure.cpu / floor.cpu:8.2f} x floor{figure.cpu / ours.cpu:8.2f} x ours (CPU)   {figure.what}"
        )
    with archive.open("rb") as stream:
        reader = TarReader(stream)
        next(iter(reader))
    kind = recognise(reader.top_folder)
    if kind is not None and kind.key in CHECKER and path != archive:
        checker, unpacking = CHECKER[kind.key]
        print(
            f"  {'checker':12}{checker:9.1f} s (noted before, not run here){checker / ours.seconds:9.1f} x ours", end=""
        )
        print(f"; with unpacking {(checker + unpacking) / ours.seconds:.1f} x" if unpacking else "")


@frozen
class BestRun:
    """One contender's best run. CPU seconds stand beside the wall's: they tell the same on a busy machine."""

    seconds: float
    cpu: float
    peak_mb: float
    what: str


def _best(name: str, path: Path, repeat: int) -> BestRun:
    return min((_run(name, path) for _ in range(repeat)), key=lambda figure: figure.cpu)


def _run(name: str, path: Path) -> BestRun:
    command = [sys.executable, __file__, str(path), "--child", name]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return BestRun(**json.loads(done.stdout.splitlines()[-1]))


def _child(name: str, path: Path) -> None:
    walks.use_one_core()
    contenders = {"floor": walks.walk_only, "ours": _ours, "tarfile": walks.walk_by_tarfile}
    started, cpu = time.perf_counter(), time.process_time()
    with path.open("rb") as stream:
        what = contenders[name](stream)
    seconds, cpu = time.perf_counter() - started, time.process_time() - cpu
    print(json.dumps({"seconds": seconds, "cpu": cpu, "peak_mb": walks.peak_mb(), "what": what}))


def _ours(stream: BinaryIO) -> str:
    rows = parse_round(stream, names=walks.NoNames(), rules=load_registry().mlperf)
    return f"{len(rows.results)} results, {rows.scored} with a figure"


def _pad(archive: Path, path: Path) -> None:
    """The archive with a detail log for each run that has none, and code-like members, as large as the real one."""
    with (
        igzip.open(path, "wb", compresslevel=3) as packed,
        tarfile.open(fileobj=packed, mode="w|", format=tarfile.PAX_FORMAT) as whole,
    ):
        kind, top, size, count = _copy_with_logs(archive, whole)
        megabytes, files, _ = REAL_SIZES.get(kind, (1000, 30_000, 0))
        left = megabytes * 1_000_000 - size
        walks.add_code(whole, f"{top}/closed/NVIDIA/code", max(left, 0), max(files - count, 1))


def _copy_with_logs(archive: Path, whole: tarfile.TarFile) -> tuple[str, str, int, int]:
    """Copies the members, a log before each summary without one; gives round, top folder, bytes and files."""
    with archive.open("rb") as stream:
        held = {member.inner.rpartition("/")[0] for member in TarReader(stream) if _role(member.inner) is Role.DETAIL}
    size, count, log = 0, 0, _LogMaker()
    with archive.open("rb") as stream:
        reader = TarReader(stream)
        for member in reader:
            folder = member.inner.rpartition("/")[0]
            if _role(member.inner) is Role.SUMMARY and folder not in held:
                kind = recognise(reader.top_folder)
                data = log.make(REAL_SIZES.get(kind.key if kind else "", (0, 0, 110_000))[2])
                walks.write_member(whole, f"{reader.top_folder}/{folder}/mlperf_log_detail.txt", data)
                size, count = size + len(data), count + 1
            walks.write_member(whole, f"{reader.top_folder}/{member.inner}", reader.read())
            size, count = size + member.size, count + 1
    found = recognise(reader.top_folder)
    return found.key if found else "", reader.top_folder, size, count


def _role(path: str) -> Enum | None:
    place = place_of(path)
    return None if place is None else place.role


class _LogMaker:
    """Detail logs in LoadGen's form: 90 short lines, and one of sample numbers that does not compress."""

    def __init__(self) -> None:
        chance = random.Random(1)
        self._chance = chance
        self._numbers = ",".join(str(chance.randrange(100_000)) for _ in range(600_000))

    def make(self, size: int) -> bytes:
        filler = "".join(self._line(f"requested_{at}", at) for at in range(60))
        tail = "".join(self._line(f"result_{name}", 1234.5) for name in ("validity", "samples_per_second", "mean"))
        length = max(size - len(filler), 1000)
        at = self._chance.randrange(len(self._numbers) - length)
        return (filler + self._line("loaded_qsl_set", f"[{self._numbers[at : at + length]}]") + tail).encode()

    @staticmethod
    def _line(key: str, value: object) -> str:
        rest = '"time_ms": 616880.168972, "namespace": "mlperf::logging", "event_type": "POINT_IN_TIME", "metadata": '
        return (
            f':::MLLOG {{"key": "{key}", "value": {value}, {rest}{{"is_error": false, "file": "x.cc", "pid": 404}}}}\n'
        )


if __name__ == "__main__":
    main()
