"""Agreement applies the label map to both sides, says which one, and keeps what was said."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from annotation.agreement import AgreementResult
from annotation.mapped_labels import Sides, agreement_mapped, mapped_sides
from core.errors import BadInput
from core.jobs import run_here
from core.labels.label_map import RAW, LabelMap
from core.questions import load_questions
from core.schema import load_schema

SCHEMA = load_schema()
QUESTIONS = {question.id: question for question in load_questions()}
ITEMS, GENDER = QUESTIONS["items"], QUESTIONS["gender_presentation"]
ASKED = (ITEMS, GENDER)
MAP = LabelMap({("items", "mug"): "cup", ("items", "tumbler"): "cup"}, version=7)


def said() -> Sides:
    """Two people and a pipeline that mean the same item and say it in three words."""
    answers = pd.DataFrame(
        [
            (who, image_set, question.id, label, 9.0)
            for image_set in ("set 1", "set 2")
            for who, question, label in (
                *(("Ada", ITEMS, "cup"), ("Ben", ITEMS, "Mug.")),
                *(("Ada", GENDER, "female"), ("Ben", GENDER, "female")),
            )
        ],
        columns=["annotator", "image_set", "question", "label", "slider"],
    )
    answers.loc[len(answers)] = ["Ada", "set 3", ITEMS.id, None, None]
    readings = pd.DataFrame(
        [
            (image_set, position, f"{image_set} {position}", question, label, "ok")
            for image_set in ("set 1", "set 2")
            for position in range(10)
            for question, label in (("items", "tumbler"), ("items", "mug"), (GENDER.id, "female"))
        ],
        columns=["image_set", "position", "image", "question", "label", "status"],
    ).astype({"question": "category", "label": "category"})
    return Sides(answers, readings)


def run(mapping: str, own_map: LabelMap = MAP) -> AgreementResult:
    return run_here(agreement_mapped(said(), ASKED, own_map, SCHEMA, mapping=mapping, bootstrap=0))


def raw_agreement(result: AgreementResult, question: str, scope: str = "annotators") -> float | None:
    row = result.row(question, scope, "raw_agreement")
    assert row is not None
    value: float | None = row["value"]
    return value


def test_people_and_pipeline_agree_once_their_words_are_mapped_and_the_version_is_told() -> None:
    mapped, raw = run("study"), run("raw")

    assert (raw_agreement(raw, "items"), raw_agreement(mapped, "items")) == (0.0, 1.0)
    assert raw_agreement(mapped, "items", "pipeline") == 1.0
    assert raw_agreement(raw, GENDER.id) == raw_agreement(mapped, GENDER.id) == 1.0
    told = mapped.run["label_map"]
    assert (told["version"], told["labels_mapped"]) == (7, 2)
    assert told["rows_mapped"] == {"answers": 2, "readings": 40}
    assert raw.run["label_map"]["source"] == "raw"


def test_both_gives_tables_of_either_kind_and_the_two_side_by_side() -> None:
    result = run("both")

    beside = result.tables["agreement_by_map"].set_index(["question", "scope", "statistic", "level"])
    row = beside.loc[("items", "annotators", "raw_agreement", "nominal")]
    assert (row["value_raw"], row["value_mapped"]) == (0.0, 1.0)
    assert len(beside) >= len(result.tables["agreement"])
    assert {"consensus_raw", "agreement_raw"} <= set(result.tables)
    assert result.run["raw"]["label_map"]["version"] == 0


def test_a_map_from_a_file_is_named_by_the_result(tmp_path: Path) -> None:
    path = tmp_path / "own.csv"
    path.write_text("dimension,label,canonical,decision\nitems,mug,cup,mapped\n", encoding="utf-8")
    result = run(str(path), RAW)
    assert result.run["label_map"]["source"] == "own.csv"
    assert raw_agreement(result, "items") == 1.0
    with pytest.raises(BadInput):
        run(str(tmp_path / "missing.csv"), RAW)


def test_the_tables_given_stay_as_they_were_and_offered_categories_are_never_mapped() -> None:
    before = said()
    wrong = LabelMap({(GENDER.dimension, "female"): "cup", **MAP.canonical})

    after = mapped_sides(before, wrong, ASKED)

    assert before.answers.equals(said().answers)
    assert before.readings is not None
    assert set(before.readings["label"]) == {"tumbler", "mug", "female"}
    assert set(after.answers.loc[after.answers["question"] == GENDER.id, "label"]) == {"female"}
