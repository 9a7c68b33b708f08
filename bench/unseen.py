"""What the reader tells of made-up pages that its models were not trained on, and how much of it is right.

    python bench/unseen.py [FOLDER OF MARKED PAGES]

By the kind that a page's name begins with: precision and recall of what is told, and of what is confident.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from pipelines.extract.link.linker import Linker  # noqa: E402
from pipelines.model.claim import CONFIDENT, TOLD  # noqa: E402
from pipelines.registry.mentions import NameFinder  # noqa: E402
from pipelines.registry.reader_model import load_reader_model  # noqa: E402
from pipelines.training.held_out import Reading, figures  # noqa: E402
from pipelines.training.practice import practice_cases  # noqa: E402


def readings(folder: Path) -> list[Reading]:
    """The readings of a folder's pages by the models in use."""
    linker = Linker(load_reader_model())
    cases = practice_cases(folder, NameFinder.load())
    return [Reading(case, linker.link([item.place for item in case.items])) for case in cases if not case.is_turned]


def show(name: str, own: list[Reading]) -> None:
    labels = sum(len(each.case.source.labels) for each in own)
    cells = ["{:.3f} / {:.3f}".format(*figures(own, least)) for least in (TOLD, CONFIDENT)]
    print(f"{name:8} {len(own):3} pages {labels:5} labels   told {cells[0]}   confident {cells[1]}")


def main(folder: Path) -> None:
    found = readings(folder)
    kinds = sorted({each.case.source.name.partition("-")[0] for each in found})
    print("                                    precision / recall")
    for kind in kinds:
        show(kind, [each for each in found if each.case.source.name.partition("-")[0] == kind])
    show("all", found)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "bench" / "unseen")
