"""Documents per second of the grammar extractor on one core, against quantulum3 alone on the same text.

    python bench/extract.py [FOLDER OF DOCUMENTS] [--rounds N] [--full]

quantulum3 (extra 'bench') only finds quantities and units; ours also decides metric, subject, qualifiers and stance. It
is slow, so it reads every fourth document by default; `--full` gives it all. Both are timed on parsed text in processor
time, best round of each. Then documents of 1, 2, 5 and 10 MB show whether time grows with length alone, and last a text
of nothing but values, how much more a byte of the worst text costs.
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
HOSTILE = (20_000, 80_000)  # values of a text of nothing else


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
    """The time per MB of a text that is one value after another, beside that of the corpus."""
    extractor = ClaimReader()
    origin = Origin("bench", "bench", date(2025, 9, 1))
    size = sum(len(document.text.encode()) for document in documents) / 1e6
    usual, _ = best(1, lambda: sum(len(list(extractor.extract(d, origin))) for d in documents))
    for count in HOSTILE:
        document = parse(b"5 kW " * count, "hostile.txt")
        seconds, _ = best(1, lambda document=document: len(list(extractor.extract(document, origin))))  # type: ignore[misc]
        each = seconds / len(document.text) * 1e6
        print(
            f"{len(document.text) / 1e6:.2f} MB of values {each:6.2f} s/MB, {each * size / usual:.1f} times the usual"
        )


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
