"""Power, accelerators and memory of racks as marks: on what basis a figure stands, when the rack could be had. Pure."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pandas as pd

from dashboard.headlines import words
from dashboard.palette import palette_file

STATED, MEASURED, RANGE, LIMIT, FLOOR, PROMISED, WITHDRAWN, ESTIMATE, COMPUTED = (
    "as stated", "measured", "range stated", "limit: at most", "limit: at least", "promised", "withdrawn",
    "analyst's estimate", "computed here",
)  # fmt: skip
BASES = (STATED, MEASURED, RANGE, LIMIT, FLOOR, PROMISED, WITHDRAWN, ESTIMATE, COMPUTED)
WEAK = {"unverified", "illustrative"}
UPPER, LOWER = {"max", "high"}, {"min", "low"}
FIRST_YEAR = 2016
WHOLE = {"rack", "cabinet", "system"}  # a figure of a part, such as a bus bar, is none of the rack


def is_promised(row: dict[Any, Any], day: dt.date) -> bool:
    """Whether a rack was still to come on a day: the period from which it can be had ends later."""
    end = words.day_of(row["available_end"]) or words.day_of(row["available_start"])
    return row["modality"] != "withdrawn" and end is not None and end > day


def basis_of(row: dict[Any, Any], day: dt.date) -> str:
    """On what basis a figure stands; the first that fits."""
    if row["modality"] == "withdrawn":
        return WITHDRAWN
    if row["is_derived"]:
        return COMPUTED
    if row["is_measured"]:
        return MEASURED
    if row["evidence"] == "estimated" or row["draw_basis"] == "estimated":
        return ESTIMATE
    if is_promised(row, day):
        return PROMISED
    if row["bound"] in LOWER:
        return FLOOR
    if row["bound"] in UPPER or row["is_limit"]:
        return LIMIT
    return RANGE if _has_ends(row) else STATED


def _has_ends(row: dict[Any, Any]) -> bool:
    return bool(pd.notna(row["value_low"]) and pd.notna(row["value_high"]) and row["value_low"] < row["value_high"])


def marks(frame: pd.DataFrame, day: dt.date) -> pd.DataFrame:
    """One mark a statement on a dated rack, of those whom somebody answers for; rows of `market.density`.

    Columns: system_id, name, maker, at, basis, amount, amount_low, amount_high, is_weak, is_promise, tag, said_by,
    said_on, period, cooled. A promised rack stands in the middle of its promised period. Where a system has statements
    that somebody answers for, those of nobody are left to the table.
    """
    dated = frame[frame["available_start"].notna() & (frame["part"].isna() | frame["part"].isin(WHOLE))]
    rows = [_mark(record, day) for record in dated.to_dict("records")]
    found = pd.DataFrame(rows, columns=_COLUMNS)
    firm = set(found.loc[~found["is_weak"], "system_id"])
    kept = found[~found["is_weak"] | ~found["system_id"].isin(firm)]
    return kept.sort_values(["at", "name", "amount"], kind="stable").reset_index(drop=True)


_COLUMNS = [
    "system_id", "name", "maker", "at", "basis", "amount", "amount_low", "amount_high", "is_weak", "is_promise", "tag",
    "said_by", "said_on", "period", "cooled",
]  # fmt: skip


def _mark(row: dict[Any, Any], day: dt.date) -> tuple[Any, ...]:
    start = words.day_of(row["available_start"]) or day
    end = words.day_of(row["available_end"]) or start
    coming = is_promised(row, day)
    at = start + (end - start) / 2 if coming else start
    low, high = (row["value_low"], row["value_high"]) if _has_ends(row) else (row["value"], row["value"])
    said = words.day_of(row["stated_on"])
    return (
        row["system_id"], short_name(row), row["vendor"], pd.Timestamp(at), basis_of(row, day), row["value"], low, high,
        row["evidence"] in WEAK, coming, row["evidence"], row["claimant"], f"{said:%Y-%m-%d}" if said else "undated",
        words.window(start, end) if coming else words.month(start), row["cooling"],
    )  # fmt: skip


def short_name(row: dict[Any, Any]) -> str:
    """The system's name, without its maker's where the colour tells the maker."""
    name, maker = str(row["system"]), str(row["vendor_name"] or "")
    return name.removeprefix(maker).strip() or name if row["vendor"] in palette_file()["makers"] else name


def systems(found: pd.DataFrame) -> pd.DataFrame:
    """One row a rack: its place, its span, what is written at it, in order of importance; `short` for narrow charts.

    Important is what is still to come, highest first, then what came, newest and highest first.
    """
    rows = [_system(group) for _, group in found.groupby("system_id", sort=True)]
    table = pd.DataFrame(
        rows, columns=["system_id", "name", "maker", "at", "low", "high", "told", "is_promise", "period"]
    )
    table = table.assign(year=pd.to_datetime(table["at"]).dt.year)
    order = ["is_promise", "year", "high", "name"]
    return table.sort_values(order, ascending=[False, False, False, True]).reset_index(drop=True)


def _system(group: pd.DataFrame) -> tuple[Any, ...]:
    first = group.iloc[0]
    low, high = float(group["amount_low"].min()), float(group["amount_high"].max())
    basis = set(group["basis"])
    told = words.span(low, high)
    if basis <= {LIMIT}:
        told = f"up to {words.figure(high)}"
    elif basis <= {FLOOR}:
        told = f"over {words.figure(low)}"
    elif WITHDRAWN in basis:
        told = f"{told}, withdrawn"
    return (
        first["system_id"], first["name"], first["maker"], first["at"], low, high, told,
        bool(group["is_promise"].any()), first["period"],
    )  # fmt: skip


def bands(found: pd.DataFrame) -> tuple[float, float] | None:
    """To where air cools and from where liquid does in kW, by the dated racks; None where these do not say."""
    stands = found[~found["basis"].isin({PROMISED, WITHDRAWN})]
    by_air = stands.loc[stands["cooled"] == "air", "amount_high"]
    by_liquid = stands.loc[stands["cooled"] == "liquid", "amount_low"]
    if by_air.empty or by_liquid.empty or by_air.max() >= by_liquid.min():
        return None
    return float(by_air.max()), float(by_liquid.min())


def between(found: pd.DataFrame, air_to: float, liquid_from: float) -> tuple[str, str]:
    """The name of what lies between the two, and what is true of the dated racks there; '' where that is mixed."""
    there = found[(found["amount_high"] > air_to) & (found["amount_low"] < liquid_from)]
    if there.empty:
        return "Empty", f"no dated rack between {words.figure(air_to)} and {words.figure(liquid_from)} kW"
    is_told = there["cooled"].isin({"air", "liquid"})
    return "Between", "" if is_told.any() else "how the racks here are cooled is not stated"


def power_title(found: pd.DataFrame) -> str:
    """'The rack promised for late 2027 takes 600 kW, five times the GB200 NVL72 of 2025'; '' without a finding.

    The highest figure that its maker promises is set against the newest rack of the same maker that has come, by what
    is stated of each most firmly; without a promise above it the highest that came is named.
    """
    table = systems(found[~found["basis"].isin({WITHDRAWN, ESTIMATE})])
    if table.empty:
        return ""
    coming, came = table[table["is_promise"]], table[~table["is_promise"]]
    if coming.empty or (not came.empty and coming["high"].max() <= came["high"].max()):
        top = came.sort_values("high", ascending=False).iloc[0]
        return f"{top['name']}, of {top['period']}, takes the most power of a rack on record: {top['told']} kW"
    top = coming.sort_values("low", ascending=False).iloc[0]
    base = came[came["maker"] == top["maker"]]
    says = f"The rack promised for {top['period']} takes {top['told']} kW"
    if base.empty:
        return says
    against = base.sort_values(["at", "high"], ascending=[False, False]).iloc[0]
    ratio = float(top["low"]) / float(against["high"])
    when = pd.Timestamp(against["at"]).year
    compared = words.compared(ratio, f"the {against['name']} of {when}")
    return f"{says}, {compared}"


def held(frame: pd.DataFrame, day: dt.date) -> pd.DataFrame:
    """One row a rack of what it holds, largest first; `sign` is '≤ ' before a limit.

    `frame` has rows of one metric per rack. The firmest, then newest statement stands; a limit only where nothing else.
    """
    rows = []
    ordered = frame.assign(
        is_limit=frame["bound"].isin(UPPER),
        is_late=~frame["evidence"].isin(WEAK),
        said=pd.to_datetime(frame["stated_on"]),
    ).sort_values(["is_limit", "is_late", "said", "value"], ascending=[True, False, False, False], na_position="last")
    for _, group in ordered.groupby("system_id", sort=True):
        row = {str(name): value for name, value in group.iloc[0].items()}
        start = words.day_of(row["available_start"])
        sign = "≤ " if row["is_limit"] else "≥ " if row["bound"] in LOWER else ""
        coming = is_promised(row, day) or row["modality"] == "expected"
        year = str(start.year) if start else "no date"
        rows.append((row["system_id"], short_name(row), row["vendor"], float(row["value"]), sign, year, coming))
    table = pd.DataFrame(rows, columns=["system_id", "name", "maker", "amount", "sign", "year", "is_promise"])
    return table.sort_values(["amount", "year", "name"], ascending=[False, True, True]).reset_index(drop=True)


def held_title(table: pd.DataFrame, unit: str) -> str:
    """'Rubin Ultra NVL576 is promised with 147 TB, 7.1 times GB300 NVL72'; '' for no row."""
    if table.empty:
        return ""
    top = table.iloc[0]
    amount = f"{top['sign']}{words.figure(top['amount'])} {unit}".replace("≤ ", "up to ").replace("≥ ", "at least ")
    says = f"{top['name']} is promised with {amount}" if top["is_promise"] else f"{top['name']} holds {amount}"
    others = table[(table["maker"] != top["maker"]) & (table["amount"] > 0)]
    rivals = table[(table.index > 0) & (table["amount"] < top["amount"])]
    against = rivals if others.empty else others
    if not against.empty and against.iloc[0]["amount"] == top["amount"]:
        return says
    return words.set_against(says, top, against, "amount", "name")


def said(racks: pd.DataFrame, statements: pd.DataFrame, cells: dict[str, str]) -> pd.DataFrame:
    """One row a maker and cell: of how many of its racks somebody states it, makers that say most first.

    `racks` has system_id, vendor, maker_name; `statements` system_id and metric; `cells` maps metrics to their names.
    """
    found = set(zip(statements["system_id"], statements["metric"], strict=True))
    rows = [
        (maker, str(name), metric, cell, sum((system, metric) in found for system in group["system_id"]), len(group))
        for (maker, name), group in racks.groupby(["vendor", "maker_name"], sort=True)
        for metric, cell in cells.items()
    ]
    table = pd.DataFrame(rows, columns=["vendor", "maker_name", "metric", "cell", "said", "racks"])
    total = table.groupby("maker_name")["said"].transform("sum")
    ranked = table.assign(total=total).sort_values(["total", "maker_name"], ascending=[False, True])
    order = list(dict.fromkeys(ranked["maker_name"]))
    columns = list(cells)
    return table.assign(
        told=[f"{n} of {of}" if n else "nothing stated" for n, of in zip(table["said"], table["racks"], strict=True)],
        row=[order.index(name) for name in table["maker_name"]],
        column=[columns.index(metric) for metric in table["metric"]],
    )


def said_title(table: pd.DataFrame) -> str:
    """'Of 210 figures that buyers ask for, 140 are stated by nobody; no maker states a price'; '' for no rack."""
    if table.empty:
        return ""
    asked, told = int(table["racks"].sum()), int(table["said"].sum())
    by_cell = {str(cell): int(group["said"].sum()) for cell, group in table.groupby("cell", sort=False)}
    least = min(by_cell, key=lambda cell: by_cell[cell])
    says = f"Of {asked:,} figures of these racks {asked - told:,} are stated by nobody"
    n = by_cell[least]
    return f"{says}; {least.lower()} is stated of {words.number(n) if n else 'none'}"
