"""The network: drawing with common numbers, summing exactly."""

from __future__ import annotations

import pytest

from core.generation.drawn.network import Network, Node


@pytest.fixture
def network() -> Network:
    coats = {"yes": {"on": 0.8, "off": 0.2}, "no": {"on": 0.0, "off": 1.0}}
    return Network(
        [
            Node("rain", (), lambda values: {"yes": 0.25, "no": 0.75}),
            Node("mood", (), lambda values: {"good": 0.5, "bad": 0.5}),
            Node("coat", ("rain",), lambda values: coats[values["rain"]]),
        ]
    )


def test_marginal_of_a_child_sums_over_its_parent(network: Network) -> None:
    shares = network.distribution(("coat",), lambda values: values["coat"])

    assert shares == pytest.approx({"on": 0.2, "off": 0.8})


def test_joint_outcome_keeps_the_dependence(network: Network) -> None:
    shares = network.distribution(("rain", "coat"), lambda values: values["rain"] + values["coat"])

    assert shares == pytest.approx({"yeson": 0.2, "yesoff": 0.05, "nooff": 0.75})


def test_closure_leaves_out_what_does_not_matter(network: Network) -> None:
    assert [node.name for node in network.closure(("coat",))] == ["rain", "coat"]


def test_reader_may_look_only_at_the_nodes_it_named(network: Network) -> None:
    with pytest.raises(KeyError):
        network.distribution(("coat",), lambda values: values["rain"])


def test_draw_takes_the_label_whose_interval_holds_the_number(network: Network) -> None:
    numbers = {"rain": 0.2499, "mood": 0.5, "coat": 0.79}

    assert network.draw(numbers.__getitem__) == {"rain": "yes", "mood": "bad", "coat": "on"}


def test_draw_at_the_upper_end_still_finds_a_label_with_probability(network: Network) -> None:
    almost_one = 1 - 2**-53

    assert network.draw(lambda name: almost_one) == {"rain": "no", "mood": "bad", "coat": "off"}
