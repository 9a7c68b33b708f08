"""A round's repository archive over the wire into the store of packs, as the main job does it."""

from __future__ import annotations

from pipelines.archive.pack import PackStore
from pipelines.problems import Reason
from tests.collect_kit import Collected, Site, make_source, redirect, reply
from tests.rounds import COMMIT, archive


def test_a_round_becomes_a_pack_and_then_costs_one_304(site: Site, collected: Collected) -> None:
    body = archive(top="training_results_v9.9-main")
    named = "/mlcommons/training_results_v9.9/archive/refs/heads/main.tar.gz"
    served = "/mlcommons/training_results_v9.9/tar.gz/refs/heads/main"
    site.routes[named] = redirect(served)
    site.routes[served] = [reply(body, ETag='W/"r"'), reply(status="304 Not Modified", ETag='W/"r"')]
    source = make_source("mlperf_training", site.url(named), kind="tarball", parser="mlperf_training")
    packs = PackStore(collected.root)

    assert packs.takes(site.url(named))
    first = collected.run(source, tarballs=packs).row("mlperf_training")
    second = collected.run(source, tarballs=packs).row("mlperf_training")

    assert (first.fetched, first.new, first.bytes, first.failed) == (1, 1, len(body), 0)
    assert (second.fetched, second.unchanged, second.bytes, second.failed) == (0, 1, 0, 0)
    (pack,) = packs.packs()
    assert (pack.scope, pack.commit, pack.archive_bytes, pack.url) == (
        "training-v9.9",
        COMMIT,
        len(body),
        site.url(named),
    )
    assert site.asked[-1].headers["if-none-match"] == 'W/"r"'
    assert collected.captures() == []


def test_what_is_no_archive_is_refused_and_nothing_is_kept(site: Site, collected: Collected) -> None:
    named = "/mlcommons/training_results_v9.9/archive/main.tar.gz"
    site.routes[named] = reply(b"<html>rate limited</html>")
    packs = PackStore(collected.root)
    source = make_source("mlperf_training", site.url(named), kind="tarball")
    (failure,) = collected.run(source, tarballs=packs).row("mlperf_training").failures
    assert failure.reason == Reason.NOT_AN_ARCHIVE
    assert packs.packs() == []
    assert collected.captures() == []
