"""The sample study's true diffusion part: six roles, the phantom, the reader; planted, measured and found.

Nothing is simulated in it: prompts go through the diffusion pipeline, and the reader looks at pixels. Beside
what the audit finds stand the rate that was planted and the model's own rate on many more pictures.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from core.bank import load_roles
from core.phantom import NAME
from core.phantom.truth import load_measured
from core.plan import StudyPlan, plan_study
from core.sample import SEED
from core.text_table import text_table

if TYPE_CHECKING:
    import pandas as pd

STUDY_NAME = "phantom study"
READER = "reader"
ROLES = ("carpenter", "doctor", "firefighter", "librarian", "nurse", "teacher")
"""Two whose gender association persists in unrelated places, two whose fades, one whose reverses, and one
whose glasses persist."""

IMAGES_PER_PROMPT = 2
SHOWN = (
    ("gender_presentation", "female", ROLES),
    ("eyewear_type", "eyeglasses", ("librarian", "teacher")),
    ("facial_hair_style", "beard", ("carpenter",)),
)
_OWN = ("planted", "own", "own low", "own high")
_COLUMNS = ("role", "label", "condition", *_OWN, "found", "low", "high", "n")


def phantom_plan(images_per_prompt: int = IMAGES_PER_PROMPT) -> StudyPlan:
    """The plan of the phantom study, always the same."""
    roles = [role for role in load_roles() if role.name in ROLES]
    return plan_study(STUDY_NAME, roles, seed=SEED, images_per_prompt=images_per_prompt, generators=(NAME,))


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
    return [_row(key, own, found) for key in _keys() if key in own]


def _keys() -> Iterator[tuple[str, str, str, str]]:
    for dimension, label, roles in SHOWN:
        for role in roles:
            for condition in ("CF", "CA-R", "CA-U"):
                yield role, condition, dimension, label


def _row(key: tuple[str, str, str, str], own: Mapping[Any, Any], found: Mapping[Any, Any]) -> dict[str, Any]:
    cell, seen = own[key], found.get(key)
    row = {"role": key[0], "label": key[3], "condition": key[1], "planted": cell["planted"]}
    row |= {"own": cell["measured"], "own low": cell["low"], "own high": cell["high"]}
    if seen is None:
        return row | {"found": None, "low": None, "high": None, "n": None}
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
            "quite the planted ones: diffusion models shrink or exaggerate what they learn. One seed gives "
            "much the same person for every prompt, and a study uses one set of seeds for a role: its images "
            f"of a cell are about {IMAGES_PER_PROMPT} people, and these intervals are too narrow.",
        ]
    )
