"""What the Results page reads: what there is to analyse, then the job that computes all tables.

Both run off the GUI thread. Nothing heavy is imported before the job's first step.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from core.draws import OF_RESULTS
from core.errors import UserError
from core.jobs import Job, Progress
from core.origins import imported
from core.phantom import NAME as PHANTOM
from core.schema import Schema, read_schema
from gui.models.persistence_data import persistence_data
from gui.results.image_index import ImageIndex
from gui.results.own_rates import with_own_rates
from gui.results.planted import NOTHING, Planted, planted_truth
from gui.results.view import ResultsView, Settings, intensities_of

if TYPE_CHECKING:
    from core.analysis import Analysis
    from core.labels.label_map import LabelMap
    from storage.frames import Frames
    from storage.store import Store
    from storage.study import ExtractorInfo

BOOTSTRAP = OF_RESULTS["audit"]
SEED = 0
INTERVALS = "prompts and shared seeds"
"""How intervals come about; results that were kept when they came about otherwise are not taken."""
STEPS = 100


@dataclass(frozen=True, slots=True)
class Situation:
    """The study as far as results are concerned, before anything is computed."""

    prompts: int
    images: int
    records: int
    extractors: tuple[ExtractorInfo, ...]
    is_sample: bool


def read_situation(store: Store) -> Situation:
    """Read what there is to analyse."""
    coverage = store.coverage()
    return Situation(
        len(store.prompts()),
        sum(one.images for one in coverage if one.generator is not None),
        sum(one.records for one in coverage),
        tuple(store.extractors()),
        store.study.is_sample,
    )


def compute(store: Store, settings: Settings) -> Job[ResultsView]:
    """All result tables of what one extractor read; those of the same records are taken as they were kept."""
    yield Progress(0, STEPS, "reading the records")
    from core.kept_analyses import KeptAnalyses
    from storage.frames import Frames

    schema = read_schema(store.study.schema_json)
    frames, label_map = Frames(store.folder), store.label_map()
    until, images = frames.last_record(), store.count_read(settings.extractor)
    kept, key = KeptAnalyses(store.folder), input_key(store, settings, label_map)
    result = kept.read(key)
    if result is None:
        result = yield from _analysed(frames, settings, label_map, schema)
        kept.write(key, result.tables, result.run)
    planted, bi = NOTHING, result.tables["bi"]
    if store.study.is_sample or PHANTOM in set(bi["generator"]):
        planted = yield from _scaled(_planted(store, settings.extractor, bi, schema), 85, 95)
    names = {one.id: one.name for one in schema.dimensions}
    tables: Mapping[str, Any] = result.tables
    yield Progress(95, STEPS, "tables")
    known = {one.name: one.is_simulated for one in store.extractors()}
    generators = tuple(str(one) for one in result.run["counted"]["generators"])
    return ResultsView(
        settings,
        known.get(settings.extractor, False),
        intensities_of(tables, schema, planted, generators),
        persistence_data(
            tables["persistence"], tables["prevalence"], tables["robustness"], names, schema.label_names
        ),
        ImageIndex(store.folder, settings.extractor, label_map, until, schema),
        schema,
        names,
        store.count_images(),
        images,
        tables,
        result.run,
    )


def input_key(store: Store, settings: Settings, label_map: LabelMap) -> str:
    """A key of everything that the tables rest on: records, images, label map, schema, options, release."""
    from core import __version__
    from core.keys import key_of

    study = store.study
    own = [study.study_key, study.schema_json, settings.extractor, label_map.hash, label_map.version]
    return key_of([__version__, INTERVALS, BOOTSTRAP, SEED, *own, store.inputs_of(settings.extractor)])[:32]


def _analysed(frames: Frames, settings: Settings, label_map: LabelMap, schema: Schema) -> Job[Analysis]:
    from core.analysis import analyse
    from core.labels.readable import must_hold_readings

    read = frames.labels(settings.extractor)
    must_hold_readings(read, settings.extractor)
    labels = label_map.apply(read)
    return (yield from _scaled(analyse(labels, schema, bootstrap=BOOTSTRAP, seed=SEED), 5, 85))


def _planted(store: Store, extractor: str, bi: Any, schema: Schema) -> Job[Planted]:
    from core.extraction.registry import by_name

    cohort_of = {one.id: one.cohort for one in schema.dimensions if one.id in set(bi["dimension"])}
    own_rows = bi[bi["dimension"].isin(list(cohort_of)) & (bi["estimator"] == "plugin")]
    own = own_rows[own_rows["k"].notna()]
    sizes = {str(name): int(size) for name, size in zip(own["dimension"], own["k"], strict=True)}
    generators = [str(name) for name in dict.fromkeys(bi["generator"]) if name != "ALL"]
    # An extractor with stated errors says what it reads a label as; others have none to state.
    try:
        errors = getattr(by_name(extractor, schema), "errors", None)
    except UserError:
        errors = None
    read_as = errors.row if errors is not None else None
    prompts = store.prompts()
    places = cohort_of, sizes
    empty = own_rows[own_rows["value"].isna()]
    left_out = set(zip(empty["generator"], empty["dimension"], strict=True))
    drawn = yield from planted_truth(generators, prompts, *places, read_as, left_out)
    is_ours = PHANTOM in generators and PHANTOM not in imported(store.generators())
    return with_own_rates(drawn, prompts, *places, left_out) if is_ours else drawn


def _scaled(job: Job[Any], first: int, last: int) -> Job[Any]:
    """A part of the whole job, its progress between two percentages."""
    while True:
        try:
            step = next(job)
        except StopIteration as stop:
            return stop.value
        yield Progress(first + (last - first) * step.done // max(step.total, 1), STEPS, step.text)
