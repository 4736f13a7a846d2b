"""`main.py export`: the newest round's answers for other programs, each export with its `run.json`."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from annotation import exchange
from annotation.commands.rounds import newest_round
from annotation.letters import given_by_letter, letters_of, table_by_letter
from annotation.quality import Given
from core.amounts import counted
from core.csv_rows import write_rows
from core.environment import versions
from core.errors import UserError
from core.questions import Question, choose
from core.tables import write_tables
from core.whole_files import write_whole

if TYPE_CHECKING:
    import pandas as pd


def export_line(
    study: Any,
    every: Sequence[Given],
    said: tuple[pd.DataFrame, pd.DataFrame],
    questions: Sequence[Question],
    chosen: Namespace,
) -> str:
    """Write what is asked for, and say how much it is.

    Parameters
    ----------
    study
        The open study.
    every : sequence of Given
        All confirmed answers of the newest round.
    said : tuple of DataFrame
        The same as tables: first showings and repeats.
    questions : sequence of Question
    chosen : Namespace
        The words of the command line: `format`, `out` and `letters`.
    """
    found, out = newest_round(study), chosen.out
    sets, asked = study.image_sets(found.round_id), choose(questions, found.questions)
    given = exchange.without_excluded(every, study.exclusions(found.round_id))
    excluded = len(every) - len(given)
    if chosen.letters:
        letters = letters_of(study.annotators())
        given = given_by_letter(given, letters)
        said = table_by_letter(said[0], letters), table_by_letter(said[1], letters)
    counts = {"in": len(every), "used": len(given), "left_out": {"excluded": excluded} if excluded else {}}
    run = {"round": found.name, "format": chosen.format, "answers": counts, "versions": versions()}
    run["annotators"] = "letters" if chosen.letters else "names"
    tables = {}
    if chosen.format in ("csv", "parquet"):
        tables["answers"] = exchange.answer_table(*said, given)
        tables["answers"]["count_mode"] = found.count_mode
    kind = "parquet" if chosen.format == "parquet" else "csv"
    write_tables(tables, out, {"export": run}, file_format=kind)
    if tables:
        rows, columns = exchange.reliability_rows(given, sets, asked)
        write_rows(out / "reliability.csv", rows, columns)
        write_rows(out / "codebook.csv", exchange.codebook_rows(asked))
        _write_text(out / "codebook.json", exchange.codebook_schema(asked, found.count_mode))
    elif chosen.format == "label-studio":
        _write_text(out / "label-studio.json", exchange.label_studio_tasks(given, sets, asked))
    else:
        _write_text(out / "coco.json", exchange.coco_of(given, sets, asked))
    left_out = f"; {excluded} are excluded" if excluded else ""
    return f"{found.name}: {counted(len(given), 'answer')} written to {out}{left_out}."


def _write_text(path: Path, data: Any) -> None:
    text = exchange.as_text(data)
    try:
        write_whole(path, lambda place: place.write_text(text, encoding="utf-8", newline="\n"))
    except OSError as error:
        raise UserError(f"{path} could not be written: {error.strerror}.", "Choose another place.") from error
