"""What the rows of a headline page say: marks made from rows, and the sentence that is the chart's title. Pure.

A sentence holds for the rows it was given. Where they carry no finding, there is none, and the question is the title.
"""
