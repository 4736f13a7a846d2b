"""`main.py agreement`: people with people and with the pipeline, of a study or of a table of answers."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from annotation.adjudication import with_decisions
from annotation.agreement import AgreementResult, questions_in
from annotation.agreement_tables import image_sets_table
from annotation.mapped_labels import Sides, agreement_mapped
from annotation.repeats import split_repeats
from core.errors import BadInput
from core.extraction.choosing import chosen_extractor
from core.jobs import Job
from core.labels.label_map import RAW
from core.printing.agreement import agreement_text
from core.printing.exact import as_json
from core.publishing import publish_agreement
from core.questions import Question, asked_in, load_questions
from core.run_record import write_run
from core.schema import Schema
from core.tables import read_answers

Run = Callable[[str, Job[Any]], Any]
Tell = Callable[[str], object]


def must_name_one(chosen: Namespace) -> None:
    """Refuse anything but one of a study and a table of answers with BadInput."""
    if (chosen.study is None) == (chosen.answers is None):
        raise BadInput(
            "Name a study or a table of answers, one of the two.", "See `main.py agreement --help`."
        )


def study_agreement(
    study: Any,
    frames: Any,
    asked: tuple[Schema, Sequence[Question]],
    extractor: str | None,
    options: Mapping[str, Any],
    run: Run,
    tell: Tell,
    *,
    before_lock: bool = False,
) -> AgreementResult:
    """Agreement in the study's latest round; with the pipeline once the round is locked.

    Until then people could still be led by it. A sample study has nobody to lead; elsewhere it takes
    `before_lock`, which the record keeps.

    Parameters
    ----------
    study, frames
        The open study, and its tables.
    asked : tuple of Schema and sequence of Question
        Those of the study.
    extractor : str or None
        Which pipeline; None for the only one.
    options : mapping
        Of `annotation.mapped_labels.agreement_mapped`.
    run, tell
        Carries a job out; says a remark beside the results.

    Raises
    ------
    BadInput
        Nobody has answered anything, or the extractor is not there.
    """
    schema, questions = asked
    rounds = study.rounds()
    if not rounds:
        raise BadInput("Nobody has labelled anything in this study yet.", "Open the page Annotate.")
    newest, name = rounds[-1], None
    is_open = not (newest.is_locked or study.study.is_sample)
    if study.extractors() and is_open and not before_lock:
        tell("The pipeline is compared once the round is locked (or with --before-lock).")
    elif study.extractors():
        name = chosen_extractor(study, extractor)
    readings = frames.readings(newest.round_id, name) if name is not None else None
    said = Sides(frames.answers(newest.round_id), readings, frames.repeats(newest.round_id))
    asked_now = asked_in(questions, newest.questions)
    result = run("agreement", agreement_mapped(said, asked_now, study.label_map(), schema, **options))
    result.run["extractor"] = name
    result.run["study"] = study.study.study_key
    result.run["compared_before_lock"] = is_open and readings is not None
    result.tables["image_sets"] = image_sets_table(study.image_sets(newest.round_id))
    return _with_decisions(study, newest.round_id, result, tell)


def _with_decisions(study: Any, round_id: int, result: AgreementResult, tell: Tell) -> AgreementResult:
    """What a person decided: adjudicated labels in the consensus, and who is excluded from every table."""
    excluded = study.exclusions(round_id)
    for one in excluded:
        if not one["withdrawn_at"]:
            where = one["question"] or "all questions"
            tell(f"Excluded: {one['annotator']}, {where}: {one['reason']}.")
    return with_decisions(result, study.adjudications(round_id), excluded)


def sides_in(path: Path) -> tuple[Sides, Sequence[Question]]:
    """The answers of a table, second ones apart, and the questions of ours that they answer."""
    answers, repeats = split_repeats(read_answers(path))
    return Sides(answers, repeats=repeats), questions_in(answers, load_questions())


def table_agreement(
    said: Sides, asked: Sequence[Question], schema: Schema, options: Mapping[str, Any], mapping: str
) -> Job[AgreementResult]:
    """Agreement in a table of answers, which has no label map of its own."""
    return agreement_mapped(said, asked, RAW, schema, mapping=mapping, **options)


def agreement_lines(
    result: AgreementResult,
    asked: tuple[Schema, Sequence[Question]],
    chosen: Namespace,
    options: Mapping[str, Any],
    run: Run,
) -> Iterator[str]:
    """Write the tables and the figures that are asked for, and show the tables."""
    tables, schema = result.tables, asked[0]
    questions = asked_in(asked[1], result.run["questions"])
    write_run(tables, chosen.out, "agreement", result.run, options)
    wanted = {"figures": chosen.figures}
    run("figures", publish_agreement(tables, result.run, questions, schema, chosen.out, **wanted))
    yield as_json(tables) if chosen.json else agreement_text(tables, result.run, chosen.out)
