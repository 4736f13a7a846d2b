from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import StoreError
from core.paths import STUDY_FILE
from core.records import Answer, AnswerEvent
from storage.store import Store
from tests.storage.builders import AT, add_image_set, make_event, new_store


@pytest.fixture
def image_set(store: Store) -> int:
    return add_image_set(store)


@pytest.fixture
def ada(store: Store) -> int:
    return store.add_annotator("Ada").annotator_id


def test_events_come_back_in_the_order_they_were_appended(store: Store, image_set: int, ada: int) -> None:
    ben = store.add_annotator("Ben").annotator_id
    events = [make_event(ada, image_set, slider=number, slider_source="key") for number in range(11)]

    kept = [store.append_answer(event).result() for event in events]
    store.append_answer(make_event(ben, image_set)).result()

    assert store.answer_events(ada) == kept
    assert [replace(event, event_id=None) for event in kept] == events
    assert [event.event_id for event in kept] == list(range(1, 12))


def test_an_unset_slider_is_never_zero(store: Store, image_set: int, ada: int) -> None:
    store.append_answers(
        [
            make_event(ada, image_set, slider=None),
            make_event(ada, image_set, slider=0, slider_source="slider"),
        ]
    )

    assert [event.answer.slider for event in store.answer_events(ada)] == [None, 0]


def test_many_events_are_appended_in_one_act(store: Store, image_set: int, ada: int) -> None:
    heard: list[frozenset[str]] = []
    store.on_change(heard.append)
    events = [make_event(ada, image_set, label=f"word {number}") for number in range(200)]

    store.append_answers(events)

    assert [replace(event, event_id=None) for event in store.answer_events(ada)] == events
    assert heard == [{"answer"}]


def test_one_bad_event_among_many_keeps_none(store: Store, image_set: int, ada: int) -> None:
    with pytest.raises(sqlite3.IntegrityError):
        store.append_answers([make_event(ada, image_set), make_event(99, image_set)])

    assert store.answer_events(ada) == []


@pytest.mark.parametrize(
    "wrong",
    [
        {"slider": 11, "slider_source": "key"},
        {"slider": -1, "slider_source": "key"},
        {"slider": 3},
        {"slider_source": "key"},
        {"slider": 3, "slider_source": "wheel"},
        {"label": "calm", "is_unknown": True},
    ],
)
def test_an_impossible_answer_is_a_fault_of_ours(
    store: Store, image_set: int, ada: int, wrong: dict[str, object]
) -> None:
    future = store.append_answer(make_event(ada, image_set, **wrong))

    assert isinstance(future.exception(), sqlite3.IntegrityError)
    assert store.answer_events(ada) == []


def test_an_answer_to_an_unknown_image_set_is_said(store: Store, ada: int) -> None:
    with pytest.raises(StoreError, match="no image set number 99"):
        store.append_answer(make_event(ada, 99)).result()


def test_the_next_answer_may_be_queued_when_the_one_before_is_kept(
    store: Store, image_set: int, ada: int
) -> None:
    first = store.append_answer(make_event(ada, image_set, label="calm"))
    chained: list[AnswerEvent] = []
    done: list[object] = []
    first.add_done_callback(
        lambda future: done.append(
            store.append_answer(replace(future.result(), event_id=None, undoes=future.result().event_id))
        )
    )
    first.result()
    while not done:
        pass
    chained.append(done[0].result())  # type: ignore[attr-defined]

    assert store.answer_events(ada)[1:] == chained
    assert chained[0].undoes == 1


