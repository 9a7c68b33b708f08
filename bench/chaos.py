"""What happens when everything goes wrong: kills, full disks, wrong clocks, damaged files, hostile input.

    python bench/chaos.py [--kills 20] [--visitors 50] [--only NAME]

Each line of the table is one kind of trouble, how often it was made, and what was seen. The state is a small one in a
folder of its own; nothing of yours is touched. Exit code 1 where anything did not hold. 200 kills take 50 minutes.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from pipelines.frozen import frozen

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from warehouse.read import Warehouse

RUN = "from pipelines.cli import app; app()"
WRONG_CLOCK = (
    "import datetime as dt; from pipelines import clock; "
    "clock.read = lambda: dt.datetime({year}, 1, 1, tzinfo=dt.UTC); "
)
PAGES = {
    "rack.html": "<html><h1>Rack</h1><p>The NVIDIA GB300 NVL72 draws 132 kW per rack, says NVIDIA.</p></html>",
    "node.html": "<html><h1>Node</h1><p>The NVIDIA HGX B200 draws 14 kW per node and holds 8 GPUs.</p></html>",
    "note.txt": "The NVIDIA GB200 NVL72 draws 120 kW per rack and holds 72 GPUs.",
}
SQL = (
    "COPY (SELECT 1) TO '/tmp/chaos.csv'", "ATTACH ':memory:' AS facts", "SELECT * FROM read_text('/etc/passwd')",
    "/* /* */ EXPLAIN SELECT $q$/* */ */ CREATE TABLE x AS SELECT 1 --$q$", "INSTALL httpfs", "SET threads = 64",
    "CREATE TABLE x (a INT)", "FROM glob('/*')", "SELECT getenv('PATH')", "PRAGMA database_list",
    "SELECT 1; DROP TABLE x",
)  # fmt: skip


Limit = Callable[[], None] | None
VERSION = "SELECT (SELECT version FROM meta.publication) AS v, count(*) AS n FROM meta.tables"


@frozen
class Line:
    """One kind of trouble: how often it was made, what did not hold, and what was seen."""

    trouble: str
    times: int
    failures: int
    seen: str


@dataclass
class Place:
    """A small state in a folder of its own."""

    home: Path
    errors: list[str] = field(default_factory=list)

    @property
    def warehouse(self) -> Path:
        return self.home / "warehouse" / "rackledger.duckdb"

    @property
    def environment(self) -> dict[str, str]:
        (self.home / "facts").mkdir(parents=True, exist_ok=True)
        given = {name: value for name, value in os.environ.items() if not name.startswith("RACKLEDGER_")}
        return given | {"RACKLEDGER_HOME": str(self.home), "RACKLEDGER_FACTS": str(self.home / "facts"),
                        "RACKLEDGER_OFFLINE": "true", "RACKLEDGER_WORKERS": "1"}  # fmt: skip

    def start(self, *arguments: str, before: str = "", limit: Limit = None) -> subprocess.Popen[str]:
        """Start a command in a session of its own."""
        return subprocess.Popen(
            [sys.executable, "-c", before + RUN, *arguments],
            env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True,
            cwd=Path(__file__).resolve().parent.parent, preexec_fn=limit,
        )  # fmt: skip

    def run(self, *arguments: str, before: str = "", limit: Limit = None) -> tuple[int, str]:
        """A command's exit code and all that it printed."""
        process = self.start(*arguments, before=before, limit=limit)
        printed, _ = process.communicate(timeout=900)
        return process.returncode, printed

    def content(self) -> str:
        """The digest of what is published."""
        with Warehouse(self.warehouse) as warehouse:
            return warehouse.publication.content_hash

    def leftovers(self) -> list[str]:
        """What a run may not leave behind."""
        names = ("collect-", "body-", ".pack")
        found = [path for path in self.home.rglob("*") if path.name.startswith(names) or ".building" in path.name]
        return [path.name for path in found] + [name for name in (self._children(),) if name]

    def _children(self) -> str:
        mark = f"RACKLEDGER_HOME={self.home}".encode()
        alive = []
        for path in Path("/proc").glob("[0-9]*/environ"):
            try:
                if mark in path.read_bytes().split(b"\0"):
                    alive.append(path.parent.name)
            except OSError:
                continue
        return f"{len(alive)} processes" if alive else ""


@contextmanager
def reading(place: Place, readers: int = 1, pause: float = 0.1) -> Iterator[list[str]]:
    """Readers that ask the published file all the time; what they could not read or found mixed."""
    wrong: list[str] = []
    over = threading.Event()

    def read() -> None:
        while not over.is_set():
            try:
                with Warehouse(place.warehouse) as warehouse:
                    version = warehouse.publication.version
                    rows = warehouse.rows(VERSION)
                    if rows[0]["v"] != version or not rows[0]["n"]:
                        wrong.append(f"mixed: {version} and {rows[0]}")
            except Exception as error:  # noqa: BLE001 - whatever a reader meets is what this looks for
                wrong.append(f"{type(error).__name__}: {error}")
            time.sleep(pause)  # without one it takes half a core from what is killed

    threads = [threading.Thread(target=read, daemon=True) for _ in range(readers)]
    for thread in threads:
        thread.start()
    try:
        yield wrong
    finally:
        over.set()
        for thread in threads:
            thread.join()


