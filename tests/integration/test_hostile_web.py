"""Several sources on a real socket, most of them hostile: all else is published, and what was set aside is named."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest
from typer.testing import CliRunner, Result

from pipelines.cli import app
from pipelines.settings import PREFIX, Settings
from tests.settings_kit import keep_records_in_memory, settings_below
from warehouse.read import Warehouse

HOSTILE = """<html lang="en"><head><title>A system</title>
<meta property="article:published_time" content="2026-01-03T10:00:00Z"></head><body><article><h1>A system</h1>
<p>The DGX B200 system can deliver a petaflop of compute, as its maker says in this long sentence.</p>
<p>The GB200 NVL72 draws 120 kW per rack, and the GB300 NVL72 draws 99,999,999 kW per rack, says the maker.</p>
<p>The H200 has 141 GB of memory and 1e400 GB of memory and 9999999999999999999999999999999999999999999 GB.</p>
</article></body></html>"""
GOOD = """<html lang="en"><head><title>A rack</title>
<meta property="article:published_time" content="2026-01-04T10:00:00Z"></head><body><article><h1>A rack</h1>
<p>NVIDIA says that the GB300 NVL72 draws 132 kW per rack, and that it holds 72 GPUs in the rack.</p>
</article></body></html>"""
CHIPS = """Hardware name,Manufacturer,Type,Release date,Memory (bytes),TDP (W),Last modified
NVIDIA H100 SXM5 80GB,NVIDIA,GPU,2022-09-20,8e10,700,2025-01-02
NVIDIA B200,NVIDIA,GPU,2024-11-15,1.8e11,1000,2025-01-02
NVIDIA B200,NVIDIA,GPU,2024-11-15,1.8e11,9000,2025-01-02
AMD Instinct MI300X,AMD,GPU,2023-12-06,1.92e11,1e300,2025-01-02
"""
RENAMED = "Cluster name,State,Chips\nColossus,Existing,100000\n"
OFFERS: list[Any] = [
    {"provider": "nebius", "gpu": "h100", "vram_gb": 80, "usd_hr": 2.95, "kind": "on-demand", "min_gpus": 8},
    {"provider": "nebius", "gpu": "h200", "vram_gb": 141, "usd_hr": 777.0, "kind": "on-demand", "min_gpus": 8},
    {"provider": "nebius", "gpu": "b200", "vram_gb": 180, "usd_hr": "'; DROP TABLE x", "kind": "on-demand"},
    {"provider": "nebius", "gpu": "a100", "vram_gb": 80, "usd_hr": 1.5, "kind": "on-demand", "min_gpus": 10**30},
    ["rubbish"],
    None,
]
SNAPSHOT = {
    "date": "2026-10-01",
    "offers": OFFERS,
    "providers": {"nebius": {"ok": True, "stale": False, "last_verified": "2026-10-01T05:00:00Z"}},
}
SOURCE = """
  {id}:
    title: {id}
    publisher: nvidia
    producer: NVIDIA
    licence: CC BY 4.0
    group: accelerator_maker
    layer: vendor
    signals: [roadmap]
    kind: {kind}
    urls: ["{root}/{id}"]
    page_url: "https://example.org/{id}"
    parser: {parser}
    evidence: {evidence}
    allowed_hosts: [127.0.0.1]
    cadence: 1d
    politeness: {{delay_s: 0, max_new_items: 0}}
    size_cap_bytes: 1 MB
    terms: a test's own page
    status: {status}
    is_local: true
