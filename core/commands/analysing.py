"""`main.py analyse`: the tables of a study, or of a table of labels or counts, written and shown."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from core.analysis import Analysis
from core.errors import BadInput
from core.extraction.choosing import chosen_extractor
from core.jobs import Job
from core.labels.analysing import STUDY, analyse_mapped
from core.labels.label_map import RAW
from core.labels.readable import must_hold_readings
from core.printing.analysis import analysis_text, left_out_sentence
from core.printing.exact import as_json
from core.publishing import publish_analysis
from core.run_record import write_run
from core.schema import Schema
from core.tables import read_counts, read_labels

Run = Callable[[str, Job[Any]], Any]


def must_name_one(chosen: Namespace) -> None:
    """Refuse anything but one of a study, a label table and a count table with BadInput."""
    if sum(each is not None for each in (chosen.study, chosen.labels, chosen.counts)) != 1:
        raise BadInput(
            "Name a study, a label table or a count table, one of the three.", "See `main.py analyse --help`."
        )


def study_analysis(
    study: Any,
    frames: Any,
    schema: Schema,
    extractor: str | None,
    options: Mapping[str, Any],
    *,
    mapping: str = STUDY,
    bounds: bool = False,
) -> Job[Analysis]:
    """Result tables of what an extractor of the study has read, with the study's label map or another.

    Parameters
    ----------
    study, frames
        The open study, and its tables.
    schema : Schema
        The study's.
    extractor : str or None
        Its name; None for the only one.
    options, mapping, bounds
        As in `core.labels.analysing.analyse_mapped`.

    Raises
    ------
    BadInput
        There is no such extractor, or several and none is named.
    """
    name = chosen_extractor(study, extractor)
    own_map, more = study.label_map(), {"mapping": mapping, "bounds": bounds, **options}
    labels = frames.labels(name)
    must_hold_readings(labels, name)
    result = yield from analyse_mapped(labels, schema, own_map, **more)
    is_simulated = next(each.is_simulated for each in study.extractors() if each.name == name)
    result.run["extractor"] = {"name": name, "is_simulated": is_simulated}
    return result


def table_analysis(chosen: Namespace, schema: Schema, options: Mapping[str, Any]) -> Job[Analysis]:
    """Result tables of the table of labels or counts that is named."""
    table = read_labels(chosen.labels) if chosen.labels else read_counts(chosen.counts)
    maps = {"mapping": chosen.label_map, "bounds": chosen.bounds}
    return (yield from analyse_mapped(table, schema, RAW, **maps, **options))


def write_analysis(
    result: Analysis,
    schema: Schema,
    out: Path,
    options: Mapping[str, Any],
    run: Run,
    *,
    figures: Sequence[str],
    latex: bool,
) -> list[Path]:
    """Write the tables with their record, and the figures and LaTeX that are wanted; returns all paths."""
    written = write_run(result.tables, out, "analyse", result.run, options)
    job = publish_analysis(result.tables, result.run, schema, out, figures=figures, latex=latex)
    published: list[Path] = run("figures", job)
    return [*written, *published]


def analysis_lines(
    result: Analysis,
    schema: Schema,
    chosen: Namespace,
    options: Mapping[str, Any],
    run: Run,
    tell: Callable[[str], object],
) -> Iterator[str]:
    """Write the tables, figures and LaTeX that are asked for, and show the tables; `tell` what is out."""
    wanted: dict[str, Any] = {"figures": chosen.figures, "latex": chosen.latex}
    write_analysis(result, schema, chosen.out, options, run, **wanted)
    left_out = left_out_sentence(result.run)
    if left_out:
        tell(left_out)
    seeds = result.run.get("resampled", {}).get("words", "")
    yield as_json(result.tables) if chosen.json else analysis_text(result.tables, chosen.out, seeds)
