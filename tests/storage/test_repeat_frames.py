"""Second answers: told by the key of the first showing, and nowhere else."""

from __future__ import annotations

from core.records import Answer, AnswerEvent, Condition
from storage.frames import Frames
from storage.store import Store
from tests.storage.builders import AT, ROLES, make_image, make_prompt, make_study


def test_second_answers_stand_under_the_first_showing_and_in_no_other_frame(tmp_path) -> None:
    with Store.create(tmp_path / "small", make_study()) as store:
        _fill(store)
        frames = Frames(store.folder)
        (round_id,) = (one.round_id for one in store.rounds())

        first, second = frames.answers(round_id), frames.repeats(round_id)

    assert first[["image_set", "label"]].astype(str).to_numpy().tolist() == [["set", "calm"]]
    assert second[["annotator", "image_set", "question", "label", "slider"]].astype(
        {"image_set": str}
    ).to_numpy().tolist() == [["Ada", "set", "mood", "angry", 3.0]]
    assert first["image_set"].tolist() == second["image_set"].tolist()


def test_a_study_without_repeats_has_an_empty_frame_with_its_columns(tmp_path) -> None:
    with Store.create(tmp_path / "small", make_study()) as store:
        round_id = store.add_round("first", 1, ["mood"])
        found = Frames(store.folder).repeats(round_id)

    assert found.empty
    assert {"annotator", "image_set", "question", "label", "slider", "status"} <= set(found)


def _fill(store: Store) -> None:
    """One set, shown twice to Ada: calm the first time, angry the second; a third answer is not confirmed."""
    store.add_roles(ROLES)
    store.add_prompts([make_prompt()])
    store.add_generator("drawn-a", "drawn", {})
    store.add_images([make_image(number) for number in range(10)])
    images = [one.image_id for one in store.images()]
    round_id = store.add_round("first", 1, ["mood", "pose"])
    store.add_image_sets(round_id, [("set", "nurse", Condition.CF, "drawn-a", images)])
    (again,) = store.add_repeats(round_id, store.image_sets(round_id), ["set again"])
    (shown,) = store.image_sets(round_id)
    person = store.add_annotator("Ada", False).annotator_id

    def event(image_set: int, question: str, label: str, is_confirmed: bool = True) -> AnswerEvent:
        answer = Answer(label, slider=3, slider_source="key", is_confirmed=is_confirmed)
        return AnswerEvent(person, image_set, question, "confirm", answer, AT)

    store.append_answers(
        [
            event(shown.image_set_id, "mood", "calm"),
            event(again.image_set_id, "mood", "angry"),
            event(again.image_set_id, "pose", "standing", is_confirmed=False),
        ]
    )
