"""SkyPilot's two kinds of file: listings without prices and a cloud's instances; odd lines; the real extracts."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipelines.model.market import CloudOffer
from pipelines.parse.sources.skypilot_catalog import parse
from pipelines.problems import InputError, Reason
from tests.market_kit import captured

ROOT = "https://raw.githubusercontent.com/skypilot-org/skypilot-catalog/master/catalogs"
LISTINGS, INSTANCES = f"{ROOT}/v9/common/accelerators.csv", f"{ROOT}/v8/examplecloud/vms.csv"
HEADER = "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Price,Region,GpuInfo,SpotPrice"
GPU_INFO = "\"{'Gpus': [{'Name': 'H100', 'Count': 8, 'MemoryInfo': {'SizeInMiB': 81920}}]}\""


def offers(url: str, text: str) -> list[CloudOffer]:
    found = parse(captured("skypilot_catalog", url, text)).rows["cloud_offers"]
    return [offer for offer in found if isinstance(offer, CloudOffer)]


def test_a_listing_is_an_offer_without_a_price_at_each_cloud() -> None:
    found = offers(LISTINGS, "AcceleratorName,Clouds\nB300,\"['AWS', 'Verda']\"\nMI300X,['OCI']\n")
    assert [(o.accelerator_raw, o.provider, o.price_type, o.price) for o in found] == [
        ("B300", "AWS", "unpriced", None),
        ("B300", "Verda", "unpriced", None),
        ("MI300X", "OCI", "unpriced", None),
    ]


def test_an_instance_has_one_offer_a_price() -> None:
    found = offers(INSTANCES, f"{HEADER}\nbig-8,H100,8,128,1600,23.60,eu-1,{GPU_INFO},10.00\n")
    assert [(o.price_type, o.price, o.price_per, o.accelerators) for o in found] == [
        ("on_demand", 23.6, "instance", 8),
        ("spot", 10.0, "instance", 8),
    ]
    first = found[0]
    assert (first.provider, first.scope, first.offered_as, first.region) == (
        "examplecloud", "examplecloud", "big-8", "eu-1",
    )  # fmt: skip
    assert (first.memory_gb, first.vcpus, first.ram_gb, first.caveats) == (80.0, 128.0, 1600.0, ())


def test_instances_without_accelerators_are_passed_by() -> None:
    assert offers(INSTANCES, f"{HEADER}\ncpu-2,,,2,8,0.10,eu-1,,\n") == []


def test_a_cloud_whose_price_is_repeated_for_every_region_is_marked() -> None:
    found = offers(f"{ROOT}/v9/lambda/vms.csv", f"{HEADER}\nbig-8,H100,8,128,1600,23.60,eu-1,,\n")
    assert [o.caveats for o in found] == [("imprecise",)]


def test_further_columns_are_named_as_unread() -> None:
    rows = parse(captured("skypilot_catalog", LISTINGS, "AcceleratorName,Clouds,Zone\nB300,['AWS'],a\n"))
    assert rows.unread == ("Zone",)


@pytest.mark.parametrize(
    ("url", "text", "reason"),
    [
        (LISTINGS, "AcceleratorName,Clouds\nB300,AWS Verda\nH100,['AWS']\n", Reason.FIELD_UNREADABLE),
        (LISTINGS, "AcceleratorName,Clouds\n,['AWS']\nH100,['AWS']\n", Reason.FIELD_MISSING),
        (INSTANCES, f"{HEADER}\na,H100,8,1,1,0,eu,,\nb,H100,8,1,1,9.5,eu,,\n", Reason.VALUE_IMPLAUSIBLE),
        (INSTANCES, f"{HEADER}\na,H100,many,1,1,9.5,eu,,\nb,H100,8,1,1,9.5,eu,,\n", Reason.FIELD_UNREADABLE),
    ],
)
def test_an_odd_line_is_named_and_the_rest_goes_on(url: str, text: str, reason: Reason) -> None:
    rows = parse(captured("skypilot_catalog", url, text))
    assert [(p.reason, p.place) for p in rows.problems] == [(reason, f"{url}: line 2")]
    assert len(rows.rows["cloud_offers"]) == 1


@pytest.mark.parametrize(
    ("url", "text", "detail"),
    [
        (LISTINGS, "Name,Where\nB300,['AWS']\n", "no column AcceleratorName, Clouds; it has Name, Where"),
        (INSTANCES, "", "no column InstanceType.* it has no header"),
        (f"{ROOT}/v9/aws/images.csv", "a,b\n", "neither accelerators.csv nor a cloud's vms.csv"),
    ],
)
def test_what_is_no_file_of_the_catalogue_is_refused(url: str, text: str, detail: str) -> None:
    with pytest.raises(InputError, match=detail):
        parse(captured("skypilot_catalog", url, text))


def test_the_real_extracts_are_read_whole(shared: Path) -> None:
    listings = parse(
        captured("skypilot_catalog", LISTINGS, (shared / "market/skypilot/v9_common_accelerators.csv").read_bytes())
    )
    clouds = {
        o.provider for o in listings.rows["cloud_offers"] if isinstance(o, CloudOffer) and o.accelerator_raw == "B300"
    }
    assert clouds == {"AWS", "RunPod", "Shadeform", "Verda"}  # the owners who forbid it are dropped after parsing
    assert len(listings.rows["cloud_offers"]) == 94
    url = f"{ROOT}/v8/nebius/vms.csv"
    instances = parse(
        captured("skypilot_catalog", url, (shared / "market/skypilot/v8_nebius_vms_gpu_rows.csv").read_bytes())
    )
    assert len(instances.rows["cloud_offers"]) == 9
    assert (listings.problems, listings.unread, instances.problems, instances.unread) == ((), (), (), ())
