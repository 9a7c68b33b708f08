"""Cards outside the dashboard: the rows, pictures and pages of every chart, on the committed facts."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from xml.etree import ElementTree

import pandas as pd
import pyarrow as pa
import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from dashboard import embed_routes, rate, site
from dashboard.cards import KnownCard, known_cards
from dashboard.components.card import collected_cards
from dashboard.components.share import snippet
from dashboard.embeds import embed_page, oembed
from dashboard.lesson_book import lessons
from dashboard.navigation import charts, page_entries
from dashboard.queries import Ledger
from dashboard.stated_cards import StatedCard, stated_card
from dashboard.views.evidence import EXCERPT
from pipelines.publish.site import write_site
from pipelines.settings import PREFIX
from warehouse.answers import evidence, formats
from warehouse.answers.plain_html import Outside, SitePage, path_of
from warehouse.read import Warehouse

ROOT = "https://ledger.test/"
HOSTILE = '</script><script>alert(1)</script>"><img src=x onerror=alert(1)>'
# Pages whose first choices are those of their cards; the others show one thing that nobody has chosen yet.
ALIKE = ("racks", "roadmap", "who-has-it", "prices", "sites", "conflicts", "training", "inferencex")


@pytest.fixture(scope="module")
def cards(market: Warehouse) -> dict[str, KnownCard]:
    return {card.id: card for card in known_cards(Ledger(market.path))}


def test_every_chart_is_a_card(cards: dict[str, KnownCard]) -> None:
    assert set(cards) == set(charts())


def test_the_values_of_every_card_are_those_of_its_rows(cards: dict[str, KnownCard]) -> None:
    """In the table of its page and in its files: tag, claimant, day, link, and every figure."""
    for card in cards.values():
        files = {file.path.rpartition(".")[2]: file for file in site._files(card, ROOT) if "files/" in file.path}
        told = json.loads(files["json"].content())["rows"]
        in_parquet = pd.read_parquet(io.BytesIO(files["parquet"].content()))
        rows, table = card.rows.to_dict("records"), card.table()
        assert len(told) == len(rows) == len(in_parquet) == int(table.title.split()[0].replace(",", "")), card.id
        figures = [str(name) for name in card.rows if pd.api.types.is_float_dtype(card.rows[name])]
        for row, one, other in zip(rows, told, in_parquet.to_dict("records"), strict=True):
            assert [one[name] for name in figures] == [
                None if pd.isna(row[name]) else pytest.approx(row[name]) for name in figures
            ], card.id
            assert [other[name] for name in figures] == pytest.approx([row[name] for name in figures], nan_ok=True)
            assert one["evidence"] == other["evidence"] == row["evidence"]
        for row, line in zip(rows, table.rows, strict=False):
            assert evidence.mark(str(row["evidence"])) in line, card.id
            if "stated_on" in row and not pd.isna(row["stated_on"]):
                assert formats.day(row["stated_on"]) in line, card.id
            if formats.safe_url(row.get("url")):
                assert Outside(row["url"]) in line, card.id


@pytest.mark.parametrize("path", ALIKE)
def test_a_card_is_what_its_page_shows_first(cards: dict[str, KnownCard], path: str, market: Warehouse,
                                             monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    monkeypatch.setenv(PREFIX + "WAREHOUSE", str(market.path))
    (entry,) = [entry for entry in page_entries() if entry.path == path]
    with collected_cards() as found:
        entry.show()
    shown = {meta.id: (prepared.spec, prepared.rows, meta) for prepared, meta in found}
    own = [card for card in cards.values() if card.page == path]
    assert own
    for card in own:
        assert shown[card.id] == (card.prepared.spec, card.prepared.rows, card.meta), card.id


@pytest.mark.parametrize("name", ["inference_points", "inference_best", "inference_per_watt", "claim_history"])
def test_a_card_is_what_its_page_shows_of_it(cards: dict[str, KnownCard], name: str, market: Warehouse,
                                             monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    """Where the page has to be asked for it: by the benchmark with most power runs, by a claim of the history."""
    monkeypatch.setenv(PREFIX + "WAREHOUSE", str(market.path))
    card = cards[name]
    (power,) = market.rows(
        "SELECT any_value(title) AS title FROM registry.mlperf_benchmarks WHERE benchmark_id = 'resnet'"
    )
    subject, metric = EXCERPT
    said = Ledger(market.path).frame_of("claims.history_of", subject=subject, metric=metric)["claim_id"]
    state = {
        "inference_per_watt": (("benchmarks.benchmark", str(power["title"])),),
        "claim_history": (("claim", str(said.iloc[0])),),
    }.get(name, ())
    stated = stated_card(name, state)
    assert stated.refused == ()
    assert stated.card is not None
    assert (stated.card.prepared.spec, stated.card.prepared.rows, stated.card.meta) == (
        card.prepared.spec, card.prepared.rows, card.meta,
    )  # fmt: skip


@pytest.mark.parametrize("name", ["density_over_time", "roadmap_timeline", "sites_total"])
def test_the_line_of_an_earlier_day_is_named_by_its_date(cards: dict[str, KnownCard], name: str, market: Warehouse,
                                                          monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    monkeypatch.setenv(PREFIX + "WAREHOUSE", str(market.path))
    stated = stated_card(name, (("as_of", "2026-06-30"),))
    assert stated.card is not None
    earlier, newest = (set(_words(card)) for card in (stated.card, cards[name]))
    assert {"2026-06-30", "today"} & earlier == {"2026-06-30"}
    assert "today" in newest


def _words(card: KnownCard) -> Iterator[str]:
    """The words of the lines that a chart draws across its marks."""
    for rows in card.prepared.rows.values():
        table = pa.ipc.open_stream(rows).read_all()
        if "word" in table.column_names:
            yield from table["word"].to_pylist()


def test_names_day_and_terms_stand_below_every_chart(cards: dict[str, KnownCard]) -> None:
    for card in cards.values():
        assert re.search(r"rackledger · (newest statement \d+ \w+ \d{4}|undated) · .*CC BY 4\.0", card.foot()[-1]), (
            card.id
        )
        assert card.prepared.alt
        assert all(width > 0 and height > 0 for width, height in card.sizes), card.id


def test_pictures_have_their_size_and_both_grounds_and_only_what_changed_is_drawn(
    cards: dict[str, KnownCard], market: Warehouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = [cards["density_memory"]]
    monkeypatch.setattr(site, "known_cards", lambda ledger: chosen)
    monkeypatch.setattr("pipelines.publish.site.pages", lambda within, day, put_right: [])
    taught = [SitePage(path_of("lesson", name), name, "lesson", "", "", 0, ()) for name in lessons()]
    monkeypatch.setattr("dashboard.site_lessons.lesson_pages", lambda ledger, pictures: taught)
    elsewhere = partial(site.more_pages, market.path)
    first = write_site(market.path, tmp_path, ROOT, elsewhere)
    assert first.written == first.pages
    for name, (width, height) in zip(("wide", "narrow"), chosen[0].sizes, strict=True):
        text = (tmp_path / f"embed/density_memory/{name}.svg").read_text(encoding="utf-8")
        image = ElementTree.fromstring(text)
        assert (image.get("width"), image.get("height")) == (str(width), str(height))
        assert "@media (prefers-color-scheme:dark)" in text
        assert len(re.findall(r"<text", text)) >= len(re.findall(r"<text[^>]* textLength=", text)) > 5
        assert "<script" not in text
        assert len(text.encode()) < 300_000
    assert (tmp_path / "embed/density_memory/print.png").read_bytes().startswith(b"\x89PNG")
    page = (tmp_path / "chart/density_memory.html").read_text(encoding="utf-8")
    assert all(
        (tmp_path / "chart" / link).resolve().is_file() for link in re.findall(r'(?:src|href)="(\.\./[^"]*)"', page)
    )
    assert f'<meta property="og:image" content="{ROOT}embed/density_memory/print.png">' in page
    _check_front((tmp_path / "index.html").read_text(encoding="utf-8"), tmp_path)
    assert write_site(market.path, tmp_path, ROOT, elsewhere).written == 0
    chosen[0] = replace(chosen[0], meta=replace(chosen[0].meta, how_to_read="Otherwise."))
    write_site(market.path, tmp_path, ROOT, elsewhere)
    times = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.svg")}
    assert "Otherwise." in (tmp_path / "chart/density_memory.html").read_text(encoding="utf-8")
    write_site(market.path, tmp_path, ROOT, elsewhere)
    assert times == {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.svg")}


def _check_front(text: str, folder: Path) -> None:
    """Five findings with a small chart each before any other file is asked for, rooms, and links that lead to files."""
    assert text.count('class="topic"') == 5
    assert len(re.findall(r'class="(?:plot|bars|stacks)"', text)) == 5
    assert len(text.encode()) < 300_000
    assert "<img" not in text
    links = [link for link in re.findall(r'href="([^"]*)"', text) if not link.startswith("http")]
    assert "room/racks.html" in links
    assert [link for link in links if not (folder / link.partition("#")[0]).is_file()] == []
    room = (folder / "room/racks.html").read_text(encoding="utf-8")
    assert 'src="../embed/density_memory/wide.svg"' in room
    assert 'href="../chart/density_memory.html"' in room


def test_text_of_others_is_text_in_what_is_embedded(cards: dict[str, KnownCard]) -> None:
    card = cards["density_memory"]
    hostile = replace(card, meta=replace(card.meta, title=HOSTILE, subtitle=HOSTILE, footnotes=(HOSTILE,)))
    page = embed_page(hostile, ROOT, ROOT).decode()
    assert (page.count("<script"), page.count("<img")) == (1, 1)
    pasted = snippet("x", HOSTILE, 500, ROOT)
    assert (pasted.count("<script"), pasted.count("<img")) == (1, 0)
    assert oembed(hostile, ROOT)["html"].count("<img") == 0


@pytest.fixture
def app(market: Warehouse, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    monkeypatch.setenv(PREFIX + "WAREHOUSE", str(market.path))
    with TestClient(Starlette(routes=list(embed_routes.routes()))) as client:
        yield client


def test_the_dashboard_serves_the_same(app: TestClient, cards: dict[str, KnownCard]) -> None:
    led = app.get("/embed/density_memory?theme=dark", follow_redirects=False)
    assert (led.status_code, led.headers["location"]) == (308, "density_memory/?theme=dark")
    page = app.get("/embed/density_memory/")
    assert page.status_code == 200
    assert "script-src 'sha256-" in page.headers["content-security-policy"]
    assert "x-frame-options" not in page.headers
    assert cards["density_memory"].meta.title in page.text.replace("&#x27;", "'")
    picture = app.get("/embed/density_memory/narrow.svg")
    assert (picture.status_code, picture.headers["content-type"]) == (200, "image/svg+xml")
    told = app.get("/oembed", params={"url": "http://testserver/embed/density_memory/?theme=dark", "maxwidth": "400"})
    assert (told.json()["type"], told.json()["width"]) == ("rich", 400)
    assert 'src="http://testserver/embed/density_memory/"' in told.json()["html"]


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/embed/nothing/", 404), ("/embed/nothing", 404), ("/embed/density_memory/print.exe", 404),
        ("/embed/..%2f..%2fetc/passwd", 404), ("/embed/density_memory/..%2fwide.svg", 404), ("/oembed", 404),
        ("/oembed?url=https://else.example/other", 404), ("/oembed?format=xml&url=/embed/density_memory/", 501),
        ("/oembed?url=http://[/embed/x", 404),
    ],
)  # fmt: skip
def test_what_is_no_card_is_refused(app: TestClient, path: str, status: int) -> None:
    assert app.get(path).status_code == status


def test_a_card_shows_the_state_of_its_address(app: TestClient) -> None:
    query = "as_of=2025-12-01&racks.nothing=1&theme=dark"
    page = app.get(f"/embed/density_over_time/?{query}")
    assert page.status_code == 200
    assert "Shown as known on 2025-12-01." in page.text
    assert "This chart cannot be shown with nothing “1”." in page.text
    state = "as_of=2025-12-01&amp;racks.nothing=1"
    assert f'href="http://testserver/racks?{state}#density-over-time"' in page.text
    assert f'src="wide.svg?{state}"' in page.text
    newest, then = (app.get(f"/embed/density_over_time/wide.svg?{each}").text for each in ("", "as_of=2025-12-01"))
    assert ElementTree.fromstring(then).tag.endswith("svg")
    assert newest != then
    told = app.get("/oembed", params={"url": f"http://testserver/embed/density_over_time/?{query}"}).json()["html"]
    assert f'src="http://testserver/embed/density_over_time/?{state}"' in told


def test_filters_that_nothing_fits_and_addresses_that_no_page_has_are_refused(app: TestClient) -> None:
    assert app.get("/embed/density_over_time/?as_of=2018-01-02").status_code == 404
    assert app.get(f"/embed/density_over_time/?racks.q={'x' * 300}").status_code == 400
    many = "&".join(f"racks.q{number}=1" for number in range(30))
    assert app.get(f"/embed/density_over_time/wide.svg?{many}").status_code == 400


def test_states_nobody_asked_for_before_are_drawn_only_as_often_as_one_may_ask(
    app: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(PREFIX + "API_RATE", "4")
    rate.buckets.cache_clear()
    drawn: list[object] = []

    def draw(name: str, state: object) -> StatedCard:
        drawn.append(state)
        return StatedCard(None)

    monkeypatch.setattr(embed_routes, "stated_card", draw)
    asked = [app.get(f"/embed/density_over_time/?racks.x={value}").status_code for value in "aaab"]
    assert asked == [404, 404, 404, 429]
    assert drawn == [(("racks.x", "a"),)]
    rate.buckets.cache_clear()


def test_a_plain_file_says_that_it_has_one_state_only(cards: dict[str, KnownCard]) -> None:
    for there, link in (("https://app.test/", 'href="https://app.test/racks#density-memory"'), ("", "")):
        files = site._files(cards["density_memory"], ROOT, there)
        (page,) = [file for file in files if file.path.endswith("html")]
        text = page.content().decode()
        assert '<p id="asked" hidden>Shown with its first choices' in text
        assert link in text
        assert ("Show the chart with them" in text) is bool(there)
