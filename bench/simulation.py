"""A year on the simulated web of tests/simulation: what each day costs, publishes, and names.

    python bench/simulation.py [--days 60] [--every 10]

Faults come again every forty days. One line for each `--every` days: things read, bytes fetched and files of the lake
written a day, processor time a day, faults that health did not name. The year takes hours: --days 365.
"""

from __future__ import annotations

import argparse
import datetime as dt
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.simulation.internet import START, Internet
from tests.simulation.life import Day, Life, living
from tests.simulation.world import everybody

STATES = "SELECT source_id, verdict, reason, says FROM marts.source_health"


def missed(life: Life, day: int) -> list[str]:
    """Faults of a day, met since they began, that health does not tell as planted."""
    told = {str(row[0]): (str(row[1]), str(row[2] or ""), str(row[3])) for row in life.ask(STATES)}
    return [
        f"day {day}: {host.source_id}, {fault.name}: {told[host.source_id]}"
        for host in life.world.hosts.values()
        for fault in host.faults
        if fault.is_on(day) and host.has_met(fault, day) and not fault.is_named(*told[host.source_id])
    ]


def show(days: list[Day], seconds: float, wrong: list[str]) -> None:
    """A line for the last few days."""
    count = len(days)
    read, size = sum(day.read for day in days) / count, sum(day.byte_count for day in days) / count / 1000
    written = sum(day.written for day in days) / count
    print(
        f"{days[-1].number:5} {read:9.1f} {size:11.1f} {written:9.1f} {seconds / count:9.2f} {len(wrong):7}", flush=True
    )
    for line in wrong[:5]:
        print(f"      {line}")


def main() -> None:
    """Live so many days and print what they cost."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--days", type=int, default=60)
    parser.add_argument("--every", type=int, default=10)
    asked = parser.parse_args()
    failures = 0
    with tempfile.TemporaryDirectory(prefix="world-") as folder, living(Path(folder), Internet(everybody())) as life:
        print(f"{'day':>5} {'read/day':>9} {'kB/day':>11} {'files/day':>9} {'CPU s/day':>9} {'unnamed':>7}")
        began, wrong = time.process_time(), list[str]()
        for number in range(1, asked.days + 1):
            life.world.now = START + dt.timedelta(days=number - 1)
            life.day()
            wrong += missed(life, number)
            if number % asked.every == 0 or number == asked.days:
                show(life.days[-(number % asked.every or asked.every) :], time.process_time() - began, wrong)
                failures, began, wrong = failures + len(wrong), time.process_time(), []
    raise SystemExit(int(failures > 0))


if __name__ == "__main__":
    main()
