"""gpuhunt's catalogue in its documented columns (no real file was at hand: all of it is made up)."""

from __future__ import annotations

import io
import zipfile

import pytest

from pipelines.model.market import CloudOffer
from pipelines.parse.sources.gpuhunt_catalog import parse
from pipelines.problems import InputError, Reason
from tests.market_kit import captured

URL = "https://dstack-gpu-pricing.s3.eu-west-1.amazonaws.com/v3/examplecloud/latest/catalog.zip"
HEADER = (
    "instance_name,location,price,cpu,memory,gpu_count,gpu_name,gpu_memory,spot,disk_size,gpu_vendor,flags,cpu_arch,"
    "provider_data"
)
BIG = "big.8,eu-1,23.6,128,1600,8,H100,80,False,,nvidia,,x86,"


def packed(*lines: str, names: tuple[str, ...] = ("examplecloud.csv",)) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name in names:
            archive.writestr(name, "\n".join((HEADER, *lines)) + "\n")
    return stream.getvalue()


def test_an_instance_is_an_offer_by_region_and_kind_of_price() -> None:
    rows = parse(captured("gpuhunt_catalog", URL, packed(BIG, BIG.replace("False", "True").replace("23.6", "9.5"))))
    offers = [offer for offer in rows.rows["cloud_offers"] if isinstance(offer, CloudOffer)]
    assert [(o.price_type, o.price_type_raw, o.price, o.price_per) for o in offers] == [
        ("on_demand", "spot=False", 23.6, "instance"),
        ("spot", "spot=True", 9.5, "instance"),
    ]
    first = offers[0]
    assert (first.provider, first.scope, first.offered_as, first.region) == (
        "examplecloud", "examplecloud", "big.8", "eu-1",
    )  # fmt: skip
    assert (first.accelerator_raw, first.accelerators, first.memory_gb, first.vcpus, first.ram_gb) == (
        "H100", 8, 80.0, 128.0, 1600.0,
    )  # fmt: skip
    assert (rows.problems, rows.unread) == ((), ())


def test_instances_without_accelerators_are_passed_by() -> None:
    assert parse(captured("gpuhunt_catalog", URL, packed("cpu.2,eu-1,0.1,2,8,0,,,False,,,,x86,"))).rows == {
        "cloud_offers": [],
        "cloud_looks": parse(captured("gpuhunt_catalog", URL, packed())).rows["cloud_looks"],
    }


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (BIG.replace("False", "maybe"), Reason.FIELD_UNREADABLE),
        (BIG.replace("23.6", "0"), Reason.VALUE_IMPLAUSIBLE),
        (BIG.replace("H100", ""), Reason.FIELD_MISSING),
    ],
)
def test_an_odd_line_is_named_and_the_rest_goes_on(line: str, reason: Reason) -> None:
    rows = parse(captured("gpuhunt_catalog", URL, packed(line, BIG)))
    assert [(p.reason, p.place) for p in rows.problems] == [(reason, f"{URL}: line 2")]
    assert len(rows.rows["cloud_offers"]) == 1


@pytest.mark.parametrize(
    ("url", "body", "detail"),
    [
        (URL, b"<html>", "no ZIP archive"),
        (URL, packed(names=("a.csv", "b.csv")), "2 CSV files where one is expected"),
        (URL, packed()[:-30], "no ZIP archive"),
        (URL.replace("catalog.zip", "version"), packed(), "names no provider's catalog.zip"),
    ],
)
def test_what_is_no_catalogue_is_refused(url: str, body: bytes, detail: str) -> None:
    with pytest.raises(InputError, match=detail):
        parse(captured("gpuhunt_catalog", url, body))
