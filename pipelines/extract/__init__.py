"""Documents → claims with confidence. Pure: no network, disk (but the registry's files), database or clock.

The map, in the order of reading:

    values/   every typed value of a text, with its place: quantities, counts, money, ratios, periods
    names/    every named thing; a name that the registry does not know is a name of its own
    tables/   a table as heads, bands, labels and axes, each described, and the values of its cells
    link/     the linker: for each value the metrics and subjects it may be of, weighed by trained models
              `prose` sets the values of text in their surroundings (`scene`, a `named_text`), which may lend a number
              its unit (`lent`, `units_said`), `clues`, `cards` and `crowd` describe,
              `linker` weighs with `trees` what `sense`, `owner` and `judge` say of each `proposal`,
              `lore` tells them what other pages say of a thing,
              `untaught` reads metrics that no model knows by their cards' words,
              `qualify` says what narrows a value and what it is per, by the words that are its own (`beside`)
    reader    the one way of reading that is registered: every value with its surroundings, linked, as claims
    reading   one reading as a claim, and names that followed one another; `stance` says how firmly it is said,
              `times` in whose fiscal year, and when an amount was earned or spent

`pipelines.claims` makes a row of the lake of a claim. `registry` is the door for other ways of reading. The models are
data: `registry/reader_model.json.gz`, made by `rackledger train-reader`.
"""
