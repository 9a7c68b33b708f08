"""Charts of series: at most seven in colour, each named once; sentences of rounds, sites and promises."""

from __future__ import annotations

import datetime as dt

import pandas as pd

from dashboard.charts import claims, series, theme
from dashboard.charts import rounds as round_charts
from dashboard.charts.series import Axis
from dashboard.headlines import promised, rounds, sites

DAY = dt.date(2026, 11, 22)


def lines(n: int) -> pd.DataFrame:
    return pd.DataFrame({
        "series": [f"line {place}" for place in range(n) for _ in (1, 2)],
        "shade": [f"series-{place}" for place in range(n) for _ in (1, 2)],
        "told": "9", "is_told": [False, True] * n, "x": [1.0, 2.0] * n, "y": [float(v) for v in range(1, 2 * n + 1)],
    })  # fmt: skip


def test_the_eighth_series_is_grey_and_bears_no_name() -> None:
    kept = series.few(lines(9), [f"line {place}" for place in range(9)])
    assert sorted(set(kept["series"])) == [f"line {place}" for place in range(7)] + [series.OTHERS]
    assert set(kept.loc[kept["series"] == series.OTHERS, "shade"]) == {"other"}
    assert int(kept["is_told"].sum()) == 7


def test_each_series_is_named_once_in_a_wide_chart() -> None:
    chart = series.of_series(lines(3), x=Axis("x", ""), y=Axis("y", "", "log"), tooltip=[], is_joined=True).to_dict()
    placed = next(rows for rows in chart["datasets"].values() if rows and "dx_wide" in rows[0])
    assert [row["series"] for row in placed if row["dx_wide"] is not None] == ["line 0", "line 1", "line 2"]


def test_a_shade_is_a_generation_a_maker_a_numbered_series_or_grey() -> None:
    assert theme.colour_of("nvidia-hopper") == theme.generation_colour("nvidia-hopper")
    assert theme.colour_of("amd") != theme.other_colour()
    assert theme.colour_of("series-1") == theme.series_colours()[1]
    assert theme.colour_of("") == theme.other_colour()


RESULTS = pd.DataFrame({
    "round": ["v1", "v1", "v2", "v2"],
    "stated_on": pd.to_datetime(pd.Series(["2025-01-01"] * 2 + [None] * 2)),
    "known_on": pd.to_datetime(["2025-01-01"] * 2 + ["2026-01-01"] * 2),
    "generation": ["g1", "g1", "g1", "g2"], "generation_name": ["Old", "Old", "Old", "New"], "vendor": "m",
    "best_submitter": "Maker",
    "accelerator_name": ["Chip A", "Chip A", "Chip A", "Chip B"], "accelerators": [8, 64, 8, 8],
    "base_accelerators": 8, "scaling_efficiency": [1.0, 0.75, 1.0, 1.0], "best_minutes": [20.0, 3.0, 16.0, 8.0],
})  # fmt: skip


def test_scaling_is_told_of_an_accelerator_with_two_counts_in_one_round() -> None:
    found = rounds.scaling(RESULTS)
    assert list(found["series"]) == ["Chip A v1, Maker", "Chip A v1, Maker"]
    assert list(found.loc[found["is_told"], "told"]) == ["75 % at 64"]
    assert (
        rounds.scaling_title(found, "Model") == "From 8 to 64 Chip A, Model keeps 75 % of perfect speed-up (Maker, v1)"
    )
    assert rounds.scaling_title(rounds.scaling(RESULTS.tail(2)), "Model") == ""


def test_the_newest_round_sets_its_best_beside_the_next() -> None:
    told = rounds.best_title(RESULTS, "best_minutes", "min", is_less_better=True, per="on 8")
    assert told == "New needs 8 min on 8, two times as fast as Old (v2)"


def test_a_round_without_a_day_of_publication_has_no_place_on_an_axis_of_time() -> None:
    rows, across = round_charts.by_round(RESULTS.iloc[::-1])
    assert across.names == (("v1", "Jan 2025"), ("v2", "no date"))
    assert list(rows["at_round"]) == [1, 1, 0, 0]
    told = rows.assign(series=rows["generation"], shade="", told="", is_told=True)
    drawn = series.of_series(told, x=across, y=Axis("best_minutes", ""), tooltip=[]).to_dict()
    axis = drawn["layer"][0]["encoding"]["x"]
    assert (axis["type"], axis["axis"]["values"], axis["field"]) == ("quantitative", [0, 1], "at_round")


