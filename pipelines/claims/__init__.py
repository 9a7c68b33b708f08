"""A claim as the row that the lake keeps, whether it was read or typed by hand. Pure.

speakers    who speaks and who makes, as organisations of the registry
grade       the evidence tag and the caveats, by who speaks of what
identity    the id of what is said
arithmetic  the sums that a text does itself
beside      what speaks against a reading as a fact, beside the others of its page
row         the row: all of these put together
"""
