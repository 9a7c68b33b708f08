"""The plain pages in Chromium, from a static server below a sub-path: search, SQL, and what a reader needs.

DuckDB itself comes from npm. The page of SQL is tested with a stand-in of the same three words, and with the real one
where `make site-sql` was run.
"""

from __future__ import annotations

import functools
import http.server
import json
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Response, expect

from dashboard import site_sql
from dashboard.cards import known_card
from dashboard.queries import Ledger
from dashboard.site import _files, _page
from dashboard.site import lead as first_lead
from pipelines.publish import site as writer
from pipelines.settings import PROJECT_ROOT
from warehouse.answers.plain_html import ICON, SQL, VERSIONS, More, Outside, PlainFile, SitePage, Table, path_of
from warehouse.read import Warehouse

pytestmark = pytest.mark.browser
HOSTILE = '<img src=x onerror="document.title=1">'
INSTALLED = PROJECT_ROOT / "data" / "site-sql" / "node_modules"
STAND_IN = """
let loaded = [];
export async function open(told) {
  return {
    async load(schema, name, bytes) { loaded.push(`${schema}.${name} ${String.fromCharCode(...bytes.slice(0, 4))}`); },
    async run(sql, most) {
      if (sql.includes("mistake")) throw new Error("Parser Error: <b>near</b> mistake");
      return { names: ["said", "n"], numeric: [false, true], isCut: false,
               rows: [[%s, 12345.5], ["=1+1", null], [loaded.join(), 1]] };
    },
    close() {},
  };
}
""" % json.dumps(HOSTILE)  # noqa: UP031 - the script is full of braces
# What of a page has no name, and the least contrast of its words (WCAG 2.2, 1.4.3), the ground found by going outwards.
NAMELESS = """() => [...document.querySelectorAll('a, button, input, textarea, img, [role=region], [role=listbox]')]
  .filter((one) => one.checkVisibility() && !(one.textContent.trim() || one.getAttribute('aria-label') || one.alt
    || one.labels?.length || one.getAttribute('role') === 'status' || one.getAttribute('aria-hidden')))
  .map((one) => one.outerHTML.slice(0, 200))"""
FAINT = """() => {
  const parse = (text) => { const n = text.match(/[\\d.]+/g).map(Number); return [n[0], n[1], n[2], n[3] ?? 1]; };
  const over = (a, b) => [0, 1, 2].map((i) => a[i] * a[3] + b[i] * (1 - a[3]));
  const light = (c) => { const [r, g, b] = c.map((v) => (v /= 255) <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
    return .2126 * r + .7152 * g + .0722 * b; };
  const canvas = document.createElement('i'); canvas.style.background = 'Canvas'; document.body.append(canvas);
  const base = parse(getComputedStyle(canvas).backgroundColor); canvas.remove();
  const found = [];
  for (const one of document.querySelectorAll('body *')) {
    if (![...one.childNodes].some((n) => n.nodeType === 3 && n.data.trim())) continue;
    if (!one.checkVisibility({ visibilityProperty: true })) continue;
    if (one.closest('.unseen, noscript, script, style')) continue;
    const outwards = [];
    for (let at = one; at; at = at.parentElement) outwards.push(at);
    const opacity = outwards.reduce((so_far, at) => so_far * Number(getComputedStyle(at).opacity), 1);
    let ground = [...base];
    const box = one.getBoundingClientRect(), x = box.x + box.width / 2, y = box.y + box.height / 2;
    const lies_on = (at) => { const r = at.getBoundingClientRect();
      return r.left <= x && x <= r.right && r.top <= y && y <= r.bottom; };
    for (const at of outwards.filter(lies_on).reverse())
      ground = [...over(parse(getComputedStyle(at).backgroundColor), ground), 1];
    const style = getComputedStyle(one), ink = parse(one instanceof SVGElement ? style.fill : style.color);
    const shown = over([ink[0], ink[1], ink[2], ink[3] * opacity], ground);
    const [a, b] = [light(shown), light(ground)].sort((x, y) => y - x), ratio = (a + .05) / (b + .05);
    if (ratio < 4.5) found.push(`${ratio.toFixed(2)} ${one.textContent.trim().slice(0, 40)}`);
  }
  return found;
}"""
SHIFT = """() => new Promise((done) => { let moved = 0;
  new PerformanceObserver((list) => { for (const one of list.getEntries()) moved += one.value; })
    .observe({ type: 'layout-shift', buffered: true });
  setTimeout(() => done(moved), 300); })"""


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        pass


