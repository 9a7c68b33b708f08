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
