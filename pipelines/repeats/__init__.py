"""Documents beside each other: which of them repeat others. Pure; reads no claim.

near      which sketches share enough to be compared
copies    near-duplicates, respun copies and pages that show it by their own signs
"""
