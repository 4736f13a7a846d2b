"""A label table of the size of the paper's corpus, made up: strong role effects, long-tailed open words."""

from __future__ import annotations

import numpy as np
import pandas as pd

from core.schema import Dimension, Schema

CONDITIONS = ("CF", "CA-R", "CA-U")


def corpus(
    schema: Schema,
    *,
    roles: int = 92,
    generators: int = 4,
    prompts: tuple[int, int, int] = (3, 7, 8),
    images: int = 10,
    words: int = 900,
    open_words: int = 3,
    seed: int = 0,
    seeds: str = "",
) -> pd.DataFrame:
    """A label table: one row per image, dimension and label; 2 % of the readings are unknown.

    With `seeds` ("prompt", "role" or "all") it has a column seed, the same within whatever that is.

    `words` is how many words an open dimension has, `open_words` the most that one image has of them.
    """
    rng = np.random.default_rng(seed)
    condition = np.repeat(np.arange(3), prompts)
    per_role = condition.size * images
    generator = np.repeat(np.arange(generators), roles * per_role)
    role = np.tile(np.repeat(np.arange(roles), per_role), generators)
    prompt = np.tile(np.repeat(np.arange(condition.size), images), generators * roles)
    cell = (generator * roles + role) * 3 + condition[prompt]
    parts = [
        _dimension(dimension, cell, generators * roles * 3, words, open_words, rng)
        for dimension in schema.dimensions
    ]
    image = np.concatenate([rows for rows, _, _ in parts])
    names = {dimension.id: position for position, dimension in enumerate(schema.dimensions)}
    order = np.concatenate([np.full(len(rows), names[dimension]) for rows, _, dimension in parts])
    label = pd.Categorical(np.concatenate([labels for _, labels, _ in parts]))
    cohorts = [dimension.cohort for dimension in schema.dimensions]
    texts = [
        f"a photo of a role {one:03d}, {CONDITIONS[kind]} {number}"
        for one in range(roles)
        for number, kind in enumerate(condition)
    ]
    number = np.arange(generator.size) % images
    first = {"prompt": prompt + condition.size * role, "role": role, "all": np.zeros_like(role)}
    frame = pd.DataFrame(
        {
            "generator": _words(generator[image], [f"generator {one}" for one in range(generators)]),
            "role": _words(role[image], [f"role_{one:03d}" for one in range(roles)]),
            "condition": _words(condition[prompt][image], list(CONDITIONS)),
            "prompt": _words((role * condition.size + prompt)[image], texts),
            "image": _words(image, [f"image {one:06d}" for one in range(generator.size)]),
            "cohort": _words(order, cohorts),
            "dimension": _words(order, list(names)),
            "label": label,
        }
    )
    if seeds:
        of_image = first[seeds] * images + number
        frame["seed"] = _words(of_image[image], [f"{one:06d}" for one in range(of_image.max() + 1)])
    return frame


def _dimension(
    dimension: Dimension,
    cell: np.ndarray,
    cells: int,
    words: int,
    open_words: int,
    rng: np.random.Generator,
) -> tuple[np.ndarray, np.ndarray, str]:
    names = np.array(
        dimension.label_ids or [f"{dimension.id} word {one}" for one in range(words)], dtype=object
    )
    base = rng.dirichlet(np.full(names.size, 0.6)) if dimension.is_closed else _long_tail(names.size, rng)
    concentration = rng.uniform(1, 30)
    chances = rng.dirichlet(np.maximum(base * concentration, 1e-3), size=cells).cumsum(axis=1)
    per_image = {"closed": 1, "closed_list": 2, "open_list": open_words}[dimension.kind]
    draws = [
        np.minimum((rng.random(cell.size)[:, None] > chances[cell]).sum(axis=1), names.size - 1)
        if names.size < 50
        else _search(chances, cell, rng)
        for _ in range(per_image)
    ]
    image = np.tile(np.arange(cell.size), per_image)
    pick = np.concatenate(draws)
    once = np.unique(image * names.size + pick)
    image, pick = np.divmod(once, names.size)
    label = names[pick]
    unknown = rng.random(cell.size) < 0.02
    label = np.where(unknown[image], "unknown", label)
    return image, label, dimension.id


def _search(chances: np.ndarray, cell: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    draw = rng.random(cell.size)
    shifted = (chances + np.arange(len(chances))[:, None]).ravel()
    found = np.searchsorted(shifted, draw + cell) - cell * chances.shape[1]
    return np.clip(found, 0, chances.shape[1] - 1)


def _long_tail(size: int, rng: np.random.Generator) -> np.ndarray:
    weights = 1 / np.arange(1, size + 1) ** 1.1
    return rng.permutation(weights / weights.sum())


def _words(codes: np.ndarray, words: list[str]) -> pd.Categorical:
    named = dict.fromkeys(words)
    if len(named) == len(words):
        return pd.Categorical.from_codes(codes, categories=pd.Index(words))
    return pd.Categorical(np.array(words, dtype=object)[codes])