def _stand_in(folder: Path) -> Path:
    """A folder as npm would make it, with nothing that runs."""
    for part in (*site_sql.PARTS.values(), site_sql.DATABASE, site_sql.MODULE):
        (folder / part).parent.mkdir(parents=True, exist_ok=True)
        (folder / part).write_text('import*as u from"apache-arrow";u.Table', encoding="utf-8")
    for name in site_sql.PACKAGES:
        (folder / name / "package.json").write_text('{"version": "0"}', encoding="utf-8")
    return folder


def _write(published: Path, folder: Path, packages: Path) -> None:
    """A small site: one thing, one chart, the first page, the page of SQL and the versions."""
    ledger = Ledger(published)
    card = known_card(ledger, "density_memory")
    assert card is not None
    tables = [path.stem for path in sorted((published.parent / "published" / ledger.version).glob("*.*.parquet"))]

    def elsewhere(address: str) -> More:
        page, engine = site_sql.sql_page(ledger, tables, packages, address)
        lead = first_lead(ledger, [card], {card.id: path_of("chart", card.id)})
        icon = PlainFile(ICON, "", lambda: b'<svg xmlns="http://www.w3.org/2000/svg"/>')
        return More((_page(card, address),), (page,), (icon, *engine, *_files(card, address)), lead)

    told = Table("What stands", ("Figure", "Standing value", "Evidence, who, when", "Source"),
                 ((HOSTILE, "142 kW", "vendor: NVIDIA, 2025-03-18", Outside("https://example.org/x")),))  # fmt: skip
    thing = SitePage(
        path_of("thing", "nvidia-gb300-nvl72"), "NVIDIA GB300 NVL72", "rack", "One.", "Product", 1, (told,)
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(writer, "pages", lambda within, day, put_right: [thing])
        writer.write_site(published, folder, "https://ledger.test/sub/", elsewhere, "", published.parent / "published")


@pytest.fixture(scope="module")
def served(published: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """The address below a sub-path, and the folder."""
    base = tmp_path_factory.mktemp("plain")
    folder = base / "sub"
    _write(published, folder, _stand_in(base / "packages"))
    (folder / "data/duckdb/engine.js").write_text(STAND_IN, encoding="utf-8")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Quiet, directory=base))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/sub", folder
    server.shutdown()
    server.server_close()


def test_any_name_is_found_by_keys_and_the_index_comes_when_it_is_asked(page: Page, served: tuple[str, Path]) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.removeprefix(served[0])))
    page.goto(f"{served[0]}/index.html")
    page.keyboard.press("/")
    assert [path for path in asked if path.startswith("/search/")] == []
    box = page.get_by_role("combobox", name="Search")
    expect(box).to_be_focused()
    page.keyboard.type("gb300 nvl")
    offer = page.get_by_role("option")
    expect(offer).to_have_text("NVIDIA GB300 NVL72rack")
    expect(offer).to_have_attribute("aria-selected", "true")
    expect(page.get_by_role("status").first).to_have_text("1 found")
    assert {path for path in asked if path.startswith("/search/")} <= {"/search/g.json", "/search/n.json"}
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("NVIDIA GB300 NVL72")
    assert page.title() == "NVIDIA GB300 NVL72"
    page.get_by_role("combobox").fill("nothing of that name")
    expect(page.locator("#found")).to_have_text("Nothing bears that name.")


