"""How cards, tables and their words look, as CSS in the page's head: the same before and after anything is drawn."""

from __future__ import annotations

from dashboard.palette import palette_file


def _both(ink: str) -> str:
    file = palette_file()
    light, dark = (file["inks"] | file["page"])[ink]
    return f"light-dark({light},{dark})"


_CARD = '[class*="st-key-card_"],[class*="st-key-small_"]'
CARDS = (
    f"{_CARD}{{background:{_both('card')};border-color:{_both('rule')}!important;border-radius:8px!important}}"
    '[class*="st-key-card_"]{padding:28px 32px!important}'
    '[class*="st-key-card_"] h2{font-size:1.62rem!important;line-height:1.22!important;font-weight:700!important;'
    "padding:0!important;letter-spacing:-.01em}"
    '[class*="st-key-card_"] [class*="_question"] p{font-size:1rem!important;line-height:1.5;'
    f"color:{_both('second')}}}"
    '[class*="_phone_rows"]{display:none!important}'
    ".rows-card{border-top:1px solid "
    f"{_both('rule')};padding:.7rem 0;font-size:.95rem}}.rows-card b{{display:block;font-size:1rem}}"
    "div.rows-card dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem .8rem;margin:.3rem 0 0;padding:0}"
    f".rows-card dt{{color:{_both('second')}}}.rows-card a,.rows-box a{{color:{_both('link')}}}"
    ".rows-card dd{margin:0;overflow-wrap:anywhere}"
    "@media(max-width:640px){"
    '[class*="st-key-card_"]{padding:14px 12px!important}'
    '[class*="st-key-card_"] h2{font-size:1.32rem!important}'
    '[class*="_phone_rows"]{display:flex!important}[class*="_wide_rows"]{display:none!important}'
    "}"
)
