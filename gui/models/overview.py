"""The whole study in numbers, read in one go off the GUI thread: grid, progress, failures, people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from core.records import ImageStatus
from gui.models.coverage import CoverageTable, Key, Layer, coverage_table
from gui.models.failures import IMPORT, FailureClass, failure_classes, largest_first
from gui.models.next_act import Counts

if TYPE_CHECKING:
    from storage.progress import AnnotatorProgress, FailedRecords
    from storage.store import Store
    from storage.study import JobInfo, Round


@dataclass(frozen=True, slots=True)
class Overview:
    """Everything the Study page and the rail show."""

    name: str
    design: str
    table: CoverageTable
    counts: Counts
    failures: tuple[FailureClass, ...]
    annotators: tuple[AnnotatorProgress, ...]
    image_sets: int
    questions: int
    extractors: tuple[str, ...]

    def failed_on(self, page: str) -> int:
        """Items that failed on one page."""
        return sum(one.count for one in self.failures if one.page == page)

    @property
    def finished_annotators(self) -> int:
        """Annotators who have an answer on every image set."""
        return sum(person.image_sets >= self.image_sets > 0 for person in self.annotators)


def read_overview(store: Store) -> Overview:
    """Read the overview of an open study; slow enough to be kept off the GUI thread."""
    from core.importing.job import SOURCE
    from storage.progress import annotator_progress, failed_records

    study, people, rounds = store.study, tuple(annotator_progress(store)), store.rounds()
    unread = failed_records(store)
    wanted, image_sets = _answers_wanted(store, rounds, len(people))
    imported = frozenset(one.name for one in store.generators() if one.kind == SOURCE)
    table = coverage_table(store.coverage(), study.images_per_prompt, wanted, _by_cell(unread), imported)
    return Overview(
        name=study.name,
        design=study.design,
        table=table,
        counts=_counts(store, table, rounds, len(people), image_sets),
        failures=largest_first([*failure_classes(_found(store)), *_unread_classes(unread)]),
        annotators=people,
        image_sets=image_sets,
        questions=max((len(one.questions) for one in rounds), default=0),
        extractors=tuple(one.name for one in store.extractors()),
    )


def _answers_wanted(store: Store, rounds: Sequence[Round], annotators: int) -> tuple[dict[Key, int], int]:
    wanted: Counter[Key] = Counter()
    image_sets = 0
    for one in rounds:
        for image_set in store.image_sets(one.round_id):
            image_sets += 1
            key = Key(image_set.role, image_set.generator, image_set.condition)
            wanted[key] += len(one.questions) * annotators
    return dict(wanted), image_sets


def _by_cell(unread: Sequence[FailedRecords]) -> dict[Key, int]:
    counts: Counter[Key] = Counter()
    for one in unread:
        counts[Key(one.role, one.generator, one.condition)] += one.images
    return dict(counts)


def _counts(
    store: Store, table: CoverageTable, rounds: Sequence[Round], annotators: int, image_sets: int
) -> Counts:
    images, answers, jobs = table.sum(Layer.IMAGES), table.sum(Layer.ANSWERS), store.jobs()
    running = {job.kind for job in jobs if job.state == "running"}
    has_generators = any(generator is not None for generator in table.generators)
    return Counts(
        prompts=table.sum(Layer.PROMPTS).done,
        generators=len(table.generators) if has_generators else 0,
        images=images.done,
        images_wanted=images.whole - images.failed if has_generators else 0,
        records=table.sum(Layer.RECORDS).done,
        image_sets=image_sets,
        annotators=annotators,
        answers=answers.done,
        answers_wanted=answers.whole,
        open_answers=_open_answers(store, rounds[-1]) if rounds and not rounds[-1].is_locked else 0,
        packets_out=_packets_out(store, rounds[-1]) if rounds else 0,
        open_rounds=sum(not one.is_locked for one in rounds),
        locked_rounds=sum(one.is_locked for one in rounds),
        is_generating=any(kind.startswith("generate") for kind in running),
        is_extracting=any(kind.startswith("extract") for kind in running),
        generating_pace=pace_of(jobs, "generate"),
        extracting_pace=pace_of(jobs, "extract"),
    )


def _open_answers(store: Store, found: Round) -> int:
    """Answers of a round that are asked for and not in; once packets are out, of those who have one or
    answered, as the page Team counts them."""
    from storage.progress import answers_by_set

    own = {one.image_set_id for one in store.image_sets(found.round_id)}
    answers: Counter[str] = Counter()
    for number, given in answers_by_set(store).items():
        if number in own:
            answers.update(given)
    sent = {
        one.annotator.name: len({shown.image_set_id for shown in one.plan.sets} & own)
        for one in store.packets(found.round_id)
        if not one.is_withdrawn
    }
    people = [one.name for one in store.annotators()]
    asked = [one for one in people if not sent or one in sent or answers[one]]
    each = len(found.questions)
    return sum(max(sent.get(one, len(own)) * each - answers[one], 0) for one in asked)


def _packets_out(store: Store, found: Round) -> int:
    """Packets of a round of which nothing is back and that were not withdrawn."""
    back = {one.packet_id for one in store.hand_ins() if one.undone_at is None}
    packets = store.packets(found.round_id)
    return sum(not one.is_withdrawn and one.packet_id not in back for one in packets)


def pace_of(jobs: Sequence[JobInfo], kind: str) -> float | None:
    """Steps a second of the latest ended job of a kind, None when none was long enough to tell."""
    for job in reversed(jobs):
        if job.kind.startswith(kind) and job.ended_at and job.done >= 10:
            began, ended = (datetime.fromisoformat(at) for at in (job.started_at, job.ended_at))
            seconds = (ended - began).total_seconds()
            return job.done / seconds if seconds > 0 else None
    return None


def _unread_classes(unread: Sequence[FailedRecords]) -> Iterator[FailureClass]:
    """Images that were not read, by class and extractor."""
    for reader in dict.fromkeys(one.extractor for one in unread):
        own = (("extract", one.status.value, one.images) for one in unread if one.extractor == reader)
        for found in failure_classes(own):
            yield replace(found, reader=reader)


def _found(store: Store) -> Iterator[tuple[str, str, int]]:
    """Images that may not be sent on; what the last jobs could not make or take in."""
    for status in ImageStatus:
        if status is not ImageStatus.OK:
            yield "generate", status.value, store.count_images(status)
    for job in _last_of_each(store.jobs()):
        if job.failed:
            for failure in store.failures_of(job.job_id):
                kind = f"{IMPORT} {failure.kind}" if job.kind.startswith(IMPORT) else failure.kind
                yield "generate", kind, 1


def _last_of_each(jobs: Sequence[JobInfo]) -> list[JobInfo]:
    """The last ended job of each generator or imported folder: a later run has tried again what failed."""
    last: dict[tuple[str, str], JobInfo] = {}
    for job in jobs:
        if job.ended_at and job.kind.startswith(("generate", "import")):
            of = job.settings.get("generator") or job.settings.get("folder") or ""
            last[job.kind, str(of)] = job
    return list(last.values())
