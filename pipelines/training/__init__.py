"""Training of the reader from labelled documents: labels → rows → models → calibration → one model file.

    labels    label files and their documents, checked line by line; which reading of a value a label agrees with
    learners  the kinds of models (linear words, boosted trees) as data that `pipelines.extract.link` evaluates
    cases     documents made ready, and which of their readings agree with which labels
    turned    labelled tables with rows as columns, as further cases
    practice  made-up pages with marked values, as further cases
    fit       the models in a row, each on what those before say of folds that they have not seen
    agreement how far qualifiers of right readings are those of their labels
    held_out  figures by leave-repository-out: precision, recall, calibration; never a fit

`fit` and `learners` need the packages of the `train` extra; nothing of the product imports this package.
"""
