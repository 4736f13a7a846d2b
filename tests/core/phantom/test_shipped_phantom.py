"""The phantom that ships: it loads offline as any other model, follows prompts, and its truth is its own."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from core.generation.diffusers.fingerprint import fingerprint
from core.generation.diffusers.generator import DiffusersGenerator
from core.generation.diffusers.weights import look_over
from core.generation.generator import run_key_of
from core.generation.registry import by_name
from core.phantom import NAME
from core.phantom.captions import FOLDER
from core.phantom.data import planted_hash
from core.phantom.network import LABELS, WEIGHTS, Network, Sure, small
from core.phantom.study import ROLES, phantom_plan, phantom_report, phantom_rows
from core.phantom.truth import load_measured, planted_share
from core.records import Condition, Prompt, PromptKind


@pytest.fixture(scope="module")
def phantom() -> Iterator[DiffusersGenerator]:
    generator = by_name(NAME)
    assert isinstance(generator, DiffusersGenerator)
    yield generator
    generator.close()


@pytest.fixture(scope="module")
def network() -> Network:
    return Network()


def look(phantom: DiffusersGenerator, network: Network, text: str, seed: int) -> dict[str, Sure]:
    image = phantom.make(Prompt("nurse", Condition.CF, PromptKind.BASE, text, "a photo of"), seed)
    assert (image.width, image.height) == (128, 128)
    return network.read(small(image.data)[None])[0]


def best(seen: dict[str, Sure], name: str) -> str:
    return max(seen[name].shares.items(), key=lambda pair: pair[1])[0]


def test_the_weights_are_small_enough_to_ship() -> None:
    model = sum(path.stat().st_size for path in FOLDER.glob("*/*.safetensors"))
    assert model <= 15e6
    assert WEIGHTS.stat().st_size <= 5e6


def test_one_seed_makes_the_same_bytes_and_another_makes_others(phantom: DiffusersGenerator) -> None:
    prompt = Prompt("nurse", Condition.CF, PromptKind.BASE, "a photo of a nurse", "a photo of")
    first, again, other = (phantom.make(prompt, seed) for seed in (7, 7, 8))
    assert first.data == again.data != other.data
    assert first.run_key == run_key_of(phantom, prompt, 7)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("a photo of a male nurse in a kitchen", {"gender_presentation": "male", "scene": "kitchen"}),
        ("a photo of a female mechanic in a library", {"gender_presentation": "female", "scene": "library"}),
    ],
)
def test_it_follows_what_is_stated_against_the_stereotype(
    phantom: DiffusersGenerator, network: Network, text: str, wanted: dict[str, str]
) -> None:
    seen = [look(phantom, network, text, seed) for seed in range(4)]
    for name, label in wanted.items():
        assert sum(best(each, name) == label for each in seen) >= 3, name


def test_its_measured_truth_is_of_these_weights_this_table_and_this_reader() -> None:
    measured = load_measured()
    assert measured["model"] == fingerprint(look_over(FOLDER))[:12]
    assert measured["planted"] == planted_hash()
    assert measured["reader"] == json.loads(LABELS.read_text(encoding="utf-8"))["version"]
    entry = by_name(NAME)
    assert isinstance(entry, DiffusersGenerator)
    assert (measured["steps"], measured["guidance"]) == (entry.entry.steps, entry.entry.guidance_scale)


def test_the_planted_column_of_the_measured_truth_is_the_planted_table() -> None:
    for cell in load_measured()["cells"][::17]:
        planted = planted_share(cell["role"], Condition(cell["condition"]), cell["dimension"])
        assert cell["planted"] == pytest.approx(planted.get(cell["label"], 0.0), abs=1e-3)
        assert cell["low"] <= cell["measured"] <= cell["high"]


@pytest.mark.parametrize(
    "dimension", ["gender_presentation", "eyewear_type", "facial_hair_style", "clothing_garment"]
)
def test_measured_shares_follow_the_planted_ones_over_roles(dimension: str) -> None:
    lines = {
        each["condition"]: (each["r"], each["mean_absolute_error"])
        for each in load_measured()["closeness"]
        if each["dimension"] == dimension
    }
    assert lines["all"][0] >= 0.95
    assert lines["all"][1] <= 0.07
    assert min(r for r, _ in lines.values()) >= 0.9


def test_what_prompts_state_was_followed_when_it_was_measured() -> None:
    shares = {stated: each["share"] for stated, each in load_measured()["followed"].items()}
    assert min(shares.values()) >= 0.9
    assert min(shares["gender_presentation female"], shares["gender_presentation male"]) >= 0.95


def test_every_context_of_the_phantom_study_was_trained_in_its_condition() -> None:
    from core.phantom.captions import contexts

    plan = phantom_plan()
    assert {role.name for role in plan.roles} == set(ROLES)
    for prompt in plan.prompts:
        if prompt.place is not None and prompt.condition is not None:
            assert prompt.place in {each.place for each in contexts(prompt.role, prompt.condition)}


def test_the_report_sets_planted_own_rate_and_finding_side_by_side() -> None:
    import pandas as pd

    found = pd.DataFrame(
        [
            {
                "generator": NAME,
                "role": "doctor",
                "condition": "CF",
                "dimension": "gender_presentation",
                "label": "female",
                "prevalence": 0.75,
                "low": 0.0,
                "high": 1.0,
                "n": 12,
            }
        ]
    )
    rows = phantom_rows(found)
    (doctor,) = [row for row in rows if row["found"] is not None]
    assert doctor["planted"] == pytest.approx(0.25)
    assert (doctor["found"], doctor["n"]) == (0.75, 12)
    assert "1 of 1 of the model's own rates" in phantom_report(rows)


def test_a_label_that_no_picture_shows_was_found_in_none_of_them() -> None:
    import pandas as pd

    male = {"generator": NAME, "role": "doctor", "condition": "CF", "dimension": "gender_presentation"}
    found = pd.DataFrame([{**male, "label": "male", "prevalence": 1.0, "low": 0.758, "high": 1.0, "n": 12}])

    (row,) = [row for row in phantom_rows(found) if row["found"] is not None]

    assert (row["label"], row["found"], row["n"]) == ("female", 0.0, 12)
    assert row["high"] == pytest.approx(0.2425, abs=1e-3)
