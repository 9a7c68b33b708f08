"""What may be drawn, and the line, alt text, citation and files made from it."""

from __future__ import annotations

import csv
import datetime as dt
import io
import json
import zipfile
from typing import Any

import altair as alt
import pandas as pd
import pytest

from dashboard.components import bundle, images
from dashboard.components.bundle import Edition
from dashboard.components.card import matching
from dashboard.components.figure import ChartMeta, alt_text, cite, signature
from dashboard.components.provenance import FigureSource, UnsourcedFigure

META = ChartMeta(
    id="rack_power",
    title="Racks take 120 kW & more",
    subtitle="One mark a claim, kilowatts against the day it was stated.",
    how_to_read="Higher is denser.",
    columns={"power_kw": "Power [kW]", "vendor": "Vendor", "stated_on": "Stated"},
    caveats=("Vendors count differently.",),
    footnotes=("A note.",),
    as_of=dt.date(2026, 1, 2),
)
EDITION = Edition("20260102T000000Z-abcd", dt.date(2026, 1, 2), "https://example.org/density?as_of=2026-01-02")


def claims(**changes: list[Any]) -> pd.DataFrame:
    frame = pd.DataFrame(
        {
            "claim_id": ["c1", "c2", "c3"],
            "vendor": ["nvidia", "amd", "nvidia"],
            "power_kw": [120.0, 264.0, 132.0],
            "evidence": ["vendor", "reported", "vendor"],
            "source_id": ["s1", "s2", "s1"],
            "url": ["https://a.example/1", "https://b.example/2", "https://a.example/3"],
            "stated_on": pd.to_datetime(["2024-03-18", "2025-11-18", "2025-03-18"]),
        }
    )
    return frame.assign(**changes)


def test_a_sourced_frame_may_be_drawn_and_its_line_tells_mix_dates_and_sources() -> None:
    source = FigureSource.of(claims())
    assert source.line() == (
        "Evidence: ▲ V vendor 2, ○ R reported 1. Stated 2024-03-18 to 2025-11-18. Sources: s1, s2."
    )
    assert FigureSource.of(claims(), names={"s1": "The Register"}).line().endswith("Sources: The Register, s2.")
    assert source.picks == ["claim_id"]


def test_rows_of_reviewed_claims_name_who_printed_them_and_the_sources_are_counted() -> None:
    rows = claims(
        source_id=["ledger", "ledger", "s1"],
        printed_by=["The Register", "", None],
        claimant=["NVIDIA", "Dell", "NVIDIA"],
        url=["https://r.example/1", "https://www.b.example/2", "https://a.example/3"],
    )
    source = FigureSource.of(rows)
    assert source.line().endswith("Sources: The Register, b.example, s1.")
    told = source.sources().set_index("publisher")
    assert told["rows_held"].to_dict() == {"The Register": 1, "b.example": 1, "s1": 1}
    assert told.loc["b.example", "claimants_named"] == "Dell"
    assert told.loc["b.example", "evidence"] == "reported"
    assert list(told["first_stated"].dt.year) == [2024, 2025, 2025]


@pytest.mark.parametrize(
    ("dropped", "says"),
    [
        (["evidence"], "a figure needs evidence"),
        (["source_id", "url"], "source_id or url"),
        (["stated_on", "claim_id"], "stated_on or statement_id or claim_id"),
    ],
)
def test_without_tag_source_or_date_nothing_is_drawn(dropped: list[str], says: str) -> None:
    with pytest.raises(UnsourcedFigure, match=says):
        FigureSource.of(claims().drop(columns=dropped))


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"evidence": ["vendor", "rumour", "vendor"]}, "not an evidence tag: rumour"),
        ({"evidence": ["vendor", None, "vendor"]}, "not an evidence tag"),
        ({"source_id": ["s1", "", "s1"], "url": ["u", None, "u"]}, "1 rows have no source_id or url"),
        ({"claim_id": ["c1", None, "c3"], "stated_on": [pd.NaT] * 3}, "1 rows have no stated_on or claim_id"),
    ],
)  # fmt: skip
def test_one_row_without_its_source_stops_the_chart(change: dict[str, list[Any]], says: str) -> None:
    with pytest.raises(UnsourcedFigure, match=says):
        FigureSource.of(claims(**change))


def test_sums_need_the_rows_behind_them_and_a_column_that_leads_there() -> None:
    counts = pd.DataFrame({"vendor": ["amd", "nvidia"], "n": [1, 2]})
    with pytest.raises(UnsourcedFigure):
        FigureSource.of(counts)
    source = FigureSource.of(counts, claims())
    assert source.picks == ["vendor"]
    found = matching(source.behind, {"vendor": "nvidia"})
    assert found is not None
    assert list(found["claim_id"]) == ["c1", "c3"]
    with pytest.raises(UnsourcedFigure, match="share no column"):
        FigureSource.of(pd.DataFrame({"n": [3]}), claims())
    with pytest.raises(UnsourcedFigure, match="no row behind"):
        FigureSource.of(counts, claims().head(0))


