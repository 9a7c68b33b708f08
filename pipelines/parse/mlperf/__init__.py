"""MLPerf rounds: a repository's archive in, rows of results and systems out; `rounds.parse_round` is the way in.

    layout      a member's path says what it is               a suite's own
    collect     one pass over the members, judging nothing    common + a suite's members
    system      descriptions into typed fields                common + a suite's forms
    …           logs, power, accuracy and scores              a suite's own
    result      one result's folder becomes one row           a suite's own
    common.rows rows of a whole round, with every problem     common

Pure. What the official rules say of a benchmark stands in the registry's YAML.
"""
