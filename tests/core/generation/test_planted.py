"""The known right answers: exact, and what is drawn agrees with them."""

from __future__ import annotations

from collections import Counter
from math import sqrt

import pytest

from core.bank import load_roles
from core.errors import BadInput
from core.generation.drawn.painting import sketch
from core.generation.drawn.planted import planted
from core.generation.drawn.truth import READERS, truth_of
from core.records import Condition, Prompt
from core.schema import load_schema
from tests.contracts.generator_contract import make_prompt

DRAWS = 4000
CLINIC = make_prompt("nurse", Condition.CA_R, place="a clinic", activity="reading a medical chart")
MEADOW = make_prompt("nurse", Condition.CA_U, place="a meadow", activity="picking wildflowers")
PLAIN = make_prompt("firefighter", Condition.CF)
CASES = [("drawn-a", PLAIN), ("drawn-a", CLINIC), ("drawn-b", MEADOW)]


def draw(generator: str, prompt: Prompt, n: int) -> list[dict[str, tuple[str, ...]]]:
    plans = (sketch(generator, generator, prompt, seed) for seed in range(n))
    return [truth_of(plan.values, plan.situation) for plan in plans]


@pytest.mark.parametrize(("generator", "prompt"), CASES)
def test_drawn_frequencies_are_the_planted_ones(generator: str, prompt: Prompt) -> None:
    truths = draw(generator, prompt, DRAWS)
    right = planted(generator)
    condition = prompt.condition or Condition.CF

    for dimension in right.dimensions:
        known = [truth[dimension] for truth in truths if dimension in truth]
        unknown = right.unknown_share(prompt.role, condition, dimension, [prompt])
        assert 1 - len(known) / DRAWS == pytest.approx(unknown, abs=_tolerance(unknown, DRAWS))
        if not known:
            continue
        counts = Counter(label for labels in known for label in labels)
        shares = right.distribution(prompt.role, condition, dimension, [prompt])
        assert set(counts) <= set(shares)
        for label, share in shares.items():
            near = pytest.approx(share, abs=_tolerance(share, len(known)))
            assert counts[label] / len(known) == near, label


@pytest.mark.parametrize("generator", ["drawn-a", "drawn-b"])
def test_scalar_shares_sum_to_one(generator: str) -> None:
    right = planted(generator)
    scalars = [name for name in right.dimensions if not READERS[name].is_list]
    free = [name for name in scalars if not right.depends_on_prompt(name)]

    for role in load_roles()[::7]:
        for condition in Condition:
            for dimension in free:
                shares = right.distribution(role.name, condition, dimension)
                assert sum(shares.values()) == pytest.approx(1)


def test_labels_planted_are_labels_of_the_schema() -> None:
    schema = load_schema()
    right = planted("drawn-a")

    for dimension in right.dimensions:
        shares = right.distribution("farmer", Condition.CF, dimension)
        if schema.dimension(dimension).is_closed:
            assert set(shares) <= set(schema.dimension(dimension).label_ids)


def test_condition_moves_the_planted_share() -> None:
    def share(condition: Condition) -> float:
        return planted("drawn-a").distribution("nurse", condition, "clothing_garment")["scrubs"]

    assert share(Condition.CF) > 0.8
    assert share(Condition.CA_U) < 0.4


def test_beard_color_is_known_only_where_there_is_a_beard() -> None:
    right = planted("drawn-a")
    bearded = right.distribution("carpenter", Condition.CF, "facial_hair_present")["yes"]

    assert right.unknown_share("carpenter", Condition.CF, "facial_hair_color") == pytest.approx(1 - bearded)


def test_dimension_that_depends_on_the_place_asks_for_the_prompts() -> None:
    with pytest.raises(BadInput, match="Give the prompts"):
        planted("drawn-a").distribution("nurse", Condition.CA_U, "weather")


def test_cell_is_the_mean_over_its_prompts() -> None:
    right = planted("drawn-a")
    indoors = make_prompt("nurse", Condition.CA_U, place="a kitchen")

    assert right.unknown_share("nurse", Condition.CA_U, "weather", [MEADOW, indoors]) == pytest.approx(0.5)
    assert set(right.distribution("nurse", Condition.CA_U, "weather", [MEADOW, indoors])) == {
        "sunny", "cloudy", "rain", "snow",
    }  # fmt: skip


def test_dimension_that_is_not_planted_is_refused() -> None:
    with pytest.raises(BadInput, match="Nothing is planted for mood"):
        planted("drawn-a").distribution("nurse", Condition.CF, "mood")


def _tolerance(share: float, n: int) -> float:
    return 4.5 * sqrt(max(share * (1 - share), 0.0) / n) + 1e-9
