"""The tables on single labels equal slow twins, and reproduce the paper's rows from counts."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from core.analysis import analyse
from core.jobs import run_here
from core.keys import seed_of
from core.statistics.bca import bca_interval
from core.statistics.clustering import cluster_sums
from core.statistics.equivalence import verdict
from core.statistics.homogeneity import homogeneity
from core.statistics.multiplicity import benjamini_hochberg
from core.statistics.persistence import ccs, ccs_score_limits, range_pp
from core.statistics.proportion import wilson
from core.statistics.resampling import cluster_weights
from core.statistics.robustness import leave_one_prompt_out
from core.statistics.stability import ccs_if_stable

TABLE_2 = Path(__file__).parents[2] / "reference" / "published" / "paper_table2_closed_labels.json"
CONDITIONS = ["CF", "CA-R", "CA-U"]
KEYS = ["generator", "role", "dimension", "label"]


@pytest.fixture(scope="module")
def counted(labels_of):
    return Counted(labels_of())


@pytest.fixture(scope="module")
def tables(labels_of, schema):
    return run_here(analyse(labels_of(), schema, bootstrap=300, seed=4)).tables


@pytest.fixture(scope="module")
def persistence(tables):
    return tables["persistence"].astype(dict.fromkeys(KEYS, str))


class Counted:
    """Images by prompt and by label, counted by grouping."""

    def __init__(self, frame):
        usable = frame[frame["status"] == "ok"]
        where = ["generator", "role", "condition", "prompt"]
        self.rows = usable[KEYS].drop_duplicates()
        self.prompts = frame.groupby(["generator", "role"])[["condition", "prompt"]].apply(
            lambda part: sorted(set(part.itertuples(index=False, name=None)), key=_by_condition)
        )
        self.images = usable.groupby([*where, "dimension"])["image"].nunique().to_dict()
        self.shown = usable.groupby([*where, "dimension", "label"])["image"].nunique().to_dict()

    def by_prompt(self, generator, role, dimension, label):
        """Prompts in order of condition and text: condition, text, images with the label, images."""
        rows = []
        for condition, prompt in self.prompts[generator, role]:
            key = (generator, role, condition, prompt, dimension)
            shown, images = self.shown.get((*key, label), 0), self.images.get(key, 0)
            rows.append((CONDITIONS.index(condition), prompt, shown, images))
        return [list(side) for side in zip(*rows, strict=True)]

    def by_condition(self, *keys):
        """Images with the label, and images, of each condition."""
        condition, _, x, n = (np.array(side) for side in self.by_prompt(*keys))
        return [[int(side[condition == c].sum()) for c in range(3)] for side in (x, n)]


def _by_condition(pair):
    return CONDITIONS.index(pair[0]), pair[1]


def test_there_is_one_row_for_each_label_that_a_generator_showed_for_a_role(persistence, counted):
    right = counted.rows

    assert len(persistence) == len(right)
    assert set(map(tuple, persistence[KEYS].to_numpy())) == set(map(tuple, right.to_numpy()))


def test_numbers_equal_their_twins(persistence, counted):
    for one in persistence.iloc[::5].to_dict("records"):
        x, n = counted.by_condition(*(one[key] for key in KEYS))
        test, score = homogeneity(x, n), ccs(x, n)

        assert [one[f"x_{name}"] for name in ("cf", "car", "cau")] == x
        assert [one[f"n_{name}"] for name in ("cf", "car", "cau")] == n
        assert one["prevalence"] == pytest.approx(sum(x) / sum(n))
        assert one["range_pp"] == pytest.approx(range_pp(x, n).value)
        assert (one["chi2"], one["p"]) == pytest.approx((test.chi2, test.p))
        assert (one["p_exact"], one["p_min"]) == pytest.approx((test.p_exact, test.p_min))
        if score.value is None:
            assert np.isnan(one["ccs"])
            assert score.reason in one["reason"]
        else:
            assert one["ccs"] == pytest.approx(score.value)
            assert one["ccs_if_stable"] == pytest.approx(ccs_if_stable(sum(x), n).value)
            assert one["ccs_low"] <= one["ccs_high"]


@pytest.fixture(scope="module")
def effects(persistence, counted):
    """Design effect of each family, added up label by label and role by role."""
    found = {}
    for (generator, dimension), part in persistence.groupby(["generator", "dimension"]):
        clustered = independent = 0.0
        for one in part.to_dict("records"):
            condition, _, x, n = counted.by_prompt(generator, one["role"], dimension, one["label"])
            sums = cluster_sums(np.array(x)[:, None], np.array(n)[:, None], condition)
            clustered, independent = clustered + sums.clustered[0], independent + sums.independent[0]
        found[generator, dimension] = max(1.0, clustered / independent)
    return found


def test_families_have_the_pooled_design_effect(tables, effects):
    for one in tables["families"].to_dict("records"):
        assert one["design_effect"] == pytest.approx(effects[one["generator"], one["dimension"]])


def test_verdicts_allow_for_clustering(persistence, counted, effects):
    for one in persistence.iloc[::5].to_dict("records"):
        x, n = counted.by_condition(*(one[key] for key in KEYS))
        effect = effects[one["generator"], one["dimension"]]

        assert one["verdict"] == verdict(x, n, design_effect=effect).word


def test_p_is_adjusted_within_generator_and_dimension_over_tests_that_can_reach_the_level(
    persistence, effects
):
    from scipy.stats import chi2

    for (generator, dimension), part in persistence.groupby(["generator", "dimension"]):
        clustered = chi2.sf(part["chi2"] / effects[generator, dimension], part["df"].astype(float))
        p = np.maximum(part["p_exact"], clustered)
        in_family = (part["p_min"] <= 0.05) & ~part["reason"].str.contains("degenerate")
        adjusted = benjamini_hochberg(p.where(in_family))

        assert np.allclose(part["p_adjusted"], adjusted, equal_nan=True)
        assert part["family"].nunique() == 1


def test_prevalences_have_wilson_intervals_with_the_design_effect(tables, counted, effects):
    frame = tables["prevalence"].astype(dict.fromkeys(KEYS, str))
    for one in frame.iloc[::11].to_dict("records"):
        x, n = counted.by_condition(*(one[key] for key in KEYS))
        place = CONDITIONS.index(one["condition"])
        right = wilson(x[place], n[place], design_effect=effects[one["generator"], one["dimension"]])

        assert (one["x"], one["n"]) == (x[place], n[place])
        assert (one["prevalence"], one["low"], one["high"]) == pytest.approx(
            (right.value, right.low, right.high)
        )


def test_robustness_equals_its_twin(tables, counted):
    frame = tables["robustness"].astype(dict.fromkeys([*KEYS, "prompt"], str))
    for one in frame.iloc[::9].to_dict("records"):
        condition, prompts, x, n = counted.by_prompt(*(one[key] for key in KEYS))
        right = leave_one_prompt_out(x, n, prompts, strata=condition)

        assert one["prompt"] == right.prompt
        assert (one["value"], one["largest_move"], one["se"]) == pytest.approx(
            (right.value, right.largest_move, right.se)
        )
        assert one["invariant"] == right.is_invariant


def test_ccs_intervals_draw_prompts_within_conditions(persistence, counted, effects):
    by_draws = persistence[persistence["ccs"].notna() & ~persistence["reason"].str.contains("CCS interval")]
    assert len(by_draws) > 20
    for one in by_draws.iloc[::9].to_dict("records"):
        condition, prompts, x, n = (np.array(side) for side in counted.by_prompt(*(one[key] for key in KEYS)))
        replicates, without = _draws_of_prompts(one["role"], condition, prompts, x, n)

        right = bca_interval(replicates, one["ccs"], without, strata=condition)

        sides = counted.by_condition(*(one[key] for key in KEYS))
        effect = effects[one["generator"], one["dimension"]]
        _, top = ccs_score_limits(*(np.array([side]) for side in sides), design_effect=effect)
        assert right.method == "bca"
        assert (one["ccs_low"], one["ccs_high"]) == pytest.approx((right.low, max(right.high, top[0])))
        assert ("upper limit from scores" in one["reason"]) == (top[0] > right.high)


def _score(x, n, condition):
    shares = [100 * x[condition == c].sum() / n[condition == c].sum() for c in range(3)]
    return 100 * x.sum() / n.sum() / (1 + max(shares) - min(shares))


def _draws_of_prompts(role, condition, prompts, x, n):
    weights = np.zeros((300, len(prompts)), dtype=int)
    for place, name in enumerate(CONDITIONS):
        here = condition == place
        rng = np.random.default_rng(seed_of(4, "prompts", role, name))
        weights[:, here] = cluster_weights(prompts[here].tolist(), 300, rng=rng)
    replicates = [_score(x * row, n * row, condition) for row in weights]
    keep = ~np.eye(len(prompts), dtype=bool)
    without = [_score(x * row, n * row, condition) for row in keep]
    return replicates, np.where(n > 0, without, np.nan)


def test_means_are_over_the_generators_with_a_defined_score(tables, persistence):
    mean = tables["ccs_mean"].astype(dict.fromkeys(KEYS[1:], str))
    for one in mean.iloc[::5].to_dict("records"):
        part = persistence[(persistence[KEYS[1:]] == [one[key] for key in KEYS[1:]]).all(axis=1)]
        defined = part.dropna(subset="ccs")

        assert (one["generators"], one["generators_defined"]) == (len(part), len(defined))
        assert one["prevalence"] == pytest.approx(part["prevalence"].mean())
        assert one["range_pp"] == pytest.approx(part["range_pp"].mean())
        assert one["changed"] == (part["verdict"] == "changed").sum()
        if len(defined):
            assert one["ccs"] == pytest.approx(defined["ccs"].mean())
            assert one["ccs_low"] <= one["ccs_high"]
        else:
            assert np.isnan(one["ccs"])
            assert one["reason"]


def test_few_prompts_give_a_score_interval_and_say_so(labels_of, schema):
    frame = run_here(analyse(labels_of(prompts=3), schema, bootstrap=100)).tables["persistence"]
    defined = frame.dropna(subset="ccs")

    assert defined["reason"].astype(str).str.contains("fewer than 5 prompts").all()
    assert (defined["ccs_low"] <= defined["ccs"]).all()
    assert (defined["ccs"] <= defined["ccs_high"]).all()


def table_2(words):
    """The paper's rows of one dimension as a table of counts: one prompt a condition, the rest unlabelled."""
    rows = []
    example = json.loads(TABLE_2.read_text(encoding="utf-8"))
    chosen = [
        (row, right)
        for row, right in zip(example["input"]["rows"], example["expected"]["rows"], strict=True)
        if row["label"] in words
    ]
    for row, _ in chosen:
        for cell in row["generators"]:
            for condition, x, n in zip(CONDITIONS, cell["x"], cell["n"], strict=True):
                where = (
                    cell["generator"],
                    f"{row['role']} {row['label']}",
                    condition,
                    f"{row['role']} {condition}",
                )
                rows.append((*where, words[row["label"]], row["label"], x, n))
    columns = ["generator", "role", "condition", "prompt", "dimension", "label", "count", "images"]
    return pd.DataFrame(rows, columns=columns), chosen, example["tolerance"]