def test_an_answer_waits_for_the_disk_and_an_image_does_not(
    store: Store, image_set: int, ada: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    levels = []

    def note(connection: sqlite3.Connection) -> None:
        levels.append(connection.execute("PRAGMA synchronous").fetchone()[0])

    store._writer.do(note, durable=False)
    store._writer.do(note)
    store._writer.do(note, durable=False)

    full, normal = 2, 1
    assert levels == [normal, full, normal]


@pytest.fixture
def raw(store: Store) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(store.folder / STUDY_FILE, isolation_level=None)) as connection:
        yield connection


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE answer_event SET slider = 10, slider_source = 'key'",
        "UPDATE answer_event SET annotator_id = 2",
        "DELETE FROM answer_event",
        "DELETE FROM answer_event WHERE id = 1",
    ],
)
def test_the_file_itself_refuses_to_change_or_delete_a_persons_answer(
    store: Store, image_set: int, ada: int, raw: sqlite3.Connection, statement: str
) -> None:
    kept = store.append_answer(make_event(ada, image_set, label="calm")).result()

    with pytest.raises(sqlite3.IntegrityError, match="never"):
        raw.execute(statement)

    assert store.answer_events(ada) == [kept]


def test_a_removed_id_is_never_used_again(store: Store, image_set: int) -> None:
    robot = store.add_annotator("simulated A", is_simulated=True).annotator_id
    store.append_answers([make_event(robot, image_set) for _ in range(5)])
    store.remove_simulated()
    ada = store.add_annotator("Ada").annotator_id

    assert store.append_answer(make_event(ada, image_set)).result().event_id == 6


def test_the_current_answer_is_the_latest_event(
    store: Store, image_set: int, ada: int, raw: sqlite3.Connection
) -> None:
    ben = store.add_annotator("Ben").annotator_id
    store.append_answers(
        [
            make_event(ada, image_set, label="calm"),
            make_event(ben, image_set, label="tense"),
            make_event(ada, image_set, "items", label="cup"),
            make_event(ada, image_set, label="joyful"),
        ]
    )

    rows = raw.execute("SELECT annotator_id, question, label FROM current_answer ORDER BY id").fetchall()

    assert rows == [(ben, "mood", "tense"), (ada, "items", "cup"), (ada, "mood", "joyful")]


@pytest.fixture(scope="module")
def shared() -> Iterator[tuple[Store, int]]:
    with TemporaryDirectory() as parent, new_store(Path(parent) / "study") as store:
        store.add_annotator("Ada")
        yield store, add_image_set(store)


TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=30)
SECONDS = st.floats(0, 1e6)
LABELS = st.one_of(
    st.fixed_dictionaries({"label": st.none() | TEXT, "is_unknown": st.just(False)}),
    st.just({"label": None, "is_unknown": True}),
)
COUNTS = st.one_of(
    st.just({"slider": None, "slider_source": None}),
    st.fixed_dictionaries(
        {"slider": st.integers(0, 10), "slider_source": st.sampled_from(["marks", "slider", "key"])}
    ),
)
ANSWERS = st.builds(
    lambda label, count, marks, confirmed, flagged, comment: Answer(
        **label,
        **count,
        marks=frozenset(marks),
        is_confirmed=confirmed,
        is_flagged=flagged,
        comment=comment,
    ),
    LABELS,
    COUNTS,
    st.sets(st.integers(0, 9)),
    st.booleans(),
    st.booleans(),
    TEXT,
)
EVENTS = st.builds(
    AnswerEvent,
    annotator_id=st.just(1),
    image_set_id=st.just(1),
    question=TEXT,
    act=TEXT,
    answer=ANSWERS,
    at=st.just(AT),
    wall_seconds=SECONDS,
    active_seconds=SECONDS,
    first_act_seconds=st.none() | SECONDS,
    theme=st.sampled_from(["", "light", "dark"]),
)


@settings(deadline=None)
@given(events=st.lists(EVENTS, min_size=1, max_size=5))
def test_any_event_comes_back_as_it_was_appended(
    shared: tuple[Store, int], events: list[AnswerEvent]
) -> None:
    store, _ = shared

    kept = [future.result() for future in [store.append_answer(event) for event in events]]

    assert [replace(event, event_id=None) for event in kept] == events
    assert store.answer_events(1)[-len(events) :] == kept
