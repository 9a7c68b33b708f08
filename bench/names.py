"""Megabytes per second of the name finder, with the registry alone and with 20,000 made spellings more.

    python bench/names.py [FOLDER OF DOCUMENTS] [--rounds N]

The time must depend on the length of the text and not on how many names there are; the last lines are texts made to
be hard: one sign, one name or one maker, a megabyte of it.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from pipelines.registry.load import committed_entries  # noqa: E402
from pipelines.registry.mentions import NameFinder  # noqa: E402
from pipelines.registry.spellings import Spelling, spellings  # noqa: E402

DEFAULT = ROOT / "../shared/gold/docs"
SYLLABLES = ("Zor", "Mak", "Tel", "Ras", "Vun")
MADE = 20_000
HOSTILE = {"digits": "1", "brackets": "(", "one name": "H100 ", "one maker": "NVIDIA ", "codes": "AB12-"}


def made() -> list[Spelling]:
    """Spellings of nothing: 'Zor 17'."""
    names = (f"{SYLLABLES[number % len(SYLLABLES)]} {number}" for number in range(MADE))
    return [Spelling(name, f"made-{index}", name, "system", "") for index, name in enumerate(names)]


def best(finder: NameFinder, text: str, rounds: int) -> float:
    """The shortest of several runs in seconds."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        finder.find(text)
        times.append(time.perf_counter() - start)
    return min(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=DEFAULT)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    texts = [path.read_text(encoding="utf-8", errors="ignore") for path in sorted(arguments.folder.glob("*.md"))]
    text = "\n\n".join(texts) or "The GB200 NVL72 rack holds 72 Blackwell GPUs and 36 Grace CPUs. " * 2000
    entries = committed_entries()
    plain, large = NameFinder(entries), NameFinder(entries, made())
    known = sum(1 for _ in spellings(entries))
    few, many = best(plain, text, arguments.rounds), best(large, text, arguments.rounds)
    size = len(text.encode()) / 1e6
    print(f"{known:6d} spellings {size / few:8.2f} MB/s on {size:.3f} MB")
    print(f"{known + MADE:6d} spellings {size / many:8.2f} MB/s   ({many / few:.2f} times the time)")
    for name, piece in HOSTILE.items():
        print(f"1 MB of {name:10s} {best(plain, piece * (1_000_000 // len(piece)), 1):6.2f} s")


if __name__ == "__main__":
    main()
