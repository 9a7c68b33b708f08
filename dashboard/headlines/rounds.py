"""What results of audited rounds and of measured runs say in one sentence, and the lines of scaling. Pure."""

from __future__ import annotations

import pandas as pd

from dashboard.headlines import words
from warehouse.answers import formats

MOST_LINES = 7
AT_USER = (100, 50, 20)  # tokens a second that one user sees, where runs are set side by side


def fastest_title(frame: pd.DataFrame, model: str) -> str:
    """'Llama 3.1 405B is trained in 10 min at the fastest, on 5,120 NVIDIA Blackwell (v5.1)'; '' for no result."""
    closed = frame[frame["division"] == "closed"]
    if closed.empty:
        return ""
    row = closed.sort_values("score_minutes").iloc[0]
    return (
        f"{model} is trained in {formats.quantity(float(row['score_minutes']), 'min')} at the fastest, on "
        f"{int(row['accelerators']):,} {row['generation_name']} ({row['round']})"
    )


def largest_title(frame: pd.DataFrame, unit: str) -> str:
    """'576 NVIDIA Blackwell give the most: 1,130,000 tokens/s'; for latencies who answers soonest; '' without rows."""
    closed = frame[frame["division"] == "closed"]
    if closed.empty:
        return ""
    is_more = bool(closed["is_higher_better"].iloc[0])
    row = closed.sort_values("result", ascending=not is_more).iloc[0]
    says = "give the most" if is_more else "answer soonest"
    figure = formats.quantity(float(row["result"]), unit)
    return f"{int(row['accelerators']):,} {row['generation_name']} {says}: {figure} ({row['round']})"


def best_title(best: pd.DataFrame, column: str, unit: str, *, is_less_better: bool, per: str) -> str:
    """The best generation of the newest round against the next best of the same maker or else of all; '' without."""
    if best.empty:
        return ""
    newest = best[best["known_on"] == best["known_on"].max()].sort_values(column, ascending=is_less_better)
    top = newest.iloc[0]
    verb = "needs" if is_less_better else "gives"
    says = f"{top['generation_name']} {verb} {formats.quantity(float(top[column]), unit)}"
    rest = newest.iloc[1:]
    own = rest[rest["vendor"] == top["vendor"]]
    against = (own if len(own) else rest).head(1)
    if against.empty:
        return f"{says} {per} ({top['round']})"
    other = against.iloc[0]
    ratio = float(other[column]) / float(top[column]) if is_less_better else float(top[column]) / float(other[column])
    relation = "as fast as" if is_less_better else ""
    compared = f"{words.times(ratio)} {relation} {other['generation_name']}".replace("  ", " ")
    return f"{says} {per}, {compared} ({top['round']})"


def watt_title(frame: pd.DataFrame, unit: str) -> str:
    """The most that a measured watt brings, and how it stands to the next best generation; '' without rows."""
    best = frame[frame["vendor"] != "none"].sort_values("result_per_watt", ascending=False)
    best = best.drop_duplicates("generation_name")
    if best.empty:
        return ""
    top = best.iloc[0]
    says = f"{top['generation_name']} brings {formats.quantity(float(top['result_per_watt']), unit)} per measured watt"
    return words.set_against(says, top, best.iloc[1:], "result_per_watt", "generation_name")


def scaling(rows: pd.DataFrame) -> pd.DataFrame:
    """The lines of scaling, one a submitter, accelerator and round with more than one count, newest and largest first.

    Columns of the rows and series, shade, told, is_told (the largest count of each line); at most seven lines.
    """
    lines = rows.assign(
        series=rows["accelerator_name"] + " " + rows["round"] + ", " + rows["best_submitter"],
        shade=rows["generation"],
        told=[
            f"{float(share):.0%} at {int(n):,}".replace("%", " %")
            for share, n in zip(rows["scaling_efficiency"], rows["accelerators"], strict=True)
        ],
    ).sort_values(["known_on", "accelerators"], ascending=[False, False], kind="stable")
    spans = lines.groupby("series")["accelerators"].nunique()
    order = [name for name in dict.fromkeys(lines["series"]) if spans[name] > 1][:MOST_LINES]
    lines = lines[lines["series"].isin(order)]
    told = lines.assign(is_told=~lines.duplicated("series"))
    return told.sort_values(["series", "accelerators"], kind="stable").reset_index(drop=True)


def scaling_title(lines: pd.DataFrame, model: str) -> str:
    """'From 512 to 5,120 GB200, Llama 3.1 405B keeps 85 % of perfect speed-up (NVIDIA, v5.1)'; '' without a line.

    A line whose largest count lost nothing has no such sentence.
    """
    told = lines[lines["is_told"] & (lines["base_accelerators"] < lines["accelerators"])]
    if told.empty:
        return ""
    row = told.sort_values(["accelerators", "known_on"], ascending=[False, False]).iloc[0]
    share = f"{float(row['scaling_efficiency']):.0%}".replace("%", " %")
    counts = f"{int(row['base_accelerators']):,} to {int(row['accelerators']):,} {row['accelerator_name']}"
    return f"From {counts}, {model} keeps {share} of perfect speed-up ({row['best_submitter']}, {row['round']})"


def fronts(runs: pd.DataFrame) -> pd.DataFrame:
    """The best runs of each accelerator: those that no other run of it beats in both rates.

    `runs` has series, shade, per_user, per_gpu; the answer also told (the most of it) and is_told (the fastest).
    """
    kept = []
    for _, group in runs.sort_values(["per_user", "per_gpu"], ascending=False).groupby("series", sort=True):
        best = group["per_gpu"].cummax()
        front = group[(group["per_gpu"] >= best) & ~group["per_gpu"].duplicated()]
        is_told = front["per_user"] == front["per_user"].max()
        kept.append(front.assign(told=f"up to {words.figure(float(front['per_gpu'].max()))}", is_told=is_told))
    columns = [*runs.columns, "told", "is_told"]
    return (
        pd.concat(kept).sort_values(["series", "per_user"]).reset_index(drop=True)
        if kept
        else pd.DataFrame(columns=columns)
    )


def fronts_title(front: pd.DataFrame, model: str) -> str:
    """Which accelerator gives most where one user sees a certain rate, against the next; '' where none compare."""
    for rate in AT_USER:
        able = front[front["per_user"] >= rate]
        best = able.sort_values("per_gpu", ascending=False).drop_duplicates("series")
        if len(best) >= 2:
            top = best.iloc[0]
            most = words.figure(float(top["per_gpu"]))
            says = f"Where one user sees {rate} tokens a second, {top['series']} gives {most} on {model}"
            return words.set_against(says, top, best.iloc[1:], "per_gpu", "series")
    return ""
