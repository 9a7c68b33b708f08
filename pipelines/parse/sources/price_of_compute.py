"""Price of Compute: the API's answer for one accelerator, provider by provider.

The answer's own summary by price type is not read: it mixes in providers whose rows are not kept here.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final
from urllib.parse import urlsplit

from pipelines.model.market import CapturedTable, CloudLook, CloudOffer, MarketRows, PricePer, PriceType
from pipelines.parse.sources.records import Columns, FieldProblem, Reader, Record, by, refuse

TABLES = ("cloud_offers", "cloud_looks")

_PRICE_TYPES: Final[Mapping[str, PriceType]] = {
    "on_demand": PriceType.ON_DEMAND,
    "spot": PriceType.SPOT,
    "community": PriceType.COMMUNITY,
    "reserved": PriceType.RESERVED,
    "serverless": PriceType.SERVERLESS,
}
_PRICES_PATH: Final = "/api/v1/prices/"
_MOST_USD: Final = 1000.0  # for one accelerator and hour


def parse(table: CapturedTable) -> MarketRows:
    """Offers of one accelerator. Raises InputError where a price answer is not as known.

    The API's other answers (index, providers) give no offers and are named as unread.
    """
    path = urlsplit(table.url).path
    if not path.startswith(_PRICES_PATH):
        return MarketRows({"cloud_offers": [], "cloud_looks": []}, (), (f"answer of {path}",))
    reader = Reader(table)
    answer = reader.whole()
    answer.ignore("day", "prices", "attribution")
    try:
        sku, looked_at = answer.text("sku"), answer.instant("updated_at")
    except FieldProblem as problem:
        raise refuse(table, problem.detail) from None
    read = partial(_OFFER.read, scope=sku, looked_at=looked_at, accelerator_raw=sku)
    offers = reader.items(answer, "providers", read)
    look = CloudLook(looked_at.date(), sku, looked_at, len(reader.listed(answer, "providers")), is_fresh=True)
    return reader.done(cloud_offers=offers, cloud_looks=[look])


_OFFER: Final = Columns(
    CloudOffer,
    stated_on=lambda record: record.instant("observed_at").date(), provider=by(Record.text, "provider"),
    region="region", price_type=by(Record.one_of, "pricing_type", _PRICE_TYPES), price_type_raw="pricing_type",
    price=by(Record.price, "usd_per_gpu_hr", _MOST_USD), price_per=lambda _: PricePer.ACCELERATOR,
)  # fmt: skip