def test_the_front_keeps_the_runs_that_no_other_beats() -> None:
    runs = pd.DataFrame({
        "series": ["A", "A", "A", "B"], "shade": "", "per_user": [100.0, 50.0, 40.0, 120.0],
        "per_gpu": [10.0, 30.0, 20.0, 5.0],
    })  # fmt: skip
    front = rounds.fronts(runs)
    assert [(row.series, row.per_user) for row in front.itertuples()] == [("A", 50.0), ("A", 100.0), ("B", 120.0)]
    assert rounds.fronts_title(front, "Model") == (
        "Where one user sees 100 tokens a second, A gives 10 on Model, two times B"
    )


TIMELINE = pd.DataFrame({
    "site": ["S", "S", "T"], "milestone_on": pd.to_datetime(["2025-01-01", "2028-01-01", "2026-01-01"]),
    "is_planned": [False, True, False], "power_mw": [100.0, 900.0, 300.0],
})  # fmt: skip


def test_sites_count_what_runs_and_what_is_planned() -> None:
    frame = sites.totals(TIMELINE, "power_mw")
    assert list(frame.loc[frame["series"] == sites.NOW, "amount"]) == [100.0, 400.0]
    assert list(frame.loc[frame["series"] == sites.PLANNED, "amount"]) == [400.0, 1200.0]
    assert sites.totals_title(frame, "power_mw") == (
        "Sites on record run 400 MW, and 1.2 GW with what is planned to January 2028"
    )
    owners = pd.DataFrame({"site": ["S", "T"], "owner": ["O", "P"], "owner_id": [None, "google"]})
    table = sites.by_site(TIMELINE, owners, "power_mw", DAY)
    assert list(table["told"]) == ["100 MW, 900 MW by Jan 2028", "300 MW"]


def test_a_plan_whose_day_has_passed_says_so() -> None:
    late = TIMELINE.assign(milestone_on=pd.to_datetime(["2025-01-01", "2026-06-01", "2026-01-01"]))
    owners = pd.DataFrame({"site": ["S"], "owner": ["O"], "owner_id": [None]})
    assert sites.by_site(late, owners, "power_mw", DAY)["told"][0] == "100 MW, 900 MW by Jun 2026, past due"


def test_forecasts_are_counted_by_verdict() -> None:
    rows = pd.DataFrame({
        "state": ["open", "missed", "met"], "criterion": ["a", "b", "c"], "claimant": "W",
        "stated_on": "2025-01-01", "due_on": "2026-01-01",
    })  # fmt: skip
    told = promised.forecasts(rows)
    assert list(told["line"]) == ["b (W)", "c (W)", "a (W)"]
    assert promised.forecasts_title(told) == "Of three forecasts one was missed, one was met and one is open"


def test_half_of_the_late_came_later_than_the_median() -> None:
    decided = pd.DataFrame({"state": ["delivered late"] * 3 + ["promised"], "slip_low_days": [30, 213, 400, 9]})
    assert promised.slips_title(decided) == "Half of the three promises that came late were seven months late or more"
    assert promised.slips_title(decided.tail(2)) == ""


def test_a_value_is_told_where_its_line_has_room_and_what_stands_first() -> None:
    frame = pd.DataFrame({
        "claimant": ["A", "A", "A", "B"], "value": [100.0, 104.0, 300.0, 102.0],
        "value_words": ["100 kW", "104 kW", "300 kW", "102 kW"], "is_resolved": [False, True, False, False],
    })  # fmt: skip
    told = claims.with_room(frame, is_log=False)
    assert list(told["told_wide"]) == [False, True, True, True]
    assert list(told["told_narrow"]) == [False, True, True, True]
    apart = claims.with_room(frame.assign(value=[100.0, 200.0, 300.0, 102.0]), is_log=True)
    assert list(apart["told_wide"]) == [True, True, True, True]
