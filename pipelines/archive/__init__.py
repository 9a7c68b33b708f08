"""The evidence, kept for good: web captures as WARC files (`store.Archive`), repository archives as packs (`pack`).

The way of a capture: `warc` → `writer` → disk → `records` → `entries` → `index` → `catalog` → `store`.
Beside it: `repair` after a crash, `verify` against damage, `importer` and `foreign` for what others kept. No network.
"""
