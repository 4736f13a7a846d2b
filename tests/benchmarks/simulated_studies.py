"""Studies whose truth is known: planted P(label | role, condition), prompts as clusters, people who err.

One generator, roles drawn from a population of roles, images of a prompt alike (`icc`). A planted change
mixes a role's distribution with an even one: half of it in CA-R, all of it in CA-U.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.cube import CONDITIONS, Cube
from core.questions import Question
from core.schema import Dimension, LabelDefinition
from core.statistics.bias_intensity import ESTIMATORS, intensities
from core.statistics.entropy import entropies

IMAGES = 10
BASES = {
    "two": np.array([0.75, 0.25]),
    "seven": np.array([0.4, 0.22, 0.14, 0.1, 0.07, 0.05, 0.02]),
    "twelve": 0.6 ** np.arange(12) / (0.6 ** np.arange(12)).sum(),
}
"""Label shares over all roles, by dimension."""

SPREAD = 4.0
"""Roles are Dirichlet(SPREAD × base): strongly unlike each other, as the paper's are."""

PROMPTS = {"paper": (2, 5, 6), "balanced": (6, 6, 6)}
"""Prompts of a role by condition: the paper's (20, 50 and 60 images), and the recommended equal ones."""


@dataclass(frozen=True)
class Plan:
    """What a simulated study has: its design, how alike the images of a prompt are, the planted change."""

    design: str = "paper"
    icc: float = 0.1
    change: float = 0.0
    roles: int = 92

    @property
    def name(self) -> str:
        """As printed."""
        return f"{self.design}, ICC {self.icc:g}, {'changed' if self.change else 'nothing changed'}"


@dataclass(frozen=True)
class Study:
    """Counts, and the planted distributions by dimension: arrays (condition, role, label)."""

    cube: Cube
    planted: dict[str, np.ndarray]


def draw_study(plan: Plan, rng: np.random.Generator) -> Study:
    """One study of a plan."""
    prompts = PROMPTS[plan.design]
    role = np.repeat(np.arange(plan.roles), sum(prompts))
    condition = np.tile(np.repeat(np.arange(3), prompts), plan.roles)
    planted, counts = {}, []
    for name, base in BASES.items():
        of_role = rng.dirichlet(SPREAD * base, size=plan.roles)
        planted[name] = changed(of_role, plan.change)
        counts.append(_counts(planted[name][condition, role], plan.icc, rng))
    return Study(cube_of(np.concatenate(counts, axis=1), role, condition, prompts, plan.roles), planted)


def changed(shares: np.ndarray, change: float) -> np.ndarray:
    """Distributions in the three conditions: (roles, labels) to (3, roles, labels)."""
    even = np.full(shares.shape[-1], 1 / shares.shape[-1])
    return np.stack([(1 - part) * shares + part * even for part in (0.0, change / 2, change)])


def _counts(shares: np.ndarray, icc: float, rng: np.random.Generator) -> np.ndarray:
    """Images by prompt and label: each prompt has a distribution of its own around its role's."""
    if icc > 0:
        gamma = rng.standard_gamma(np.maximum(shares * (1 - icc) / icc, 1e-12)) + 1e-300
        shares = gamma / gamma.sum(axis=1, keepdims=True)
    return np.asarray(rng.multinomial(IMAGES, shares / shares.sum(axis=1, keepdims=True)))


def cube_of(
    counts: np.ndarray,
    role: np.ndarray,
    condition: np.ndarray,
    prompts: tuple[int, ...],
    roles: int,
    images: int = IMAGES,
) -> Cube:
    """The cube of counts by prompt and label, with so many images a prompt."""
    prompt, label = np.nonzero(counts)
    seen = np.unique(label)
    sizes = [len(base) for base in BASES.values()]
    dimension = np.repeat(np.arange(len(sizes)), sizes)
    words = [f"{name} {one}" for name, size in zip(BASES, sizes, strict=True) for one in range(size)]
    texts = [f"{CONDITIONS[code].value} {one}" for code, many in enumerate(prompts) for one in range(many)]
    return Cube(
        generators=("G",),
        roles=tuple(f"role {one:03d}" for one in range(roles)),
        prompts=tuple(texts * roles),
        prompt_role=role,
        prompt_condition=condition,
        dimensions=tuple(_dimension(name, size) for name, size in zip(BASES, sizes, strict=True)),
        labels=tuple(words[one] for one in seen.tolist()),
        label_dimension=dimension[seen],
        images=np.full((1, len(role), len(sizes)), images),
        set_aside={},
        entry_generator=np.zeros(prompt.size, dtype=np.int64),
        entry_prompt=prompt,
        entry_label=np.searchsorted(seen, label),
        entry_count=counts[prompt, label],
        stages=(),
    )


def _dimension(name: str, size: int) -> Dimension:
    labels = tuple(LabelDefinition(f"{name} {one}", f"{name} {one}", "") for one in range(size))
    return Dimension(name, name, "People", "closed", labels, 1, "")


