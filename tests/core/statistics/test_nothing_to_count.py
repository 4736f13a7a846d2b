"""Every statistic of nothing (no unit, no rater, no category, no condition) is None with a reason."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np
import pytest

from core.statistics.bias_intensity import bias_intensity
from core.statistics.bland_altman import bland_altman
from core.statistics.brennan_prediger import brennan_prediger, brennan_prediger_sums
from core.statistics.cohen_kappa import cohen_kappa, cohen_kappa_mean, cohen_kappa_sums, kappa_of_table
from core.statistics.concordance import concordance, concordance_mean
from core.statistics.conger_kappa import conger_kappa, conger_kappa_sums
from core.statistics.count_error import count_error
from core.statistics.dawid_skene import dawid_skene, rating_counts
from core.statistics.estimate import Estimate
from core.statistics.exact import exact_homogeneity, freeman_halton
from core.statistics.fleiss_kappa import fleiss_kappa, fleiss_kappa_by_category, fleiss_kappa_sums, fleiss_z
from core.statistics.gwet_ac import gwet_ac1, gwet_ac2, gwet_ac_sums
from core.statistics.homogeneity import homogeneity
from core.statistics.intraclass import icc_2_1_sums, intraclass
from core.statistics.krippendorff_alpha import interval_alpha_sums, krippendorff_alpha, nominal_alpha_sums
from core.statistics.leave_one_out import leave_one_out
from core.statistics.persistence import ccs, mean_ccs, range_pp
from core.statistics.prevalence import mean_prevalence, pooled_prevalence
from core.statistics.prevalence_index import bias_index, prevalence_index
from core.statistics.proportion import miettinen_nurminen, newcombe, wilson
from core.statistics.raw_agreement import raw_agreement, raw_agreement_sums
from core.statistics.repeats import repeated_counts, repeated_labels
from core.statistics.robustness import leave_one_prompt_out
from core.statistics.stability import ccs_if_stable

SIZES = [(0, 3, 3), (0, 3, 0), (0, 2, 2), (0, 2, 0), (0, 0, 2), (0, 0, 0), (3, 0, 2), (4, 3, 0), (4, 2, 0)]
"""Units, raters and categories, one of them none."""

OF_RATINGS: list[Callable[[Any, int], Any]] = [
    *(raw_agreement, cohen_kappa_mean, fleiss_kappa, fleiss_kappa_by_category, fleiss_z, conger_kappa),
    *(krippendorff_alpha, gwet_ac1, brennan_prediger, prevalence_index, leave_one_out),
    lambda ratings, size: gwet_ac2(ratings, size, "linear", range(size)),
    lambda ratings, size: krippendorff_alpha(ratings, size, "interval"),
    lambda ratings, size: leave_one_out(ratings, size, np.full(len(ratings), -1)),
    lambda ratings, size: intraclass(np.where(ratings < 0, np.nan, 0.0)),
    lambda ratings, size: concordance_mean(np.where(ratings < 0, np.nan, 0.0)),
]
OF_TWO: list[Callable[[Any, int], Any]] = [cohen_kappa, bias_index]
SUMS = [
    *(raw_agreement_sums, cohen_kappa_sums, fleiss_kappa_sums, conger_kappa_sums, nominal_alpha_sums),
    *(gwet_ac_sums, brennan_prediger_sums),
    lambda ratings, size: interval_alpha_sums(np.where(ratings < 0, np.nan, 0.0)),
    lambda ratings, size: icc_2_1_sums(np.where(ratings < 0, np.nan, 0.0)),
]
NONE: list[float] = []
OF_COUNTS: list[Callable[[], Any]] = [
    *(lambda one=one: one(NONE, NONE) for one in (bland_altman, concordance, count_error, repeated_counts)),
    *(lambda one=one: one(NONE, NONE) for one in (ccs, range_pp, exact_homogeneity, homogeneity)),
    *(lambda one=one: one(NONE, NONE) for one in (pooled_prevalence, mean_prevalence)),
    *(lambda one=one: one(0, 0, 0, 0) for one in (newcombe, miettinen_nurminen)),
    *(lambda shape=shape: freeman_halton(np.zeros(shape)) for shape in ((0, 0), (0, 2), (2, 0), (2, 2))),
    *(lambda size=size: kappa_of_table(np.zeros((size, size))) for size in (0, 2)),
    *(lambda size=size: repeated_labels(NONE, NONE, size) for size in (0, 2)),
    lambda: wilson(0, 0),
    lambda: mean_ccs([]),
    lambda: ccs_if_stable(0, NONE),
    lambda: leave_one_prompt_out(NONE, NONE, []),
    lambda: bias_intensity(NONE, 3),
]


def _estimates(found: Any) -> Iterator[Estimate]:
    if isinstance(found, Estimate):
        yield found
    elif isinstance(found, tuple | list):
        for one in found:
            yield from _estimates(one)
    elif is_dataclass(found):
        for one in fields(found):
            yield from _estimates(getattr(found, one.name))


def _undefined(found: Any) -> None:
    for one in _estimates(found):
        assert (one.value, one.low, one.high) == (None, None, None)
        assert one.reason


@pytest.mark.parametrize("size", SIZES)
def test_a_statistic_of_no_rating_is_none_with_a_reason(size: tuple[int, int, int]) -> None:
    units, raters, categories = size
    ratings = np.full((units, raters), -1, dtype=np.int64)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for statistic in OF_RATINGS + (OF_TWO if raters == 2 else []):
            _undefined(statistic(ratings, categories))
        assert dawid_skene(rating_counts(ratings, categories)).reason


@pytest.mark.parametrize("size", SIZES)
def test_sums_of_no_rating_have_no_value_in_any_resample(size: tuple[int, int, int]) -> None:
    units, raters, categories = size
    if raters < 2:
        return
    ratings = np.full((units, raters), -1, dtype=np.int64)
    for sums_of in SUMS:
        sums = sums_of(ratings, categories)
        assert np.isnan(sums.value())
        assert np.isnan(sums.under(np.ones((2, units)))).tolist() == [True, True]
        assert sums.without_each().shape == (units,)
        assert sums.under(np.ones((0, units))).shape == (0,)
        assert np.isnan(sums.grouped(np.zeros(units, dtype=np.int64), 1).value())


def test_a_statistic_of_no_count_is_none_with_a_reason() -> None:
    for statistic in OF_COUNTS:
        found = statistic()
        if hasattr(found, "p"):
            assert found.p is None
            assert found.reason
        _undefined(found)
