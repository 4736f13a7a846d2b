"""A new device makes three images again before its own count: the same ones, or how far they differ.

Two devices round differently, so a few last digits may differ; another picture may not. What was found
goes with every image that is made there afterwards.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from typing import Any, Protocol

from core.engines.engine import Engine, KnowsKinds
from core.engines.local import LocalEngine
from core.errors import UserError
from core.generation.generator import Generator
from core.generation.reports import NotMade, Task
from core.generation.worker import OnDevices
from core.jobs import Job, Progress
from core.records import NewImage, Prompt, StoredImage

COMPARED = 3
MOST_MEAN = 3.0
"""Of 255, over all values of a picture: more is another picture, not another rounding."""


class DeviceDiffers(UserError):
    """A device makes other pictures than those the study has."""


@dataclass(frozen=True, slots=True)
class DeviceCheck:
    """What became of the comparison; differences are of 255, the largest single one and the worst mean."""

    device: str
    elsewhere: tuple[str, ...]
    compared: int
    identical: int
    largest: int
    mean: float

    @property
    def is_same_picture(self) -> bool:
        """Whether the differences can be rounding."""
        return self.mean <= MOST_MEAN

    @property
    def sentence(self) -> str:
        """What was found, for a person."""
        there = " and ".join(self.elsewhere) or "another device"
        if self.identical == self.compared:
            return f"{self.device} makes the same {self.compared} images as {there}, to the byte."
        return (
            f"{self.device} against {there}: {self.identical} of {self.compared} images are the same to the "
            f"byte; the largest difference is {self.largest} of 255, {self.mean:.2f} in the mean."
        )

    def as_row(self) -> dict[str, Any]:
        """For the provenance of images."""
        return asdict(self) | {"elsewhere": list(self.elsewhere)}


class MadeImages(Protocol):
    """What of a study is needed to compare."""

    def devices_of(self, generator: str) -> dict[str, int]:
        """Titles of the devices that a generator's images were made on, with how many."""

    def images(self, generator: str | None = None) -> Sequence[StoredImage]:
        """Images of a generator in the order they arrived."""

    def image_bytes(self, image: StoredImage) -> bytes:
        """The file of an image."""

    def prompts(self) -> list[Prompt]:
        """All prompts."""


def controls(study: MadeImages, generator: str) -> list[tuple[Task, StoredImage]]:
    """The first three images that a study has of a generator, as tasks to be made again."""
    known = {(one.role, one.condition, one.text): one for one in study.prompts() if one.wording}
    found = []
    for image in study.images(generator):
        prompt = known.get((image.role, image.condition, image.prompt))
        if prompt is not None:
            found.append(((prompt, image.seed), image))
        if len(found) == COMPARED:
            break
    return found


def check_devices(
    study: MadeImages,
    generator: Generator,
    engine: Engine,
    *,
    accepts: bool = False,
    planned: Sequence[Task] = (),
) -> Job[list[DeviceCheck]]:
    """Compare each device that is new to the study with the devices it knows.

    A study without an image knows none: where its first run has devices of several kinds, the first of
    `planned` are made on each kind and compared with those of the first.

    Raises
    ------
    DeviceDiffers
        When one makes other pictures, unless `accepts` says that they are to count.
    """
    if not isinstance(generator, OnDevices):
        return []
    known = study.devices_of(generator.name)
    asked = controls(study, generator.name) if known else []
    tasks = [task for task, _ in asked] if known else list(planned[:COMPARED])
    made: dict[str, list[NewImage]] = {}
    for one in _new_engines(generator, engine, known) if tasks else []:
        for image in (yield from _made_again(one, generator, tasks)):
            made.setdefault(title_of(image), []).append(image)
    before = [(image.seed, image.prompt, study.image_bytes(image)) for _, image in asked]
    if not known and made:
        first = next(iter(made))
        known = {first: 0}
        before = [(image.seed, image.prompt.text, image.data) for image in made[first]]
    return [
        judged(compare(images, before, known), accepts)
        for title, images in made.items()
        if title not in known
    ]


def _made_again(engine: Engine, generator: Generator, tasks: Sequence[Task]) -> Job[list[NewImage]]:
    made: list[NewImage] = []
    with closing(engine.run(generator, tasks)) as reports:
        for report in reports:
            if isinstance(report, NotMade):
                raise report.error
            made += [report] if isinstance(report, NewImage) else []
            yield Progress(len(made), len(tasks), "comparing a new device with those before")
    return made


def _new_engines(generator: OnDevices, engine: Engine, known: dict[str, int]) -> list[Engine]:
    """An engine for each kind of device that is new; one that says nothing of its devices is tried."""
    if isinstance(engine, KnowsKinds):
        return [engine.on_each_kind(known)]
    if not isinstance(engine, LocalEngine):
        return [engine] if known else []
    titles = engine.titles(generator)
    new = {title: name for name, title in reversed(titles.items()) if title not in known}
    if not known and len(new) < 2:
        return []
    return [LocalEngine((name,)) for name in reversed(new.values())]


def judged(check: DeviceCheck, accepts: bool) -> DeviceCheck:
    """The check again; DeviceDiffers when it found other pictures and nobody accepts them."""
    if not check.is_same_picture and not accepts:
        raise DeviceDiffers(
            f"Nothing was taken: {check.sentence} That is another picture, not another rounding.",
            "Go on where the first images were made, or let it count with `--accept-device`.",
        )
    return check


def compare(
    made: Sequence[NewImage], before: Sequence[tuple[int, str, bytes]], known: dict[str, int]
) -> DeviceCheck:
    """Images made again against the files there are, by seed and prompt."""
    new = {(image.seed, image.prompt.text): image for image in made}
    pairs = [(new[seed, text], data) for seed, text, data in before if (seed, text) in new]
    differences = [difference(image.data, data) for image, data in pairs]
    return DeviceCheck(
        device=title_of(made[0]) if made else "",
        elsewhere=tuple(known),
        compared=len(pairs),
        identical=sum(image.data == data for image, data in pairs),
        largest=max((largest for largest, _ in differences), default=0),
        mean=max((mean for _, mean in differences), default=0.0),
    )


def title_of(image: NewImage) -> str:
    """What the device is that an image was made on; "" for one made without."""
    return str(image.provenance.get("device", {}).get("title", ""))


def difference(one: bytes, other: bytes) -> tuple[int, float]:
    """Largest and mean difference of two encoded pictures, of 255; other sizes are as far as can be."""
    import numpy as np
    from PIL import Image

    if one == other:
        return 0, 0.0
    arrays = [np.asarray(Image.open(io.BytesIO(data)).convert("RGB"), dtype="int16") for data in (one, other)]
    if arrays[0].shape != arrays[1].shape:
        return 255, 255.0
    apart = np.abs(arrays[0] - arrays[1])
    return int(apart.max()), float(apart.mean())
