"""Makes `registry/plain_words.txt`: the words that practice pages and docs write small, by which names are told.

    python bench/plain_words.py

What begins a sentence and is none of them may be a name (`extract/names/coined.py`).
"""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
_MARK = re.compile(r"⟦([^⟦⟧]*)⟧(?:\{[^{}]*\})+")  # a value of a practice page, with what it is
_SMALL = re.compile(r"(?<![\w./@-])[a-zß-öø-ÿ]{2,}(?![\w\[]|[-./@]\w)")
# what mostly begins a sentence
_FIRST = (
    "accordingly admittedly alas albeit also although anyway besides consequently conversely curiously either else "
    "everyone everything finally firstly furthermore hence here however indeed instead lastly likewise meanwhile "
    "moreover neither nevertheless nobody nonetheless nothing notwithstanding otherwise overall perhaps regardless "
    "secondly similarly somebody someone still there therefore thirdly though thus unlike unless whereas whereby "
    "whether while whoever yes yet"
)


def main() -> None:
    """Write the words, one a line, in order."""
    pages = [*(ROOT / "bench/practice").glob("*.*"), *(ROOT / "docs").glob("*.md")]
    texts = (_MARK.sub(r"\1", page.read_text(encoding="utf-8")) for page in pages)
    words = {word for text in texts for word in _SMALL.findall(text)} | set(_FIRST.split())
    target = ROOT / "pipelines/registry/plain_words.txt"
    target.write_text("".join(f"{word}\n" for word in sorted(words)), encoding="utf-8")
    print(f"{len(words):,} words in {target.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
