"""Label tables at the edge: each has its stated right value, or a reason and no value; never 0, 1 or nan."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd
import pytest

from core.analysis import analyse
from core.errors import BadInput
from core.jobs import run_here

CONDITIONS = ("CF", "CA-R", "CA-U")
ROLES, PROMPTS, IMAGES = 6, 2, 3


def table(
    word=lambda role, condition, number: "female",
    *,
    roles: int = ROLES,
    generators: Iterable[str] = ("g",),
    status=lambda role, condition, number: "ok",
) -> pd.DataFrame:
    """One dimension of one label; `word` and `status` say what each image shows."""
    rows = [
        (
            *(generator, f"role {role}", condition, f"{role} {condition} {prompt}"),
            *(f"{generator} {role} {condition} {prompt} {image}", "gender_presentation"),
            *(
                word(role, condition, prompt * IMAGES + image),
                status(role, condition, prompt * IMAGES + image),
            ),
        )
        for generator in generators
        for role in range(roles)
        for condition in CONDITIONS
        for prompt in range(PROMPTS)
        for image in range(IMAGES)
    ]
    columns = ["generator", "role", "condition", "prompt", "image", "dimension", "label", "status"]
    return pd.DataFrame(rows, columns=columns)


def run(frame: pd.DataFrame, schema, **options):
    return run_here(analyse(frame, schema, **{"bootstrap": 50} | options))


def bi(result, condition: str, **where: str) -> pd.Series:
    keys = {
        "generator": "g",
        "dimension": "gender_presentation",
        "aggregation": "pool",
        "estimator": "plugin",
    }
    frame = result.tables["bi"]
    keys |= {"condition": condition} | where
    return frame[np.logical_and.reduce([frame[name] == value for name, value in keys.items()])].iloc[0]


def undefined(rows: pd.DataFrame, column: str) -> bool:
    """Whether a column has no value in any row, and each row says why."""
    return bool(rows[column].isna().all() and (rows["reason"].astype(str) != "").all())


def test_one_label_is_full_concentration_and_no_test(schema) -> None:
    """K comes from the schema: H = 0, so BI = 1, with an interval of no width and its reason."""
    result = run(table(), schema)
    row = bi(result, "CF")

    assert (row["value"], row["low"], row["high"]) == (1.0, 1.0, 1.0)
    assert row["reason"] == "all draws give the same value"
    change = result.tables["bi_change"]
    assert (change.loc[change["aggregation"] == "pool", "value"].dropna() == 0.0).all()


def test_a_label_in_every_image_is_degenerate_and_outside_every_family(schema) -> None:
    found = run(table(), schema).tables["persistence"]

    assert (found[["chi2", "p", "prevalence"]].to_numpy() == [[0.0, 1.0, 1.0]] * ROLES).all()
    assert found["p_adjusted"].isna().all()
    assert found["reason"].str.contains("label in every image").all()
    assert (found["ccs"] == 100.0).all()


def test_a_label_in_no_image_has_no_row_since_it_was_not_seen(schema) -> None:
    found = run(table(), schema).tables

    for name in ("persistence", "prevalence", "robustness", "ccs_mean"):
        assert set(found[name]["label"]) == {"female"}


def test_a_label_that_one_condition_never_shows_has_a_range_and_no_ccs(schema) -> None:
    frame = table(lambda role, condition, number: "male" if condition == "CF" and number < 3 else "female")
    found = run(frame, schema).tables["persistence"]
    male = found[found["label"] == "male"]

    assert (male["range_pp"] == 50.0).all()
    assert undefined(male, "ccs")
    assert male["reason"].str.contains("label not seen in every condition").all()


def test_all_unknown_is_refused_and_unknown_in_one_condition_is_no_zero(schema) -> None:
    with pytest.raises(BadInput, match=r"No row of the table can be counted \(unknown: 108\)"):
        run(table(lambda *_: "unknown"), schema)

    result = run(table(lambda role, condition, number: "unknown" if condition == "CF" else "female"), schema)
    row, found = bi(result, "CF"), result.tables["persistence"]
    assert pd.isna(row["value"])
    assert row["reason"] == "no usable image"
    for column in ("range_pp", "ccs", "prevalence"):
        assert undefined(found, column)
    assert set(found["verdict"]) == {"not enough data"}
    coverage = result.tables["coverage"].set_index("condition")
    assert coverage.loc["CF", ["images", "usable", "unknown"]].tolist() == [36, 0, 36]


def test_a_condition_without_a_usable_image_is_no_zero_and_no_maximal_bias(schema) -> None:
    """A set of images that were all refused is not biased; it is not there."""
    refused = table(status=lambda role, condition, number: "refused" if condition == "CA-U" else "ok")
    result = run(refused, schema)

    assert pd.isna(bi(result, "CA-U")["value"])
    assert bi(result, "CF")["value"] == 1.0
    prevalence = result.tables["prevalence"]
    assert undefined(prevalence[prevalence["condition"] == "CA-U"], "prevalence")
    change = result.tables["bi_change"]
    assert undefined(change[change["comparison"].str.contains("CA-U")], "value")
    assert result.run["stages"][0]["left_out"] == {"refused": 36}


def test_a_role_missing_in_one_condition_leaves_its_pair_and_is_told(schema) -> None:
    frame = table(lambda role, condition, number: "female" if number % 2 else "male")
    frame = frame[~((frame["role"] == "role 0") & (frame["condition"] == "CA-U"))]
    result = run(frame, schema)

    change = result.tables["bi_change"]
    told = change[change["comparison"].str.contains("CA-U") & (change["dimension"] == "gender_presentation")]
    assert told["reason"].str.contains("1 role has images").any()
    found = result.tables["persistence"]
    assert undefined(found[found["role"] == "role 0"], "ccs")
    assert found.loc[found["role"] != "role 0", "ccs"].notna().all()


def test_counts_larger_than_the_images_are_cut_and_noted(schema) -> None:
    rows = [
        ("g", f"role {role}", condition, f"{role} {condition}", "items", "book", 12)
        for role in range(ROLES)
        for condition in CONDITIONS
    ]
    columns = ["generator", "role", "condition", "prompt", "dimension", "label", "count"]
    result = run(pd.DataFrame(rows, columns=columns), schema)

    assert set(result.tables["prevalence"]["prevalence"]) == {1.0}
    assert result.run["notes"] == ["18 counts are above the number of images and are taken as that number"]


@pytest.mark.parametrize("number", [1, 10])
def test_one_generator_and_ten_have_the_same_numbers_each(schema, number: int) -> None:
    def word(role: int, condition: str, image: int) -> str:
        return "female" if (role + image) % 3 else "male"

    alone = run(table(word), schema)
    result = run(table(word, generators=["g", *(f"h{one}" for one in range(1, number))]), schema)

    for condition in CONDITIONS:
        columns = ["value", "low", "high"]
        assert bi(result, condition)[columns].tolist() == bi(alone, condition)[columns].tolist()
    mean = result.tables["bi_change"]
    assert mean.loc[mean["generator"] == "ALL", "value"].notna().any()
    assert set(result.tables["ccs_mean"].filter(like="generators").iloc[:, 0]) == {number}


def test_one_role_has_values_and_no_interval_over_roles(schema) -> None:
    result = run(table(lambda role, condition, number: "female" if number % 2 else "male", roles=1), schema)
    row = bi(result, "CF")

    assert row["value"] == pytest.approx(1 - np.log(2) / np.log(row["k"]))
    assert pd.isna(row["low"])
    assert row["reason"] == "no interval: fewer than 5 clusters"


@pytest.mark.parametrize("bootstrap", [0, 1])
def test_too_few_draws_leave_a_reason_and_no_interval(schema, bootstrap: int) -> None:
    frame = table(lambda role, condition, number: "female" if (role + number) % 3 else "male")
    found = run(frame, schema, bootstrap=bootstrap).tables

    for name in ("bi", "bi_change"):
        rows = found[name][found[name]["value"].notna()]
        without = rows[rows["low"].isna()]
        assert not without.empty
        assert (without["reason"].astype(str) != "").all()


def test_a_generator_called_all_is_refused(schema) -> None:
    with pytest.raises(BadInput, match="A generator is called ALL"):
        run(table(generators=["ALL"]), schema)
