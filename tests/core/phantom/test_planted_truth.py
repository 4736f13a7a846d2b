"""The planted table is what training pictures are drawn from; it holds what persists, fades, reverses."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from core.phantom.captions import Case
from core.phantom.pictures import draw_picture, draw_values, situation_of
from core.phantom.truth import DIMENSIONS, cells, closeness, counts, planted_share
from core.records import Condition


def women(role: str, condition: Condition) -> float:
    return planted_share(role, condition, "gender_presentation")["female"]


@pytest.mark.parametrize("role", ["nurse", "carpenter", "mechanic", "librarian"])
def test_an_association_that_persists_is_the_same_in_an_unrelated_place(role: str) -> None:
    assert women(role, Condition.CA_U) == pytest.approx(women(role, Condition.CF))


@pytest.mark.parametrize("role", ["doctor", "teacher", "farmer"])
def test_one_that_fades_comes_nearer_to_even(role: str) -> None:
    assert abs(women(role, Condition.CA_U) - 0.5) < 0.3 * abs(women(role, Condition.CF) - 0.5)


@pytest.mark.parametrize("role", ["firefighter", "baker", "secretary", "hairdresser"])
def test_one_that_reverses_crosses_the_middle(role: str) -> None:
    assert (women(role, Condition.CA_U) - 0.5) * (women(role, Condition.CF) - 0.5) < -0.02


def test_known_numbers_of_the_table() -> None:
    # by hand: 0.5 - 0.8 * (0.1 - 0.5) and 0.3 + 0.3 * (0.45 - 0.3)
    assert women("firefighter", Condition.CA_U) == pytest.approx(0.82)
    glasses = planted_share("doctor", Condition.CA_U, "eyewear_type")
    assert glasses["eyeglasses"] == pytest.approx(0.345)
    # facial hair is given for male presentations: 0.8 of 0.92
    assert planted_share("carpenter", Condition.CF, "facial_hair_style")["beard"] == pytest.approx(0.736)


@pytest.mark.parametrize(
    ("role", "condition", "place"),
    [
        ("farmer", Condition.CF, None),
        ("firefighter", Condition.CA_U, "a library"),
        ("doctor", Condition.CA_R, "a clinic"),
    ],
)
def test_pictures_are_drawn_with_the_planted_shares(
    role: str, condition: Condition, place: str | None
) -> None:
    from core.generation.drawn.truth import truth_of

    case = Case(f"a photo of a {role}", role, condition, place)
    situation, chance = situation_of(case), Random(3)
    truths = [truth_of(draw_values(situation, {}, chance), situation) for _ in range(1500)]
    for dimension in DIMENSIONS:
        seen = [truth[dimension] for truth in truths if dimension in truth]
        found = Counter(label for labels in seen for label in labels)
        for label, share in planted_share(role, condition, dimension).items():
            assert found[label] / len(seen) == pytest.approx(share, abs=0.055), (dimension, label)


def test_what_a_caption_states_is_drawn_whatever_the_role() -> None:
    stated = {"gender_presentation": "male", "eyewear_type": "eyeglasses", "facial_hair_style": "beard"}
    case = Case("a photo of a male nurse wearing glasses with a beard", "nurse", Condition.CF, stated=stated)
    drawn = draw_picture(case, Random(1))
    assert {name: drawn.truth[name][0] for name in stated} == stated
    assert drawn.image.size == (128, 128)


def test_equal_random_numbers_draw_the_same_pixels() -> None:
    case = Case("a photo of a chef", "chef", Condition.CF)
    first, again, other = (draw_picture(case, Random(seed)).image.tobytes() for seed in (5, 5, 6))
    assert first == again != other


def _row(role: str, gender: str, stated: dict[str, str] | None = None) -> dict[str, object]:
    labels: dict[str, object] = dict.fromkeys(DIMENSIONS, "unknown")
    labels |= {"gender_presentation": gender, "clothing_garment": []}
    return {"role": role, "condition": "CF", "stated": stated or {}, "labels": labels, "scene": None}


def test_measured_shares_leave_out_unknown_readings_and_stated_prompts() -> None:
    rows = [_row("nurse", "female")] * 6 + [_row("nurse", "male")] * 2 + [_row("nurse", "unknown")] * 4
    rows += [_row("nurse", "male", {"gender_presentation": "male"})] * 9
    found = {each.label: each for each in cells(counts(rows))}
    assert found["female"].n == 8
    assert found["female"].measured == pytest.approx(0.75)
    assert found["female"].planted == pytest.approx(0.92)
    # Wilson, by hand for 6 of 8
    assert (found["female"].low, found["female"].high) == pytest.approx((0.4093, 0.9285), abs=1e-3)


def test_closeness_is_the_correlation_over_roles_and_the_mean_gap() -> None:
    rows = []
    for role, women_of_ten in (("nurse", 9), ("doctor", 3), ("farmer", 1)):
        rows += [_row(role, "female")] * women_of_ten + [_row(role, "male")] * (10 - women_of_ten)
    (line,) = [each for each in closeness(list(cells(counts(rows)))) if each["condition"] == "CF"]
    assert line["mean_absolute_error"] == pytest.approx((0.02 + 0.05 + 0.1) / 3)
    assert line["r"] == pytest.approx(0.98378, abs=1e-4)
    assert line["cells"] == 3