"""
SOURCES = {
    "good": ("page", "html", "vendor", GOOD.encode(), "text/html"),
    "hostile": ("page", "html", "vendor", HOSTILE.encode(), "text/html"),
    "chips": ("table", "epoch_ml_hardware", "estimated", CHIPS.encode(), "text/csv"),
    "renamed": ("table", "epoch_gpu_clusters", "estimated", RENAMED.encode(), "text/csv"),
    "prices": ("api", "gpurentalprices", "unverified", json.dumps(SNAPSHOT).encode(), "application/json"),
}


class Handler(BaseHTTPRequestHandler):
    bodies: ClassVar[dict[str, tuple[bytes, str]]] = {}

    def do_GET(self) -> None:
        body, kind = self.bodies.get(self.path.strip("/"), (b"", ""))
        self.send_response(200 if kind else 404)
        self.send_header("Content-Type", kind or "text/plain")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        return


def listed(root: str, **statuses: str) -> str:
    entries = [
        SOURCE.format(
            id=name, kind=kind, parser=parser, evidence=evidence, root=root, status=statuses.get(name, "active")
        )
        for name, (kind, parser, evidence, _, _) in SOURCES.items()
    ]
    return "provider_denylist: []\nsources:" + "".join(entries)


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Settings, str]]:
    """One run over the hostile web; the settings, and the address of the web."""
    folder = tmp_path_factory.mktemp("hostile")
    Handler.bodies = {name: (body, kind) for name, (*_, body, kind) in SOURCES.items()}
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    root = f"http://127.0.0.1:{server.server_address[1]}"
    with pytest.MonkeyPatch.context() as patch:
        keep_records_in_memory(patch)
        settings_below(folder, patch)
        (folder / "sources.yaml").write_text(listed(root))
        patch.setenv(PREFIX + "SOURCES", str(folder / "sources.yaml"))
        patch.setenv(PREFIX + "OFFLINE", "false")
        result = CliRunner().invoke(app, ["run"])
        assert result.exit_code in (0, 5), result.output
        yield Settings(), root
    server.shutdown()
    server.server_close()


def ask(settings: Settings, sql: str) -> list[tuple[Any, ...]]:
    with Warehouse(settings.warehouse) as warehouse:
        return [tuple(row.values()) for row in warehouse.rows(sql)]


def test_all_that_is_sound_is_published(web: tuple[Settings, str]) -> None:
    settings, _ = web
    sound = "SELECT subject_id, value FROM evidence.mentions WHERE metric = 'power' ORDER BY ALL"
    assert ("nvidia-gb300-nvl72", 132.0) in ask(settings, sound)
    assert ("nvidia-gb200-nvl72", 120.0) in ask(settings, sound)
    assert ask(settings, "SELECT accelerator_raw, price_usd_per_hour FROM facts.cloud_offers") == [("h100", 2.95)]
    assert ask(settings, "SELECT hardware_raw FROM facts.hardware_specs") == [("NVIDIA H100 SXM5 80GB",)]


def test_what_was_set_aside_is_named_with_reason_and_place(web: tuple[Settings, str]) -> None:
    settings, root = web
    rows = ask(settings, 'SELECT source_id, kind, "check", reason, url FROM evidence.quarantine')
    assert {row[:3] for row in rows} == {
        ("hostile", "claim", "claims_digits_at_locator"),
        ("hostile", "claim", "value_implausible"),  # 99,999,999 kW
        ("chips", "row", "facts_hardware_specs_numbers"),
        ("chips", "row", "facts_hardware_specs_twice"),
        ("renamed", "capture", "table_unreadable"),
        ("prices", "row", "facts_cloud_offers_rules"),
        ("prices", "row", "field_unreadable"),
    }
    assert ask(settings, "SELECT count(*) FROM evidence.claims WHERE value > 1e7 AND source_id = 'hostile'") == [(0,)]
    reasons = {(row[0], row[2]): row[3] for row in rows}
    assert "a petaflop is printed, at the locator stands a" in reasons["hostile", "claims_digits_at_locator"]
    assert "gpu_hour_price_usd BETWEEN 0.01 AND 200 is not met" in reasons["prices", "facts_cloud_offers_rules"]
    assert "no column Name" in reasons["renamed", "table_unreadable"]
    assert {row[4] for row in rows if row[0] == "hostile"} == {f"{root}/hostile"}


def test_decisions_and_skipped_sources_shape_the_next_run_and_a_source_that_is_gone_gives_exit_code_5(
    web: tuple[Settings, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    settings, root = web
    ids = dict(ask(settings, "SELECT source_id || ' ' || \"check\", quarantine_id FROM evidence.quarantine"))
    dear, renamed, huge = (
        ids[name]
        for name in (
            "prices facts_cloud_offers_rules",
            "renamed table_unreadable",
            "chips facts_hardware_specs_numbers",
        )
    )
    shown = invoke("quarantine", "show", dear[:8])
    assert '"price_usd_per_hour": 777.0' in shown.stdout
    assert invoke("quarantine", "release", dear, "--reason", "asked the seller").exit_code == 0
    assert invoke("quarantine", "drop", renamed, "--reason", "another table now").exit_code == 0
    assert invoke("quarantine", "drop", huge).exit_code == 2  # without a reason
    cannot = invoke("quarantine", "release", huge, "--reason", "please")
    assert (cannot.exit_code, "cannot be let in" in cannot.output) == (1, True)
    assert invoke("quarantine", "show", "nothing").exit_code == 2

    Path(settings.sources).write_text(listed(root, hostile="skip"))
    del Handler.bodies["prices"]
    told: list[bytes] = []

    def post(url: str, body: bytes, wait: object) -> str:
        told.append(body)
        return ""

    monkeypatch.setattr("pipelines.alarm.post", post)
    monkeypatch.setenv(PREFIX + "ALARM_URL", "http://127.0.0.1:9/")
    result = invoke("run", "--now")
    assert result.exit_code == 5, result.output
    lines = result.stdout.splitlines()
    assert len(lines) == 5, lines
    assert lines[0].startswith("version ")
    assert lines[1].startswith("2 sources fail: prices (http status: ")
    assert "set aside: " in lines[2]
    assert json.loads(told[0])["wrong"] == lines[1:3]

    assert ask(settings, "SELECT count(*) FROM evidence.claims WHERE source_id = 'hostile'") == [(0,)]
    assert ask(settings, "SELECT count(*) FROM evidence.captures WHERE source_id = 'hostile'") == [(1,)]
    offers = ask(settings, "SELECT accelerator_raw, price_usd_per_hour FROM facts.cloud_offers ORDER BY 1")
    assert offers == [("h100", 2.95), ("h200", 777.0)]
    states = dict(ask(settings, "SELECT quarantine_id, state FROM evidence.quarantine"))
    assert (states[dear], states[renamed], states[huge]) == ("released", "dropped", "open")
    listing = invoke("quarantine", "list", "--json").stdout
    assert huge in listing
    assert renamed not in listing
    findings = json.loads(invoke("doctor", "--json").stdout)
    assert {finding["what"]: finding["is_well"] for finding in findings}["source prices"] is False


def invoke(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))
