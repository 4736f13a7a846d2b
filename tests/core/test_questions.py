"""The 23 questions, and what a record answers to each."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from core.errors import BadInput
from core.paths import RESOURCES
from core.questions import KEYS, Question, choose, image_label, key_at, load_questions, read_questions
from core.records import DimensionReading, Status
from core.schema import load_schema

SCHEMA = load_schema()
QUESTIONS = load_questions()
LEFT_OUT = {
    "eyewear_present", "head_covering_present", "hair_present", "facial_hair_present",
    "contrast_level", "facial_hair_color", "tattoo_present",
}  # fmt: skip


def question(name: str) -> Question:
    return choose(QUESTIONS, [name])[0]


def data() -> dict[str, Any]:
    result: dict[str, Any] = json.loads((RESOURCES / "questions.json").read_text(encoding="utf-8"))
    return copy.deepcopy(result)


def reading(*labels: str) -> DimensionReading:
    return DimensionReading(labels)


UNKNOWN_READING = DimensionReading(status=Status.UNKNOWN)


def test_twenty_three_dimensions_are_asked_in_the_order_of_the_schema() -> None:
    asked = [one.dimension for one in QUESTIONS]
    assert len(asked) == 23
    assert asked == [name for name in SCHEMA.dimension_ids if name not in LEFT_OUT]


def test_every_question_is_one_sentence_about_the_ten_images() -> None:
    assert len({one.wording for one in QUESTIONS}) == 23
    for one in QUESTIONS:
        assert "ten images" in one.wording
        assert one.wording.endswith("." if one.is_open else "?")
        assert one.wording.startswith("Name the " if one.is_open else "Which ")


def test_a_list_is_asked_for_what_is_seen_most_often() -> None:
    for one in QUESTIONS:
        assert ("most often among" in one.wording) == (one.kind == "closed_list")


def test_help_says_what_counts_and_gives_three_hints() -> None:
    for one in QUESTIONS:
        titles = [line.split(":")[0] for line in one.help.splitlines()]
        assert titles == ["What counts", "Counts", "Does not count", "Borderline"]


def test_words_of_the_blinded_design_reach_no_annotator() -> None:
    for one in QUESTIONS:
        text = (one.wording + one.help + " ".join(option.definition for option in one.options)).casefold()
        for word in ("role", "prompt", "condition", "generator", "pipeline"):
            assert word not in text, f"{one.id} says {word}"


def test_options_are_the_vocabulary_and_hair_style_adds_none() -> None:
    for one in QUESTIONS:
        vocabulary = SCHEMA.dimension(one.dimension).label_ids
        extra = ("none",) if one.id == "hair_style" else ()
        assert one.option_ids == vocabulary + extra
        assert "unknown" not in one.option_ids


def test_nine_options_take_the_digits_and_the_tenth_takes_zero() -> None:
    assert [key_at(position) for position in range(11)] == [*"1234567890", None]
    assert not question("mood").needs_filter
    assert len(question("mood").options) == len(KEYS)
    assert question("weather").needs_filter


@pytest.mark.parametrize("name", ["eyewear", "head_covering", "facial_hair"])
def test_presence_no_answers_the_kind_only_where_that_is_unknown(name: str) -> None:
    kind = "facial_hair_style" if name == "facial_hair" else f"{name}_type"
    presence = f"{name}_present"
    first = SCHEMA.dimension(kind).label_ids[0]
    asked = question(kind)

    assert image_label(asked, {kind: UNKNOWN_READING, presence: reading("no")}) == reading("none")
    assert image_label(asked, {presence: reading("no")}) == reading("none")
    assert image_label(asked, {kind: UNKNOWN_READING, presence: reading("yes")}) == UNKNOWN_READING
    assert image_label(asked, {kind: UNKNOWN_READING, presence: UNKNOWN_READING}) == UNKNOWN_READING
    assert image_label(asked, {kind: reading(first), presence: reading("no")}) == reading(first)
    assert image_label(asked, {kind: reading("none"), presence: reading("yes")}) == reading("none")


def test_a_bald_head_is_none_for_the_question_about_hair() -> None:
    record = {"hair_present": reading("no"), "hair_style": UNKNOWN_READING, "hair_color": UNKNOWN_READING}
    assert image_label(question("hair_style"), record) == reading("none")
    assert image_label(question("hair_color"), record) == UNKNOWN_READING


def test_a_dimension_missing_from_the_record_is_unknown() -> None:
    assert image_label(question("mood"), {}) == UNKNOWN_READING


def test_a_status_other_than_unknown_is_passed_on_and_not_folded() -> None:
    invalid = DimensionReading(status=Status.INVALID)
    record = {"eyewear_type": invalid, "eyewear_present": reading("no")}
    assert image_label(question("eyewear_type"), record) == invalid


def test_a_list_keeps_every_label_offered_and_an_outside_label_is_invalid() -> None:
    colours = {"dominant_colors": reading("red", "puce", "white")}
    assert image_label(question("dominant_colors"), colours) == reading("red", "white")
    assert image_label(question("mood"), {"mood": reading("puce")}).status is Status.INVALID
    assert image_label(question("items"), {"items": reading("puce cup")}) == reading("puce cup")


def test_a_study_chooses_and_orders_its_questions() -> None:
    assert [one.id for one in choose(QUESTIONS, ["weather", "mood"])] == ["weather", "mood"]
    with pytest.raises(BadInput, match="no question 'moods'"):
        choose(QUESTIONS, ["moods"])


def broken(at: str, value: Any) -> dict[str, Any]:
    result = data()
    result["questions"][0][at] = value
    return result


@pytest.mark.parametrize(
    ("bad", "sentence"),
    [
        ({}, "list of questions"),
        (broken("dimension", "moods"), "moods, which is no dimension"),
        (broken("dimension", "weather"), "weather is asked 2 times"),
        (broken("wording", " "), "mood has no wording"),
        (broken("help", None), "lacks what_counts"),
        (broken("help", {"what_counts": "x", "counts": "x", "does_not_count": "x"}), "lacks borderline"),
        (broken("folds", ["weather"]), "no yes/no dimension"),
        (broken("folds", "eyewear_present"), "must be a list of dimensions"),
        (
            broken("extra_options", [{"id": "calm", "name": "c", "definition": "c"}]),
            "calm of mood is offered",
        ),
        (broken("extra_options", [{"id": "unknown", "name": "u", "definition": "u"}]), "unknown of mood"),
        (broken("extra_options", [{"id": "odd"}]), "lacks id, name or definition"),
        (broken("extra_options", 3), "list of objects"),
    ],
)
def test_a_broken_question_file_is_refused_with_a_sentence(bad: Any, sentence: str) -> None:
    with pytest.raises(BadInput) as caught:
        read_questions(json.dumps(bad), SCHEMA)
    assert sentence in caught.value.sentence


def test_an_unreadable_question_file_is_refused_with_its_name(tmp_path: Path) -> None:
    path = tmp_path / "ours.json"
    with pytest.raises(BadInput, match=r"ours\.json cannot be read"):
        load_questions(path)
    path.write_text("[")
    with pytest.raises(BadInput, match=r"ours\.json is not JSON"):
        load_questions(path)
