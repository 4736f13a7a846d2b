"""A second opinion: what the answers alone say of image sets and people."""

from __future__ import annotations

import pandas as pd

from annotation.second_opinion import second_opinion
from core.questions import Question
from core.schema import LabelDefinition
from core.statistics.dawid_skene import dawid_skene, rating_counts

LABELS = ("calm", "tense")
QUESTION = Question(
    *("mood", "mood", "Scene", "", "closed"), tuple(LabelDefinition(one, one, "") for one in LABELS), ""
)


def answers_of(rows: dict[str, str]) -> pd.DataFrame:
    """Answers of Ana, Ben and Cem: "cct" is calm, calm, tense."""
    names = {"c": "calm", "t": "tense"}
    made = [
        (who, key, "mood", names[letter], None, "ok")
        for key, said in rows.items()
        for who, letter in zip(("Ana", "Ben", "Cem"), said, strict=True)
        if letter != "-"
    ]
    return pd.DataFrame(made, columns=["annotator", "image_set", "question", "label", "slider", "status"])


def test_a_careless_majority_is_overruled_and_a_tie_is_decided() -> None:
    """Ana and the model agree; labels and accuracies are those of the model itself."""
    rows = {f"set {at:02d}": "ccc" if at % 2 else "ttt" for at in range(20)}
    rows |= {f"set {at:02d}": "ctc" if at % 2 else "ttc" for at in range(20, 30)}
    rows["set 99"] = "ct-"
    found = second_opinion(answers_of(rows), QUESTION)
    code = {"c": 0, "t": 1, "-": -1}
    ratings = [[code[letter] for letter in rows[key]] for key in sorted(rows)]
    fit = dawid_skene(rating_counts(ratings, 3), smoothing=0.01)
    expected = {key: LABELS[label] for key, label in zip(sorted(rows), fit.labels, strict=True) if label >= 0}
    assert found.labels == expected
    assert found.decides == (("set 99",) if "set 99" in expected else ())
    assert found.accuracy is not None
    assert found.accuracy["Ana"] > max(found.accuracy["Ben"], found.accuracy["Cem"])


def test_two_people_cannot_tell_who_errs() -> None:
    """There is no opinion then, and a reason."""
    found = second_opinion(answers_of({"a": "cc-", "b": "ct-"}), QUESTION)
    assert not found.is_defined
    assert "three are needed" in found.reason
