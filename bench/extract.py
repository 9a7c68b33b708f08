"""Documents per second of the reader on one core, against quantulum3 alone on the same text.

    python bench/extract.py [FOLDER OF DOCUMENTS] [--rounds N] [--full]

quantulum3 (extra 'bench') only finds quantities and units; ours also decides metric, subject, qualifiers and stance. It
is slow, so it reads every fourth document by default; `--full` gives it all. Both are timed on parsed text in processor
time, best round of each. Then documents of 1, 2, 5 and 10 MB show whether time grows with length alone, and last texts
of nothing but values, names, prices and the like, how much more a byte of them costs.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from pipelines.extract.reader import ClaimReader  # noqa: E402
from pipelines.model.claim import Origin  # noqa: E402
from pipelines.model.document import Document  # noqa: E402
from pipelines.parse.document import parse_document  # noqa: E402

DEFAULT = ROOT / "../shared/gold/docs"
SIZES_MB = (1, 2, 5, 10)
HOSTILE_KB = (40, 400)
TABLE = "| Name | Memory | Bandwidth | Power |\n|---|---|---|---|\n"
# a text of nothing else, by what it is
HOSTILE = {
    "values": "5 kW ", "numbers": "1 ", "sums": "$5 ", "rates": "400 Gb/s, ", "times": "Q3 2025, ", "years": "2025 ",
    "names": "H100 ", "names with a value": "NVIDIA H100 80 GB. ", "Chinese": "英伟达H100显存80GB，",
    "prices": "- GPU box $12,999\n", "a list of prices": "NVIDIA H100 80GB PCIe $27,999\n", "brackets": "(",
    "codes": "ABC123 ", "versions": "1.2.3.4 ", "addresses": "https://a.b/c?d=1 ",
    "a table of numbers": "| 1 | 2 | 3 | 4 |\n", "a table of specifications": "| H100 | 80 GB | 3.35 TB/s | 700 W |\n",
}  # fmt: skip


def parse(payload: bytes, name: str) -> Document:
    return parse_document(
        payload, media_type=None, charset=None, url=name, captured_at=datetime(2026, 11, 20, tzinfo=UTC)
    )


def best(rounds: int, work: Callable[[], int]) -> tuple[float, int]:
    """The shortest of several runs in seconds, and what the run counted."""
    times, count = [], 0
    for _ in range(rounds):
        start = time.process_time()
        count = work()
        times.append(time.process_time() - start)
    return min(times), count


def compare(documents: Sequence[Document], rounds: int, full: bool) -> None:
    extractor = ClaimReader()
    origin = Origin("bench", "bench", date(2025, 9, 1))
    size = sum(len(document.text.encode()) for document in documents)

    seconds, claims = best(rounds, lambda: sum(len(list(extractor.extract(d, origin))) for d in documents))
    ours = size / 1e6 / seconds
    print(
        f"rackledger   {len(documents) / seconds:8.1f} documents/s {ours:8.3f} MB/s   "
        f"{claims} claims of {len(documents)} documents, {size / 1e6:.3f} MB"
    )
    try:
        from quantulum3 import parser as quantulum
    except ImportError as error:
        print(f"quantulum3 (extra 'bench') cannot be imported: {error}")
        return
    some = documents if full else documents[::4]
    part = sum(len(document.text.encode()) for document in some)
    quantulum.parse("It draws 5 kW.")  # loads its tables
    seconds, found = best(1, lambda: sum(len(quantulum.parse(d.text)) for d in some))
    theirs = part / 1e6 / seconds
    print(
        f"quantulum3   {len(some) / seconds:8.1f} documents/s {theirs:8.3f} MB/s   "
        f"{found} quantities of {len(some)} documents"
    )
    print(f"ratio        {ours / theirs:8.1f} times the MB/s")


def grow(documents: Sequence[Document]) -> None:
    """The time per MB of ever longer documents made of the paragraphs of the corpus."""
    extractor = ClaimReader()
    origin = Origin("bench", "bench", date(2025, 9, 1))
    paragraphs = [block for d in documents for block in d.text.split("\n") if len(block) > 80]
    piece = "\n\n".join(paragraphs)
    for size in SIZES_MB:
        text = ("\n\n".join([piece] * (size * 1_000_000 // len(piece.encode()) + 1))).encode()[: size * 1_000_000]
        document = parse(text.decode(errors="ignore").encode(), "long.txt")
        seconds, claims = best(1, lambda document=document: len(list(extractor.extract(document, origin))))  # type: ignore[misc]
        print(f"{size:3d} MB  {seconds:7.2f} s  {seconds / size:6.3f} s/MB  {claims} claims")


def endure(documents: Sequence[Document]) -> None:
    """The time that a byte of a text of nothing else takes, as a multiple of what one of the corpus does."""
    extractor = ClaimReader()
    origin = Origin("bench", "bench", date(2025, 9, 1))

    def seconds_a_byte(texts: Sequence[Document]) -> float:
        seconds, _ = best(2, lambda: sum(len(list(extractor.extract(text, origin))) for text in texts))
        return seconds / sum(len(text.text.encode()) for text in texts)

    usual = seconds_a_byte(documents)
    print("times a usual byte".ljust(28) + "".join(f"{size:>7} KB" for size in HOSTILE_KB))
    for name, piece in HOSTILE.items():
        head, suffix = (TABLE, "md") if piece.startswith("|") else ("", "txt")
        made = [head + piece * (size * 1000 // len(piece.encode())) for size in HOSTILE_KB]
        ratios = [seconds_a_byte([parse(text.encode(), f"hostile.{suffix}")]) / usual for text in made]
        print(name.ljust(28) + "".join(f"{ratio:10.1f}" for ratio in ratios), flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=DEFAULT)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--full", action="store_true", help="let quantulum3 read every document")
    options = parser.parse_args()
    paths = sorted(path for path in options.folder.glob("*") if path.is_file())
    if not paths:
        print(f"no documents in {options.folder}; name a folder that holds some")
        return 2
    documents = [parse(path.read_bytes(), path.name) for path in paths]
    compare(documents, options.rounds, options.full)
    grow(documents)
    endure(documents)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
