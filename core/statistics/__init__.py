"""The measures, one a file: pure functions from arrays to a small frozen result.

BI is Bias Intensity, CCS the Context Consistency Score. An undefined value is None with a reason,
never 0, 1 or NaN.

How often a printed 95 % interval holds the planted value, in simulated studies of the paper's size (92 roles,
2/5/6 or 6/6/6 prompts of ten images, ICC 0 or .1, with and without a planted change; three people who err in
5, 10 and 20 % of 120 image sets; 100 studies of each kind, tests/benchmarks/bench_calibration.py):

    ======================================================  ==============
    BI, images of all roles together, any estimator         92 to 95 %
    its change between conditions                           92 to 96 %
    BI, mean over roles, matched (truth: as few prompts)    94 to 96 %
    its change between conditions                           94 to 95 %
    BI, mean over roles, other estimators, with a warning   22 to 92 %
    its change, other estimators, with a warning            43 to 94 %
    its change, other estimators, without a warning         92 to 95 %
    prevalence of a label, planted at 5 to 95 %             95 to 96 %
    prevalence, planted below 5 % (only labels seen)        91 to 98 %
    CCS of a label that is the same everywhere              93 to 98 %
    CCS of a label with a range                             99 to 100 %
    raw agreement, kappas, alpha, AC1                       92 to 93 %
    ======================================================  ==============

How often a test fires on a label that does not change:

    ======================================================  ==============
    p and p_exact, images independent                       4 %
    p and p_exact, ICC .1 (the table `families` says so)    19 to 20 %
    p_adjusted (the larger of exact and Rao-Scott)          below 0.3 %
    any p_adjusted in a family of labels                    3 to 6 %
    verdict "changed"                                       2 %
    verdict "invariant", planted beyond the margin          below 0.3 %
    ======================================================  ==============
"""