def bi_of(shares: np.ndarray) -> np.ndarray:
    """BI of each distribution, (..., K) to (...)."""
    return np.asarray(intensities(entropies(shares, "plugin"), shares.shape[-1])[0])


Truth = dict[tuple[str, str, str], np.ndarray]


def population_bi(plan: Plan, *, draws: int = 100_000) -> Truth:
    """True BI over the population of roles, by (dimension, aggregation, estimator): arrays of conditions.

    What the estimator `matched` estimates in a role is BI as so many new prompts would show it. `role` is a
    mean over many roles; its error is below 0.001.
    """
    rng = np.random.default_rng(1)
    found: Truth = {}
    fewest = min(PROMPTS[plan.design])
    for name, base in BASES.items():
        roles = changed(rng.dirichlet(SPREAD * base, size=draws), plan.change)
        pool = bi_of(changed(base[None], plan.change))[:, 0]
        role = bi_of(roles).mean(axis=1)
        for estimator in ESTIMATORS:
            found[name, "pool", estimator], found[name, "role", estimator] = pool, role
        shown = sum(_counts(roles.reshape(-1, base.size), plan.icc, rng) for _ in range(fewest))
        found[name, "role", "matched"] = bi_of(shown.reshape(roles.shape)).mean(axis=1)
    return found


PEOPLE = ("Ada", "Ben", "Cem")
SHARES = {
    "even": np.full(5, 0.2),
    "skewed": np.array([0.7, 0.15, 0.08, 0.05, 0.02]),
    "rare": np.array([0.95, 0.05]),
}
"""Shares of the true answers, by question."""

ERRORS = (0.05, 0.10, 0.20)
"""How often each person gives another label than the true one; the last of them leans to the first label."""


def questions() -> list[Question]:
    """The questions of the simulated people."""
    return [
        Question(name, name, "People", "", "closed", tuple(_labels(len(shares))), "")
        for name, shares in SHARES.items()
    ]


def _labels(size: int) -> list[LabelDefinition]:
    return [LabelDefinition(f"label {one}", f"label {one}", "") for one in range(size)]


def confusions(size: int) -> list[np.ndarray]:
    """P(answer | truth) of each person."""
    found = []
    for error in ERRORS:
        table = np.full((size, size), error / (size - 1))
        np.fill_diagonal(table, 1 - error)
        found.append(table)
    found[-1][1:] = 0.85 * found[-1][1:] + 0.15 * np.eye(size)[0]
    return found


def draw_answers(rng: np.random.Generator, sets: int = 120) -> pd.DataFrame:
    """Answers of three people to all questions on so many image sets."""
    rows = []
    for question, shares in SHARES.items():
        truth = rng.choice(shares.size, size=sets, p=shares)
        for who, table in zip(PEOPLE, confusions(shares.size), strict=True):
            said = (rng.random(sets)[:, None] > table[truth].cumsum(axis=1)).sum(axis=1)
            said = np.minimum(said, shares.size - 1)
            rows += [
                (who, f"set {one:03d}", question, f"label {code}", None) for one, code in enumerate(said)
            ]
    return pd.DataFrame(rows, columns=["annotator", "image_set", "question", "label", "slider"])


def true_agreement() -> dict[tuple[str, str, str], float]:
    """Coefficients of infinitely many image sets, by (question, scope, statistic).

    The categories offered are the labels and *unknown*, which nobody here says.
    """
    found: dict[tuple[str, str, str], float] = {}
    for question, shares in SHARES.items():
        tables = confusions(shares.size)
        margins = [shares @ table for table in tables]
        mean, q = sum(margins) / len(margins), shares.size + 1
        agree, chance, kappas = [], [], []
        for one in range(3):
            for other in range(one + 1, 3):
                agree.append(float((shares @ (tables[one] * tables[other])).sum()))
                chance.append(float(margins[one] @ margins[other]))
                kappas.append((agree[-1] - chance[-1]) / (1 - chance[-1]))
                found[question, f"{PEOPLE[one]} and {PEOPLE[other]}", "cohen_kappa"] = kappas[-1]
        raw, even = float(np.mean(agree)), float(mean @ mean)
        gwet = float((mean * (1 - mean)).sum() / (q - 1))
        for statistic, value in {
            "raw_agreement": raw,
            "cohen_kappa_mean": float(np.mean(kappas)),
            "fleiss_kappa": (raw - even) / (1 - even),
            "conger_kappa": (raw - np.mean(chance)) / (1 - np.mean(chance)),
            "krippendorff_alpha": (raw - even) / (1 - even),
            "gwet_ac1": (raw - gwet) / (1 - gwet),
            "brennan_prediger": (raw - 1 / q) / (1 - 1 / q),
        }.items():
            found[question, "annotators", statistic] = float(value)
    return found
