"""Audit mode: from the cube of counts to its tables.

`concentration` computes Bias Intensity for the data and for every draw of roles, `concentration_tables`
makes the tables `bi` and `bi_change` of it; `cells` and `consistency` do the same for single labels,
`persistence_tables` makes `prevalence`, `persistence`, `ccs_mean`, `robustness` and `families`. The job
that runs it all is `core.analysis`. These modules need pandas and scipy; the annotation screen never
imports them.
"""
