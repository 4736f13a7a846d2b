"""Replaying a log gives the states that the log says, however its events came together."""

from __future__ import annotations

from annotation.history import REDO, UNDO, History
from core.records import Answer, AnswerEvent


def event(
    number: int, act: str, answer: Answer, undoes: int | None = None, place: str = "mood"
) -> AnswerEvent:
    return AnswerEvent(
        annotator_id=1,
        image_set_id=1,
        question=place,
        act=act,
        answer=answer,
        at="2026-03-01T09:00:00.000Z",
        undoes=undoes,
        event_id=number,
    )


def replayed(*events: AnswerEvent) -> History:
    history = History(is_open=lambda question: False)
    history.replay(events)
    return history


def test_an_undo_of_the_latest_act_is_an_undo_after_replay() -> None:
    history = replayed(
        event(1, "choose", Answer(label="calm")),
        event(2, "choose", Answer(label="tense")),
        event(3, UNDO, Answer(label="calm"), undoes=2),
    )

    assert history.state((1, "mood")).answer == Answer(label="calm")
    assert (len(history.done), len(history.undone)) == (1, 1)


def test_a_redo_brings_back_what_was_undone() -> None:
    history = replayed(
        event(1, "choose", Answer(label="calm")),
        event(2, UNDO, Answer(), undoes=1),
        event(3, REDO, Answer(label="calm"), undoes=1),
    )

    assert history.state((1, "mood")).answer == Answer(label="calm")
    assert (len(history.done), len(history.undone)) == (1, 0)


def test_an_undo_whose_answer_is_not_the_one_before_is_taken_as_the_answer_it_wrote() -> None:
    """Two windows on one annotator: the log of one undo does not fit the stack of both."""
    history = replayed(
        event(1, "choose", Answer(label="calm")),
        event(2, "choose", Answer(label="tense")),
        event(3, UNDO, Answer(label="cheerful"), undoes=2),
    )

    assert history.state((1, "mood")).answer == Answer(label="cheerful")


def test_an_undo_never_changes_another_question() -> None:
    history = replayed(
        event(1, "choose", Answer(label="calm")),
        event(2, UNDO, Answer(label="red"), undoes=1, place="colour"),
    )

    assert history.state((1, "mood")).answer == Answer(label="calm")
    assert history.state((1, "colour")).answer == Answer(label="red")
