"""Where prompts share seeds, intervals allow for it; where they do not, no number is another."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from core.analysis import analyse
from core.audit.layout import Layout
from core.audit.resampled import resampled
from core.audit.seed_influence import seed_influences, stretches
from core.counting import cube_of_labels
from core.jobs import run_here
from core.statistics.bias_intensity import bias_intensity
from core.statistics.clustering import cluster_sums
from core.statistics.crossed import few_seeds_factor
from core.statistics.proportion import wilson

KEYS = ["generator", "role", "dimension", "label"]
CONDITIONS = ["CF", "CA-R", "CA-U"]


def with_seeds(frame, whose):
    """The table with a seed for each image: its own, or the image's number within its prompt."""
    where = frame[["generator", "role", "condition", "prompt"]].astype(str).agg("|".join, axis=1)
    number = frame["image"].astype(str).groupby(where).transform(lambda one: pd.factorize(one)[0]).astype(str)
    prefix = {"image": where, "role": frame["role"].astype(str), "all": pd.Series("", index=frame.index)}[
        whose
    ]
    return frame.assign(seed=(prefix + "#" + number).astype("category"))


@pytest.fixture(scope="module")
def frame(labels_of):
    return labels_of(roles=5, prompts=5, images=3)


@pytest.fixture(scope="module")
def results(frame, schema):
    tables = {"unknown": frame} | {whose: with_seeds(frame, whose) for whose in ("image", "role", "all")}
    return {name: run_here(analyse(one, schema, bootstrap=20, seed=2)) for name, one in tables.items()}


def test_seeds_of_their_own_change_no_number(results):
    plain, own = results["unknown"], results["image"]

    assert plain.tables.keys() == own.tables.keys()
    for name, table in plain.tables.items():
        pd.testing.assert_frame_equal(table, own.tables[name], check_exact=True)


def test_the_record_says_over_what_intervals_are(results):
    said = {name: one.run["resampled"] for name, one in results.items()}

    assert said["unknown"]["labels"] == "over prompts (seeds unknown)"
    assert said["unknown"]["words"].startswith("Nobody knows the seeds of these images")
    assert (said["image"]["bi"], said["image"]["labels"]) == ("over roles", "over prompts")
    assert said["role"]["labels"] == "over prompts and the seeds they share"
    assert said["role"]["bi"] == "over roles"
    assert said["all"]["bi"] == "over roles and the seeds they share"
    assert said["all"]["roles_share_seeds"] == ["gen-0", "gen-1"]
    assert said["all"]["fewest_seeds"] == 3


@pytest.mark.parametrize("word", ["NA", "nan", "None", "-", "null"])
def test_a_word_for_missing_is_no_seed(frame, schema, word):
    said = resampled(cube_of_labels(frame.assign(seed=word), schema))

    assert (said["seeds_known"], said["labels"]) == (0, "over prompts (seeds unknown)")
    assert said["words"].startswith("Nobody knows the seeds of these images")


def test_one_seed_for_everything_is_shared_and_said_to_be(frame, schema):
    for word in ("7", "7.0"):
        said = resampled(cube_of_labels(frame.assign(seed=word), schema))

        assert said["seeds_known"] == said["seeds_repeated"] > 0
        assert said["labels"] == "over prompts (shared seeds not allowed for)"
        assert said["words"].startswith(
            f"All {said['seeds_known']} images have a seed that other prompts have"
        )
        assert "independent of each other" not in said["words"]


def test_a_seed_with_a_decimal_point_is_the_whole_number(frame, schema):
    plain = with_seeds(frame, "all")["seed"].astype(str).str.strip("#")
    mixed = plain.where(frame["condition"].astype(str) == "CF", plain + ".0")
    one, other = (resampled(cube_of_labels(frame.assign(seed=seed), schema)) for seed in (plain, mixed))

    assert one == other
    assert one["fewest_seeds"] == 3


