"""One rule for labels: what is one label, what are two, and that every way in uses it and says so."""

from __future__ import annotations

import json
import unicodedata

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.agreement import agreement
from core.analysis import analyse
from core.jobs import run_here
from core.label_form import how_joined, look_up_form, open_form, plain_form, word_of
from core.questions import load_questions
from core.tables import read_answers, read_labels

QUESTIONS = {question.id: question for question in load_questions()}
GENDER, ITEMS = QUESTIONS["gender_presentation"], QUESTIONS["items"]
DECOMPOSED = "cafe\u0301 menu"
COMPOSED = unicodedata.normalize("NFC", DECOMPOSED)


@given(st.text(max_size=30))
def test_every_form_is_a_fixed_point_whatever_the_unicode_form_and_the_case(text: str) -> None:
    for form in (plain_form, open_form, look_up_form):
        once = form(text)
        assert form(once) == once
        assert form(unicodedata.normalize("NFD", text)) == once
        assert form(f" \u200b{text}\u00a0 ") == once


@pytest.mark.parametrize(
    ("value", "word"),
    [
        *((None, ""), (float("nan"), ""), (pd.NA, ""), (pd.NaT, ""), ("", ""), (np.float64("nan"), "")),
        *(("None", "None"), ("nan", "nan"), ("NA", "NA"), ("<NA>", "<NA>")),
        *(
            (1, "1"),
            ("1", "1"),
            (1.0, "1"),
            (np.int64(1), "1"),
            (np.float32(1), "1"),
            (1.5, "1.5"),
            (True, "True"),
        ),
    ],
)
def test_only_what_is_missing_is_no_word_and_a_whole_number_is_its_digits(value: object, word: str) -> None:
    assert word_of(value) == word


def test_how_two_spellings_differ_is_said() -> None:
    assert how_joined(DECOMPOSED, COMPOSED) == "Unicode form"
    assert how_joined(" Café  menu", COMPOSED) == "spaces, case"
    assert how_joined("café menu.", COMPOSED) == "punctuation"


# -- analyse ----------------------------------------------------------------------------------------


def labels_of(words: list[object], dimension: str = "items") -> pd.DataFrame:
    """The same words in each of six roles and three conditions, one image a word."""
    rows = [
        (
            "g",
            f"role {role}",
            condition,
            f"{role} {condition} {place % 2}",
            f"{role}{condition}{place}",
            dimension,
            word,
        )
        for role in range(6)
        for condition in ("CF", "CA-R", "CA-U")
        for place, word in enumerate(words)
    ]
    columns = ["generator", "role", "condition", "prompt", "image", "dimension", "label"]
    return pd.DataFrame(rows, columns=columns).astype({"label": object})


def analysed(words: list[object], schema, dimension: str = "items"):
    return run_here(analyse(labels_of(words, dimension), schema, bootstrap=0))


def counted(result, label: str) -> int:
    table = result.tables["prevalence"]
    return int(table.loc[table["label"] == label, "x"].sum())


def test_words_that_look_missing_are_labels_and_missing_cells_are_none(schema) -> None:
    result = analysed(["None", "NA", "nan", "null", "", None, float("nan"), "book"], schema)

    found = result.tables["prevalence"]["label"].unique().tolist()
    assert sorted(found) == ["book", "na", "nan", "none", "null"]
    assert {counted(result, label) for label in found} == {18}
    # an empty cell of a list is an empty list: its image counts and shows none of them
    assert result.tables["prevalence"]["n"].sum() == 5 * 18 * 8


def test_an_empty_cell_where_one_label_belongs_is_left_out_for_a_reason(schema) -> None:
    result = analysed(["tight", "", None, "nan"], schema, "framing")

    assert result.run["stages"][0]["left_out"] == {
        "label outside the vocabulary": 18,
        "no label given": 36,
    }


def test_a_number_and_its_digits_are_one_label(schema) -> None:
    result = analysed(["1", 1, 1.0, "2"], schema)

    assert counted(result, "1") == 3 * 18
    assert set(result.tables["prevalence"]["label"]) == {"1", "2"}


def test_case_spaces_and_unicode_form_make_no_second_label_and_what_was_joined_is_told(schema) -> None:
    words = [COMPOSED, DECOMPOSED, "Café menu", " café  menu ", "caf\u00e9\u200b menu", "book"]
    result = analysed(words, schema)

    assert set(result.tables["prevalence"]["label"]) == {COMPOSED, "book"}
    assert counted(result, COMPOSED) == 5 * 18
    joined = result.tables["joined_labels"]
    assert joined.columns.tolist() == ["dimension", "label", "said", "rows", "how"]
    assert dict(zip(joined["said"], joined["how"], strict=True)) == {
        COMPOSED: "",
        DECOMPOSED: "Unicode form",
        "Café menu": "case",
        " café  menu ": "spaces",
        "caf\u00e9\u200b menu": "Unicode form",
    }
    assert set(joined["rows"]) == {18}
    assert result.run["joined_labels"] == {"labels": 1, "spellings": 4, "rows": 4 * 18}


