"""Entropy, Bias Intensity and resampling reproduce the worked examples within their stated tolerances."""

from __future__ import annotations

from itertools import product
from math import factorial

import numpy as np
import pytest
from scipy.stats import bootstrap

from core.statistics.bca import bca_interval
from core.statistics.bias_intensity import bias_intensity
from core.statistics.entropy import entropies
from core.statistics.resampling import cluster_weights, jackknife_se, leave_one_out


def test_entropy_estimators_agree_with_r(published):
    example = published("entropy_estimators")
    counts, expected, tolerance = example["input"]["counts"], example["expected"], example["tolerance"]
    cases = [(counts, expected, tolerance)]
    for name in ("coverage_example", "all_singletons"):
        inner = expected[name]
        cases.append((inner["counts"], inner, dict.fromkeys(inner, tolerance[name])))

    for these, right, within in cases:
        for name, estimator in (
            ("ml", "plugin"),
            ("miller_madow", "miller_madow"),
            ("chao_shen", "chao_shen"),
        ):
            if name in right:
                assert entropies(these, estimator) == pytest.approx(right[name], abs=within[name])
    bits = entropies(example["input"]["scipy_example"]) / np.log(2)
    assert bits == pytest.approx(expected["scipy_bits"], abs=tolerance["scipy_bits"])


@pytest.mark.parametrize("space", ["schema", "observed"])
def test_bias_intensity_depends_on_the_label_space_as_stated(published, space):
    example = published("bi_edge_cases")
    for case, right in zip(example["input"]["cases"], example["expected"][f"bi_{space}"], strict=True):
        k = case["K"] if space == "schema" else int(np.count_nonzero(case["counts"]))

        value = bias_intensity(case["counts"], k)

        if right is None:
            assert value.value is None
            assert value.reason
        else:
            assert value.value == pytest.approx(right, abs=example["tolerance"]["all"])


def test_plugin_is_biased_by_exactly_the_published_amount_and_matching_removes_it(published):
    example = published("bi_small_sample_bias_exact")
    expected, tolerance = example["expected"], example["tolerance"]
    for position, case in enumerate(example["input"]["cases"]):
        p, n = np.array(case["p"]), case["n"]
        k = len(p)

        true = 1 + float(np.sum(p * np.log(p))) / np.log(k)
        plugin, matched = _expectations(p, n, matched_to=20)

        assert true == pytest.approx(expected["true_bi"][position], abs=tolerance["true_bi"])
        assert plugin == pytest.approx(
            expected["expected_plugin_bi"][position], abs=tolerance["expected_plugin_bi"]
        )
        # brought to 20 images, 60 give what 20 are expected to give: the gap between conditions is gone
        assert matched == pytest.approx(_expectations(p, 20, matched_to=20)[0], abs=1e-9)


def _expectations(p, n, matched_to):
    """Expected plug-in and matched BI over all outcomes of n images, weighted by their probability."""
    k, plugin, matched = len(p), 0.0, 0.0
    for head in product(range(n + 1), repeat=k - 1):
        if sum(head) > n:
            continue
        x = [*head, n - sum(head)]
        ways = factorial(n)
        for count in x:
            ways //= factorial(count)
        weight = ways * float(np.prod(p ** np.array(x)))
        if weight < 1e-14:
            continue
        plugin += weight * bias_intensity(x, k).value
        matched += weight * bias_intensity(x, k, estimator="matched", matched_to=matched_to).value
    return plugin, matched


def test_generators_are_averaged_after_bias_intensity_not_before(published):
    example = published("paper_fig4_dimension_means")
    for dimension, values in example["input"]["bi_by_generator"].items():
        right = example["expected"]["mean"][dimension]

        assert np.mean(values) == pytest.approx(right, abs=example["tolerance"]["mean"])


def test_law_school(published):
    example = published("efron_law_school")
    expected, tolerance = example["expected"], example["tolerance"]
    scores = np.array([example["input"]["lsat"], example["input"]["gpa"]])
    size = scores.shape[1]
    schools = [f"school {number}" for number in range(size)]
    weights = cluster_weights(schools, 20_000, rng=np.random.default_rng(7))

    value = _correlations(scores, np.ones((1, size)))[0]
    without = _correlations(scores, leave_one_out(size))
    replicates = _correlations(scores, weights)

    assert value == pytest.approx(expected["correlation"], abs=tolerance["correlation"])
    assert jackknife_se(without) == pytest.approx(expected["jackknife_se"], abs=tolerance["jackknife_se"])
    assert np.std(replicates) == pytest.approx(expected["bootstrap_se"], abs=tolerance["bootstrap_se"])

    ours = bca_interval(replicates, value, without)
    scipys = bootstrap(
        tuple(scores),
        lambda lsat, gpa: np.corrcoef(lsat, gpa)[0, 1],
        paired=True,
        vectorized=False,
        method="BCa",
        n_resamples=20_000,
        rng=np.random.default_rng(8),
    ).confidence_interval
    assert (ours.low, ours.high) == pytest.approx((scipys.low, scipys.high), abs=0.01)


def _correlations(scores, weights):
    weights = np.asarray(weights, dtype=float)
    total = weights.sum(axis=1)
    means = weights @ scores.T / total[:, None]
    products = weights @ np.column_stack([scores[0] ** 2, scores[1] ** 2, scores[0] * scores[1]])
    squares = np.column_stack([means[:, 0] ** 2, means[:, 1] ** 2, means.prod(axis=1)])
    variances = products / total[:, None] - squares
    return variances[:, 2] / np.sqrt(variances[:, 0] * variances[:, 1])
