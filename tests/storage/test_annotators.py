"""Annotators come in under names that can be told apart, and go only while they have done nothing."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image

from core.errors import BadInput
from core.records import Answer, AnswerEvent, Condition, NewImage, Prompt, PromptKind, Role
from storage.store import Store
from storage.study import NewStudy


def test_nearly_the_same_name_is_refused_and_the_same_one_is_found(tmp_path: Path):
    with Store.create(tmp_path / "study", NewStudy("audit", 7)) as store:
        anna = store.add_annotator("Anna ")

        with pytest.raises(BadInput, match="nearly “Anna”"):
            store.add_annotator("anna ")
        assert anna.name == "Anna"
        assert store.add_annotator("Anna") == anna
        assert store.annotators() == [anna]


def test_whoever_never_answered_can_be_taken_out_and_nobody_else(tmp_path: Path):
    with Store.create(tmp_path / "study", NewStudy("audit", 7)) as store:
        store.add_roles([Role("baker", "baker", "a", "bakers")])
        prompt = Prompt("baker", Condition.CF, PromptKind.BASE, "a photo of a baker")
        store.add_prompts([prompt])
        store.add_generator("drawn-a", "drawn-a", {})
        file = io.BytesIO()
        Image.new("RGB", (8, 8)).save(file, "PNG")
        encoded = file.getvalue()
        images = store.add_images([NewImage("drawn-a", prompt, 0, "run", encoded, 8, 8, "png")])
        assert images
        number = store.images()[0].image_id
        sets = [("k", "baker", Condition.CF, "drawn-a", [number])]
        round_id = store.add_round("first", 1, ["mood"], image_sets=sets)
        (image_set,) = store.image_sets(round_id)
        anna, boris = store.add_annotator("Anna"), store.add_annotator("Boris")
        place = (anna.annotator_id, image_set.image_set_id, "mood")
        store.append_answers([AnswerEvent(*place, "flag", Answer(), "2026-11-26T10:00:00Z")])

        store.remove_annotator(boris.annotator_id)
        with pytest.raises(BadInput, match="has answered"):
            store.remove_annotator(anna.annotator_id)

        assert store.annotators() == [anna]