def test_seeds_that_met_by_chance_are_said_to(frame, schema):
    own = with_seeds(frame, "image")["seed"].astype(str)
    one, other = (own[frame["role"] == role].iloc[0] for role in sorted(set(frame["role"]))[:2])
    few = own.where(own != one, other)
    said = resampled(cube_of_labels(frame.assign(seed=few), schema))

    assert said["words"].startswith("2 of ")
    assert "taken as chance" in said["words"]


def test_seeds_of_a_role_leave_bias_intensity_over_roles_and_widen_what_is_of_one_role(results):
    plain, shared = results["unknown"].tables, results["role"].tables

    for name in ("bi", "bi_change"):
        keep = [one for one in plain[name].columns if one != "reason"]
        pd.testing.assert_frame_equal(plain[name][keep], shared[name][keep], check_exact=True)
    width = [one["prevalence"]["high"] - one["prevalence"]["low"] for one in (plain, shared)]
    assert (width[1] >= width[0] - 1e-12).all()
    assert (width[1] > width[0] + 1e-6).any()
    said = shared["prevalence"][["method", "reason"]].astype(str)
    assert said["method"].str.contains("prompts and shared seeds").any()
    assert said["reason"].str.contains("few seeds").all()


def test_the_order_of_rows_changes_nothing(results, frame, schema):
    mixed = with_seeds(frame, "all").sample(frac=1, random_state=1)
    again = run_here(analyse(mixed, schema, bootstrap=20, seed=2))

    for name, table in results["all"].tables.items():
        pd.testing.assert_frame_equal(table, again.tables[name], check_exact=True)


def test_prevalences_equal_a_twin_that_counts_pairs_of_images(results, frame):
    """Generator 1, framing: one label an image."""
    table = with_seeds(frame, "role")
    mine = table[
        (table["generator"] == "gen-1") & (table["dimension"] == "framing") & (table["status"] == "ok")
    ]
    own, own_scale, one_way, plain, freedom, levels = 0.0, 0.0, 0.0, 0.0, 0, {}
    for role, part in mine.groupby("role", observed=True):
        freedom += part["seed"].nunique() - 1
        pairs = part.merge(part, on=["seed", "condition"], suffixes=("", "_2"))
        pairs = pairs[pairs["prompt"].astype(str) != pairs["prompt_2"].astype(str)]
        for condition, images in part.groupby("condition", observed=True):
            prompts = images.groupby("prompt", observed=True)["image"].count()
            both = pairs[pairs["condition"] == condition]
            levels[role, condition] = len(both) / len(images) * len(prompts) / (len(prompts) - 1)
        for label in sorted(set(part["label"].astype(str))):
            for condition, images in part.groupby("condition", observed=True):
                shows = (images["label"].astype(str) == label).astype(float)
                prompt = images["prompt"].astype(str)
                n, share = prompt.groupby(prompt).count(), shows.groupby(prompt).mean()
                both = pairs[pairs["condition"] == condition]
                left, right = both["prompt"].astype(str), both["prompt_2"].astype(str)
                residual = (both["label"].astype(str) == label) - left.map(share)
                other = (both["label_2"].astype(str) == label) - right.map(share)
                overlap = both.groupby([left, right])["seed"].transform("count")
                a, b = left.map(n), right.map(n)
                p = shows.mean()
                own += (residual * other).sum()
                own_scale += (1 - 1 / a - 1 / b + overlap / (a * b)).sum() * p * (1 - p)
                x = shows.groupby(prompt).sum()
                sums = cluster_sums(x.to_numpy()[:, None], n.to_numpy()[:, None], np.zeros(len(n)))
                one_way, plain = one_way + sums.clustered[0], plain + sums.independent[0]
    families = results["role"].tables["families"]
    mine = families[(families["generator"] == "gen-1") & (families["dimension"] == "framing")]
    assert mine["seed_correlation"].item() == pytest.approx(min(max(own / own_scale, 0.0), 1.0))
    assert results["image"].tables["families"]["seed_correlation"].isna().all()
    alike = min(max(own / own_scale, 0.0), 1.0) * float(few_seeds_factor(np.array([float(freedom)]))[0])

    found = results["role"].tables["prevalence"].astype(dict.fromkeys([*KEYS, "condition"], str))
    found = found[(found["generator"] == "gen-1") & (found["dimension"] == "framing")]
    assert len(found) == 45
    for one in found.to_dict("records"):
        effect = max(one_way / plain, 1.0) + alike * levels[one["role"], one["condition"]]
        right = wilson(one["x"], one["n"], design_effect=effect)
        assert (one["low"], one["high"]) == pytest.approx((right.low, right.high), abs=1e-9)


