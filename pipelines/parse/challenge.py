"""Pages that stand in front of the page that was asked for: a bot check or a wall, answered with status 200. Pure."""

from __future__ import annotations

import re

LOOKED_AT = 60_000  # such a page is small; its words stand at its beginning
LARGEST = 120_000  # a real page that speaks of such checks is longer, or has more text
_TITLE = re.compile(rb"<title[^>]*>\s*([^<]{0,200})", re.IGNORECASE)
_TITLES = re.compile(
    rb"just a moment|attention required|verify(ing)? (that )?you are (a )?human|are you (a )?(human|robot)|"
    rb"checking your browser|access denied|security check|one more step|bot (check|verification)|captcha",
    re.IGNORECASE,
)
# what the makers of such checks put into their pages
_MACHINERY = re.compile(
    rb"/cdn-cgi/challenge-platform/|cf[-_]chl[-_]|_cf_chl_opt|cf-turnstile|challenges\.cloudflare\.com|"
    rb"geo\.captcha-delivery\.com|_Incapsula_Resource|px-captcha|/_sec/cp_challenge|awswaf\.com/|"
    rb"window\.awsWafCookieDomainList|ddos-guard|sgcaptcha|hcaptcha\.com/1/api\.js|google\.com/recaptcha/api\.js",
    re.IGNORECASE,
)
_TAGS = re.compile(rb"<(script|style|noscript)\b.*?</\1\s*>|<[^>]*>", re.IGNORECASE | re.DOTALL)
FEW_WORDS = 120
_PASSWORD = re.compile(rb"<input\b[^>]*\btype\s*=\s*[\"']?password\b", re.IGNORECASE)


def login_in(body: bytes, content_type: str) -> bool:
    """Whether an HTML answer is a login form and not the page: it asks for a password, and has hardly any text."""
    if "html" not in content_type.lower() or len(body) > LARGEST or _PASSWORD.search(body) is None:
        return False
    return len(_TAGS.sub(b" ", body).split()) <= FEW_WORDS


def challenge_in(body: bytes, content_type: str) -> str | None:
    """What shows that an HTML answer is a check of the visitor and not the page; None where nothing does.

    Two signs are asked for: the machinery or the title of such a check, and hardly any text of its own.
    """
    if "html" not in content_type.lower() or len(body) > LARGEST:
        return None
    head = body[:LOOKED_AT]
    title = _TITLE.search(head)
    named = title is not None and _TITLES.search(title[1])
    machinery = _MACHINERY.search(head)
    if not named and machinery is None:
        return None
    if len(_TAGS.sub(b" ", head).split()) > FEW_WORDS:
        return None
    shown = title[1].decode("utf-8", "replace").strip() if named and title else ""
    return f"titled {shown!r}" if shown else f"with {machinery[0].decode('ascii', 'replace') if machinery else ''!r}"
