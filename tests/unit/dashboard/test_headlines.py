"""Titles and marks of the headline pages follow from their rows, and change when the rows change."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pandas as pd
import pytest

from dashboard.charts import density, roadmap, theme
from dashboard.headlines import adoption, prices, racks, tracks, words

DAY = dt.date(2026, 11, 22)


def rack(name: str, kw: float, start: str, end: str = "", **other: Any) -> dict[str, Any]:
    row: dict[str, Any] = {
        "system_id": name.lower().replace(" ", "-"), "system": f"NVIDIA {name}", "vendor": "nvidia",
        "vendor_name": "NVIDIA", "value": kw, "value_low": None, "value_high": None, "bound": None,
        "modality": "announced",
        "is_derived": False, "is_measured": False, "evidence": "vendor", "draw_basis": "unstated", "is_limit": False,
        "part": None, "cooling": None, "claimant": "NVIDIA", "stated_on": pd.Timestamp("2025-03-18"),
        "available_start": pd.Timestamp(start), "available_end": pd.Timestamp(end or start),
    }  # fmt: skip
    return row | other


@pytest.mark.parametrize(
    ("changes", "basis"),
    [
        ({}, racks.STATED),
        ({"modality": "withdrawn"}, racks.WITHDRAWN),
        ({"is_derived": True}, racks.COMPUTED),
        ({"is_measured": True}, racks.MEASURED),
        ({"evidence": "estimated"}, racks.ESTIMATE),
        ({"available_end": pd.Timestamp("2026-12-31")}, racks.PROMISED),
        ({"bound": "max"}, racks.LIMIT),
        ({"is_limit": True}, racks.LIMIT),
        ({"bound": "min", "is_limit": True}, racks.FLOOR),
        ({"value_low": 120.0, "value_high": 140.0}, racks.RANGE),
    ],
)
def test_the_basis_of_a_figure(changes: dict[str, Any], basis: str) -> None:
    assert racks.basis_of(rack("GB300 NVL72", 130.0, "2025-07-01") | changes, DAY) == basis


def test_a_promised_rack_stands_in_the_middle_of_its_window_and_parts_and_nobodys_words_stay_away() -> None:
    rows = [
        rack("Rubin Ultra", 600.0, "2027-07-01", "2027-12-31"),
        rack("GB200 NVL72", 120.0, "2024-12-01"),
        rack("GB200 NVL72", 70.0, "2024-12-01", evidence="unverified"),
        rack("GB200 NVL72", 480.0, "2024-12-01", part="bus bar"),
        rack("Vera CPU rack", 90.0, "2024-12-01", available_start=pd.NaT),
    ]
    found = racks.marks(pd.DataFrame(rows), DAY)
    assert list(zip(found["name"], found["amount"], found["basis"], strict=True)) == [
        ("GB200 NVL72", 120.0, racks.STATED),
        ("Rubin Ultra", 600.0, racks.PROMISED),
    ]
    assert found["at"].iloc[1] == pd.Timestamp("2027-09-30")
    assert (
        racks.power_title(found) == "The rack promised for late 2027 takes 600 kW, five times the GB200 NVL72 of 2024"
    )
    nothing_promised = racks.marks(pd.DataFrame(rows[1:2]), DAY)
    assert racks.power_title(nothing_promised) == (
        "GB200 NVL72, of Dec 2024, takes the most power of a rack on record: 120 kW"
    )
    assert racks.power_title(found.head(0)) == ""


def test_bands_are_drawn_by_the_racks_themselves() -> None:
    rows = [
        rack("DGX H100", 41.0, "2022-10-01", cooling="air"),
        rack("GB200 NVL72", 120.0, "2024-12-01", cooling="liquid"),
        rack("Kyber", 20.0, "2027-07-01", "2027-12-31", cooling="liquid"),
    ]
    assert racks.bands(racks.marks(pd.DataFrame(rows), DAY)) == (41.0, 120.0)
    assert racks.bands(racks.marks(pd.DataFrame(rows[1:]), DAY)) is None
    meeting = [rows[0], rack("GB200 NVL72", 30.0, "2024-12-01", cooling="liquid")]
    assert racks.bands(racks.marks(pd.DataFrame(meeting), DAY)) is None


def test_what_lies_between_air_and_liquid_is_empty_only_where_no_rack_stands() -> None:
    rows = [
        rack("DGX H100", 41.0, "2022-10-01", cooling="air"),
        rack("GB200 NVL72", 120.0, "2024-12-01", cooling="liquid"),
        rack("CloudMatrix 384", 60.0, "2025-04-01"),
        rack("Kyber", 80.0, "2027-07-01", "2027-12-31", cooling="liquid"),
    ]
    told = [racks.between(racks.marks(pd.DataFrame(rows[:count]), DAY), 41.0, 120.0) for count in (2, 3, 4)]
    assert told == [
        ("Empty", "no dated rack between 41 and 120 kW"),
        ("Between", "how the racks here are cooled is not stated"),
        ("Between", ""),
    ]


def test_what_racks_hold_and_what_nobody_says() -> None:
    rows = [
        rack("GB200 NVL72", 72.0, "2024-12-01"),
        rack(
            "AL128", 144.0, "2025-09-01", vendor="alibaba", vendor_name="Alibaba", system="Alibaba AL128", bound="max"
        ),
        rack("AL128", 128.0, "2025-09-01", vendor="alibaba", vendor_name="Alibaba", system="Alibaba AL128"),
    ]
    table = racks.held(pd.DataFrame(rows), DAY)
    assert table[["name", "sign", "amount"]].to_numpy().tolist() == [
        ["Alibaba AL128", "", 128.0],
        ["GB200 NVL72", "", 72.0],
    ]
    assert racks.held_title(table, "accelerators") == "Alibaba AL128 holds 128 accelerators, 1.8 times GB200 NVL72"
    known = pd.DataFrame({
        "system_id": ["a", "b", "c"], "vendor": ["nvidia", "nvidia", "amd"], "maker_name": ["NVIDIA", "NVIDIA", "AMD"],
    })  # fmt: skip
    statements = pd.DataFrame({"system_id": ["a", "a", "b"], "metric": ["power", "power", "weight"]})
    said = racks.said(known, statements, {"power": "Power", "weight": "Mass", "price": "Price"})
    assert said.set_index(["maker_name", "cell"])["told"].to_dict() == {
        ("NVIDIA", "Power"): "1 of 2", ("NVIDIA", "Mass"): "1 of 2", ("NVIDIA", "Price"): "nothing stated",
        ("AMD", "Power"): "nothing stated", ("AMD", "Mass"): "nothing stated", ("AMD", "Price"): "nothing stated",
    }  # fmt: skip
    assert racks.said_title(said) == "Of 9 figures of these racks 7 are stated by nobody; price is stated of none"


def service(*rows: tuple[str, str, str, bool, str | None]) -> pd.DataFrame:
    found = pd.DataFrame(rows, columns=["layer", "generation", "on_high", "is_known_by_only", "retired_on"])
    return found.assign(vendor="nvidia", short_name="Hopper", ordinal=6)


def test_shares_step_up_by_organisation_and_down_when_it_retires() -> None:
    rows = service(
        ("neocloud", "nvidia-hopper", "2023-05-01", False, None),
        ("neocloud", "nvidia-hopper", "2023-09-01", True, "2026-01-31"),
    )
    found = adoption.lines(rows, {"neocloud": 4}, DAY, dt.date(2020, 1, 1))
    assert found[["on", "has", "share", "is_step"]].to_numpy().tolist() == [
        [dt.date(2023, 5, 1), 1, 0.25, True],
        [dt.date(2023, 9, 1), 2, 0.5, True],
        [dt.date(2026, 1, 31), 1, 0.25, True],
        [DAY, 1, 0.25, False],
    ]
    assert adoption.had(rows, dt.date(2025, 11, 22)) == {("neocloud", "nvidia-hopper"): 2}
    assert adoption.had(rows, DAY) == {("neocloud", "nvidia-hopper"): 1}


def test_the_title_sets_the_group_with_most_against_the_one_with_least() -> None:
    rows = service(
        *[("neocloud", "nvidia-hopper", "2023-05-01", False, None)] * 9,
        ("science", "nvidia-hopper", "2023-05-01", False, None),
    )
    known = {"neocloud": 18, "science": 20, "enterprise": 3}
    assert adoption.title(rows, known, ["nvidia-hopper"]) == (
        "9 of 18 clouds on record have Hopper in service, but only 1 of 20 science centres"
    )
    assert adoption.title(rows.head(9), known, ["nvidia-hopper"]) == ""


def milestone(name: str, state: str, first: tuple[str, str], **other: Any) -> dict[str, Any]:
    start, end = (pd.Timestamp(day) for day in first)
    row: dict[str, Any] = {
        "subject_id": name.lower(), "subject": f"NVIDIA {name}", "subject_kind": "accelerator",
        "milestone": "launch",
        "variant": "", "vendor": "nvidia", "vendor_name": "NVIDIA", "party_id": "nvidia", "party_name": "NVIDIA",
        "state": state, "first_start": start, "first_end": end, "latest_start": start, "latest_end": end,
        "actual_start": pd.NaT, "actual_end": pd.NaT, "ended_stated_on": pd.NaT, "reported_start": pd.NaT,
        "reported_end": pd.NaT,
    }  # fmt: skip
    return row | other


STATEMENTS = pd.DataFrame(
    columns=["subject_id", "milestone", "variant", "stated_on", "is_actual", "is_own_word", "statement",
             "promised_start",
             "promised_end"]
)  # fmt: skip
LATE_2026 = ("2026-07-01", "2026-12-31")


def test_a_track_has_its_verdict_in_words() -> None:
    rows = pd.DataFrame([
        milestone("Rubin", "overdue", ("2026-01-01", "2026-09-30")),
        milestone("Photonics", "promised", LATE_2026),
        milestone(
            "CPX", "revised", LATE_2026, latest_start=pd.Timestamp("2028-01-01"), latest_end=pd.Timestamp("2028-12-31")
        ),
        milestone("GB300", "delivered late", ("2025-01-01", "2025-06-30"), actual_end=pd.Timestamp("2025-09-30")),
        milestone("B200", "delivered on time", ("2025-01-01", "2025-06-30"), actual_end=pd.Timestamp("2025-05-31")),
        milestone("Falcon", "cancelled", ("2026-01-01", "2026-12-31"), ended_stated_on=pd.Timestamp("2025-01-30")),
        milestone("Kepler", "overdue", ("2023-01-01", "2023-12-31")),
        milestone("Aurora", "overdue", LATE_2026, subject_kind="site"),
    ])  # fmt: skip
    found = tracks.tracks(rows, STATEMENTS, DAY)
    assert dict(zip(found.rows["name"], found.rows["verdict"], strict=True)) == {
        "Rubin": "53 days past, no outcome",
        "Photonics": "due in 39 days",
        "CPX": "due by Dec 2028, moved 24 months",
        "GB300": "came Sep 2025, three months late",
        "B200": "came May 2025, kept",
        "Falcon": "withdrawn Jan 2025",
    }
    assert list(found.rows["name"]) == ["Rubin", "Photonics", "CPX", "GB300", "B200", "Falcon"]
    assert found.folded == 1
    assert list(found.rows.loc[found.rows["is_red"], "name"]) == ["Rubin", "GB300"]
    assert tracks.title(rows, DAY) == (
        "One promise on chips and racks falls due by 31 December; two are past due with no outcome on record"
    )
    assert tracks.title(rows.head(0), DAY) == ""


def test_promises_of_one_maker_with_the_same_dates_share_a_row_and_makers_due_next_stand_first() -> None:
    rows = pd.DataFrame([
        milestone("Rubin Ultra", "promised", ("2027-07-01", "2027-12-31")),
        milestone("Kyber", "promised", ("2027-07-01", "2027-12-31")),
        milestone("Helios", "promised", LATE_2026, vendor="amd", vendor_name="AMD", subject="AMD Helios"),
    ])  # fmt: skip
    found = tracks.tracks(rows, STATEMENTS, DAY).rows
    assert found[["maker_name", "name"]].to_numpy().tolist() == [["AMD", "Helios"], ["NVIDIA", "Rubin Ultra, Kyber"]]


def test_odds_need_eight_and_have_wilsons_interval() -> None:
    late = [milestone(f"A{n}", "delivered late", LATE_2026) for n in range(2)]
    kept = [milestone(f"B{n}", "delivered on time", LATE_2026) for n in range(6)]
    found = tracks.odds(pd.DataFrame([*late, *kept, milestone("C", "overdue", LATE_2026)]))
    assert list(found["name"]) == ["Chips", "NVIDIA"]
    assert found["told"].iloc[0] == "2 of 8 late; 1 more past due, 0 given up"
    assert found[["low", "high"]].iloc[0].tolist() == pytest.approx([0.0715, 0.5907], abs=1e-4)
    assert tracks.odds(pd.DataFrame([*late, *kept[:5]])).empty


def test_words_of_numbers_ratios_and_periods() -> None:
    assert [words.times(ratio) for ratio in (5.0, 4.29, 2.03, 1.03)] == [
        "five times",
        "4.3 times",
        "two times",
        "1 times",
    ]
    assert words.span(120.0, 145.0) == "120 to 145"
    assert [words.figure(value) for value in (20.73, 1180.4, 0.128, 3.0)] == ["20.7", "1,180", "0.128", "3"]
    assert words.window(dt.date(2027, 7, 1), dt.date(2027, 12, 31)) == "late 2027"
    assert words.window(dt.date(2026, 7, 1), dt.date(2026, 9, 30)) == "the third quarter of 2026"
    assert words.window(dt.date(2028, 1, 1), dt.date(2028, 12, 31)) == "2028"
    assert words.listed(["a", "b", "c"]) == "a, b and c"


def test_the_cheapest_hour_names_its_provider_and_the_medians_move() -> None:
    offers = pd.DataFrame({
        "accelerator_model": ["nvidia-b200"] * 3 + ["nvidia-h100"] * 2,
        "name": ["B200"] * 3 + ["H100"] * 2,
        "vendor": "nvidia",
        "generation": ["nvidia-blackwell"] * 3 + ["nvidia-hopper"] * 2,
        "provider": ["Lambda", "Crusoe", "Nebius", "Lambda", "Crusoe"],
        "gpu_hour_price_usd": [3.79, 2.99, 5.5, 2.0, 1.9],
    })  # fmt: skip
    medians = pd.DataFrame({
        "accelerator_model": "nvidia-b200",
        "source_id": ["a", "a", "a", "b"],
        "stated_on": pd.to_datetime(["2025-01-01", "2026-05-22", "2026-11-20", "2026-11-21"]),
        "median_usd_per_gpu_hour": [9.0, 4.0, 4.1, 1.0],
    })  # fmt: skip
    table = prices.cheapest(offers, medians)
    assert table[["name", "low", "high", "told", "moved"]].to_numpy().tolist() == [
        ["B200", 2.99, 5.5, "$2.99 Crusoe", "median up 2.5 % since 22 May 2026"]
    ]
    assert prices.title(table) == (
        "An hour of B200 at a neocloud costs from $2.99, at Crusoe; median up 2.5 % since 22 May 2026"
    )
    assert prices.title(table.head(0)) == ""
    assert prices.trend(medians.tail(1)) == ""


def test_on_a_phone_racks_of_makers_with_a_colour_are_named_before_all_others() -> None:
    others = [
        rack(f"Rack {place}", 150.0 + place, f"202{place}-07-01", vendor="somebody", system_id=f"rack-{place}")
        for place in range(6, 9)
    ]
    ours = [rack(f"GB{place} NVL72", 20.0 * place, f"201{place}-07-01") for place in range(1, 6)]
    found = racks.marks(pd.DataFrame([*others, *ours]), DAY)
    placed = density._placed(found, (2010, 2030), 5.0, 1300.0)
    assert set(placed.loc[placed["dx_narrow"].notna(), "maker"]) == {"nvidia"}
    assert placed["dx_wide"].notna().all()


def test_what_lies_after_the_day_is_hatched_where_forecasts_are_drawn() -> None:
    row = {
        "criterion": "it comes", "claimant": "Somebody", "stated_on": pd.Timestamp("2025-03-18"), "line": "it comes",
        "due_on": pd.Timestamp("2027-12-31"), "state": "open", "told": "open",
    }  # fmt: skip
    layers = roadmap.forecasts(pd.DataFrame([row]), day=DAY).to_dict()["layer"]
    hatched = [layer for layer in layers if layer["mark"].get("color") == theme.ink("hatch")]
    assert len(hatched) == 1
    assert "datetime(2026, 10, 22)" in hatched[0]["encoding"]["x"]["value"]["expr"]
