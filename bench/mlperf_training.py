"""Speed and memory of the MLPerf Training parser against named references, in one run; prints ratios.

References: the floor (the same header walk and decompression, no member read), Python's tarfile and gzip over the same
file, and MLCommons' result_summarizer on the unpacked tree (its unpacking is not counted). Every contender runs in a
process of its own on one core, best of several.

    python bench/mlperf_training.py ARCHIVE... [--whole] [--summarizer SITE_PACKAGES] [--repeat 3]

--whole measures on an archive padded to the size that GitHub serves: the shared ones hold only what a parser needs, a
real one 10 to 60 times more files, which must be streamed past. The padding are files of the installed Python packages.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path
from typing import Any, BinaryIO

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from isal import igzip  # noqa: E402

from bench import walks  # noqa: E402
from pipelines.parse.mlperf.common.kind import recognise  # noqa: E402
from pipelines.parse.mlperf.rounds import parse_round  # noqa: E402
from pipelines.parse.tarstream import TarReader  # noqa: E402
from pipelines.registry import load_registry  # noqa: E402

# Real archives: unpacked MB of members that no parser needs, and how often the needed ones stand in the whole archive
# for once in the shared part (the shared v3.1 and v4.0 lack submitters and the logs over 4 MiB).
REAL_SIZES = {"training-v5.0": (940, 1.0), "training-v4.0": (1150, 2.5), "training-v3.1": (246, 2.65)}
DEFAULT_SIZE = (500, 1.0)
DEFAULT_ARCHIVES = [ROOT.parent / "shared" / "mlperf" / "training" / "training_results_v5.0.tar.gz"]


def main() -> None:
    arguments = _arguments()
    if arguments.child == "pad":
        _pad(*arguments.archives)
        return
    if arguments.child:
        _child(arguments.child, arguments.archives[0], arguments.summarizer)
        return
    for path, archive in walks.files_of(__file__, arguments.archives, is_whole=arguments.whole):
        _compare(path, archive, arguments)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("archives", nargs="*", type=Path, default=DEFAULT_ARCHIVES)
    parser.add_argument("--whole", action="store_true", help="pad to the size of the real archive first")
    parser.add_argument("--summarizer", type=Path, help="folder that holds the package mlperf_logging")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--child", help=argparse.SUPPRESS)
    return parser.parse_args()


def _compare(path: Path, archive: Path, arguments: argparse.Namespace) -> None:
    print(f"{archive.name}{' padded' if path != archive else ''}: {path.stat().st_size / 1e6:.1f} MB packed")
    figures = {name: _best(name, path, arguments) for name in ("floor", "ours", "tarfile")}
    if _has_summarizer(arguments.summarizer):
        figures["summarizer"] = _run("summarizer", archive, arguments)
        if path != archive:  # the summarizer's tree holds no padding: the fair ratio is over the archive as it is
            bare = figures["summarizer"]["seconds"] / _best("ours", archive, arguments)["seconds"]
            figures["summarizer"]["what"] += f"; {bare:.0f} x ours over the needed members alone"
    floor, ours = figures["floor"]["seconds"], figures["ours"]["seconds"]
    for name, figure in figures.items():
        line = f"  {name:12}{figure['seconds']:9.3f} s{figure['peak_mb']:8.0f} MB peak"
        print(
            f"{line}   {figure['seconds'] / floor:8.2f} x floor"
            f"{figure['seconds'] / ours:9.2f} x ours   {figure['what']}"
        )


def _best(name: str, path: Path, arguments: argparse.Namespace) -> dict[str, Any]:
    return min((_run(name, path, arguments) for _ in range(arguments.repeat)), key=lambda figure: figure["seconds"])


def _run(name: str, path: Path, arguments: argparse.Namespace) -> dict[str, Any]:
    command = [sys.executable, __file__, str(path), "--child", name]
    if arguments.summarizer:
        command += ["--summarizer", str(arguments.summarizer)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    figure: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return figure


def _child(name: str, path: Path, summarizer: Path | None) -> None:
    walks.use_one_core()
    contenders = {"floor": walks.walk_only, "ours": _ours, "tarfile": walks.walk_by_tarfile}
    if name == "summarizer":
        seconds, what = _summarizer(path, summarizer)
        peak = walks.peak_mb(resource.RUSAGE_CHILDREN)
    else:
        started = time.perf_counter()
        with path.open("rb") as stream:
            what = contenders[name](stream)
        seconds = time.perf_counter() - started
        peak = walks.peak_mb()
    print(json.dumps({"seconds": seconds, "peak_mb": peak, "what": what}))


def _ours(stream: BinaryIO) -> str:
    rows = parse_round(stream, names=walks.NoNames(), rules=load_registry().mlperf)
    scored = sum(result.score_minutes is not None for result in rows.results)
    return f"{len(rows.results)} results, {scored} scored, {len(rows.problems)} problems"


def _has_summarizer(folder: Path | None) -> bool:
    if folder is not None:
        return (folder / "mlperf_logging").is_dir()
    found = subprocess.run([sys.executable, "-c", "import mlperf_logging"], capture_output=True)
    return found.returncode == 0


def _summarizer(path: Path, folder: Path | None) -> tuple[float, str]:
    """MLCommons' tool on a fresh copy of the tree: it rewrites scaling.json while it reads."""
    with path.open("rb") as stream:
        reader = TarReader(stream)
        next(iter(reader))
        kind = recognise(reader.top_folder)
    if kind is None:
        raise SystemExit(f"{path} is no round")
    with tempfile.TemporaryDirectory() as tree:
        with tarfile.open(path) as archive:
            archive.extractall(tree, filter="data")
        root = f"{tree}/{reader.top_folder}/{{*}}"
        command = [sys.executable, "-m", "mlperf_logging.result_summarizer", root, kind.suite, f"{kind.round[1:]}.0"]
        environment = {**os.environ, "PYTHONPATH": str(folder or "")}
        started = time.perf_counter()
        done = subprocess.run(command, env=environment, cwd=tree, capture_output=True, text=True)
        seconds = time.perf_counter() - started
    return seconds, "done" if done.returncode == 0 else f"ended with {done.stderr.strip().splitlines()[-1][:80]}"


def _pad(archive: Path, path: Path) -> None:
    """The archive with its needed members repeated and code-like members added, about as large as the real one."""
    with (
        igzip.open(path, "wb", compresslevel=3) as packed,
        tarfile.open(fileobj=packed, mode="w|", format=tarfile.PAX_FORMAT) as whole,
    ):
        copies = 1.0
        at = 0
        while at < copies:
            kind = _copy_needed(archive, whole, at, copies)
            padding_mb, copies = REAL_SIZES.get(kind, DEFAULT_SIZE)
            at += 1
        top = whole.getnames()[0].partition("/")[0]
        walks.add_code(whole, f"{top}/NVIDIA/benchmarks/code", padding_mb * 1_000_000)


def _copy_needed(archive: Path, whole: tarfile.TarFile, at: int, copies: float) -> str:
    """One more copy of the needed members, the last one in part; gives the round's key."""
    share = min(1.0, copies - at)
    with archive.open("rb") as stream:
        reader = TarReader(stream)
        for count, member in enumerate(reader):
            if count % 100 < share * 100:
                inner = f"again{at}_{member.inner}" if at else member.inner
                walks.write_member(whole, f"{reader.top_folder}/{inner}", reader.read())
    kind = recognise(reader.top_folder)
    return kind.key if kind else ""


if __name__ == "__main__":
    main()
