"""Bring planned pictures into a study, one a step."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from core.bank import load_roles
from core.decoding import FORMATS, why_undecodable, without_warnings
from core.errors import BadInput
from core.importing.plan import UNSORTED, ImportPlan, Pending, shown_path
from core.importing.sameness import Identity
from core.jobs import Job, Outcome, Progress
from core.keys import content_hash
from core.records import NewImage, Prompt, PromptKind, Role
from core.regular_files import read_regular

MOST_PIXELS = 100_000_000
"""More would take over 400 MB to decode; no generator makes such a picture."""

SOURCE = "imported"


class ImportSink(Protocol):
    """What an import needs of the store."""

    def run_keys(self, generator: str) -> set[str]:
        """Run keys of the images that are already there."""

    def add_roles(self, roles: Sequence[Role]) -> None:
        """Add roles that are not there yet."""

    def add_prompts(self, prompts: Sequence[Prompt]) -> None:
        """Add prompts that are not there yet."""

    def add_generator(self, name: str, kind: str, settings: Mapping[str, Any]) -> None:
        """Add a generator unless it is there."""

    def add_image(self, image: NewImage) -> int:
        """Store one picture and return its id."""

    def complete_image(self, run_key: str, image: NewImage) -> None:
        """Say more of a picture that is there under `run_key`; BadInput when it may not change any more."""


@dataclass
class ImportOutcome(Outcome):
    """What became of every file; `completed` of those done were there, and more is said of them now."""

    completed: int = 0

    def sentence(self, noun: str) -> str:
        """As for every job, and how many pictures were completed."""
        said = super().sentence(noun)
        return (
            f"{said}; {self.completed} of them were there and got what was missing"
            if self.completed
            else said
        )


def import_images(plan: ImportPlan, sink: ImportSink) -> Job[ImportOutcome]:
    """Bring in every picture of the plan that is not there yet.

    A picture that is there without the condition or the role that is said now gets it, and is not taken
    twice; one that is there with a condition is skipped where nothing is said about it now.

    A picture that cannot be decoded, moves, or says the same of the same bytes as one before it is a failure
    with a class and a reason; the files that the plan refused are among the failures, so that asked = done +
    failed + skipped over every file looked at.
    Importing the same folder again skips everything.
    """
    outcome = ImportOutcome(asked=plan.asked, failures=list(plan.refused))
    _announce(plan.pictures, sink)
    present = {name: sink.run_keys(name) for name in {_generator(each) for each in plan.pictures}}
    taken: dict[str, str] = {}
    for number, pending in enumerate(plan.pictures):
        item = shown_path(pending.path.relative_to(plan.root).as_posix())
        image = _image(pending, number, item, outcome)
        if image is not None and image.run_key in taken:
            outcome.fail(item, "duplicate", f"It is {taken[image.run_key]} again, byte for byte.")
        elif image is not None:
            _take(image, _identity(pending, image.data), present[image.generator], sink, item, outcome)
        if image is not None:
            taken.setdefault(image.run_key, item)
        yield Progress(number + 1, len(plan.pictures), item, outcome.failed, outcome)
    outcome.check()
    return outcome


def _take(
    image: NewImage,
    identity: Identity,
    present: set[str],
    sink: ImportSink,
    item: str,
    outcome: ImportOutcome,
) -> None:
    """One picture that can be read: skip it, complete the one that is there, or add it."""
    if image.run_key in present or identity.described_more(present):
        outcome.skipped += 1
        return
    before = identity.described_less(present)
    try:
        if before is None:
            sink.add_image(image)
        else:
            sink.complete_image(before, image)
            present.discard(before)
            outcome.completed += 1
    except BadInput as error:
        outcome.fail(item, "damaged" if before is None else "in use", error.sentence)
    else:
        present.add(image.run_key)
        outcome.done += 1


def _announce(pictures: Iterable[Pending], sink: ImportSink) -> None:
    bank = {role.name: role for role in load_roles()}
    roles: dict[str, Role] = {}
    generators: dict[str, None] = {}
    prompts: dict[Prompt, None] = {}
    for pending in pictures:
        name = role_of(pending)
        roles[name] = bank.get(name) or _role_named(name)
        generators[_generator(pending)] = None
        prompts[_prompt(pending)] = None
    sink.add_roles(list(roles.values()))
    sink.add_prompts(list(prompts))
    for generator in generators:
        sink.add_generator(generator, SOURCE, {"source": SOURCE})


def _image(pending: Pending, number: int, item: str, outcome: Outcome) -> NewImage | None:
    """The picture as the store takes it, or None with the failure noted."""
    try:
        data = read_regular(pending.path)
        width, height, orientation = _decoded_size(data)
    except _Unusable as error:
        outcome.fail(item, error.kind, str(error))
        return None
    except OSError as error:
        outcome.fail(item, "cannot be read", f"The system says: {error.strerror or error}.")
        return None
    prompt = _prompt(pending)
    seed = pending.stated.seed
    provenance = {
        "file": item,
        "orientation": orientation,
        "seed_is_stated": seed is not None,
        "condition_is_stated": prompt.condition is not None,
    }
    return NewImage(
        generator=_generator(pending),
        prompt=prompt,
        seed=seed if seed is not None else number,
        run_key=_identity(pending, data).key,
        data=data,
        width=width,
        height=height,
        format=pending.format,
        source=SOURCE,
        provenance=provenance,
    )


def _identity(pending: Pending, data: bytes) -> Identity:
    return Identity(content_hash(data), _generator(pending), _prompt(pending), pending.stated.seed)


class _Unusable(Exception):
    """A file whose first bytes are right and whose picture is not."""

    def __init__(self, kind: str, reason: str) -> None:
        super().__init__(reason)
        self.kind = kind


def _decoded_size(data: bytes) -> tuple[int, int, int]:
    """Width and height as shown (after EXIF orientation), and the orientation 1–8."""
    from PIL import Image

    try:
        # Pillow warns about large pictures on its own scale; our limit is below.
        with without_warnings(), Image.open(io.BytesIO(data), formats=FORMATS) as picture:
            width, height = picture.size
            if width * height > MOST_PIXELS:
                raise _Unusable("too large", f"It has {width} × {height} pixels; the limit is {MOST_PIXELS}.")
            frames = getattr(picture, "n_frames", 1)
            if frames > 1:
                raise _Unusable("animated", f"It has {frames} frames; an image of a study is one picture.")
            picture.load()
            orientation = picture.getexif().get(0x0112, 1)
    except Image.DecompressionBombError:
        raise _Unusable("too large", f"It has more than {MOST_PIXELS} pixels.") from None
    except (OSError, SyntaxError, ValueError) as error:
        raise _Unusable("damaged", f"It cannot be decoded: {why_undecodable(error)}.") from error
    if orientation not in range(1, 9):
        orientation = 1
    return (height, width, orientation) if orientation >= 5 else (width, height, orientation)


def role_of(pending: Pending) -> str:
    """The role that a picture goes to, in the form of the bank."""
    name = pending.stated.role or UNSORTED
    return name.strip().lower().replace(" ", "_").replace("-", "_")


def _role_named(name: str) -> Role:
    display = name.replace("_", " ")
    article = "an" if display[:1] in "aeiou" else "a"
    return Role(name, display, article, f"{display}s")


def _generator(pending: Pending) -> str:
    return pending.stated.generator or SOURCE


def _prompt(pending: Pending) -> Prompt:
    stated = pending.stated
    return Prompt(role_of(pending), stated.condition, PromptKind.BASE, stated.prompt or "")