def test_other_spellings_of_a_vocabulary_are_told_too(schema) -> None:
    result = analysed(["Middle-Aged", "middle_aged", "unknown"], schema, "age_range")

    joined = result.tables["joined_labels"]
    assert joined[["said", "how"]].to_numpy().tolist() == [
        ["Middle-Aged", "case, punctuation"],
        ["middle_aged", ""],
    ]


def test_labels_in_their_own_spelling_join_nothing(labels, schema) -> None:
    result = run_here(analyse(labels, schema, bootstrap=0))

    assert result.tables["joined_labels"].empty
    assert result.run["joined_labels"] == {"labels": 0, "spellings": 0, "rows": 0}


def test_paper_mode_tells_what_its_own_rule_joined(schema) -> None:
    result = run_here(analyse(labels_of(["Lab Coat", "lab-coat", "hat"]), schema, mode="paper", bootstrap=0))

    joined = result.tables["joined_labels"]
    assert joined["label"].unique().tolist() == ["lab_coat"]
    assert joined["said"].tolist() == ["Lab Coat", "lab-coat"]


# -- agreement --------------------------------------------------------------------------------------


def answers_of(rows: list[tuple[str, str, object]], question: str) -> pd.DataFrame:
    said = [(who, where, question, label, np.nan) for who, where, label in rows]
    return pd.DataFrame(said, columns=["annotator", "image_set", "question", "label", "slider"])


def agreed(rows: list[tuple[str, str, object]], question=GENDER, **options):
    return run_here(agreement(answers_of(rows, question.id), None, [question], bootstrap=0, **options))


@pytest.mark.parametrize("other", ["Female", " female ", "FEMALE", "fe\u200bmale"])
def test_answers_that_differ_in_spelling_alone_agree(other: str) -> None:
    result = agreed([("Ada", "a", "female"), ("Ben", "a", other), ("Ada", "b", "male"), ("Ben", "b", "male")])

    assert result.row(GENDER.id, "annotators", "raw_agreement")["value"] == 1.0
    assert result.row(GENDER.id, "annotators", "raw_agreement")["categories"] == len(GENDER.options) + 1
    assert result.tables["joined_answers"]["said"].tolist() == sorted(["female", other])
    assert result.run["joined_answers"]["rows"] == 1


def test_open_answers_and_numbers_go_by_the_same_rule() -> None:
    rows = [("Ada", "a", COMPOSED), ("Ben", "a", DECOMPOSED), ("Ada", "b", 1), ("Ben", "b", "1")]
    result = agreed(rows, ITEMS)

    assert result.row(ITEMS.id, "annotators", "raw_agreement")["value"] == 1.0


def test_unknown_in_any_spelling_is_unknown() -> None:
    rows = [
        ("Ada", "a", "Unknown"),
        ("Ben", "a", "unknown"),
        ("Ada", "b", "Not visible"),
        ("Ben", "b", "male"),
    ]

    assert agreed(rows, unknown="left out").run["rows"]["answers"]["left_out"] == {"unknown": 3}


def test_words_that_look_missing_are_answers() -> None:
    rows = [("Ada", "a", "nan"), ("Ben", "a", "None"), ("Ada", "b", None), ("Ben", "b", float("nan"))]
    result = agreed(rows, ITEMS)

    assert result.run["rows"]["answers"] == {"in": 4, "used": 2, "left_out": {"no label": 2}}
    assert result.tables["consensus"]["votes"].tolist() == ["nan 1, none 1", ""]


def test_a_table_on_disk_and_a_frame_in_a_notebook_read_the_same(tmp_path, schema) -> None:
    frame = labels_of(["None", "1", "", "Book "])
    frame.to_csv(tmp_path / "labels.csv", index=False)
    frame.to_parquet(tmp_path / "labels.parquet")
    results = [
        run_here(analyse(table, schema, bootstrap=0)).tables["prevalence"].astype(str)
        for table in (frame, read_labels(tmp_path / "labels.csv"), read_labels(tmp_path / "labels.parquet"))
    ]

    assert results[0].equals(results[1])
    assert results[0].equals(results[2])


def test_a_missing_label_in_a_parquet_table_of_answers_is_missing(tmp_path) -> None:
    answers_of([("Ada", "a", "none"), ("Ada", "b", None)], ITEMS.id).to_parquet(tmp_path / "answers.parquet")

    assert read_answers(tmp_path / "answers.parquet")["status"].tolist() == ["ok", "missing"]


def test_the_account_of_what_was_joined_is_json(schema) -> None:
    assert json.loads(json.dumps(analysed(["A", "a"], schema).run["joined_labels"]))["spellings"] == 1
