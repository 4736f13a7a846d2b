"""People with themselves: what is paired, that the rows are those of the plain functions, the account."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from annotation.agreement import AgreementResult, agreement
from annotation.repeats import repeat_sheet, split_repeats
from core.errors import BadInput
from core.jobs import run_here
from core.questions import load_questions
from core.statistics.repeats import repeated_counts, repeated_labels

QUESTIONS = {question.id: question for question in load_questions()}
GENDER, ITEMS = QUESTIONS["gender_presentation"], QUESTIONS["items"]
LABELS = GENDER.option_ids
COLUMNS = ["annotator", "image_set", "question", "label", "slider"]


def frame(rows: list[tuple[object, ...]]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=COLUMNS)


def study(sets: int = 20, repeated: int = 12, seed: int = 3) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Two people on the same sets; each saw some of them twice and changed their mind now and then."""
    rng = np.random.default_rng(seed)
    first, second = [], []
    for who in ("Ada", "Ben"):
        for number in range(sets):
            label, count = str(rng.choice(LABELS)), int(rng.integers(1, 11))
            first.append((who, f"s{number:02}", GENDER.id, label, float(count)))
            if number < repeated:
                again = label if rng.random() < 0.8 else str(rng.choice(LABELS))
                near = min(max(count + int(rng.integers(-2, 3)), 0), 10)
                second.append((who, f"s{number:02}", GENDER.id, again, float(near)))
    return frame(first), frame(second)


def run(
    answers: pd.DataFrame, repeats: pd.DataFrame | None, questions=(GENDER,), **options
) -> AgreementResult:
    return run_here(agreement(answers, None, questions, repeats=repeats, **{"bootstrap": 100} | options))


def test_a_person_again_has_the_numbers_of_the_plain_functions() -> None:
    answers, repeats = study()
    result = run(answers, repeats)

    for who in ("Ada", "Ben"):
        pairs = answers[answers["annotator"] == who].merge(
            repeats[repeats["annotator"] == who], on="image_set", suffixes=("", "_again")
        )
        codes = [pairs[name].map(LABELS.index).to_numpy() for name in ("label", "label_again")]
        same = pairs[pairs["label"] == pairs["label_again"]]
        labels = repeated_labels(*codes, len(LABELS) + 1)
        counts = repeated_counts(same["slider"], same["slider_again"])
        for statistic, level, expected in (
            ("raw_agreement", "nominal", labels.raw_agreement),
            ("cohen_kappa", "nominal", labels.kappa),
            ("gwet_ac1", "nominal", labels.ac1),
            ("mean_absolute_error", "interval", counts.mean_absolute_error),
            ("within_one", "interval", counts.within_one),
            ("icc_2_1", "interval", counts.icc),
        ):
            row = result.row(GENDER.id, f"{who} again", statistic, level)
            assert row["value"] == pytest.approx(expected.value), statistic
            assert row["units"] == expected.n
            assert row["low"] <= row["value"] <= row["high"]


def test_people_again_is_the_mean_over_persons() -> None:
    result = run(*study())

    each = [result.row(GENDER.id, f"{who} again", "raw_agreement")["value"] for who in ("Ada", "Ben")]
    mean = result.row(GENDER.id, "people again", "raw_agreement")
    assert mean["value"] == pytest.approx(np.mean(each))
    assert "mean over 2 of 2 persons" in mean["reason"]


def test_second_answers_enter_no_other_number() -> None:
    answers, repeats = study()
    with_repeats, without = run(answers, repeats).tables, run(answers, None).tables

    own = with_repeats["agreement"]
    others = own[~own["scope"].str.endswith(" again")].reset_index(drop=True)
    pd.testing.assert_frame_equal(others, without["agreement"])
    pd.testing.assert_frame_equal(with_repeats["consensus"], without["consensus"])


def test_every_second_answer_is_used_or_left_out_for_a_reason() -> None:
    answers = frame(
        [
            ("Ada", "a", GENDER.id, "female", 9.0),
            ("Ada", "b", GENDER.id, "", np.nan),
            ("Ada", "c", GENDER.id, "male", 5.0),
            ("Ben", "a", GENDER.id, "female", 9.0),
        ]
    )
    repeats = frame(
        [
            ("Ada", "a", GENDER.id, "female", 8.0),
            ("Ada", "b", GENDER.id, "male", 5.0),
            ("Ada", "c", GENDER.id, "unknown", np.nan),
            ("Ben", "b", GENDER.id, "male", 5.0),
            ("Ada", "a", "mood", "calm", 5.0),
        ]
    )

    account = run(answers, repeats, unknown="left out", bootstrap=0).run["rows"]["repeats"]

    assert account == {
        "in": 5,
        "used": 1,
        "left_out": {
            "not answered the first time": 2,
            "the first answer has no label": 1,
            "unknown": 1,
        },
    }


def test_unknown_twice_is_the_same_answer_where_unknown_is_a_label() -> None:
    said = frame([("Ada", "a", GENDER.id, "unknown", np.nan), ("Ada", "b", GENDER.id, "male", 5.0)])

    row = run(said, said, bootstrap=0).row(GENDER.id, "Ada again", "raw_agreement")

    assert (row["value"], row["units"]) == (1.0, 2)


def test_who_repeats_one_category_exactly_has_no_kappa_and_says_why() -> None:
    said = frame([("Ada", name, GENDER.id, "male", 5.0) for name in "abc"])
    result = run(said, said, bootstrap=0)

    kappa = result.row(GENDER.id, "Ada again", "cohen_kappa")
    assert pd.isna(kappa["value"])
    assert kappa["reason"].startswith("one category")
    assert result.row(GENDER.id, "Ada again", "within_one", "interval")["value"] == 1.0
    assert "every count is the same" in result.row(GENDER.id, "Ada again", "icc_2_1", "interval")["reason"]


def test_repeats_that_nobody_answered_first_make_no_rows() -> None:
    answers, repeats = study(repeated=2)

    result = run(answers, repeats.assign(image_set="never seen", annotator=["A", "B", "C", "D"]))

    assert not result.tables["agreement"]["scope"].str.endswith(" again").any()
    assert result.run["rows"]["repeats"]["left_out"] == {"not answered the first time": 4}


@pytest.mark.parametrize("repeated", [0, 2])
def test_a_table_without_first_answers_makes_a_sheet_without_rows(repeated: int) -> None:
    answers, repeats = study(repeated=2)

    sheet = repeat_sheet(answers.iloc[:0], repeats.iloc[:repeated], [GENDER], "left out")

    assert (sheet.image_sets, sheet.annotators) == ((), ())
    left_out = {"not answered the first time": repeated} if repeated else {}
    assert sheet.rows["repeats"] == {"in": repeated, "used": 0, "left_out": left_out}


def test_a_second_answer_given_twice_is_refused() -> None:
    answers, repeats = study(repeated=1)

    with pytest.raises(BadInput, match="twice"):
        run(answers, pd.concat([repeats, repeats]))


def test_a_table_with_repeats_is_split_and_rows_are_conserved() -> None:
    answers, repeats = study()
    whole = pd.concat(
        [
            answers.assign(repeat_of=""),
            repeats.assign(repeat_of=repeats["image_set"], image_set="again " + repeats["image_set"]),
        ]
    )

    first, second = split_repeats(whole)

    assert len(first) + len(second) == len(whole)
    assert run(first, second).tables["agreement"].equals(run(answers, repeats).tables["agreement"])
    assert split_repeats(answers)[1] is None
