"""Take in what shards have finished: as often as one likes, each image once, each device compared first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

from core.engines.shard_files import finished, read_image, task_from
from core.engines.slurm import read_work
from core.errors import BadInput
from core.generation.device_check import DeviceCheck, DeviceDiffers, MadeImages, compare, judged, title_of
from core.generation.generator import run_key
from core.generation.job import ImageSink
from core.jobs import Job, Outcome, Progress
from core.records import NewImage


class CollectingStudy(ImageSink, MadeImages, Protocol):
    """A study that takes shards in."""

    def add_generator(self, name: str, kind: str, settings: Mapping[str, Any]) -> None:
        """Note the generator with its settings; BadInput for other settings."""


def collect(folder: Path, study: CollectingStudy, *, accepts_device: bool = False) -> Job[Outcome]:
    """Hand every finished image of a folder to the study.

    An image that is damaged, or made on a device that makes other pictures, is a failure with its reason;
    it stays in the folder. What is not finished is not counted at all.
    """
    work = read_work(folder)
    name, settings = work["generator"], work["settings"]
    study.add_generator(name, str(settings.get("kind", name)), settings)
    known = study.run_keys(name)
    places = [folder / "done" / f"{number:04}" for number in range(work["shards"])]
    files = [(place, path) for place in places for path in finished(place)]
    outcome = Outcome(asked=len(files))
    devices = _Devices(folder, study, work, accepts_device)
    yield Progress(0, outcome.asked, "", 0, outcome)
    for place, path in files:
        if path.stem in known:
            outcome.skipped += 1
        else:
            _take(place, path, study, settings, devices, outcome)
        seen = outcome.done + outcome.failed + outcome.skipped
        yield Progress(seen, outcome.asked, path.stem[:12], outcome.failed, outcome)
    outcome.check()
    return outcome


def _take(
    place: Path,
    path: Path,
    study: CollectingStudy,
    settings: Mapping[str, Any],
    devices: _Devices,
    outcome: Outcome,
) -> None:
    try:
        image = read_image(path)
        if run_key(image.generator, settings, image.prompt.text, image.seed) != path.stem:
            raise BadInput(f"{path} was made with other settings.", "Run its array job again.")
        check = devices.look_at(place.name, image)
    except (BadInput, DeviceDiffers) as error:
        outcome.fail(f"{place.name}/{path.stem[:12]}", type(error).__name__, str(error))
        return
    if check is not None:
        image = replace(image, provenance={**image.provenance, "device_check": check.as_row()})
    study.add_image(image)
    outcome.done += 1


class _Devices:
    """Compares each new device by the three images that every shard makes again."""

    def __init__(self, folder: Path, study: CollectingStudy, work: Mapping[str, Any], accepts: bool) -> None:
        self._folder = folder
        self._study = study
        self._work = work
        self._accepts = accepts
        self._checks: dict[str, DeviceCheck | DeviceDiffers | None] = {}

    def look_at(self, shard: str, image: NewImage) -> DeviceCheck | None:
        """The comparison of an image's device, None where there was nothing to compare it with."""
        title = title_of(image)
        if title not in self._checks:
            self._checks[title] = self._found(shard, title)
        found = self._checks[title]
        if isinstance(found, DeviceDiffers):
            raise found
        return found

    def _found(self, shard: str, title: str) -> DeviceCheck | DeviceDiffers | None:
        known = self._study.devices_of(self._work["generator"])
        if not title or not known or title in known:
            return None
        again = self._made_again(shard)
        before = self._made_before()
        if not again or not before:
            return None
        try:
            return judged(compare(again, before, known), self._accepts)
        except DeviceDiffers as error:
            return error

    def _made_again(self, shard: str) -> list[NewImage]:
        wanted = {(prompt.text, seed) for prompt, seed in map(task_from, self._work["controls"])}
        files = [path for place in ("controls", "done") for path in finished(self._folder / place / shard)]
        images = (read_image(path) for path in files)
        return [image for image in images if (image.prompt.text, image.seed) in wanted]

    def _made_before(self) -> Sequence[tuple[int, str, bytes]]:
        wanted = {(prompt.text, seed) for prompt, seed in map(task_from, self._work["controls"])}
        images = self._study.images(self._work["generator"])
        return [
            (image.seed, image.prompt, self._study.image_bytes(image))
            for image in images
            if (image.prompt, image.seed) in wanted
        ]
