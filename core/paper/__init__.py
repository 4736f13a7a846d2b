"""Paper mode: the published formulas with their quirks, for replication and comparison only.

What differs from audit mode, and is meant to: the label space is what was observed; a single label has BI
0; images are ten per prompt that has any known label, so unknown ones stay in the denominator; persistence
adds a label up over all dimensions that contain its word; roles are drawn anew for each condition and
generator; a role is compared with all others under the name of leave-one-out, without the factor (1 - p).
`counting` reads rows the published way, the other modules compute one group of tables each; every table
has `paper` in its first column.

Kolli et al., "ContextBias: Controlled Evaluation of Bias Persistence Under Context Shift in Text-to-Image
Models", arXiv 2608.29847, and its repository, from which no code is taken.
"""
