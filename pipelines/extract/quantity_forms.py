"""The forms around a number: currencies, ranges, lists, arithmetic units, what a figure is per. Patterns only."""

from __future__ import annotations

import re

CURRENCY = re.compile(r"(?P<other>C\$|A\$|HK\$|S\$|NT\$|[€£¥₹]\s?|(?:EUR|GBP|CNY|RMB|JPY)\s)|(?:US)?\$\s?|USD\s")
CURRENCY_BEFORE = re.compile(
    r"(?P<other>[CAS]\$|HK\$|NT\$|[€£¥₹]|(?:EUR|GBP|CNY|RMB|JPY))\s?$|(?:US|U\.S\.\s?)?\$\s?$|USD\s$"
)
RANGE = re.compile(r"\s?(?:[-–—‐‑]|to|through|~)\s?(?=[\d$.])|\s(?:and|to)\s(?=[$\d])", re.IGNORECASE)
LIST = re.compile(r"\s?/\s?")
FROM = re.compile(r"\bfrom\s(?:about |roughly |~)?[$€£]?$", re.IGNORECASE)
_PRECISION = (
    r"(?:(?:MX|NV|c)?(?:FP|BF|TF|INT|HF)\d{1,2}|E\dM\d|AI|dense|sparse|peak|tensor|"
    r"(?:mixed|half|single|double)[- ]precision|Linpack|HPL|sustained|theoretical)"
)
FLOP_UNIT = re.compile(
    rf"[\s-]+(?P<words>{_PRECISION}(?:(?:[ ]|\s?/\s?|,\s?|-){_PRECISION}){{0,4}})[ -]+"
    r"(?P<unit>[A-Za-z]{1,5}(?:FLOP|OP)[A-Za-z]{0,2}(?:/s)?)(?![A-Za-z])",
    re.IGNORECASE,
)
SPACED_FLOP = re.compile(
    r"[\s-](?P<prefix>tera|peta|exa|zetta|giga)[- ](?P<base>FLOP/s|flops|flop|ops)\b", re.IGNORECASE
)
FOUNDRY = re.compile(
    r"\b(?:TSMC|Samsung)(?:['’]s)?\s(?:(?:advanced|custom|leading-edge|the)\s)?"
    r"(?P<node>N(?P<late>\d{1,2})[A-Z]{0,2}|(?P<early>\d{1,2})(?:N[A-Z]?|LP[EP]))(?!\w)"
)
_PER_NOUNS = (
    "GPU accelerator TPU XPU NPU OAM chip package device card die superchip module socket board rack "
    "cabinet node server system instance tray blade pod superpod UltraServer cluster port link lane pin "
    "NIC transceiver domain user MW watt dollar megawatt GPU-hour hour month year quarter week day unit "
    "core CPU stack switch cable wafer token site campus building direction "
)
_PER_WORDS = "|".join(f"{noun}s?" for noun in _PER_NOUNS.split())
PER = re.compile(
    r"(?:(?:\s(?!per\b|an?\b|each\b|every\b)[\w()®™.+/-]+){0,5}?\s?(?:\bper|/)\s?|\s(?:an?|every|in each)\s)"
    rf"(?P<what>(?:[A-Za-z][\w-]*\s){{0,2}}?(?:(?:{_PER_WORDS}) (?:racks?|nodes?|trays?)|"
    rf"{_PER_WORDS}|W|hr|h|power shelf|graphics process(?:ing unit|or)s?|second|million tokens|"
    r"data ?cent(?:er|re)s?))(?![\w/])",
    re.IGNORECASE,
)
EACH = re.compile(
    r"(?:\s[\w()®™.-]+){0,4}?[\s,]+(?P<what>each|apiece|in aggregate|in total|total|combined|altogether)\b",
    re.IGNORECASE,
)
COMPARED = re.compile(r"\b(?:more|less|better|the|as|increase|performance|larger|higher)\b", re.IGNORECASE)
