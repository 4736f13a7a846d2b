"""The sample study: ten roles, two drawn generators with planted biases, one reader with stated errors."""

from __future__ import annotations

import json

from core.bank import load_roles
from core.paths import RESOURCES
from core.plan import StudyPlan, plan_study

GENERATORS = ("drawn-a", "drawn-b")
EXACT = "drawn-truth"
"""Reads what is drawn: Bias Intensity and prevalence have a known right answer."""

PIPELINE = "drawn-reader"
"""Reads with stated errors: agreement with people has a known right answer."""

IMAGES_PER_PROMPT = 6
SEED = 2026


def sample_plan() -> StudyPlan:
    """The plan of the sample study, always the same."""
    chosen = set(json.loads((RESOURCES / "drawn" / "demo_roles.json").read_text(encoding="utf-8"))["roles"])
    return plan_study(
        "sample study",
        [role for role in load_roles() if role.name in chosen],
        seed=SEED,
        images_per_prompt=IMAGES_PER_PROMPT,
        generators=GENERATORS,
        is_sample=True,
    )
