"""Audit mode: from the cube of counts to its tables.

`concentration` computes Bias Intensity for the data and for every draw of roles, `concentration_tables`
lays it out as `bi` and `bi_change`. For single labels, `cells` gathers counts, `measures` tests them,
`consistency` gives the CCS its intervals, and `persistence_tables` runs these and makes `prevalence`,
`persistence`, `ccs_mean`, `robustness` and `families`. Where prompts share seeds, `seed_effects` says what
that adds to the variance of prevalences, `seed_influence` what it adds to that of BI, and `resampled` puts
into words over what intervals are. `coverage` says what could be used. The job that
runs it all is `core.analysis`. These modules need pandas and scipy; the annotation screen never imports
them.
"""
