"""Parsers of market tables and rounds of results, one module a parser, each in its publisher's own format.

A table's parser is a module with `TABLES`, the tables of the lake that it fills, and `parse(CapturedTable) ->
MarketRows`; pure. It raises InputError where the structure is not the known one and names one odd record as a Problem
while the rest goes on. Its file name is the `parser` of sources.yaml; modules without `TABLES` are what parsers share.
"""
