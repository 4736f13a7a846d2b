"""A study of prompts whose attribute is stated, inside the folder of the study it is to validate."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from core.schema import read_schema
from core.validation.prompts import Stated, mine, template_key
from core.validation.work import FOLDER, KEY, counts_in
from storage.frames import Frames
from storage.store import Store
from storage.study import NewStudy


def open_validation(store: Store) -> Store | None:
    """The open validation study of a study, or None when it was not made yet."""
    folder = validation_folder(store)
    return Store.open(folder) if (folder / "study.sqlite").is_file() else None


def make_validation(store: Store, stated: Sequence[Stated], mined_from: str, images_per_prompt: int) -> Store:
    """Make the validation study of a study, with its schema, questions and the roles that are used."""
    new = NewStudy(
        name=f"{store.study.name}, validation",
        seed=store.study.seed,
        design=store.study.design,
        unrelated=store.study.unrelated,
        images_per_prompt=images_per_prompt,
        is_sample=store.study.is_sample,
        schema_version=store.study.schema_version,
        schema_json=store.study.schema_json,
        questions_json=store.study.questions_json,
        settings={
            KEY: [one.as_data() for one in stated],
            "template": template_key(),
            "mined_from": {"study": store.study.study_key, "extractor": mined_from},
        },
    )
    made = Store.create(validation_folder(store), new)
    used = {one.role for one in stated}
    made.add_roles([role for role in store.roles() if role.name in used])
    made.add_prompts([one.prompt for one in stated])
    return made


def mine_validation(store: Store, extractor: str, most: int, images_per_prompt: int) -> Store:
    """Make the validation study of prompts mined from what an extractor read; see `core.validation.prompts`.

    Parameters
    ----------
    store : Store
        The study; its seed decides which roles get which dimension.
    extractor : str
        Whose labels say what is usual for a role.
    most : int
        Prompts at most.
    images_per_prompt : int
        Images of each.
    """
    schema = read_schema(store.study.schema_json)
    counts = counts_in(Frames(store.folder).labels(extractor), schema)
    stated = mine(counts, store.roles(), schema, store.study.seed, most)
    return make_validation(store, stated, extractor, images_per_prompt)


def validation_folder(store: Store) -> Path:
    """Where the validation study of a study is."""
    return store.folder / FOLDER
