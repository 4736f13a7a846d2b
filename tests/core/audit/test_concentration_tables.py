"""`bi` and `bi_change` equal slow twins: plain loops over images, roles and draws."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from core.analysis import analyse
from core.audit.concentration import Draws
from core.jobs import run_here
from core.statistics.bca import bca_intervals
from core.statistics.bias_intensity import bias_intensity

K = {"gender_presentation": 3, "framing": 5, "accessories": 18, "items": 6}
COHORTS = {"Camera": ["framing"], "Objects": ["items"], "People": ["gender_presentation", "accessories"]}
ROLES = [f"role_{number}" for number in range(6)]
CONDITIONS = ["CF", "CA-R", "CA-U"]


BOOTSTRAP = 1000


@pytest.fixture(scope="module")
def usable(labels_of):
    frame = labels_of()
    return frame[frame["status"] == "ok"]


@pytest.fixture(scope="module")
def tables(labels_of, schema):
    return run_here(analyse(labels_of(), schema, bootstrap=BOOTSTRAP, seed=4)).tables


@pytest.fixture(scope="module")
def by_role(usable):
    """Mentions per label, one row a role: by generator, condition and dimension."""
    return {
        key: part.groupby(["role", "label"]).size().unstack(fill_value=0).reindex(ROLES, fill_value=0)
        for key, part in usable.groupby(["generator", "condition", "dimension"])
    }


def counts(by_role, generator, condition, dimension, roles):
    """Mentions per label, a role as often as it is in `roles`."""
    return by_role[generator, condition, dimension].loc[roles].to_numpy().sum(axis=0)


def bi(by_role, generator, condition, dimension, roles, estimator="plugin"):
    sizes = [counts(by_role, generator, one, dimension, roles).sum() for one in CONDITIONS]
    x = counts(by_role, generator, condition, dimension, roles)
    return bias_intensity(x, K[dimension], estimator=estimator, matched_to=int(min(sizes))).value


def bi_of_role(usable, by_role, generator, condition, dimension, role, estimator):
    return bi(by_role, generator, condition, dimension, [role], estimator)


def matched_of_role(usable, by_role, generator, condition, dimension, role, estimator):
    """Every choice of as many prompts as the condition with the fewest has; then images by their share."""
    mine = usable.query("generator == @generator and role == @role and dimension == @dimension")
    tables = {
        one: part.groupby(["prompt", "label"]).size().unstack(fill_value=0).to_numpy()
        for one, part in mine.groupby("condition")
    }
    keep = min(map(len, tables.values()))
    choices = {
        one: [table[list(rows)].sum(axis=0) for rows in combinations(range(len(table)), keep)]
        for one, table in tables.items()
    }
    images = {one: np.mean([x.sum() for x in found]) for one, found in choices.items()}
    x = tables[condition].sum(axis=0)
    thin = max(1, round(min(images.values()) / images[condition] * x.sum()))
    k = K[dimension]
    value = np.mean([bias_intensity(one, k).value for one in choices[condition]])
    value -= bias_intensity(x, k).value - bias_intensity(x, k, estimator="matched", matched_to=thin).value
    return min(value, 1.0)


def bca(values):
    """The interval over roles of the value on the data, the draws, and the data without each role."""
    table = np.array(values)[:, None]
    draws, without = table[1 : BOOTSTRAP + 1], table[BOOTSTRAP + 1 :]
    return bca_intervals(draws, table[0], without, for_few=True).interval(0)


def row(frame, **keys):
    for column, value in keys.items():
        frame = frame[frame[column] == value]
    (only,) = frame.to_dict("records")
    return only


@pytest.mark.parametrize("estimator", ["plugin", "miller_madow", "chao_shen", "matched"])
@pytest.mark.parametrize("dimension", list(K))
def test_values_equal_their_twins(tables, usable, by_role, estimator, dimension):
    for condition in CONDITIONS:
        key = {"generator": "gen-1", "condition": condition, "dimension": dimension, "estimator": estimator}
        pool, role = (row(tables["bi"], aggregation=way, **key) for way in ("pool", "role"))

        assert pool["value"] == pytest.approx(
            bi(by_role, "gen-1", condition, dimension, ROLES, estimator), abs=1e-9
        )
        of_role = matched_of_role if estimator == "matched" else bi_of_role
        each = [of_role(usable, by_role, "gen-1", condition, dimension, one, estimator) for one in ROLES]
        assert role["value"] == pytest.approx(np.mean(each), abs=1e-9)
        assert pool["k"] == K[dimension]
        images = usable.query("generator == 'gen-1' and condition == @condition and dimension == @dimension")
        assert pool["images"] == images["image"].nunique()


def test_effective_labels_are_those_of_the_pooled_counts(tables, by_role):
    one = row(
        tables["bi"],
        generator="gen-0",
        condition="CF",
        dimension="items",
        aggregation="pool",
        estimator="plugin",
    )
    shares = counts(by_role, "gen-0", "CF", "items", ROLES)
    shares = shares[shares > 0] / shares.sum()

    assert one["effective_labels"] == pytest.approx(np.exp(-(shares * np.log(shares)).sum()))


@pytest.mark.parametrize("way", ["pool", "role"])
def test_cohorts_headline_and_generators_are_means_in_this_order(tables, way):
    bi_table = tables["bi"].query("aggregation == @way and estimator == 'plugin' and condition == 'CA-R'")
    headline = []
    for generator in ("gen-0", "gen-1"):
        mine = bi_table[bi_table["generator"] == generator]
        cohorts = []
        for cohort, names in COHORTS.items():
            value = row(mine, cohort=cohort, dimension="ALL")["value"]
            assert value == pytest.approx(mine[mine["dimension"].isin(names)]["value"].mean())
            cohorts.append(value)
        headline.append(row(mine, cohort="ALL", dimension="ALL")["value"])
        assert headline[-1] == pytest.approx(np.mean(cohorts))
    over = bi_table[bi_table["generator"] == "ALL"]
    assert row(over, cohort="ALL")["value"] == pytest.approx(np.mean(headline))
    assert row(over, dimension="items")["value"] == pytest.approx(
        bi_table[(bi_table["dimension"] == "items") & (bi_table["generator"] != "ALL")]["value"].mean()
    )


def test_changes_are_differences_of_values(tables):
    keys = ["generator", "cohort", "dimension", "aggregation", "estimator"]
    wide = tables["bi"].pivot(index=keys, columns="condition", values="value")
    change = tables["bi_change"].pivot(index=keys, columns="comparison", values="value")

    for name in change:
        later, earlier = name.split(" - ")
        difference = (wide[later] - wide[earlier]).reindex(change.index)
        assert np.allclose(change[name], difference, atol=1e-12)


def test_intervals_of_a_change_use_the_same_roles_in_both_conditions(tables, by_role):
    draws = Draws.of(ROLES, BOOTSTRAP, 4).weights
    each = np.array(
        [
            bi(by_role, "gen-0", "CA-U", "framing", [one]) - bi(by_role, "gen-0", "CF", "framing", [one])
            for one in ROLES
        ]
    )

    expected = bca(draws @ each / draws.sum(axis=1))

    found = row(
        tables["bi_change"], generator="gen-0", comparison="CA-U - CF", dimension="framing",
        aggregation="role", estimator="plugin",
    )  # fmt: skip
    assert (found["low"], found["high"], found["method"]) == (
        pytest.approx(expected.low), pytest.approx(expected.high), expected.method,
    )  # fmt: skip
    assert found["replicates"] == BOOTSTRAP


def test_pooled_draws_equal_counting_the_drawn_roles_again(tables, by_role):
    weights = Draws.of(ROLES, BOOTSTRAP, 4).weights
    values = []
    for one in weights:
        roles = [role for role, times in zip(ROLES, one, strict=True) for _ in range(int(times))]
        values.append(bi(by_role, "gen-1", "CF", "framing", roles))

    expected = bca(values)

    found = row(
        tables["bi"], generator="gen-1", condition="CF", dimension="framing", aggregation="pool",
        estimator="plugin",
    )  # fmt: skip
    assert (found["low"], found["high"]) == pytest.approx((expected.low, expected.high), abs=1e-9)


def test_a_role_without_a_condition_is_paired_with_nothing_and_said(labels_of, schema, by_role):
    frame = labels_of()
    gone = (frame["role"] == "role_2") & (frame["condition"] == "CF") & (frame["generator"] == "gen-0")
    table = run_here(analyse(frame[~gone], schema, bootstrap=0)).tables["bi_change"]

    one = row(
        table, generator="gen-0", comparison="CA-U - CF", dimension="framing", aggregation="role",
        estimator="plugin",
    )  # fmt: skip
    others = [role for role in ROLES if role != "role_2"]
    each = [
        bi(by_role, "gen-0", "CA-U", "framing", [role]) - bi(by_role, "gen-0", "CF", "framing", [role])
        for role in others
    ]
    assert one["value"] == pytest.approx(np.mean(each))
    assert "1 role has images in one of the conditions only" in one["reason"]


def test_a_dimension_without_images_in_one_condition_leaves_its_cohort_in_all(labels_of, schema):
    frame = labels_of()
    gone = (frame["dimension"] == "accessories") & (frame["condition"] == "CF")
    table = run_here(analyse(frame[~gone], schema, bootstrap=0)).tables["bi"]
    mine = table.query("generator == 'gen-0' and aggregation == 'pool' and estimator == 'plugin'")

    for condition in CONDITIONS:
        cohort = row(mine, condition=condition, cohort="People", dimension="ALL")
        only = row(mine, condition=condition, dimension="gender_presentation")
        assert cohort["value"] == pytest.approx(only["value"])
        assert cohort["reason"] == "left out as undefined: accessories; no interval: bootstrap switched off"
    assert row(mine, condition="CF", dimension="accessories")["reason"] == "no usable image"
