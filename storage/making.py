"""Make a study folder from a plan: the file, its roles, prompts and generators."""

from __future__ import annotations

from pathlib import Path

from core.generation.registry import by_name
from core.keys import key_of
from core.plan import StudyPlan
from storage.store import Store
from storage.study import NewStudy


def make_study(folder: Path, plan: StudyPlan) -> Store:
    """Create the study in `folder` and return its open store.

    A folder that holds a study already raises StoreError and is left as it is; an unknown generator
    raises BadInput before anything is made.
    """
    generators = [by_name(name) for name in plan.generators]
    store = Store.create(folder, _new_study(plan))
    try:
        store.add_roles(list(plan.roles))
        store.add_prompts(list(plan.prompts))
        for generator in generators:
            kind = str(generator.settings.get("kind", generator.name))
            store.add_generator(generator.name, kind, generator.settings)
    except BaseException:
        store.close()
        raise
    return store


def _new_study(plan: StudyPlan) -> NewStudy:
    return NewStudy(
        name=plan.name,
        seed=plan.seed,
        design=plan.design,
        unrelated=plan.unrelated,
        images_per_prompt=plan.images_per_prompt,
        is_sample=plan.is_sample,
        bank_hash=key_of([[prompt.role, prompt.condition, prompt.text] for prompt in plan.prompts]),
    )
