"""Candidate facts of others, reviewed row by row: CSV in, committed facts and a list of the refused out.

`review` holds what a reviewer decided and what every candidate must hold; `promise`, `adoption` and `figure` each turn
one candidate into rows or say why not, and make one of its repeats; `files` reads and writes. What is refused is
refused by file, line and reason.
"""
