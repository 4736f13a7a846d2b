"""A small label table of two generators, six roles and six prompts a condition, the same every time;
and property tests that are."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
import pandas as pd
import pytest
from hypothesis import settings

from core.schema import Schema, load_schema

# the same examples on every run, and no clock: a slow machine is no failure
settings.register_profile("steady", deadline=None, derandomize=True, max_examples=60)
settings.load_profile("steady")

VOCABULARIES = {
    "gender_presentation": ["female", "male", "unknown"],
    "framing": ["tight", "medium", "wide"],
    "accessories": ["badge", "tie", "watch", "none"],
    "items": ["stethoscope", "laptop", "coffee cup", "book", "phone", "plant"],
}


@cache
def make_labels(generators: int = 2, roles: int = 6, prompts: int = 6, images: int = 4) -> pd.DataFrame:
    """One row per image, dimension and label; list dimensions have one to three labels an image."""
    rng = np.random.default_rng(20)
    rows = []
    for generator in range(generators):
        for role in range(roles):
            for condition in ("CF", "CA-R", "CA-U"):
                chances = {name: rng.dirichlet(np.ones(len(words))) for name, words in VOCABULARIES.items()}
                for prompt in range(prompts):
                    for image in range(images):
                        where = (
                            f"gen-{generator}",
                            f"role_{role}",
                            condition,
                            f"{role} {condition} {prompt}",
                        )
                        name = f"{'-'.join(where)}-{image}"
                        rows += _of_image((*where, name), chances, rng)
    columns = ["generator", "role", "condition", "prompt", "image", "cohort", "dimension", "label", "status"]
    return pd.DataFrame(rows, columns=columns)


def _of_image(
    where: tuple[str, ...], chances: dict[str, np.ndarray], rng: np.random.Generator
) -> list[tuple]:
    schema = load_schema()
    rows = []
    for name, words in VOCABULARIES.items():
        size = int(rng.integers(1, 4)) if schema.dimension(name).is_list else 1
        drawn = sorted(set(rng.choice(words, size=size, p=chances[name]).tolist()))
        for label in drawn:
            status = "unknown" if label == "unknown" else "ok"
            rows.append((*where, schema.dimension(name).cohort, name, label, status))
    return rows


@pytest.fixture(scope="session")
def schema() -> Schema:
    """The schema of this release."""
    return load_schema()


@pytest.fixture(scope="session")
def labels_of() -> Callable[..., pd.DataFrame]:
    """Make a label table of some size."""
    return make_labels


@pytest.fixture
def labels() -> pd.DataFrame:
    """The small label table, a copy of its own."""
    return make_labels().copy()
