"""rackledger's pipelines: from outside bytes to typed rows in the lake.

    sources.yaml → collect → archive → parse → extract → lake → warehouse → dashboard

`collect` alone touches the network, `archive` alone is precious: everything after it is a pure function of the
archive, the committed facts, the registry and the code.

Pure packages (no network, disk, database, clock or Dagster): `model`, `problems`, `parse`, `extract`, `claims`,
`repeats`. `registry` reads its own YAML and nothing else. `tests/structure` holds these lines.
"""

__version__ = "0.1.0"