def test_rows_of_the_paper_come_out_of_counts(schema):
    words = {"female": "gender_presentation", "male": "gender_presentation", "slim": "body_type"}
    words |= {"warm": "color_temperature", "calm": "mood"}
    frame, chosen, tolerance = table_2(words)
    tables = run_here(analyse(frame, schema, bootstrap=0)).tables
    persistence = tables["persistence"].astype({"generator": str, "role": str})

    for row, right in chosen:
        role = f"{row['role']} {row['label']}"
        for cell in right["generators"]:
            (one,) = persistence.query("role == @role and generator == @cell['generator']").to_dict("records")
            printed = cell["published"]
            assert 100 * one["prevalence"] == pytest.approx(
                printed["prevalence"], abs=tolerance["prevalence"]
            )
            assert one["range_pp"] == pytest.approx(printed["range_pp"], abs=tolerance["range_pp"])
            assert one["chi2"] == pytest.approx(printed["chi2"], abs=tolerance["chi2"])
            assert one["p"] == pytest.approx(printed["p"], abs=tolerance["p"])
            assert one["ccs"] == pytest.approx(cell["ccs"], abs=tolerance["exact_fields"])
            assert one["p_exact"] == pytest.approx(cell["p_exact_ffh"], abs=tolerance["exact_fields"])
        mean = tables["ccs_mean"]
        (over,) = mean[mean["role"].astype(str) == role].to_dict("records")
        assert over["ccs"] == pytest.approx(right["published_ccs"], abs=tolerance["mean_ccs"])
        assert over["invariant_paper"] == right["invariant_models"]
