"""The planted tables: well formed for every role, and leaning as stated."""

from __future__ import annotations

import pytest

from core.bank import load_roles
from core.errors import BadInput
from core.generation.drawn.bias import FILES, load_bias
from core.records import Condition

ROLES = [role.name for role in load_roles()]


@pytest.mark.parametrize("name", FILES)
def test_every_table_of_every_role_and_condition_sums_to_one(name: str) -> None:
    bias = load_bias(name)

    for role in [*ROLES, "a role nobody knows"]:
        for condition in Condition:
            for attribute in bias.attributes:
                table = bias.table(attribute, role, condition)
                assert sum(table.values()) == pytest.approx(1)
                assert min(table.values()) >= 0


def test_formula_mixes_everyone_and_typical_by_strength() -> None:
    table = load_bias("drawn-a").table("gender_presentation", "nurse", Condition.CA_U)

    assert table["female"] == pytest.approx((1 - 0.45) * 0.5 + 0.45 * 0.94)


def test_what_a_typical_entry_leaves_out_is_spread_in_proportion() -> None:
    table = load_bias("drawn-a").table("eyewear_type", "librarian", Condition.CF)

    rest = (1 - 0.85) / (0.72 + 0.04)
    assert table["sunglasses"] == pytest.approx(0.05 * 0.04 + 0.95 * rest * 0.04)


def test_first_generator_leans_less_in_unrelated_places_and_the_second_does_not() -> None:
    def women(name: str, condition: Condition) -> float:
        return load_bias(name).table("gender_presentation", "firefighter", condition)["female"]

    assert women("drawn-a", Condition.CA_U) - women("drawn-a", Condition.CF) > 0.15
    assert abs(women("drawn-b", Condition.CA_U) - women("drawn-b", Condition.CF)) < 0.03


def test_unknown_bias_is_refused_with_the_names_there_are() -> None:
    with pytest.raises(BadInput, match="drawn-a or drawn-b"):
        load_bias("drawn-z")
