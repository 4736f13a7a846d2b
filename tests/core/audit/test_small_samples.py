"""BI that few images shift says so, and matched BI has nothing to say: it does not move with the design."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from core.analysis import analyse
from core.audit.small_samples import CHANGE, LEVEL
from core.jobs import run_here

PROMPTS = {"few": (2, 5, 6), "equal": (6, 6, 6), "many": (30, 30, 30)}
ROLES = {"few": 60, "equal": 30, "many": 30}
LABELS = ("child", "teen", "young_adult", "middle_aged", "older_adult")


def study(design):
    """Counts of one role after another, all conditions alike, images of a prompt alike."""
    rng = np.random.default_rng(5)
    rows = []
    for role in range(ROLES[design]):
        shares = rng.dirichlet(np.full(len(LABELS), 0.8)) + 1e-3
        for condition, prompts in zip(("CF", "CA-R", "CA-U"), PROMPTS[design], strict=True):
            for prompt in range(prompts):
                counts = rng.multinomial(10, rng.dirichlet(9 * shares))
                place = ("gen", f"role {role}", condition, f"{condition} {prompt}", "age_range")
                rows += [(*place, label, int(x)) for label, x in zip(LABELS, counts, strict=True) if x]
    return pd.DataFrame(
        rows, columns=["generator", "role", "condition", "prompt", "dimension", "label", "count"]
    )


@pytest.fixture(scope="module")
def tables(schema):
    return {
        design: run_here(analyse(study(design), schema, bootstrap=100, seed=1)).tables for design in PROMPTS
    }


def rows_of(frame, estimator, aggregation="role"):
    mine = (frame["estimator"] == estimator) & (frame["aggregation"] == aggregation)
    return frame[mine & (frame["dimension"] == "age_range") & (frame["generator"] == "gen")]


@pytest.mark.parametrize("estimator", ["plugin", "miller_madow", "chao_shen"])
def test_a_change_between_unequal_numbers_of_prompts_says_so(tables, estimator):
    changes = rows_of(tables["few"]["bi_change"], estimator).set_index("comparison")["reason"]

    assert changes["CA-U - CF"].endswith(CHANGE)
    assert changes["CA-R - CF"].endswith(CHANGE)
    assert not rows_of(tables["equal"]["bi_change"], estimator)["reason"].str.endswith(CHANGE).any()


def test_a_level_from_few_images_says_so_and_one_from_many_does_not(tables):
    assert rows_of(tables["few"]["bi"], "plugin")["reason"].str.endswith(LEVEL).all()
    assert not rows_of(tables["many"]["bi"], "plugin")["reason"].str.endswith(LEVEL).any()
    assert not rows_of(tables["few"]["bi"], "plugin", "pool")["reason"].str.endswith(LEVEL).any()


def test_matched_holds_0_where_nothing_changed_and_the_plugin_does_not(tables):
    changes = tables["few"]["bi_change"]
    matched, plugin = rows_of(changes, "matched"), rows_of(changes, "plugin")

    assert ((matched["low"] < 0) & (matched["high"] > 0)).all()
    assert (plugin.set_index("comparison").loc[["CA-U - CF", "CA-R - CF"], "high"] < 0).all()
    assert (matched["reason"] == "").all()


def test_families_with_like_images_say_what_the_plain_p_is_worth(tables):
    (family,) = tables["many"]["families"].to_dict("records")

    assert family["design_effect"] > 1.5
    assert "labels that do not change" in family["reason"]
