"""Rows of securities filings: one figure for one period, as one filing states it."""

from __future__ import annotations

import datetime as dt

from pipelines.frozen import frozen


@frozen
class FilingFigure:
    """One figure of one company for one period in one filing.

    A later filing that repeats a period gives another row: restatements stay visible. `segment` is 'total' or the
    part of the business that the filing names. `stated_on` is the day of filing; where only its due day is known,
    `stated_on_basis` says so. `fiscal_year` and `fiscal_period` are those of the filing, not of the period.
    """

    stated_on: dt.date
    stated_on_basis: str  # 'filed' or 'due'
    company_raw: str
    cik: int
    metric: str  # 'capex' or 'revenue'
    concept: str  # the filing's own name for the figure, such as us-gaap:Revenues
    segment: str
    period_start: dt.date
    period_end: dt.date
    value: float
    currency: str
    form: str  # '10-Q', '10-K', ...
    accession: str  # '' where it is not known
    fiscal_year: int | None
    fiscal_period: str  # 'Q1', 'FY', ...
    filing_url: str
    caveats: tuple[str, ...] = ()
