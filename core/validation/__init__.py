"""Extraction against prompts whose attribute is stated: does the extractor see what was asked for?

Start at `prompts` (which attribute is stated of which role, and on which side of the stereotype), then
`scoring` (accuracy, precision, recall and F1 with intervals, and which of generator and extractor erred) and
`tables`. `study` keeps it all in a study of its own, so that no image of it enters the audit. An extractor
that answers from what is usual for an occupation is right on the stereotypical prompts and wrong on the
others; the tables are split by that side.
"""
