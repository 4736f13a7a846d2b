"""The stated errors of the drawn reader."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import median

import pytest

from core.errors import BadInput
from core.extraction.confusion import Confusion
from core.paths import RESOURCES
from core.questions import choose, load_questions
from core.schema import load_schema, schema_from

SCHEMA = load_schema()
ERRORS = Confusion(SCHEMA)
HARD = {"depth_of_field", "expression", "mood", "body_type", "activities", "weather", "aesthetic_qualities"}


def test_every_row_is_a_distribution_over_the_vocabulary_and_unknown() -> None:
    for dimension in SCHEMA.dimensions:
        for true, row in ERRORS.matrix(dimension.id, ["oven"]).items():
            assert sum(row.values()) == pytest.approx(1, abs=1e-12)
            assert all(0 < p <= 1 for p in row.values())
            if dimension.is_closed:
                assert set(row) <= {*dimension.label_ids, "unknown"}
            assert max(row, key=lambda read: row[read]) == true


def test_what_is_not_known_stays_unknown() -> None:
    assert all(ERRORS.row(name, "unknown") == {"unknown": 1.0} for name in SCHEMA.dimension_ids)


def test_errors_are_small_but_for_the_hard_dimensions() -> None:
    for dimension in SCHEMA.dimensions:
        if not dimension.is_closed:
            continue
        misses = [1 - ERRORS.row(dimension.id, true)[true] for true in dimension.label_ids]
        assert 0.005 <= median(misses) <= (0.15 if dimension.id in HARD else 0.05), dimension.id


def test_every_stated_dimension_and_label_is_in_the_schema() -> None:
    stated = json.loads((RESOURCES / "extractors" / "drawn_reader.json").read_text(encoding="utf-8"))
    for name, errors in stated["dimensions"].items():
        dimension = SCHEMA.dimension(name)
        pairs = errors.get("pairs", {})
        assert {*pairs, *(read for row in pairs.values() for read in row)} <= set(dimension.label_ids)
        assert all(true not in row for true, row in pairs.items())
        assert ("words" in errors) == (not dimension.is_closed)


def test_a_scale_multiplies_every_error() -> None:
    double = Confusion(SCHEMA, scale=2)
    for read, p in ERRORS.row("expression", "smiling").items():
        if read != "smiling":
            assert double.row("expression", "smiling")[read] == pytest.approx(2 * p)


def test_a_smaller_schema_leaves_pairs_out_and_rows_stay_whole() -> None:
    data = SCHEMA.as_data()
    mood = data["dimensions"][0]
    mood["labels"] = [label for label in mood["labels"] if label["id"] != "minimalistic"]
    data["aliases"]["mood"] = {}
    row = Confusion(schema_from(data)).row("mood", "calm")
    assert "minimalistic" not in row
    assert sum(row.values()) == pytest.approx(1)


def test_folding_moves_unknown_to_none_by_what_presence_says() -> None:
    eyewear = choose(load_questions(), ["eyewear_type"])[0]
    answers = ERRORS.answers(eyewear)
    plain = ERRORS.matrix("eyewear_type")
    says_no = ERRORS.row("eyewear_present", "yes")["no"]
    moved = plain["eyeglasses"]["unknown"] * says_no
    assert answers["eyeglasses"]["none"] == pytest.approx(plain["eyeglasses"]["none"] + moved)
    assert all(sum(row.values()) == pytest.approx(1) for row in answers.values())


def test_a_bald_head_is_an_answer_although_hair_style_has_no_such_label() -> None:
    hair = choose(load_questions(), ["hair_style"])[0]
    row = ERRORS.answers(hair)["none"]
    assert row["none"] == pytest.approx(ERRORS.row("hair_present", "no")["no"])
    assert set(row) == {"none", "unknown"}


@pytest.mark.parametrize(
    ("default", "sentence"),
    [({"unknown": 0.1}, "incomplete"), ({"unknown": 0.9, "elsewhere": 0.2}, "between 0 and 1")],
)
def test_errors_that_are_no_probabilities_are_refused(tmp_path: Path, default: object, sentence: str) -> None:
    path = tmp_path / "errors.json"
    path.write_text(json.dumps({"default": default, "dimensions": {}}))
    with pytest.raises(BadInput, match=sentence):
        Confusion(SCHEMA, path)


def test_an_unreadable_file_of_errors_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be read"):
        Confusion(SCHEMA, tmp_path / "none.json")
