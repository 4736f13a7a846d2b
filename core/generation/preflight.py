"""Everything looked at before images are made, for the command line and the window alike."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from core.errors import UserError
from core.generation import registry
from core.generation.findings import BYTES_A_PIXEL, FAILED, NOTE, OPEN, PASSED, Finding, Measured, gigabytes
from core.generation.generator import Generator
from core.generation.job import missing_tasks
from core.generation.study_job import GeneratingStudy, plan_of, tasks_of
from core.progress_line import duration
from core.seeds import rule_in_words, seed_rule


class LookedOverStudy(GeneratingStudy, Protocol):
    """A study as it is looked over before a run."""

    @property
    def folder(self) -> Path:
        """Where it lies."""

    def provenance_of(self, image_id: int) -> dict[str, Any]:
        """How an image was made."""

    def generators(self) -> Sequence[Any]:
        """The generators that the study knows, with `name` and `settings`."""


def preflight(
    study: LookedOverStudy,
    name: str,
    measured: Measured | None = None,
    limit: int | None = None,
    devices: Sequence[str] = (),
) -> tuple[Finding, ...]:
    """Look a run over before it starts; nothing is loaded, downloaded or written.

    Parameters
    ----------
    study : LookedOverStudy
        An open store.
    name : str
        The generator; an unknown one raises BadInput.
    measured : Measured, optional
        What images of this generator took so far.
    limit : int, optional
        As of the run.
    devices : sequence of str
        As of the run.
    """
    measured = measured or Measured()
    generator = registry.by_name(name)
    try:
        settings = generator.settings
    except UserError as error:
        return (Finding("Weights", str(error), FAILED),)
    prompts, seeds = plan_of(study)
    tasks = tasks_of(prompts, seeds, limit)
    left = len(missing_tasks(tasks, generator, study.run_keys(name)))
    looked, to_download = _model(study, generator, [prompt.text for prompt in prompts], devices)
    return (
        _images(left, len(tasks) - left),
        _settings(study, name, settings),
        _seeds(study),
        *looked,
        _disk(study.folder, left, to_download, measured, settings),
        _time(left, measured, max(len(devices), 1)),
    )


def lines(findings: Sequence[Finding]) -> list[str]:
    """The findings in lines to read, details indented."""
    width = max((len(one.name) for one in findings), default=0)
    written = []
    for one in findings:
        sign = {FAILED: "✗", NOTE: "!", OPEN: "…"}.get(one.state, "✓")
        written += [f"{sign} {one.name.ljust(width)}  {one.said}", *(f"    {item}" for item in one.items)]
    return written


def _model(
    study: LookedOverStudy, generator: Generator, texts: Sequence[str], devices: Sequence[str]
) -> tuple[tuple[Finding, ...], int]:
    from core.generation.diffusers.generator import DiffusersGenerator

    if not isinstance(generator, DiffusersGenerator):
        return (), 0
    from core.generation.diffusers.preflight import look_at_model

    looked = look_at_model(generator, texts, devices, newest_libraries(study, generator.name))
    return looked.findings, looked.to_download


def newest_libraries(study: LookedOverStudy, name: str) -> dict[str, str] | None:
    """Versions of the libraries that a generator's newest image was made with; None without one."""
    images = study.images(name)
    found = study.provenance_of(images[-1].image_id).get("libraries") if images else None
    return dict(found) if isinstance(found, dict) else None


def _images(left: int, there: int) -> Finding:
    if not left:
        return Finding("Images", f"All {there} are there")
    return Finding("Images", f"{left} to make, {there} already there")


def _settings(study: LookedOverStudy, name: str, settings: Any) -> Finding:
    known = next((one for one in study.generators() if one.name == name), None)
    has_images = bool(study.images(name))
    if known is not None and has_images and dict(known.settings) != dict(settings):
        other = sorted(
            key for key in {*known.settings, *settings} if known.settings.get(key) != settings.get(key)
        )
        said = f"The study has images of {name} with other settings ({', '.join(other)}). Use another name."
        return Finding("Settings", said, FAILED)
    if has_images:
        return Finding("Settings", "The same as of the images already there")
    return Finding("Settings", "Fixed for this study once the first image is there")


def _seeds(study: LookedOverStudy) -> Finding:
    rule = seed_rule(study.study.settings)
    said = rule_in_words(rule, study.study.images_per_prompt)
    return Finding("Seeds", said, NOTE if rule == "per-role" else PASSED)


def _disk(folder: Path, left: int, to_download: int, measured: Measured, settings: Any) -> Finding:
    size = int(settings.get("width", 256)) * int(settings.get("height", 256)) * BYTES_A_PIXEL
    images = left * (measured.bytes or size)
    free = shutil.disk_usage(folder).free
    model = f"{gigabytes(to_download)} for the model and " if to_download else ""
    about = "" if measured.bytes else "about "
    said = f"Needs {about}{model}{gigabytes(images)} for images, {gigabytes(free)} free"
    return Finding("Disk", said, FAILED if images + to_download > free else "passed")


def _time(left: int, measured: Measured, workers: int) -> Finding:
    if not left:
        return Finding("Time", "Nothing to do")
    if measured.seconds is None:
        return Finding("Time", "Known after the first images", OPEN)
    said = f"About {duration(left * measured.seconds / workers)}, at {measured.seconds:.2g} s an image so far"
    return Finding("Time", said)
