"""The measures, one a file: pure functions from arrays to a small frozen result.

BI is Bias Intensity, CCS the Context Consistency Score. An undefined value is None with a reason,
never 0, 1 or NaN.

How often a printed 95 % interval holds the planted value, in simulated studies of the paper's size (92 roles,
2/5/6 or 6/6/6 prompts of ten images, ICC 0 or .1, with and without a planted change; three people who err in
5, 10 and 20 % of 120 image sets; 500 studies of each kind, tests/benchmarks/bench_calibration.py):

    ======================================================  ==============
    BI, images of all roles together, any estimator         93 to 95 %
    its change between conditions                           93 to 96 %
    BI, mean over roles, matched (truth: as few prompts)    94 to 95 %
    its change between conditions                           94 to 95 %
    BI, mean over roles, other estimators, with a warning   21 to 93 %
    its change, other estimators, with a warning            45 to 93 %
    its change, other estimators, without a warning         93 to 95 %
    prevalence of a label, planted at 5 to 95 %             96 %
    prevalence, planted above 95 %                          93 to 97 %
    prevalence, planted below 5 % (only labels seen)        91 to 98 %
    CCS of a label that is the same everywhere              94 to 98 %
    CCS of a label with a range                             99 to 100 %
    raw agreement, Brennan-Prediger, AC1                    94 %
    kappas (Cohen, Fleiss, Conger), alpha                   93 to 94 %
    ======================================================  ==============

The same where prompts share seeds (2, 4 or 10 of a role; images of one seed alike by 0 to .8; 40 studies of
each kind, tests/benchmarks/bench_seeds.py), by prompts alone, as if seeds were unknown, and by both:

    ======================================================  ============  ============
    of single labels                                        prompts       and seeds
    ======================================================  ============  ============
    prevalence, 5 to 95 %, seeds not alike                  96 to 97 %    96 to 97 %
    prevalence, 5 to 95 %, seeds alike by .3                78 to 82 %    96 to 98 %
    prevalence, 5 to 95 %, seeds alike by .8                45 to 62 %    97 to 98 %
    CCS of a label that is the same everywhere, alike       71 to 93 %    95 to 99 %
    any false p_adjusted in a family, persons by condition  97 %          2 %
    verdict "changed" of such a label that does not change  33 %          1 %
    ======================================================  ============  ============

BI of all roles together where all roles share 2, 4 or 10 seeds (40 roles, 25 studies of each kind), over
roles alone and over roles and seeds; few seeds make it too high besides, which a word beside it says:

    ======================================================  ============  ============
    of Bias Intensity                                       roles         and seeds
    ======================================================  ============  ============
    seeds not alike                                         93 to 94 %    94 to 96 %
    seeds alike, 10 seeds                                   36 to 62 %    90 to 96 %
    its change between conditions                           60 to 93 %    93 to 96 %
    seeds alike, 2 or 4 seeds (the word "few seeds")        34 to 49 %    74 to 88 %
    its change between conditions                           40 to 97 %    88 to 98 %
    ======================================================  ============  ============

A label below 5 % is listed for a role because it was seen there, so the rarest look too frequent (91 to 93 %
where nothing changes). The CCS of a label with a range is on the safe side.

How often a test fires on a label that does not change:

    ======================================================  ==============
    p and p_exact, images independent                       5 %
    p and p_exact, ICC .1 (the table `families` says so)    19 to 20 %
    p_adjusted (the larger of exact and Rao-Scott)          0.1 to 0.2 %
    any p_adjusted in a family of labels                    3 to 5 %
    verdict "changed"                                       2 %
    verdict "invariant", planted beyond the margin          0.1 % at most
    ======================================================  ==============
"""
