"""Who has which generation in service, since when, and how long each layer took: rows, and sentences. Pure."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pandas as pd

from dashboard.headlines import words
from dashboard.palette import palette_file

LAYERS = {
    "hyperscale": "Hyperscalers",
    "neocloud": "Neoclouds",
    "marketplace": "Marketplaces",
    "frontier_lab": "Frontier labs",
    "enterprise": "Enterprises",
    "science": "Science centres",
    "sovereign": "Sovereign programmes",
    "vendor": "Makers",
}
GROUPS = {
    "clouds": ("hyperscale", "neocloud", "marketplace"),
    "enterprises": ("enterprise",),
    "science centres": ("science",),
    "sovereign programmes": ("sovereign",),
}
PANELS, LINES, ENOUGH, MANY = 6, 4, 9, 10
NOT_THE_MARKET = "vendor"


def generations(service: pd.DataFrame, maker: str) -> list[str]:
    """The newest four generations of a maker that somebody has in service and that have a colour, oldest first."""
    held = service[service["vendor"] == maker].drop_duplicates("generation").sort_values("ordinal")
    coloured = [name for name in held["generation"] if name in palette_file()["generations"]]
    return coloured[-LINES:]


def layers(service: pd.DataFrame, known: dict[str, int]) -> list[str]:
    """The layers that have a panel, in the market's order: the six with most organisations on record, at least nine."""
    present = [layer for layer in LAYERS if known.get(layer, 0) >= ENOUGH and layer != NOT_THE_MARKET]
    held = set(service["layer"])
    largest = sorted((layer for layer in present if layer in held), key=lambda layer: -known[layer])[:PANELS]
    return [layer for layer in LAYERS if layer in largest]


def lines(service: pd.DataFrame, known: dict[str, int], day: dt.date, first: dt.date) -> pd.DataFrame:
    """One row a step, by day within a line; the columns are named below.

    A retirement takes the organisation off again. Steps before `first` stand at its day; each line ends on `day`.
    """
    rows: list[tuple[Any, ...]] = []
    for (layer, generation), group in service.groupby(["layer", "generation"], sort=False):
        of = known.get(str(layer), 0)
        events = [(words.day_of(row.on_high), 1, bool(row.is_known_by_only)) for row in group.itertuples()]
        events += [(words.day_of(on), -1, False) for on in group["retired_on"] if not pd.isna(on)]
        has, name = 0, str(group["short_name"].iloc[0])
        for on, change, is_by in sorted(event for event in events if event[0] is not None):
            has += change
            rows.append((layer, generation, name, max(on or first, first), has / of, has, of, is_by, True))
        rows.append((layer, generation, name, day, has / of, has, of, False, False))
    columns = ["layer", "generation", "short_name", "on", "share", "has", "of", "is_known_by_only", "is_step"]
    return pd.DataFrame(rows, columns=columns)


def had(service: pd.DataFrame, day: dt.date) -> dict[tuple[str, str], int]:
    """How many organisations have each generation on a day, by (layer, generation)."""
    at = pd.Timestamp(day)
    stands = service[
        (pd.to_datetime(service["on_high"]) <= at)
        & (service["retired_on"].isna() | (pd.to_datetime(service["retired_on"]) > at))
    ]
    return {
        (str(layer), str(generation)): len(group)
        for (layer, generation), group in stands.groupby(["layer", "generation"])
    }  # fmt: skip


def last_dated(service: pd.DataFrame) -> dict[str, dt.date]:
    """The day of the last event with a day of its own in each layer."""
    dated = service[~service["is_known_by_only"].astype(bool)]
    return {str(layer): pd.Timestamp(group["on_high"].max()).date() for layer, group in dated.groupby("layer")}


