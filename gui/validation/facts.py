"""What the validation dialog reads and runs off the GUI thread, by the functions of `main.py validate`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import BadInput
from core.jobs import Job, Outcome, Progress
from core.records import Status, StoredImage
from core.schema import Schema, read_schema
from core.validation.prompts import Side, Stated
from gui.words import counted

if TYPE_CHECKING:
    from core.extraction.vlm import VlmOptions
    from core.validation.judging import Judging
    from storage.store import Store

SERVED = "vlm-"


@dataclass(frozen=True, slots=True)
class Situation:
    """How far a study's validation is.

    `extractors` have read images of the study, `here` need no server, `generators` can make images. `asked`
    is how many images the prompts take of one generator, `made` how many there are by generator, `unread`
    how many of them an extractor has not read.
    """

    schema: Schema
    extractors: tuple[str, ...]
    here: tuple[str, ...]
    generators: tuple[str, ...]
    stated: tuple[Stated, ...] = ()
    asked: int = 0
    made: Mapping[str, int] = field(default_factory=dict)
    unread: Mapping[str, int] = field(default_factory=dict)
    folder: Path | None = None
    judged: int = 0
    """Images that a person judged in the window."""

    @property
    def images(self) -> int:
        """All images of the prompts."""
        return sum(self.made.values())

    @property
    def judges(self) -> tuple[str, ...]:
        """Extractors that can say what was drawn."""
        return tuple(dict.fromkeys((*self.extractors, *self.here)))

    def missing(self, generator: str) -> int:
        """Images that a generator would make."""
        return max(self.asked - self.made.get(generator, 0), 0)

    def unread_by(self, extractor: str) -> int:
        """Images that an extractor would read."""
        return self.unread.get(extractor, self.images)

    def sides(self) -> dict[Side, int]:
        """Prompts of each side, those sides that have any."""
        counts = Counter(one.side for one in self.stated)
        return {side: counts[side] for side in Side if counts[side]}


def read_situation(store: Store) -> Situation:
    """Read it; the study of the prompts is opened only for that."""
    from core.extraction import registry as extractors
    from core.generation import registry as generators
    from core.validation.judging import judged_in
    from core.validation.work import stated_in
    from storage.listing import record_facts
    from storage.validation_study import open_validation

    own = [one.name for one in store.generators()]
    schema = read_schema(store.study.schema_json)
    known = (
        schema,
        tuple(dict.fromkeys(one.extractor for one in record_facts(store) if one.status is Status.OK)),
        tuple(extractors.names()),
        tuple(name for name in dict.fromkeys((*own, *generators.names())) if name in generators.names()),
    )
    found = open_validation(store)
    if found is None:
        return Situation(*known)
    with found as validation:
        stated = stated_in(validation.study.settings)
        images = validation.images()
        names = dict.fromkeys((*known[1], *known[2], *(one.name for one in validation.extractors())))
        return Situation(
            *known,
            stated,
            len(stated) * validation.study.images_per_prompt,
            dict(Counter(image.generator for image in images)),
            {name: len(images) - len(_read(validation, name, images)) for name in names},
            validation.folder,
            judged_in(validation.folder),
        )


def _read(validation: Store, extractor: str, images: Sequence[StoredImage]) -> list[StoredImage]:
    from storage.listing import images_read

    if extractor not in [one.name for one in validation.extractors()] or not images:
        return []
    return [image for image, status in images_read(validation, extractor) if status is not None]


def making_prompts(store: Store, extractor: str, most: int, images_per_prompt: int) -> Job[int]:
    """Mine prompts from what an extractor read, and keep them in a study of their own."""
    yield Progress(0, 1, "looking for labels that dominate")
    from core.validation.work import stated_in
    from storage.validation_study import mine_validation

    with mine_validation(store, extractor, most, images_per_prompt) as made:
        return len(stated_in(made.study.settings))


def making_images(store: Store, generator: str, extractors: Sequence[str]) -> Job[Outcome]:
    """Make the images that are missing, then read them with those extractors that need no server."""
    from core.extraction.registry import names
    from core.running import extract_in, generate_in

    with _opened(store) as validation:
        outcome = yield from generate_in(validation, generator)
        for name in extractors:
            if name in names():
                yield from extract_in(validation, name, read_schema(validation.study.schema_json))
    return outcome


def reading(store: Store, extractor: str, options: VlmOptions | None = None) -> Job[Outcome]:
    """Read the images of the prompts; one that asks a server needs the options of the dialog."""
    from core.running import extract_in
    from gui.extract.serving import retrying

    with _opened(store) as validation:
        schema = read_schema(validation.study.schema_json)
        if options is None:
            return (yield from extract_in(validation, extractor, schema))
        images = validation.images()
        return (yield from retrying(validation, schema, extractor, "error", images, options))


def read_judging(store: Store) -> Judging:
    """The images that a person judges in the window, with what was judged before."""
    from core.validation.judging import judging_of
    from core.validation.work import stated_in

    with _opened(store) as validation:
        stated, schema = (
            stated_in(validation.study.settings),
            read_schema(validation.study.schema_json),
        )
        return judging_of(validation, stated, schema, validation.folder, validation.study.seed)


def writing_sheet(store: Store, path: Path) -> str:
    """Write the sheet for a person who judges; a sentence about it."""
    from core.validation.sheet import write_sheet
    from core.validation.work import stated_in

    with _opened(store) as validation:
        stated, schema = (
            stated_in(validation.study.settings),
            read_schema(validation.study.schema_json),
        )
        rows = write_sheet(path, validation, stated, schema)
    return f"{counted(rows, 'image')} written to {path}. Fill in the column label, then bring the sheet back."


def _opened(store: Store) -> Store:
    from storage.validation_study import open_validation

    found = open_validation(store)
    if found is None:
        raise BadInput("This study has no prompts with a stated attribute yet.", "Make them first.")
    return found
