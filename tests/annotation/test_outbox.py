from __future__ import annotations

from annotation.outbox import Entry, Outbox
from core.records import Answer, AnswerEvent
from tests.annotation.sittings import ListBook


def make_event(act: str) -> AnswerEvent:
    return AnswerEvent(1, 1, "age", act, Answer(), "2026-01-01T00:00:00+00:00")


def test_an_event_goes_out_only_when_the_one_before_is_durable() -> None:
    book = ListBook()
    book.is_slow = True
    outbox = Outbox(book)

    for act in ("a", "b", "c"):
        outbox.put(make_event(act), Entry())

    assert (outbox.pending, len(book._held)) == (3, 1)
    assert outbox.last_saved_at is None
    book.release()
    assert book.acts == ["a", "b", "c"]
    assert outbox.pending == 0
    assert outbox.last_saved_at is not None


def test_an_undo_of_an_act_still_on_its_way_gets_its_id() -> None:
    book = ListBook()
    book.is_slow = True
    outbox = Outbox(book)
    act = Entry()

    outbox.put(make_event("mark"), act)
    outbox.put(make_event("undo"), Entry(), undoes=act)
    book.release()

    assert [event.undoes for event in book.events] == [None, act.event_id]
    assert act.event_id == 1


def test_a_failure_keeps_everything_and_retry_sends_it_in_order() -> None:
    book = ListBook()
    outbox = Outbox(book)
    outbox.put(make_event("a"), Entry())

    book.broken = "The disk is full."
    outbox.put(make_event("b"), Entry())
    outbox.put(make_event("c"), Entry())

    assert outbox.trouble == "The disk is full. 2 acts are waiting to be saved; none is lost."
    assert outbox.pending == 2
    assert not outbox.wait(10)
    outbox.retry()
    assert outbox.trouble
    book.broken = ""
    outbox.retry()
    assert (book.acts, outbox.trouble, outbox.pending) == (["a", "b", "c"], "", 0)
    assert outbox.wait(0)


def test_a_book_that_refuses_at_once_is_trouble_too() -> None:
    class Closed(ListBook):
        def append_answer(self, event: AnswerEvent):  # type: ignore[no-untyped-def]
            raise RuntimeError("cannot schedule new futures after shutdown")

    outbox = Outbox(Closed())

    outbox.put(make_event("a"), Entry())

    assert outbox.pending == 1
    assert outbox.trouble.startswith("The study was closed.")


def test_the_window_hears_of_every_landing_and_failure() -> None:
    heard: list[tuple[int, bool]] = []
    book = ListBook()
    outbox = Outbox(book, lambda: heard.append((outbox.pending, bool(outbox.trouble))))

    outbox.put(make_event("a"), Entry())
    book.broken = "The disk is full."
    outbox.put(make_event("b"), Entry())

    assert heard == [(0, False), (1, True)]


def test_a_long_queue_goes_out_after_trouble() -> None:
    book = ListBook()
    book.broken = "The disk is full."
    outbox = Outbox(book)
    for number in range(3000):
        outbox.put(make_event(str(number)), Entry())

    book.broken = ""
    outbox.retry()

    assert book.acts == [str(number) for number in range(3000)]
