"""`main.py validate`: images made and read where they are missing, a sheet for a person, the scores."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Iterator
from typing import Any

from core.amounts import counted
from core.csv_rows import must_be_new
from core.extraction import registry
from core.jobs import Job
from core.latex.checks import validation_latex
from core.latex.writing import write_latex
from core.printing.exact import as_json
from core.printing.validation import NOBODY_JUDGED, validation_text
from core.run_record import with_earlier
from core.running import extract_in, generate_in
from core.schema import Schema, load_schema
from core.tables import write_tables
from core.validation.judging import FILE, judged_in
from core.validation.scoring import Trial
from core.validation.sheet import read_sheet, write_sheet
from core.validation.tables import validation_account, validation_tables
from core.validation.work import stated_in, trials_in

Run = Callable[[str, Job[Any]], Any]
Tell = Callable[[str], object]


def made_line(study: Any) -> str:
    """What was mined just now."""
    stated = stated_in(study.study.settings)
    return f"{counted(len(stated), 'prompt')} with a stated attribute: {study.folder}."


def kept_line(study: Any) -> str:
    """That earlier prompts are used, and how to have others."""
    return f"The prompts are those in {study.folder}; mine others by removing it."


def validation_lines(
    study: Any, schema: Schema, name: str, chosen: Namespace, run: Run, tell: Tell
) -> Iterator[str]:
    """Carry out `validate` and say what came of it.

    Parameters
    ----------
    study
        The open study of the prompts whose attribute is stated.
    schema : Schema
        Its schema.
    name : str
        The extractor that is validated.
    chosen : Namespace
        The words of the command line.
    run, tell
        Carries a job out; says a remark beside the results.
    """
    stated = stated_in(study.study.settings)
    if not study.images() and not chosen.generator:
        said = f"They have no image yet: main.py generate {study.folder} --generator NAME makes them."
        yield _no_table(said, chosen, tell)
        return
    if chosen.sheet:
        must_be_new(chosen.sheet)
        written = write_sheet(chosen.sheet, study, stated, schema)
        said = f"{counted(written, 'image')} written to {chosen.sheet}."
        yield _no_table(said, chosen, tell)
        return
    _read_missing(study, schema, chosen.generator, (name, chosen.judge), run)
    judged = read_sheet(chosen.judge_file, schema) if chosen.judge_file else None
    trials = trials_in(study, stated, name, judged, chosen.judge)
    generators = {image.image_id: image.generator for image in study.images()}
    yield _scored(trials, generators, chosen, name, tell)
    by_hand = judged_in(study.folder)
    if by_hand and not (chosen.judge or chosen.judge_file):
        tell(f"A person judged in the window: --judge-file {study.folder / FILE} takes that in.")


def _no_table(sentence: str, chosen: Namespace, tell: Tell) -> str:
    """What is printed where there is no table: the sentence, or beside it JSON of no table."""
    if not chosen.json:
        return sentence
    tell(sentence)
    return "{}"


def _read_missing(study: Any, schema: Schema, generator: str, names: tuple[str, ...], run: Run) -> None:
    """Make and read what is missing, with the parts that need no server."""
    if generator:
        run("generate", generate_in(study, generator))
    for name in names:
        if name in registry.names() and study.images():
            run("extract", extract_in(study, name, schema))


def _scored(trials: list[Trial], generators: dict[int, str], chosen: Namespace, name: str, tell: Tell) -> str:
    """The tables, written where that is asked for."""
    tables = validation_tables(trials, generators)
    if chosen.out:
        record = validation_account(name, chosen.judge or (chosen.judge_file and chosen.judge_file.name))
        write_tables(tables, chosen.out, with_earlier(chosen.out, "validate", record, {}))
    if chosen.out and chosen.latex:
        write_latex(validation_latex(tables, load_schema()), chosen.out / "latex")
    if not (chosen.json or chosen.judge or chosen.judge_file):
        tell(NOBODY_JUDGED)
    return as_json(tables) if chosen.json else validation_text(tables)