def kills(place: Place, times: int) -> Line:
    """Kill a run at a moment of its whole length, and again; then let one end."""
    random.seed(7)
    good, started = place.content(), time.monotonic()
    place.run("run", "--offline", "--rebuild")
    length = time.monotonic() - started
    with reading(place) as wrong:
        for number in range(times):
            _note(place, number)
            process = place.start("run", "--offline", "--rebuild")
            time.sleep(length * (number + random.random()) / times)
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
        (place.home / "extra.txt").unlink(missing_ok=True)
        code, printed = place.run("run", "--offline", "--rebuild")
    failures = len(wrong) + bool(code) + (place.content() != good) + len(place.leftovers())
    seen = wrong[:1] or place.leftovers()[:3] or ([printed[-200:]] if code else [])
    return Line(
        "SIGKILL over a whole run, with a reader", times, failures, "; ".join(seen) or "equal content, nothing left"
    )


def _note(place: Place, number: int) -> None:
    """Make each run's work begin somewhere else: the lake is gone before every fifth."""
    if number % 5 == 4:
        shutil.rmtree(place.home / "data" / "lake", ignore_errors=True)


def full_disk(place: Place, times: int) -> Line:
    """No file may grow beyond a size, from none on."""
    good, failures, seen = place.content(), 0, ""
    for number in range(times):
        most = 1000 * 30**number

        def limited(most: int = most) -> None:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

        shutil.rmtree(place.home / "data" / "lake", ignore_errors=True)
        code, printed = place.run("run", "--offline", "--rebuild", limit=limited)
        if place.content() != good or (code and "Traceback" in printed):
            failures, seen = failures + 1, printed[-300:]
    code, printed = place.run("run", "--offline", "--rebuild")
    failures += bool(code) + (place.content() != good)
    return Line(
        "no file may grow", times, failures, seen or "a message, what was published stays, the next run is whole"
    )


def read_only(place: Place, _: int) -> Line:
    """The data folder on a disk that is mounted read-only (needs rights to mount; else it is said)."""
    data = place.home / "data"
    bound = subprocess.run(["mount", "--bind", data, data], capture_output=True, check=False).returncode == 0
    if not bound:
        return Line("a read-only disk", 0, 0, "not tried: this user may not mount")
    try:
        subprocess.run(["mount", "-o", "remount,ro,bind", data], capture_output=True, check=False)
        code, printed = place.run("run", "--offline", "--rebuild")
    finally:
        subprocess.run(["umount", data], capture_output=True, check=False)
    is_told = code == 1 and "Traceback" not in printed
    return Line("a read-only disk", 1, 0 if is_told else 1, printed.strip()[-200:])


def two_runs(place: Place, times: int) -> Line:
    """A second run in the same folder leaves with a message, and the first one ends well."""
    failures, seen = 0, "the second leaves with a message, the first publishes"
    for _ in range(times):
        first = place.start("run", "--offline", "--rebuild")
        time.sleep(4)
        code, printed = place.run("run", "--offline", "--rebuild")
        first.communicate(timeout=900)
        if first.returncode or code != 1 or "Another run" not in printed:
            failures, seen = failures + 1, f"{first.returncode}, {code}: {printed[-200:]}"
    return Line("two runs at once", times, failures, seen)


def wrong_clocks(place: Place, _: int) -> Line:
    """A run in 2001 and one in 2041, and one by the right clock after them."""
    seen, good = list[str](), place.content()
    for year in (2001, 2041, None):
        code, printed = place.run("run", "--offline", "--rebuild", before=WRONG_CLOCK.format(year=year) if year else "")
        if code not in (0, 5):
            seen.append(f"{year or 'now'}: {code}, {printed[-200:]}")
    if place.content() != good:
        seen.append("another content afterwards")
    return Line("a clock 25 years behind, 15 ahead", 2, len(seen), "; ".join(seen) or "equal content afterwards")