def test_influences_equal_what_more_weight_on_the_images_of_a_seed_does(frame, schema):
    cube = cube_of_labels(with_seeds(frame, "all"), schema)
    spaces = cube.label_spaces(schema)
    found = seed_influences(cube, spaces)["pool"]
    place = [one.id for one in cube.dimensions].index("framing")
    usable = frame[
        (frame["status"] == "ok") & (frame["dimension"] == "framing") & (frame["condition"] == "CF")
    ]
    table = with_seeds(frame, "all").loc[usable.index]
    table = table[table["generator"] == "gen-0"]
    number = table["seed"].astype(str)

    def value(weights):
        counts = weights.groupby(table["label"].astype(str)).sum().to_numpy()
        share = counts / counts.sum()
        return 1 + (share * np.log(share)).sum() / np.log(spaces[place].k)

    even = pd.Series(1.0, index=table.index)
    exact = bias_intensity(table["label"].astype(str).value_counts().to_numpy(), spaces[place].k).value
    assert value(even) == pytest.approx(exact)
    step, cells = 1e-6, []
    for role in sorted(set(table["role"].astype(str))):
        of_role = table["role"].astype(str) == role
        each = np.array(
            [
                (value(even + step * (of_role & (number == one))) - value(even)) / step
                for one in sorted(set(number))
            ]
        )
        images = np.array([(of_role & (number == one)).sum() for one in sorted(set(number))])
        cells.append(each - each.sum() * images / images.sum())
    cells = np.array(cells)
    right = max((cells.sum(axis=0) ** 2).sum() - (cells**2).sum(), 0.0) * 3 / 2

    layout = Layout.of(cube)
    every = np.ones((2, len(cube.dimensions)), dtype=bool)
    mine = found.variances(layout, every, of_change=False).reshape(3, 3, -1)
    assert mine[0, 0, place] == pytest.approx(right, abs=1e-7)


def test_intervals_of_bias_intensity_widen_where_roles_share_seeds(results):
    plain, shared = (results[name].tables["bi_change"] for name in ("unknown", "all"))
    is_wider = shared["method"].astype(str).str.contains("seeds that roles share")

    assert is_wider.any()
    gained = (shared["high"] - shared["low"]) - (plain["high"] - plain["low"])
    assert (gained[is_wider] >= -1e-12).all()
    same = ~is_wider & plain["low"].notna()
    assert (gained[same] == 0).all()
    assert shared.loc[is_wider, "reason"].str.contains("few seeds \\(3\\)").all()


def test_an_image_made_twice_says_nothing_of_seeds(frame, schema):
    one = with_seeds(frame, "image")
    twice = one.assign(image=one["image"].astype(str) + " again")

    assert cube_of_labels(pd.concat([one, twice], ignore_index=True), schema).shared_seeds is None


def test_no_seeds_no_stretch():
    assert stretches(np.array([0.0, 2.0, 2.0]), np.array([1.0, 0.0, 6.0]), 92, 500)[:2].tolist() == [1.0, 1.0]
    assert stretches(np.array([2.0]), np.array([6.0]), 10_000, 10_000) == pytest.approx(2.0, rel=1e-3)
