"""Azure Retail Prices API: one page of meters, an hour of a whole instance each.

Built to the documented form of the API; no live answer has been seen. Reservations are priced by the term and not by
the hour, DevTest prices are for subscribers of another product, Windows meters hold a licence: none of them is an offer
of accelerators by the hour. The answer has no count of accelerators; their kind stands in the instance's name.
"""

from __future__ import annotations

import re
from functools import partial
from typing import Final

from pipelines.model.market import CapturedTable, CloudOffer, MarketRows, PricePer, PriceType
from pipelines.parse.sources.records import Columns, FieldProblem, Reader, Record, by, seen_in
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
    reader = Reader(table)
    answer = reader.whole()
    answer.ignore("BillingCurrency", "CustomerEntityId", "CustomerEntityType", "Count")
    offers = reader.items(answer, "Items", partial(_offer, table))
    if answer.raw("NextPageLink"):
        detail = "the answer goes on at another address, which was not asked for"
        reader.problem("NextPageLink", FieldProblem(Reason.RECORD_INCOMPLETE, detail), is_fatal=False)
    return reader.done(cloud_offers=offers, cloud_looks=[reader.look("", offers)])


def _offer(table: CapturedTable, record: Record) -> CloudOffer | None:
    """One meter; None where it is no price of an hour of the bare instance."""
    sku, product = record.text("skuName"), record.text("productName")
    if record.text("type") != "Consumption" or "Windows" in product:
        return None
    unit, instance = record.text("unitOfMeasure"), record.text("armSkuName")
    if unit != _HOUR:
        raise FieldProblem(Reason.FIELD_UNREADABLE, f"'unitOfMeasure' is {unit[:40]!r}, not {_HOUR!r}")
    accelerator = _ACCELERATOR.search(instance)
    if accelerator is None:
        raise FieldProblem(Reason.FIELD_UNREADABLE, f"'armSkuName' is {instance[:60]!r}: no accelerator in its name")
    kind = next((kind for word, kind in _CHEAP if sku.endswith(word)), PriceType.ON_DEMAND)
    return _OFFER.read(record, price_type=kind, accelerator_raw=accelerator[1], **seen_in(table, "", _PROVIDER))


_OFFER: Final = Columns(
    CloudOffer, _NOT_USED,
    offered_as="armSkuName", region=by(Record.text, "armRegionName"), price_type_raw=by(Record.text, "meterName"),
    price=by(Record.price, "retailPrice", _MOST_USD), price_per=lambda _: PricePer.INSTANCE,
    currency=by(Record.text, "currencyCode"),
)  # fmt: skip
