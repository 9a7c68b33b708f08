"""Collecting: the only code that touches the network. `run.collect` takes sources and an archive and gives a report.

plan → run → visit (redirects, robots) → lanes (one request at a time per host) → client → address (guard).
`discover` finds the items of feeds and listings; it and `links` are pure.
"""
