"""Formulas of TeX inside running text as plain words: '$3.35~\\mathrm{TB/s}$' is 3.35 TB/s. Pure, linear.

Only commands that figures are written with are put into words, those of LaTeX and of https://ctan.org/pkg/amsmath. What
else a formula holds stays as it is.
"""

from __future__ import annotations

import re

_LONGEST = 200  # characters of a formula
# between dollars only where a command or an exponent stands inside: '$5 and $6' are sums of money
_FORMULA = re.compile(
    rf"\$\$?(?=[^\s$])(?=[^$\n]{{0,{_LONGEST}}}?(?:\\[A-Za-z]|\^\{{))(?P<dollars>[^$\n]{{1,{_LONGEST}}}?)(?<=\S)\$\$?(?!\d)"
    rf"|\\\((?P<round>[^\n]{{1,{_LONGEST}}}?)\\\)|\\\[(?P<square>[^\n]{{1,{_LONGEST}}}?)\\\]"
)
_WORDS = re.compile(r"\\(?:text|mathrm|mathbf|textbf|mathit|textit|operatorname|mathsf|texttt)\s?\{([^{}]*)\}")
_FRACTION = re.compile(r"\\[dt]?frac\{([^{}]*)\}\{([^{}]*)\}")
_SPACE = re.compile(r"\\[,;:! ]|~|\\q?quad\b|(?<=\d),(?=\\(?:text|math))|\{,\}(?=\s)")
_SIGN_OF = {
    "times": "×", "cdot": "·", "approx": "≈", "sim": "~", "simeq": "≈", "leq": "≤", "le": "≤", "geq": "≥", "ge": "≥",
    "mu": "µ", "pm": "±", "to": "→", "rightarrow": "→", "div": "/",
}  # fmt: skip
_SIGN = re.compile(rf"\\({'|'.join(sorted(_SIGN_OF, key=len, reverse=True))})(?![A-Za-z])\s?")
_RAISED = re.compile(r"\^\{([^{}]*)\}")
_ESCAPED = re.compile(r"\\([%$#&_{}])")
_THOUSANDS = re.compile(r"(?<=\d)\{,\}(?=\d)")


def without_formulas(text: str) -> str:
    """A text whose formulas are plain words."""
    return _FORMULA.sub(lambda found: _plain(next(filter(None, found.groups()), "")), text)


def _plain(formula: str) -> str:
    words = _SPACE.sub(" ", _THOUSANDS.sub(",", formula))
    words = _FRACTION.sub(r"\1/\2", _WORDS.sub(r"\1", words))
    words = _SIGN.sub(lambda found: _SIGN_OF[found[1]], words)
    return _ESCAPED.sub(r"\1", _RAISED.sub(r"^\1", words)).strip()
