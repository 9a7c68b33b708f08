"""Rows of the price feeds: what one look at a price list held, and that the look took place.

Labels are the publisher's own; which accelerator and organisation they mean is the registry's to say later. Nothing
here knows how long an offer lived: that is computed from all looks.
"""

from __future__ import annotations

import datetime as dt
from enum import StrEnum

from pipelines.frozen import frozen


class PriceType(StrEnum):
    """What is paid for. Prices of two types are never put into one figure."""

    ON_DEMAND = "on_demand"
    SPOT = "spot"  # may be taken away
    RESERVED = "reserved"  # for a term, see `term_months`
    SERVERLESS = "serverless"  # paid by use on the platform's machines
    COMMUNITY = "community"  # hosts of third parties on a marketplace
    INFERENCE = "inference"  # one accelerator for inference, as the provider lists it beside whole instances
    UNPRICED = "unpriced"  # listed without a price


class PricePer(StrEnum):
    """What one printed price buys for an hour."""

    ACCELERATOR = "accelerator"
    INSTANCE = "instance"
    NOTHING = ""  # no price is printed


@frozen(kw_only=True)
class CloudOffer:
    """One offer as one look at one price list showed it.

    `scope` names what one look covers whole (a provider of the feed, an accelerator's page, or '' for the whole
    feed): an offer missing from the next look of its scope has ended. `accelerators` is the count of one instance,
    None where it is not given or not credible. `memory_gb` is of one accelerator, as printed.
    """

    stated_on: dt.date  # day on which the source saw the offer
    scope: str
    looked_at: dt.datetime  # UTC
    provider: str
    offered_as: str = ""  # instance type, or '' where the feed has none
    accelerator_raw: str
    accelerators: int | None = None
    memory_gb: float | None = None
    vcpus: float | None = None
    ram_gb: float | None = None
    region: str = ""
    price_type: PriceType
    price_type_raw: str = ""
    term_months: int | None = None
    price: float | None = None
    price_per: PricePer
    currency: str = "USD"
    offer_url: str = ""  # the provider's own page, where the feed names it
    caveats: tuple[str, ...] = ()


@frozen
class CloudLook:
    """One look of a source at one scope, also where it found nothing.

    `is_fresh` is False where the source could not look and carried older offers forward; then nothing was seen,
    and `looked_at` is the last look that worked.
    """

    stated_on: dt.date
    scope: str
    looked_at: dt.datetime  # UTC
    offers: int  # offers in the input for this scope, with those not kept
    is_fresh: bool
