"""The words of the world's pages, in the real formats; all figures and names of articles are made up."""

from __future__ import annotations

import datetime as dt
import json
from email.utils import format_datetime
from html import escape

from tests.simulation.internet import START, Says

SYSTEMS = ("GB300 NVL72", "GB200 NVL72", "HGX B200", "HGX H200", "DGX B300")


def date_of(day: int) -> dt.date:
    """The calendar day of a day of the world."""
    return (START + dt.timedelta(days=day - 1)).date()


def article(host: str, day: int) -> Says:
    """One article of a day: a headline, a date in the markup, and a few sentences with figures."""
    system, power = SYSTEMS[(day + len(host)) % len(SYSTEMS)], 100 + (day * 7 + len(host)) % 60
    text = (
        f"<p>{escape(host)} reports on the machine room of a customer on day {day}. The {system} draws {power} kW per "
        f"rack, says the operator, and its cooling is new.</p><p>Engineers expect that the hall will hold {day + 3} "
        f"such racks before summer, fed by two separate lines. Nobody would name the price of the building.</p>"
    )
    return html(f"Day {day} at {host}", text, date_of(day))


def html(title: str, body: str, published: dt.date | None = None, charset: str = "utf-8") -> Says:
    """A page with a headline."""
    meta = f'<meta property="article:published_time" content="{published}T05:00:00Z">' if published else ""
    text = (
        f'<!doctype html><html lang="en"><head><meta charset="{charset}"><title>{title}</title>{meta}</head><body><nav>'
        f"<a href='/'>Home</a></nav><article><h1>{title}</h1>{body}</article><footer>Imprint</footer></body></html>"
    )
    return Says(text.encode(charset), kind=f"text/html; charset={charset}")


RSS_ITEM = "<item><title>Day {n} at {host}</title><link>http://{host}/news/{n}</link><pubDate>{at}</pubDate></item>"
RSS = (
    '<?xml version="1.0"?><rss version="2.0"><channel><title>{host}</title><link>http://{host}/</link>{items}'
    "</channel></rss>"
)
ATOM_ITEM = (
    "<entry><title>Day {n} at {host}</title><id>http://{host}/news/{n}</id><link href='http://{host}/news/{n}'/>"
    "<updated>{on}T05:00:00Z</updated></entry>"
)
ATOM = '<feed xmlns="http://www.w3.org/2005/Atom"><title>{host}</title><id>http://{host}/</id>{items}</feed>'


def _feed(form: str, item: str, host: str, days: range) -> bytes:
    """A feed of a host's articles in a form, the newest first."""
    items = "".join(
        item.format(n=n, host=host, on=date_of(n), at=format_datetime(START + dt.timedelta(days=n - 1), usegmt=True))
        for n in reversed(days)
    )
    return form.format(host=host, items=items).encode()


def rss(host: str, days: range) -> Says:
    """An RSS feed."""
    return Says(_feed(RSS, RSS_ITEM, host, days), kind="application/rss+xml")


def atom(host: str, days: range) -> Says:
    """The same as Atom."""
    return Says(_feed(ATOM, ATOM_ITEM, host, days), kind="application/atom+xml")


def json_feed(host: str, days: range) -> Says:
    """The same as a JSON feed."""
    items = [
        {
            "id": str(n),
            "url": f"http://{host}/news/{n}",
            "title": f"Day {n}",
            "date_published": f"{date_of(n)}T05:00:00Z",
        }
        for n in reversed(days)
    ]
    feed = {"version": "https://jsonfeed.org/version/1.1", "title": host, "items": items}
    return Says(json.dumps(feed).encode(), kind="application/feed+json")


def listing(host: str, days: range) -> Says:
    """An HTML page with links to articles."""
    links = "".join(f'<li><a href="/news/{n}">Day {n} at {host}</a></li>' for n in reversed(days))
    return html(f"News of {host}", f"<ul>{links}</ul>")


def sitemap(host: str, days: range) -> Says:
    """A sitemap of the articles."""
    urls = "".join(f"<url><loc>http://{host}/news/{n}</loc><lastmod>{date_of(n)}</lastmod></url>" for n in days)
    text = f'<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>'
    return Says(text.encode(), kind="application/xml")


def price_page(price: float) -> Says:
    """A price list as a table."""
    rows = "".join(
        f"<tr><td>{name}</td><td>${price + step:.2f}</td></tr>"
        for name, step in (("NVIDIA H100", 0.0), ("NVIDIA H200", 1.0), ("NVIDIA B200", 2.5))
    )
    return html(
        "Prices",
        f"<p>All prices are on demand, per GPU and hour, before tax, in US dollars.</p>"
        f"<table><thead><tr><th>Accelerator</th><th>Price per GPU hour</th></tr></thead><tbody>{rows}</tbody></table>",
    )