def title(service: pd.DataFrame, known: dict[str, int], shown: list[str]) -> str:
    """'34 of 76 clouds on record have Blackwell in service, but only 4 of 94 science centres'; '' without enough.

    Of the newest generation that ten organisations have: the group of layers with the highest share, and the lowest.
    """
    for generation in reversed(shown):
        group = service[(service["generation"] == generation) & service["retired_on"].isna()]
        counts = group.groupby("layer").size().to_dict()
        if sum(counts.get(layer, 0) for layers_of in GROUPS.values() for layer in layers_of) < MANY:
            continue
        shares = []
        for name, layers_of in GROUPS.items():
            of = sum(known.get(layer, 0) for layer in layers_of)
            if of >= ENOUGH:
                has = sum(int(counts.get(layer, 0)) for layer in layers_of)
                shares.append((has / of, has, of, name))
        if len(shares) < 2:
            return ""
        (_, most, of_most, first), (_, least, of_least, last) = max(shares), min(shares)
        gap = "but only" if 0 < least / of_least < most / of_most / 2 else "and"
        says = f"{most} of {of_most} {first} on record have {group['short_name'].iloc[0]} in service"
        return f"{says}, {gap} {least or 'none'} of {of_least} {last}"
    return ""


def ages_title(ages: pd.DataFrame) -> str:
    """'Hopper reached hyperscalers after 10 months, neoclouds after 18, …'; '' where no generation has two medians."""
    told = ages[ages["median_months"].notna() & ages["layer"].isin(LAYERS) & (ages["layer"] != NOT_THE_MARKET)]
    told = told[~told["is_young"].astype(bool)]
    if told.empty:
        return ""
    newest = told.sort_values("available_on").groupby("generation").filter(lambda group: len(group) > 1)
    if newest.empty:
        return ""
    generation = newest.sort_values("available_on")["generation"].iloc[-1]
    rows = newest[newest["generation"] == generation].sort_values("median_months")
    parts = [f"{_plain(row.layer)} after {round(float(row.median_months))}" for row in rows.itertuples()]
    parts[0] += " months"
    return f"{rows['short_name'].iloc[0]} reached {words.listed(parts)}"


def _plain(layer: object) -> str:
    return LAYERS[str(layer)].lower().removesuffix(" programmes") + ("s" if layer == "sovereign" else "")


MONTH = 30.4375


