"""Run a study's long work: make the images that are missing, read the images that are not read.

The study is named by the few methods it must have (`GeneratingStudy`, `ExtractingStudy`); an open store
has them. Both jobs are kept in the study's book and continue where an earlier run stopped.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from core.amounts import are_counted
from core.errors import BadInput
from core.extraction import registry as extractors
from core.extraction.extractor import Extractor, KnowsOrigins
from core.extraction.job import ImageSource, ReadsMany, RecordSink, extract_records
from core.generation.study_job import GeneratingStudy as GeneratingStudy
from core.generation.study_job import generate_in as generate_in
from core.jobs import Job, JobBook, Outcome, recorded
from core.origins import Named, imported
from core.records import StoredImage
from core.schema import Schema

if TYPE_CHECKING:
    from core.extraction.batch import BatchOptions
    from core.extraction.vlm import VlmOptions


class ExtractingStudy(ImageSource, RecordSink, JobBook, Protocol):
    """A study whose images can be read."""

    def images(self) -> Sequence[StoredImage]:
        """All images, whatever their status."""

    def generators(self) -> Sequence[Named]:
        """Whose images there are."""

    def add_extractor(self, name: str, parameters: Mapping[str, Any], is_simulated: bool) -> None:
        """Note the extractor with its parameters, unless it is there."""


def extract_in(
    study: ExtractingStudy,
    name: str,
    schema: Schema,
    limit: int | None = None,
    options: VlmOptions | None = None,
    batches: Path | None = None,
) -> Job[Outcome]:
    """Read every image of the study that the extractor has not read yet.

    Parameters
    ----------
    study : ExtractingStudy
        Whose images.
    name : str
        An extractor of the registry; an unknown one raises BadInput.
    schema : Schema
        The study's schema.
    limit : int, optional
        Take only the first images.
    options : VlmOptions, optional
        For the extractor "vlm".
    batches : Path, optional
        Where the study's batches lie: images whose answers are ordered there are not paid for again, so
        while there are any, the job raises BadInput.
    """
    extractor = extractors.by_name(name, schema, options)
    images = list(study.images())[:limit]
    return _kept(study, extractor, images, extract_records(images, extractor, study, study), {}, batches)


def extract_in_batches(
    study: ExtractingStudy,
    schema: Schema,
    folder: Path,
    options: VlmOptions,
    limit: int | None = None,
    batches: BatchOptions | None = None,
) -> Job[Outcome]:
    """Read every image that has not been read yet through a server's Batch interface, at half price.

    Parameters
    ----------
    study : ExtractingStudy
        Whose images.
    schema : Schema
        The study's schema.
    folder : Path
        Where requests and answers lie, inside the study's folder.
    options : VlmOptions
        Server, model and limits.
    limit : int, optional
        Take only the first images.
    batches : BatchOptions, optional
        Limits of files, and how patiently orders are looked at.
    """
    from core.extraction.batch import read_in_batches
    from core.extraction.vlm import vlm_extractor

    extractor = vlm_extractor(schema, options)
    images = list(study.images())[:limit]
    job = read_in_batches(extractor, images, study, study, folder, batches)
    return _kept(study, extractor, images, job, {"how": "batch"}, None)


def extract_with(
    study: ExtractingStudy,
    extractor: Extractor,
    images: Sequence[StoredImage],
    batches: Path | None = None,
) -> Job[Outcome]:
    """Read these images of the study, where the extractor has not read them yet; see `extract_in`."""
    job = extract_records(images, extractor, study, study)
    return _kept(study, extractor, images, job, {"how": "chosen images"}, batches)


def _kept(
    study: ExtractingStudy,
    extractor: Extractor,
    images: Sequence[StoredImage],
    job: Job[Outcome],
    more: Mapping[str, Any],
    batches: Path | None,
) -> Job[Outcome]:
    """The job, kept in the study's book once the extractor's name is known."""
    if not images:
        raise BadInput("This study has no images to read.", "Generate or import some first.")
    return _noted(study, extractor, images, job, more, batches)


def _noted(
    study: ExtractingStudy,
    extractor: Extractor,
    images: Sequence[StoredImage],
    job: Job[Outcome],
    more: Mapping[str, Any],
    batches: Path | None,
) -> Job[Outcome]:
    if isinstance(extractor, ReadsMany):
        yield from extractor.prepare()  # its name and parameters are known only then
        if batches is not None:
            _check_nothing_ordered(batches / extractor.name)
    if isinstance(extractor, KnowsOrigins):
        extractor.imported = imported(study.generators())
    study.add_extractor(extractor.name, extractor.parameters, extractor.is_simulated)
    settings = {"extractor": extractor.name, **extractor.parameters, **more}
    return (yield from recorded(job, study, "extract", len(images), settings))


def _check_nothing_ordered(folder: Path) -> None:
    from core.extraction.batch.ledger import FILE, Ledger

    ordered = sum(part.requests for part in Ledger(folder).open_parts) if (folder / FILE).exists() else 0
    if ordered:
        raise BadInput(
            f"{are_counted(ordered, 'image')} ordered in a batch whose answers were not fetched yet.",
            "Fetch them first (the same choices with --batch), so that nothing is paid for twice.",
        )
