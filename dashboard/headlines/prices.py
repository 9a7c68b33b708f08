"""What an hour costs at a neocloud: the cheapest offer of each accelerator, and how its median moved. Pure."""

from __future__ import annotations

import pandas as pd

from dashboard.headlines import words
from dashboard.palette import palette_file

HALF_YEAR, FEWEST, ROWS = 183, 3, 12


def cheapest(offers: pd.DataFrame, medians: pd.DataFrame) -> pd.DataFrame:
    """One row an accelerator with a colour and three providers, newest generation first.

    Columns: accelerator_model, name, vendor, generation, low, high, provider, providers, told, moved.
    """
    order = {generation: place for place, generation in enumerate(palette_file()["generations"])}
    rows = []
    for model, group in offers[offers["generation"].isin(order)].groupby("accelerator_model", sort=True):
        if group["provider"].nunique() < FEWEST:
            continue
        first = group.sort_values(["gpu_hour_price_usd", "provider"]).iloc[0]
        low, moved = float(first["gpu_hour_price_usd"]), trend(medians[medians["accelerator_model"] == model])
        told = f"${low:,.2f} {first['provider']}"
        rows.append((
            model, first["name"], first["vendor"], first["generation"], low, float(group["gpu_hour_price_usd"].max()),
            first["provider"], int(group["provider"].nunique()), told, moved,
        ))  # fmt: skip
    columns = [
        "accelerator_model",
        "name",
        "vendor",
        "generation",
        "low",
        "high",
        "provider",
        "providers",
        "told",
        "moved",
    ]
    table = pd.DataFrame(rows, columns=columns)
    table["place"] = table["generation"].map(order)
    return (
        table.sort_values(["vendor", "place", "name"], ascending=[False, False, True]).head(ROWS).reset_index(drop=True)
    )


def trend(medians: pd.DataFrame) -> str:
    """'median up 2.6 % since 2 Jul 2026', over at most half a year, of the source with most days; '' below two days."""
    if medians.empty:
        return ""
    source = medians["source_id"].value_counts().index[0]
    rows = medians[medians["source_id"] == source].sort_values("stated_on")
    days = pd.to_datetime(rows["stated_on"])
    rows = rows[days >= days.max() - pd.Timedelta(days=HALF_YEAR)]
    if len(rows) < 2:
        return ""
    first, last = rows.iloc[0], rows.iloc[-1]
    change = float(last["median_usd_per_gpu_hour"]) / float(first["median_usd_per_gpu_hour"]) - 1
    moved = (
        "unchanged" if abs(change) < 0.005 else f"{'up' if change > 0 else 'down'} {abs(change):.1%}".replace("%", " %")
    )
    day = pd.Timestamp(first["stated_on"])
    return f"median {moved} since {day.day} {day:%b %Y}"


def title(table: pd.DataFrame) -> str:
    """'A B200 hour at a neocloud costs from $2.99, at Provider; median up 2.6 % since 2 Jul 2026'; '' for no offer."""
    if table.empty:
        return ""
    row = table.sort_values(["place", "providers"], ascending=[False, False]).iloc[0]
    nvidia = table[table["vendor"] == "nvidia"]
    if not nvidia.empty:
        most = nvidia.sort_values(["place", "providers"], ascending=[False, False])
        row = most.iloc[0]
    moved = f"; {row['moved']}" if row["moved"] else ""
    return words.sentence(
        f"an hour of {row['name']} at a neocloud costs from ${row['low']:,.2f}, at {row['provider']}{moved}"
    )


def in_series(frame: pd.DataFrame) -> pd.DataFrame:
    """Medians with the columns of a chart of series: a line a source and layer, named at its newest day.

    Behind the name stands the newest median, with the range of offers where there are several.
    """
    ordered = frame.sort_values("stated_on", kind="stable")
    lines = list(ordered["line"].value_counts().index)
    ends = zip(
        ordered["median_usd_per_gpu_hour"],
        ordered["low_usd_per_gpu_hour"],
        ordered["high_usd_per_gpu_hour"],
        strict=True,
    )
    told = ordered.assign(
        series=ordered["line"].str.removesuffix(", all"),
        shade=[f"series-{lines.index(line)}" for line in ordered["line"]],
        told=[f"${mid:,.2f}" + (f" (${low:,.2f} to ${high:,.2f})" if low < high else "") for mid, low, high in ends],
        is_told=~ordered.duplicated("line", keep="last"),
    )
    return told.reset_index(drop=True)


def series_title(frame: pd.DataFrame, name: str, kind: str) -> str:
    """'NVIDIA H100 on demand: $3.35 at the median of 14 providers on 22 Aug 2026, median up 3.2 % since 6 Jul 2026'."""
    thick = frame[~frame["is_thin"]]
    if thick.empty:
        return ""
    source = thick["line"].value_counts().index[0]
    rows = thick[thick["line"] == source].sort_values("stated_on")
    last = rows.iloc[-1]
    day = pd.Timestamp(last["stated_on"])
    moved = trend(rows)
    return (
        f"{name}, {kind.lower()}: ${float(last['median_usd_per_gpu_hour']):,.2f} an hour at the median of "
        f"{int(last['n_providers'])} providers on {day.day} {day:%b %Y}{f', {moved}' if moved else ''}"
    )
