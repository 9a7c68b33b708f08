"""Makes `registry/plain_words.txt`: words that texts write small, by which names are told.

    python bench/plain_words.py

They are those of the practice pages and the docs, and those of at least three of the packages that are installed. What
begins a sentence and is none of them may be a name (`extract/names/coined.py`).
"""

from __future__ import annotations

import re
import sysconfig
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
_MARK = re.compile(r"⟦([^⟦⟧]*)⟧(?:\{[^{}]*\})+")  # a value of a practice page, with what it is
_SMALL = re.compile(r"(?<![\w./@-])[a-zß-öø-ÿ]{2,}(?![\w\[]|[-./@]\w)")
_APART = re.compile(r"(?<=[ (])[a-z]{3,}(?=[ .,;:)\n])")  # in code: only what stands like a word of a sentence
_SUFFIXES, _PACKAGES = frozenset({".py", ".pyi", ".md", ".rst", ".txt"}), 3
# what mostly begins a sentence
_FIRST = (
    "accordingly admittedly alas albeit also although anyway besides consequently conversely curiously either else "
    "everyone everything finally firstly furthermore hence here however indeed instead lastly likewise meanwhile "
    "moreover neither nevertheless nobody nonetheless nothing notwithstanding otherwise overall perhaps regardless "
    "secondly similarly somebody someone still there therefore thirdly though thus unlike unless whereas whereby "
    "whether while whoever yes yet"
)


def of_packages() -> Iterator[str]:
    """The words that several installed packages use."""
    users: dict[str, set[str]] = defaultdict(set)
    home = Path(sysconfig.get_paths()["purelib"])
    for path in home.rglob("*"):
        if path.suffix in _SUFFIXES and path.is_file():
            package = path.relative_to(home).parts[0].partition("-")[0]
            for word in set(_APART.findall(path.read_text(encoding="utf-8", errors="ignore"))):
                users[word].add(package)
    return (word for word, packages in users.items() if len(packages) >= _PACKAGES)


def main() -> None:
    """Write the words, one a line, in order."""
    pages = [*(ROOT / "bench/practice").glob("*.*"), *(ROOT / "docs").glob("*.md")]
    texts = (_MARK.sub(r"\1", page.read_text(encoding="utf-8")) for page in pages)
    words = {word for text in texts for word in _SMALL.findall(text)} | {*_FIRST.split(), *of_packages()}
    target = ROOT / "pipelines/registry/plain_words.txt"
    target.write_text("".join(f"{word}\n" for word in sorted(words)), encoding="utf-8")
    print(f"{len(words):,} words in {target.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