def ages(frame: pd.DataFrame, firsts: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The rows of the chart on months to adoption, and the dots of single organisations with a day of their own.

    A row is a layer and one of the newest four generations with a colour; `told` and `telling` are its figure in words,
    short and long. Rows in the market's order, generations oldest first.
    """
    coloured = frame[frame["generation"].isin(palette_file()["generations"])]
    newest = list(dict.fromkeys(coloured.sort_values("available_on")["generation"]))[-LINES:]
    rows = coloured[coloured["generation"].isin(newest) & coloured["layer"].isin(set(LAYERS) - {NOT_THE_MARKET})]
    order = {layer: place for place, layer in enumerate(LAYERS)}
    rows = rows.assign(place=rows["layer"].map(order)).sort_values(["place", "available_on"]).reset_index(drop=True)
    dated = firsts[~firsts["is_known_by_only"].astype(bool)]
    dots = dated.assign(
        months=dated["age_high_days"] / MONTH, on_words=pd.to_datetime(dated["on_high"]).dt.strftime("%Y-%m-%d")
    )[["layer", "generation", "short_name", "organisation", "months", "on_words"]]
    dots = dots[dots["generation"].isin(newest) & dots["layer"].isin(set(rows["layer"]))].reset_index(drop=True)
    furthest = dots.groupby(["layer", "generation"])["months"].max().to_dict()
    records = rows.to_dict("records")
    return rows.assign(
        layer_name=rows["layer"].map(LAYERS),
        told=[_told(row, is_long=False) for row in records],
        telling=[_told(row, is_long=True) for row in records],
        furthest=[furthest.get((row["layer"], row["generation"]), 0.0) for row in records],
    ), dots


def _told(row: dict[Any, Any], *, is_long: bool) -> str:
    dated = int(row["organisations"] - row["known_by_only"])
    if pd.isna(row["median_months"]):
        if not is_long:
            return f"n {dated}"
        by = words.counted(int(row["known_by_only"]), "organisation")
        return f"too few for a median, n {dated}" if dated else f"no dated event ({by} known by a later day)"
    months, low, high = (round(row[name]) for name in ("median_months", "low_months", "high_months"))
    return f"{months} months ({low} to {high}), n {int(row['organisations'])}" if is_long else f"{months}  n {dated}"


TOTAL = "total"
REST = "rest"


def stock(latest: pd.DataFrame) -> pd.DataFrame:
    """Estimated chips with at most six generations that have a colour; all others of an owner are one grey rest."""
    coloured = set(palette_file()["generations"])
    total = latest[latest["generation"].isin(coloured)].groupby("generation")["units"].sum()
    kept = set(total.sort_values(ascending=False).head(6).index)
    is_kept = latest["generation"].isin(kept)
    named = latest.assign(
        generation=latest["generation"].where(is_kept, REST),
        generation_name=latest["generation_name"].where(is_kept, "all others"),
    )
    summed = named.groupby(["owner", "generation", "generation_name"], as_index=False).agg(
        units=("units", "sum"), units_low=("units_low", "sum"), units_high=("units_high", "sum"),
        calendar_quarter=("calendar_quarter", "first"), evidence=("evidence", "first"),
    )  # fmt: skip
    order = {name: place for place, name in enumerate([*palette_file()["generations"], REST])}
    return summed.assign(ordinal=summed["generation"].map(order))


def revenue(rows: pd.DataFrame) -> pd.DataFrame:
    """Filed revenue with the columns of a chart of series: a line a segment of a company, the largest first.

    `is_part` tells the segments that hold no other: the total and what is split further are none.
    """
    frame = rows.assign(on=pd.to_datetime(rows["period_end"]), segment=rows["segment"].fillna(""))
    frame = frame.sort_values(["company", "segment", "on"])
    segments = set(frame["segment"])
    last = frame.drop_duplicates(["company", "segment"], keep="last").sort_values("value_usd", ascending=False)
    place = {key: index for index, key in enumerate(zip(last["company"], last["segment"], strict=True))}
    return frame.assign(
        series=[
            f"{company}, {name.replace('_', ' ')}"
            for company, name in zip(frame["company"], frame["segment"], strict=True)
        ],
        shade=[f"series-{place[key]}" for key in zip(frame["company"], frame["segment"], strict=True)],
        told=[f"${words.figure(float(value) / 1e9)} billion" for value in frame["value_usd"]],
        is_told=frame.index.isin(last.index),
        is_part=[
            name not in {"", TOTAL} and not any(other.startswith(f"{name}_") for other in segments)
            for name in frame["segment"]
        ],
    ).reset_index(drop=True)


def revenue_title(frame: pd.DataFrame) -> str:
    """'NVIDIA, edge: $7.2 billion in the second quarter of 2026, 7 % of the total'; '' without a part and a total."""
    quarter = frame[frame["on"] == frame["on"].max()] if len(frame) else frame
    parts = quarter[quarter["is_part"]].sort_values("value_usd", ascending=False)
    if parts.empty:
        return ""
    top = parts.iloc[0]
    total = quarter[(quarter["segment"] == TOTAL) & (quarter["company"] == top["company"])]
    says = f"{top['series']}: {top['told']} in {words.spoken(top['calendar_quarter'])}"
    if total.empty:
        return says
    return f"{says}, {float(top['value_usd']) / float(total.iloc[0]['value_usd']):.0%} of the total".replace("%", " %")


def stock_title(latest: pd.DataFrame) -> str:
    """'Google holds the most accelerators by estimate, 4.1 million'."""
    total = latest.groupby("owner")["units"].sum()
    top = total.idxmax()
    return (
        f"{top} holds the most accelerators by one model's estimate: {words.figure(float(total.max()) / 1e6)} million"
    )
