"""Candidate facts of others, reviewed row by row: CSV in, committed facts and a list of the refused out.

`review` holds what a reviewer decided, `promise` turns one candidate into one row or says why not, `merge` makes one
statement of its repeats, `files` reads and writes. What is refused is refused by file, line and reason.
"""
