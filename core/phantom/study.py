"""The sample study's true diffusion part: four roles, the phantom, the reader; planted, measured and found.

Nothing is simulated in it: prompts go through the diffusion pipeline, and the reader looks at pixels. Beside
what the audit finds stand the rate that was planted and the model's own rate on many more pictures.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from core.bank import load_roles
from core.errors import BadInput
from core.jobs import Job
from core.phantom import NAME
from core.phantom.truth import load_measured
from core.plan import StudyPlan, plan_study
from core.records import Condition, Prompt
from core.running import extract_in, generate_in
from core.sample import SEED
from core.schema import Schema
from core.statistics.proportion import wilson
from core.text_table import text_table

if TYPE_CHECKING:
    import pandas as pd

STUDY_NAME = "phantom study"
READER = "reader"
ROLES = ("carpenter", "doctor", "firefighter", "librarian")
"""One whose gender association fades in unrelated places, one whose reverses, and two whose persists."""

IMAGES_PER_PROMPT = 10
"""Of one prompt a role and condition, each its own seed: one seed gives this model much the same person for
every prompt, so that six prompts with two seeds would be the pictures of two people."""

SHOWN = (
    ("gender_presentation", "female", ROLES),
    ("eyewear_type", "eyeglasses", ("librarian",)),
    ("facial_hair_style", "beard", ("carpenter",)),
)
_OWN = ("planted", "own", "own low", "own high")
_COLUMNS = ("role", "label", "condition", *_OWN, "found", "low", "high", "n")


def phantom_plan(images_per_prompt: int = IMAGES_PER_PROMPT) -> StudyPlan:
    """The plan of the phantom study, always the same: the first prompt of each role and condition."""
    roles = [role for role in load_roles() if role.name in ROLES]
    plan = plan_study(STUDY_NAME, roles, seed=SEED, images_per_prompt=images_per_prompt, generators=(NAME,))
    first: dict[tuple[str, Condition | None], Prompt] = {}
    for prompt in plan.prompts:
        first.setdefault((prompt.role, prompt.condition), prompt)
    return replace(plan, prompts=tuple(first.values()))


def phantom_steps(study: Any, schema: Schema) -> Job[None]:
    """Make what is missing of an open phantom study: images and records; BadInput for another study."""
    if study.study.name != STUDY_NAME:
        raise BadInput(f"{study.folder} holds a study of yours.", "Name another folder.")
    yield from generate_in(study, NAME)
    yield from extract_in(study, READER, schema)


def phantom_rows(prevalence: pd.DataFrame, measured: Mapping[str, Any] | None = None) -> list[dict[str, Any]]:
    """Planted, the model's own rate and the audit's estimate of some labels, a row a role and condition.

    Parameters
    ----------
    prevalence : DataFrame
        Of `core.analysis`, with columns role, condition, dimension, label, prevalence, low, high, n.
    measured : mapping, optional
        The phantom's reference truth; the shipped one when left out.
    """
    own = {
        (each["role"], each["condition"], each["dimension"], each["label"]): each
        for each in (measured or load_measured())["cells"]
    }
    found = {
        (row["role"], row["condition"], row["dimension"], row["label"]): row
        for row in prevalence.to_dict("records")
        if row["generator"] == NAME
    }
    sizes = {key[:3]: int(row["n"]) for key, row in found.items()}
    return [_row(key, own, found, sizes) for key in _keys() if key in own]


def _keys() -> Iterator[tuple[str, str, str, str]]:
    for dimension, label, roles in SHOWN:
        for role in roles:
            for condition in ("CF", "CA-R", "CA-U"):
                yield role, condition, dimension, label


def _row(
    key: tuple[str, str, str, str],
    own: Mapping[Any, Any],
    found: Mapping[Any, Any],
    sizes: Mapping[tuple[str, str, str], int],
) -> dict[str, Any]:
    cell, seen = own[key], found.get(key)
    row = {"role": key[0], "label": key[3], "condition": key[1], "planted": cell["planted"]}
    row |= {"own": cell["measured"], "own low": cell["low"], "own high": cell["high"]}
    if seen is None:  # a table of labels has no row for one that no image of the role shows
        n = sizes.get(key[:3])
        none = wilson(0, n) if n else None
        return row | {
            "found": none.value if none else None,
            "low": none.low if none else None,
            "high": none.high if none else None,
            "n": n,
        }
    return row | {
        "found": float(seen["prevalence"]),
        "low": float(seen["low"]),
        "high": float(seen["high"]),
        "n": int(seen["n"]),
    }


def phantom_report(rows: Sequence[Mapping[str, Any]], measured: Mapping[str, Any] | None = None) -> str:
    """The rows as text, with how many of the model's own rates lie in the audit's intervals."""
    about = measured or load_measured()
    decided = [row for row in rows if row["low"] is not None]
    inside = sum(row["low"] <= row["own"] <= row["high"] for row in decided)
    return "\n\n".join(
        [
            "The phantom: a true diffusion model, trained here with a planted bias; a network that looks at "
            "pixels read its pictures. Nothing in this part is simulated.",
            f"Planted in training; the model's own rate, measured once on {about['pictures']} pictures; what "
            "this study found; with 95 % intervals",
            text_table(rows, _COLUMNS),
            f"{inside} of {len(decided)} of the model's own rates lie in the study's intervals. They are not "
            "quite the planted ones: diffusion models shrink or exaggerate what they learn. Every cell is "
            "one prompt with seeds of its own, for one seed gives this model much the same person for every "
            "prompt: images that share a seed are not independent, and many prompts with the same few seeds "
            "say little more than one.",
        ]
    )
