"""Azure Retail Prices API: one page of meters, an hour of a whole instance each.

Built to the documented form of the API; no live answer has been seen. Reservations are priced by the term and not by
the hour, DevTest prices are for subscribers of another product, Windows meters hold a licence: none of them is an offer
of accelerators by the hour. The answer has no count of accelerators; their kind stands in the instance's name.
"""

from __future__ import annotations

import re
from typing import Final

from pipelines.model.market import CapturedTable, CloudLook, CloudOffer, MarketRows, PricePer, PriceType
from pipelines.parse.sources.records import FieldProblem, Reader, Record, numbered, read_list, read_object
from pipelines.problems import Reason

TABLES = ("cloud_offers", "cloud_looks")

_NOT_USED: Final = (
    "tierMinimumUnits", "unitPrice", "location", "effectiveStartDate", "meterId", "productId", "skuId", "serviceId",
    "serviceName", "serviceFamily", "isPrimaryMeterRegion", "savingsPlan", "reservationTerm", "availabilityId",
)  # fmt: skip
_ACCELERATOR: Final = re.compile(r"_((?:GB|GH|[ABHT])\d{1,3}|V100|MI\d{3}X)(?=_|$)")
_HOUR: Final = "1 Hour"
_CHEAP: Final = (("Spot", PriceType.SPOT), ("Low Priority", PriceType.SPOT))  # both may be taken away
_MOST_USD: Final = 10_000.0  # for one instance and hour
_PROVIDER: Final = "azure"


def parse(table: CapturedTable) -> MarketRows:
    """Offers of one answer. Raises InputError where it is no list of meters."""
    answer, reader = read_object(table), Reader(table)
    answer.ignore("BillingCurrency", "CustomerEntityId", "CustomerEntityType", "Count")
    items = read_list(table, answer, "Items")
    offers = reader.rows(numbered("Items", items), lambda record: _offer(table, record), "Items.")
    if answer.raw("NextPageLink"):
        detail = "the answer goes on at another address, which was not asked for"
        reader.problem("NextPageLink", FieldProblem(Reason.RECORD_INCOMPLETE, detail), is_fatal=False)
    reader.unread |= answer.unread
    look = CloudLook(table.captured_at.date(), "", table.captured_at, len(offers), is_fresh=True)
    return reader.done(cloud_offers=offers, cloud_looks=[look])


def _offer(table: CapturedTable, record: Record) -> CloudOffer | None:
    """One meter; None where it is no price of an hour of the bare instance."""
    record.ignore(*_NOT_USED)
    sku, product = record.text("skuName"), record.text("productName")
    if record.text("type") != "Consumption" or "Windows" in product:
        return None
    unit, instance = record.text("unitOfMeasure"), record.text("armSkuName")
    if unit != _HOUR:
        raise FieldProblem(Reason.FIELD_UNREADABLE, f"'unitOfMeasure' is {unit[:40]!r}, not {_HOUR!r}")
    accelerator = _ACCELERATOR.search(instance)
    if accelerator is None:
        raise FieldProblem(Reason.FIELD_UNREADABLE, f"'armSkuName' is {instance[:60]!r}: no accelerator in its name")
    return CloudOffer(
        stated_on=table.captured_at.date(),
        scope="",
        looked_at=table.captured_at,
        provider=_PROVIDER,
        offered_as=instance,
        accelerator_raw=accelerator[1],
        region=record.text("armRegionName"),
        price_type=next((kind for word, kind in _CHEAP if sku.endswith(word)), PriceType.ON_DEMAND),
        price_type_raw=record.text("meterName"),
        price=record.price("retailPrice", _MOST_USD),
        price_per=PricePer.INSTANCE,
        currency=record.text("currencyCode"),
    )
