"""What a screen lists: counts and lists as they stand, newest records only, first confirmations only."""

from __future__ import annotations

from dataclasses import replace

from core.records import Answer, AnswerEvent, Condition, ImageStatus, Status
from storage import listing
from storage.progress import left_out_images
from storage.store import Store
from tests.storage.builders import AT, make_image, make_prompt, make_record


def with_images(store: Store, number: int = 3) -> list[int]:
    """Images of a nurse by one generator, the last of them black."""
    images = [make_image(each, seconds=0.5) for each in range(number - 1)]
    return store.add_images([*images, make_image(number - 1, status=ImageStatus.BLACK)])


def test_images_after_one_are_those_that_arrived_since(store: Store):
    first, second, third = with_images(store)

    assert [one.image_id for one in listing.images_after(store, "drawn-a")] == [first, second, third]
    assert [one.image_id for one in listing.images_after(store, "drawn-a", second)] == [third]
    assert [one.image_id for one in listing.newest_images(store, "drawn-a", 2)] == [third, second]


def test_a_generator_without_images_counts_none(store: Store):
    with_images(store)
    store.add_generator("drawn-b", "drawn", {})

    facts = listing.generator_facts(store)

    assert (facts["drawn-a"].images, facts["drawn-a"].left_out, facts["drawn-a"].seconds) == (3, 1, 0.5)
    assert facts["drawn-a"].image_bytes is not None
    assert facts["drawn-b"] == listing.GeneratorFacts("drawn-b", 0, 0, None, None)


def test_seeds_are_counted_for_prompts_that_the_study_worded(store: Store):
    with_images(store)
    worded = replace(make_prompt(text="a photo of a nurse"), wording="photo")
    store.add_images([make_image(number, seed=number % 2, prompt=worded) for number in (7, 8, 9)])

    assert listing.seeds_used(store, "drawn-a") == {"nurse": {0: 1, 1: 2}}


def test_only_the_newest_record_of_an_image_counts(store: Store):
    first, second, third = with_images(store)
    store.add_records(
        [make_record(first, status=Status.ERROR, readings={}, reason="no answer"), make_record(second)]
    )
    store.add_records([make_record(first)])

    assert listing.record_facts(store) == [listing.RecordFacts("reader", Status.OK, 2, "")]
    assert [(one.image_id, status) for one, status in listing.images_read(store, "reader")] == [
        (first, Status.OK),
        (second, Status.OK),
        (third, None),
    ]
    assert {status for _, status in listing.images_read(store, "another")} == {None}


def test_what_is_simulated_is_counted_as_it_would_be_removed(store: Store):
    (first, *_) = with_images(store)
    store.add_extractor("stand-in", {}, is_simulated=True)
    store.add_records([make_record(first, "stand-in")])
    round_id = store.add_round("first", 1, ["mood"])
    (number,) = store.add_image_sets(round_id, [("key", "nurse", Condition.CF, "drawn-a", [first])])
    for name, is_simulated in (("simulated A", True), ("Ana", False)):
        person = store.add_annotator(name, is_simulated)
        answer = Answer("calm", slider=1, slider_source="key", is_confirmed=True)
        event = AnswerEvent(person.annotator_id, number, "mood", "confirm", answer, AT)
        store.append_answers([event, event])

    assert listing.simulated_facts(store) == listing.SimulatedFacts(1, 1, 1, 1)
    store.remove_simulated()
    assert listing.simulated_facts(store) == listing.SimulatedFacts()


def test_an_annotator_is_described_by_what_stands_now_and_timed_by_the_first_confirmation(store: Store):
    (first, second, _) = with_images(store)
    round_id = store.add_round("first", 1, ["mood", "pose"])
    sets = [
        ("a", "nurse", Condition.CF, "drawn-a", [first]),
        ("b", "nurse", Condition.CF, "drawn-a", [second]),
    ]
    one, other = store.add_image_sets(round_id, sets)
    ana = store.add_annotator("Ana").annotator_id
    done = Answer("calm", slider=1, slider_source="key", is_confirmed=True)
    unknown = Answer(is_unknown=True, is_confirmed=True, is_flagged=True, comment="blurred")
    store.append_answers(
        [
            AnswerEvent(ana, one, "mood", "choose", Answer("calm"), AT, active_seconds=1.0),
            AnswerEvent(ana, one, "mood", "confirm", done, AT, active_seconds=4.0),
            AnswerEvent(ana, one, "pose", "confirm", done, AT, active_seconds=8.0),
            AnswerEvent(ana, one, "pose", "flag", unknown, AT, active_seconds=90.0),
            AnswerEvent(ana, other, "mood", "confirm", done, AT),
        ]
    )

    facts = listing.annotator_facts(store, round_id, 2)

    assert facts == {ana: listing.AnnotatorFacts(ana, 3, 1, 1, 1, 1, 6.0, AT)}
    assert listing.remarks(store, round_id) == [listing.Remark(ana, "a", "pose", "", True, "blurred")]


def test_images_are_found_by_their_ids_and_the_first_ones_by_number(store: Store):
    first, second, third = with_images(store)
    store.add_records([make_record(second)])

    assert [one.image_id for one in store.images_with([third, first, 99])] == [first, third]
    found = [(one.image_id, status) for one, status in listing.images_read(store, "reader", 2)]
    assert found == [(first, None), (second, Status.OK)]


def test_left_out_images_are_those_that_may_not_be_sent_on(store: Store):
    _, _, black = with_images(store)

    assert [one.image_id for one in left_out_images(store)] == [black]
