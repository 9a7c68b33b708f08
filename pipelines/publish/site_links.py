"""Where links of the dashboard lead on plain pages: to the page of the same, else to the dashboard, else nowhere."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Mapping
from typing import Any

from warehouse.answers import formats
from warehouse.answers.corrections import BENCHMARK, ORGANISATION, THING
from warehouse.answers.plain_html import SitePage
from warehouse.answers.site_pages import links_to

# A link that is relative and leads to no file: an address of the dashboard. Links of ours hold no links.
_LINK = re.compile(r'<a ([^>]*?)href="(?:\./)?(?![a-z]+:|\.\./)([^"#]*)(#[^"]*)?"([^>]*)>(.*?)</a>', re.DOTALL)


def places_of(
    pages: Iterable[SitePage], entries: Iterable[Mapping[str, Any]], others: Mapping[str, str]
) -> dict[str, str]:
    """By address in the dashboard, the path of the page: things with their variants, organisations, and claims.

    A claim stands in a row of the page of its thing. `others` has what comes from elsewhere.
    """
    held = {page.path: page for page in pages}
    found = {formats.page_address("thing", id=name): own.path for name, own in links_to(held.values(), entries).items()}
    for address, kind in (("org", ORGANISATION), ("benchmark", BENCHMARK)):
        found |= {formats.page_address(address, id=_name(path)): path for path in held if path.startswith(f"{kind}/")}
    for path, page in held.items():
        if path.startswith(f"{THING}/"):
            claims = (name for table in page.tables for name in table.claims if name)
            found |= {formats.page_address("evidence", claim=name): f"{path}#{name}" for name in claims}
    return found | dict(others)


def _name(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(".html")


def led(text: str, places: Mapping[str, str], up: str, app: str) -> str:
    """HTML of our own, every link of the dashboard led to where it stands here; `app` is the dashboard's address."""

    def lead(link: re.Match[str]) -> str:
        before, address, spot, after, words = link.groups(default="")
        target = html.unescape(address)
        if target.endswith(".html"):
            place = f"{up}{target}{spot}"
        elif target in places:
            place = f"{up}{places[target]}{'' if '#' in places[target] else spot}"
        elif app:
            place = f"{app}{target}{spot}"
        else:
            return words
        return f'<a {before}href="{html.escape(place)}"{after}>{words}</a>'

    return _LINK.sub(lead, text)
