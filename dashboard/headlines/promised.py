"""What slips, figures per die and forecasts say: their sentences, and their rows for the charts. Pure."""

from __future__ import annotations

import pandas as pd

from dashboard.headlines import words
from dashboard.palette import palette_file

MONTH = 30.4375
VERDICTS = {"open": "open", "met": "met", "missed": "missed", "ambiguous": "ambiguous"}


def slips_title(decided: pd.DataFrame) -> str:
    """'Half of the 24 promises that came late were eight months late or more'; '' where fewer than two came late."""
    late = decided[decided["state"] == "delivered late"]
    middle = words.median_lateness([float(days) for days in late["slip_low_days"]])
    if middle is None or len(late) < 2:
        return ""
    told = words.counted(round(middle / MONTH), "month") if middle >= 2 * MONTH else words.counted(round(middle), "day")
    return f"Half of the {words.number(len(late))} promises that came late were {told} late or more"


def per_die(frame: pd.DataFrame, column: str, unit: str) -> pd.DataFrame:
    """Models with the columns of a chart of series: a line a maker, named at its best model."""
    ordered = frame.sort_values(["vendor", "released_start"]).reset_index(drop=True)
    best = ordered.sort_values(column, ascending=False).drop_duplicates("vendor").index
    named = ordered["vendor_name"].fillna(ordered["vendor"]) + " " + ordered["name"]
    told = [f"{words.figure(float(value))} {unit}" for value in ordered[column]]
    makers = set(palette_file()["makers"])
    return ordered.assign(
        series=ordered["vendor_name"].fillna(ordered["vendor"]),
        shade=ordered["vendor"].where(ordered["vendor"].isin(makers), "other"),
        told=[f"{name.split(' ', 1)[-1]} {text}" for name, text in zip(ordered["name"], told, strict=True)],
        is_told=ordered.index.isin(best),
        model=named,
    )


def per_die_title(frame: pd.DataFrame, column: str, unit: str) -> str:
    """'NVIDIA Rubin brings the most of one die, 17.5 PFLOP/s, 3.5 times NVIDIA B200'; '' without a model."""
    if frame.empty:
        return ""
    ordered = frame.sort_values(column, ascending=False)
    top = ordered.iloc[0]
    says = f"{top['name']} brings the most of one die, {words.figure(float(top[column]))} {unit}"
    before = ordered[(ordered["vendor"] == top["vendor"]) & (ordered["released_start"] < top["released_start"])]
    return words.set_against(says, top, before, column, "name")


def forecasts(rows: pd.DataFrame) -> pd.DataFrame:
    """Forecasts with their line and verdict in words, what is decided first, then by the day on which it is due."""
    order = rows["state"].map({"missed": 0, "met": 0, "ambiguous": 1, "open": 2}).fillna(3)
    frame = rows.assign(
        line=[f"{text} ({who})" for text, who in zip(rows["criterion"], rows["claimant"], strict=True)],
        told=[VERDICTS.get(state, state) for state in rows["state"]],
        place=order,
        stated_on=pd.to_datetime(rows["stated_on"]),
        due_on=pd.to_datetime(rows["due_on"]),
    )
    return frame.sort_values(["place", "due_on", "line"]).reset_index(drop=True)


def forecasts_title(frame: pd.DataFrame) -> str:
    """'Of eight forecasts four were missed, none was met and four are open'; '' without a forecast."""
    if frame.empty:
        return ""
    n = {state: int((frame["state"] == state).sum()) for state in VERDICTS}

    def part(count: int, verb: str) -> str:
        return f"{'none' if count == 0 else words.number(count)} {'was' if count < 2 else 'were'} {verb}"

    unclear = f", {words.number(n['ambiguous'])} cannot be told" if n["ambiguous"] else ""
    still = f"{'none is' if n['open'] == 0 else 'one is' if n['open'] == 1 else words.number(n['open']) + ' are'} open"
    missed, met = part(n["missed"], "missed"), part(n["met"], "met")
    return f"Of {words.counted(len(frame), 'forecast')} {missed}, {met}{unclear} and {still}"