def test_sql_runs_here_and_its_answer_is_text(page: Page, served: tuple[str, Path], tmp_path: Path) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.removeprefix(served[0])))
    page.goto(f"{served[0]}/{SQL}")
    assert [path for path in asked if "duckdb" in path or "parquet" in path] == []
    page.get_by_role("textbox", name="Statement").fill(
        'SELECT * FROM "marts"."cells" JOIN nothing.here -- evidence.claims'
    )
    page.get_by_role("button", name="Run").click()
    expect(page.locator("#answered")).to_contain_text("3 rows")
    cells = page.locator("#rows td").all_inner_texts()
    assert cells == [HOSTILE, "12345.5", "=1+1", "", "marts.cells PAR1,evidence.claims PAR1", "1"]
    assert page.title() == "SQL"
    with page.expect_download() as saved:
        page.get_by_role("button", name="Download these rows (CSV)").click()
    lines = saved.value.path().read_text(encoding="utf-8").splitlines()
    assert lines[:3] == ["said,n", '"' + HOSTILE.replace('"', '""') + '",12345.5', "'=1+1,"]
    page.get_by_role("textbox", name="Statement").fill("a mistake")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("alert")).to_have_text("Parser Error: <b>near</b> mistake")
    expect(page.locator("#rows td")).to_have_count(0)
    shared = page.url
    page.goto("about:blank")
    page.goto(shared)
    expect(page.get_by_role("textbox", name="Statement")).to_have_value("a mistake")


def test_without_duckdb_the_page_says_how_to_get_it(page: Page, published: Path, tmp_path: Path) -> None:
    ledger = Ledger(published)
    told, files = site_sql.sql_page(ledger, ["marts.cells"], tmp_path, "https://ledger.test/")
    assert files == []
    page.set_content(told.html("https://ledger.test/"))
    expect(page.locator("main")).to_contain_text("make site-sql")
    expect(page.locator("pre").first).to_contain_text("https://ledger.test/files/latest/marts.cells.parquet")
    expect(page.locator("form")).to_have_count(0)
    bare, _ = site_sql.sql_page(ledger, [], tmp_path, "https://ledger.test/")
    assert "rackledger publish" in bare.prose


@pytest.mark.skipif(not site_sql.is_installed(INSTALLED), reason="DuckDB-WASM is not here; `make site-sql` gets it")
def test_duckdb_itself_answers(page: Page, published: Path, served: tuple[str, Path]) -> None:
    folder = served[1] / "real"
    _write(published, folder, INSTALLED)
    page.goto(f"{served[0]}/real/{SQL}")
    page.get_by_role("textbox", name="Statement").fill(
        "SELECT count(*) AS n, min(DATE '2026-01-02') AS d FROM evidence.claims"
    )
    page.get_by_role("button", name="Run").click()
    expect(page.locator("#answered")).to_contain_text("1 row ")
    with Warehouse(published) as warehouse:
        (row,) = warehouse.rows("SELECT count(*) AS n FROM evidence.claims")
    assert page.locator("#rows td").all_inner_texts() == [str(row["n"]), "2026-01-02"]
    assert max(path.stat().st_size for path in (folder / site_sql.ENGINE).iterdir()) < 8_000_000
    shutil.rmtree(folder)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_are_light_steady_named_and_readable(browser: Browser, served: tuple[str, Path], scheme: Any) -> None:
    paths = ("index.html", "thing/nvidia-gb300-nvl72.html", "chart/density_memory.html", SQL, VERSIONS)
    for width, path in [(1400, each) for each in paths] + [(390, each) for each in paths]:
        page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
        answers: list[Response] = []
        page.on("response", functools.partial(list.append, answers))  # Playwright writes on what it is given
        page.goto(f"{served[0]}/{path}", wait_until="networkidle")
        assert page.evaluate(SHIFT) < 0.05, path
        assert page.evaluate(NAMELESS) == [], path
        assert page.evaluate(FAINT) == [], path
        assert page.evaluate("() => document.documentElement.scrollWidth") <= width, path
        assert page.locator("h1").count() == 1
        assert sum(len(answer.body()) for answer in answers) < 500_000, path
        page.close()