def price_cards(price: float) -> Says:
    """The same offers without a table."""
    cards = "".join(
        f'<div class="card"><h3>{name}</h3><span>from</span> <b>${price + step:.2f}</b></div>'
        for name, step in (("NVIDIA H100", 0.0), ("NVIDIA H200", 1.0), ("NVIDIA B200", 2.5))
    )
    return html("Prices", f"<p>All prices are on demand, per GPU and hour, before tax, in US dollars.</p>{cards}")


def spec_page(title: str, power: int) -> Says:
    """A data sheet that says little that changes."""
    paragraphs = "".join(
        f"<p>Section {n} describes the frame, its doors and the lift that is needed to place it on a raised floor.</p>"
        for n in range(8)
    )
    return html(title, f"<p>The {title} draws {power} kW per rack and holds 72 GPUs.</p>{paragraphs}")


def roadmap(promise: tuple[int, dt.date]) -> Says:
    """A page with a promise, dated by the day on which it was last written."""
    day, month = promise
    text = f"<p>The NVIDIA Rubin Ultra will be available in {month:%B %Y}.</p><p>More is said when it is known.</p>"
    return html("Roadmap", text, date_of(day))


SHELL = Says(
    b'<!doctype html><html><head><title>App</title><script src="/app.js"></script></head>'
    b'<body><div id="root"></div><noscript>Please switch JavaScript on.</noscript></body></html>'
)
CHALLENGE = Says(
    b"<!doctype html><html><head><title>Just a moment...</title></head><body>"
    b'<div id="cf-wrapper"><p>Checking your browser.</p></div>'
    b'<script src="/cdn-cgi/challenge-platform/h/b/x.js"></script>'
    b"</body></html>"
)
LOGIN = Says(
    b"<!doctype html><html><head><title>Sign in</title></head><body><form method=post><label>Mail <input name=m>"
    b"</label>"
    b'<label>Password <input type="password" name=p></label><button>Sign in</button></form></body></html>'
)


def hostile(day: int) -> Says:
    """Sentences that tripped readers before, and a long row of figures."""
    row = "12 kW, " * 400
    return html(
        f"Notes of day {day}",
        f"<p>This box can deliver a petaflop, the seller says on day {day}. The GB200 NVL72 draws 120 "
        f"kW per rack, and the GB300 NVL72 draws 99,999,999 kW per rack. It has 1e400 GB of memory &lt;script&gt;"
        f"alert(1)&lt;/script&gt;.</p>"
        f"<p>{row}</p><p>'; DROP TABLE evidence.claims; --</p>",
        date_of(day),
    )


def offers(price: float, *, fresh_field: bool = False) -> Says:
    """The offers of a price API."""
    rows = [
        {
            "provider": "nebius",
            "gpu": gpu,
            "vram_gb": gb,
            "usd_hr": round(price * k, 2),
            "kind": "on-demand",
            "min_gpus": 8,
        }
        | ({"region_tier": "gold"} if fresh_field else {})
        for gpu, gb, k in (("h100", 80, 1.0), ("h200", 141, 1.2), ("b200", 180, 1.9))
    ]
    return Says(json.dumps({"offers": rows}).encode(), kind="application/json")


def snapshot(day: int, price: float, *, fresh_field: bool = False) -> Says:
    """The price API's answer of a day."""
    made = json.loads(offers(price, fresh_field=fresh_field).body)
    made["date"] = str(date_of(day))
    made["providers"] = {"nebius": {"ok": True, "stale": False, "last_verified": f"{date_of(day)}T05:00:00Z"}}
    return Says(json.dumps(made).encode(), kind="application/json")


def compute_price(day: int, price: float) -> Says:
    """Another price API's answer for one accelerator."""
    row = {
        "provider": "examplecloud", "pricing_type": "on_demand", "usd_per_gpu_hr": price, "region": None,
        "observed_at": f"{date_of(day)}T04:02:35.461Z",
    }  # fmt: skip
    body = {
        "sku": "B200", "day": str(date_of(day)), "prices": {}, "providers": [row],
        "updated_at": f"{date_of(day)}T04:10:00.000Z", "attribution": "Data: Example",
    }  # fmt: skip
    return Says(json.dumps(body).encode(), kind="application/json")


def instances(price: float) -> Says:
    """A catalogue of instances as CSV."""
    head = "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Price,Region,GpuInfo,SpotPrice"
    rows = [f"big-{n},H100,{n},128,1600,{price * n:.2f},eu-1,,{price * n / 2:.2f}" for n in (1, 2, 4, 8)]
    return Says("\n".join([head, *rows, ""]).encode(), kind="text/csv")


def chips(*, renamed: bool = False) -> Says:
    """A table of hardware as CSV."""
    name = "Part" if renamed else "Hardware name"
    return Says(
        f"{name},Manufacturer,Type,Release date,Memory (bytes),TDP (W),Last modified\n"
        "NVIDIA H100 SXM5 80GB,NVIDIA,GPU,2022-09-20,8e10,700,2025-01-02\n"
        "NVIDIA B200,NVIDIA,GPU,2024-11-15,1.8e11,1000,2025-01-02\n".encode(),
        kind="text/csv",
    )
