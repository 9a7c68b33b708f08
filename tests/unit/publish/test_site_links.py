"""Links of the dashboard on plain pages: to the page of the same, to the dashboard, or none."""

from __future__ import annotations

import pytest

from pipelines.publish.site_links import led, places_of
from warehouse.answers.plain_html import SitePage, Table

CLAIMED = SitePage("thing/b200.html", "B200", "accelerator", "", "Product", 1, (Table("", ("",), (("x",),), ("c1",)),))
MADE = [CLAIMED, SitePage("org/meta.html", "Meta", "organisation", "", "Organization", 1, ())]
ENTRIES = [{"own_id": "b200", "id": "b200", "name": "B200"}, {"own_id": "b200-pcie", "id": "b200", "name": "B200 PCIe"}]
APP = "https://app.test/"


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ('<a href="./thing?id=b200">x</a>', '<a href="../thing/b200.html">x</a>'),
        ('<a href="./thing?id=b200-pcie">x</a>', '<a href="../thing/b200.html">x</a>'),
        ('<a class="room" href="racks#power">x</a>', '<a class="room" href="../room/racks.html#power">x</a>'),
        ('<a href="./evidence?claim=c1">x</a>', '<a href="../thing/b200.html#c1">x</a>'),
        ('<a href="./org?id=meta">x</a>', '<a href="../org/meta.html">x</a>'),
        ('<a href="./chart/y.html">x</a>', '<a href="../chart/y.html">x</a>'),
        ('<a href="./evidence?claim=c2">x</a>', "x"),
        ('<a href="https://a.test/?b=c#d">x</a>', '<a href="https://a.test/?b=c#d">x</a>'),
        ('<a href="../b.html">x</a>', '<a href="../b.html">x</a>'),
    ],
)
def test_a_link_leads_to_the_page_of_the_same(link: str, expected: str) -> None:
    places = places_of(MADE, ENTRIES, {"racks": "room/racks.html"})
    assert led(link, places, "../", "") == expected


def test_what_has_no_page_leads_to_the_dashboard_where_there_is_one() -> None:
    told = led('<p><a href="./prices?a=b&amp;c=d">x</a></p>', {}, "", APP)
    assert told == '<p><a href="https://app.test/prices?a=b&amp;c=d">x</a></p>'