def flips(place: Place, times: int) -> Line:
    """One byte of a file of the archive or the lake is another; a run publishes all the same and nothing is torn."""
    random.seed(11)
    failures, seen = 0, ""
    files = [path for path in (place.home / "data").rglob("*") if path.suffix in (".gz", ".warc", ".parquet", ".jsonl")]
    for path in random.sample(files, min(times, len(files))):
        kept = path.read_bytes()
        if not kept:
            continue
        place_of = random.randrange(len(kept))
        path.write_bytes(kept[:place_of] + bytes([kept[place_of] ^ 0x55]) + kept[place_of + 1 :])
        code, printed = place.run("run", "--offline", "--rebuild")
        verified, _ = place.run("archive", "verify")
        if "Traceback" in printed or code not in (0, 1, 5) or (path.suffix == ".gz" and verified != 1):
            failures, seen = failures + 1, f"{path.name}: {printed[-200:]}"
        path.write_bytes(kept)
    code, printed = place.run("run", "--offline", "--rebuild")
    failures += code not in (0, 5)
    return Line(
        "one byte flipped", len(files[:times]), failures, seen or "said, and whole again with the byte put back"
    )


def hostile(place: Place, _: int) -> Line:
    """Documents and archives that were made to hurt; each is read or refused with a reason within its budget."""
    made = {
        "long.txt": b"12 kW, " * 14_000,
        "deep.html": b"<div>" * 200_000,
        "entities.xml": b'<!DOCTYPE x [<!ENTITY a "aaaa">' + b"]><rss>" + b"&a;" * 50_000 + b"</rss>",
        "junk.pdf": b"%PDF-1.7\n" + bytes(range(256)) * 100,
        "cut.tar.gz": b"\x1f\x8b\x08" + bytes(200),
        "nul.html": b"<html>" + b"\0" * 100_000,
    }
    folder = place.home / "hostile"
    folder.mkdir(exist_ok=True)
    failures, slowest = 0, 0.0
    for name, content in made.items():
        (folder / name).write_bytes(content)
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        _code, printed = place.run("extract", str(folder / name))
        slowest = max(slowest, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)
        failures += "Traceback" in printed
    return Line(
        "hostile documents and archives", len(made), failures, f"read or refused; the slowest took {slowest:.0f} s"
    )


def attacks(place: Place, _: int) -> Line:
    """Statements of strangers: each is refused or fails, and the file is what it was."""
    from warehouse.sandbox import Mistake, Refused, Sandbox, Stopped

    before, passed = place.content(), []
    sandbox = Sandbox(place.warehouse)
    try:
        for text in SQL:
            try:
                sandbox.ask(text)
                passed.append(text)
            except (Refused, Mistake, Stopped):
                continue
        answers = sandbox.ask("SELECT count(*) FROM meta.tables").table.num_rows
    finally:
        sandbox.close()
    failures = len(passed) + (answers != 1) + (place.content() != before)
    return Line(
        "SQL of strangers", len(SQL), failures, "; ".join(passed) or "refused, and the next statement is answered"
    )


def visitors(place: Place, times: int) -> Line:
    """Readers all at once while runs publish."""
    with reading(place, times, pause=0.2) as wrong:
        for number in range(2):
            (place.home / f"more{number}.txt").write_text(f"The NVIDIA GB300 NVL72 draws {130 + number} kW per rack.")
            url = f"https://example.org/more{number}"
            place.run("archive", "add", str(place.home / f"more{number}.txt"), "--url", url, "--date", "2026-01-02")
            place.run("run", "--offline")
    return Line(
        f"{times} visitors while two versions are published", times, len(wrong), wrong[0] if wrong else "no error"
    )


TROUBLES: dict[str, Callable[[Place, int], Line]] = {
    "kills": kills, "full_disk": full_disk, "read_only": read_only, "two_runs": two_runs, "wrong_clocks": wrong_clocks,
    "flips": flips, "hostile": hostile, "attacks": attacks, "visitors": visitors,
}  # fmt: skip


def prepare(home: Path) -> Place:
    """A state with three documents, published once."""
    place = Place(home)
    for name, text in PAGES.items():
        (home / name).write_text(text, encoding="utf-8")
        place.run("archive", "add", str(home / name), "--url", f"https://example.org/{name}", "--date", "2026-01-01")
    code, printed = place.run("run", "--offline")
    if code:
        raise SystemExit(f"the first run failed: {printed}")
    return place


def main() -> None:
    """Make the troubles and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--visitors", type=int, default=50)
    parser.add_argument("--only", choices=TROUBLES, action="append")
    asked = parser.parse_args()
    times = {"kills": asked.kills, "visitors": asked.visitors, "full_disk": 4, "two_runs": 1, "flips": 6}
    failed = False
    with tempfile.TemporaryDirectory(prefix="chaos-") as folder:
        place = prepare(Path(folder))
        print(f"{'trouble':48} {'times':>5} {'wrong':>5}  seen")
        for name in asked.only or TROUBLES:
            line = TROUBLES[name](place, times.get(name, 1))
            failed |= line.failures > 0
            print(f"{line.trouble:48} {line.times:5} {line.failures:5}  {line.seen}", flush=True)
    raise SystemExit(int(failed))


if __name__ == "__main__":
    main()