def test_a_picked_mark_finds_its_rows_by_date_too() -> None:
    frame = claims()
    millis = int(pd.Timestamp("2025-03-18").timestamp() * 1000)
    found = matching(frame, {"vendor": "nvidia", "stated_on": millis})
    assert found is not None
    assert list(found["claim_id"]) == ["c3"]
    assert matching(frame, {}) is None
    assert matching(frame, {"elsewhere": 1}) is None


def test_the_alt_text_tells_marks_ranges_groups_and_evidence() -> None:
    frame = claims()
    assert alt_text(META, frame, FigureSource.of(frame).line()) == (
        "Chart: Racks take 120 kW & more. One mark a claim, kilowatts against the day it was stated. 3 marks. "
        "Power from 120 kW to 264 kW. Stated from 2024-03-18 to 2025-11-18. Vendor: nvidia (2), amd (1). "
        "Evidence: ▲ V vendor 2, ○ R reported 1. Stated 2024-03-18 to 2025-11-18. Sources: s1, s2."
    )


def test_the_citation_names_version_day_and_address_and_escapes_for_tex() -> None:
    found = cite(META, EDITION.version, EDITION.built_on, EDITION.address)
    assert found.plain == (
        "rackledger, “Racks take 120 kW & more”, as known on 2026-01-02, version 20260102T000000Z-abcd of 2026-01-02, "
        "https://example.org/density?as_of=2026-01-02"
    )
    assert found.bibtex.startswith("@misc{rackledger-rack-power-20260102,\n")
    assert "title = {Racks take 120 kW \\& more}" in found.bibtex


def test_an_id_that_would_not_do_as_a_file_name_is_refused() -> None:
    with pytest.raises(ValueError, match="lower case"):
        ChartMeta(id="Rack Power", title="", subtitle="", how_to_read="")


def test_csv_runs_no_formula_and_keeps_numbers_dates_lists_and_gaps() -> None:
    days: list[Any] = ["2026-01-02"] * 6 + [None]
    frame = pd.DataFrame(
        {
            "text": ["=1+1", " +cmd", "plain, with comma", "-5", "@x", "\t=2", None],
            "number": [-1.5, 2.0, float("nan"), 4.0, 5.0, 6.0, 7.0],
            "stated_on": pd.to_datetime(days),
            "list": [["a", "=b"], [], None, ["c"], ["d"], ["e"], ["f"]],
        }
    )
    rows = list(csv.DictReader(io.StringIO(bundle.csv_bytes(frame).decode())))
    assert [row["text"] for row in rows] == ["'=1+1", "' +cmd", "plain, with comma", "'-5", "'@x", "'\t=2", ""]
    assert [row["number"] for row in rows] == ["-1.5", "2.0", "", "4.0", "5.0", "6.0", "7.0"]
    assert [row["stated_on"] for row in rows][-2:] == ["2026-01-02", ""]
    assert [row["list"] for row in rows][:3] == ['["a", "=b"]', "[]", ""]


def test_the_zip_holds_rows_metadata_readme_and_citation_and_is_the_same_every_time() -> None:
    frame, citation = claims(), cite(META, EDITION.version, EDITION.built_on, EDITION.address)
    line = FigureSource.of(frame).line()
    first = bundle.zip_bytes(META, frame, line, EDITION, citation)
    assert first == bundle.zip_bytes(META, frame, line, EDITION, citation)
    with zipfile.ZipFile(io.BytesIO(first)) as archive:
        assert sorted(archive.namelist()) == [
            "rack_power/README.txt", "rack_power/citation.bib", "rack_power/data.csv", "rack_power/metadata.json",
        ]  # fmt: skip
        described = json.loads(archive.read("rack_power/metadata.json"))
        readme = archive.read("rack_power/README.txt").decode()
        assert len(archive.read("rack_power/data.csv").decode().splitlines()) == 4
    assert described["row_count"] == 3
    assert described["as_of"] == "2026-01-02"
    assert described["columns"][2] == {"name": "power_kw", "label": "Power", "unit": "kW", "type": "float64"}
    for part in ("Higher is denser.", "Vendors count differently.", "A note.", "CC BY 4.0", citation.plain, line):
        assert part in readme


def test_images_are_made_without_a_network_and_carry_title_and_source() -> None:
    frame = claims()
    chart = alt.Chart(frame).mark_point().encode(x="stated_on:T", y="power_kw:Q", color="vendor:N")
    line = FigureSource.of(frame).line()
    words = images.Words(META, line, signature(META, EDITION.built_on), EDITION.address)
    assert images.png(chart, words).startswith(b"\x89PNG\r\n\x1a\n")
    drawn = images.svg(chart, words).decode()
    assert "Racks take 120 kW &amp; more" in drawn
    assert "Stated 2024-03-18 to 2025-11-18" in drawn
    assert f"rackledger · as known on 2 Jan 2026 · CC BY 4.0 · {EDITION.address}" in drawn.replace("&amp;", "&")
    assert drawn.count('aria-roledescription="point"') == 3
    layered = alt.layer(chart, chart.mark_line())
    assert isinstance(layered, alt.LayerChart)
    assert images.svg(layered, words).decode().count('aria-roledescription="point"') == 3
    elsewhere = alt.Chart("http://127.0.0.1:1/x.csv").mark_point().encode(x="a:Q")
    with pytest.raises(ValueError, match=r"127\.0\.0\.1"):
        images.svg(elsewhere, words)
