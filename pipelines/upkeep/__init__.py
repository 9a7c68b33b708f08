"""What a run needs around its work: one run at a time, a tidy start, and knowing when there is nothing to do."""
