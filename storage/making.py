"""Make a study folder from a plan: the file with its roles, prompts and generators, whole or not at all."""

from __future__ import annotations

import shutil
import uuid
from collections.abc import Callable
from pathlib import Path

from core.errors import StoreError
from core.generation.registry import by_name
from core.keys import key_of
from core.paths import STUDY_FILE
from core.plan import StudyPlan
from storage.store import Store, place_new
from storage.study import NewStudy
from storage.trouble import put_in_words


def make_study(folder: Path, plan: StudyPlan) -> Store:
    """Create the study in `folder` and return its open store.

    It is put together in a folder of its own and appears under its name when everything is in it, so
    that a crash or a full disk leaves no half study. A folder that holds a study already raises
    StoreError and is left as it is; an unknown generator raises BadInput before anything is made.
    """
    generators = [by_name(name) for name in plan.generators]
    path = folder / STUDY_FILE
    if path.exists():
        raise StoreError(f"There is already a study in {folder}.", "Open it, or choose another folder.")
    there = next(one for one in (folder.absolute(), *folder.absolute().parents) if one.exists())
    if not there.is_dir():
        raise StoreError(f"{there} is a file, so no study can be made in it.", "Choose another folder.")
    workshop = folder / f".new-{uuid.uuid4().hex}"
    try:
        with Store.create(workshop, _new_study(plan)) as store:
            store.add_roles(list(plan.roles))
            store.add_prompts(list(plan.prompts))
            for generator in generators:
                kind = str(generator.settings.get("kind", generator.name))
                store.add_generator(generator.name, kind, generator.settings)
        with put_in_words(path):
            place_new(workshop / STUDY_FILE, path)
    finally:
        shutil.rmtree(workshop, ignore_errors=True)
    return Store.open(folder)


def open_or_make(folder: Path, plan: Callable[[], StudyPlan]) -> Store:
    """The open study in `folder`, made by the plan where there is none yet."""
    return Store.open(folder) if (folder / STUDY_FILE).exists() else make_study(folder, plan())


def _new_study(plan: StudyPlan) -> NewStudy:
    return NewStudy(
        name=plan.name,
        seed=plan.seed,
        design=plan.design,
        unrelated=plan.unrelated,
        images_per_prompt=plan.images_per_prompt,
        is_sample=plan.is_sample,
        settings=plan.settings,
        bank_hash=key_of([[prompt.role, prompt.condition, prompt.text] for prompt in plan.prompts]),
    )
