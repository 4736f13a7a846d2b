"""Runs against a server that misbehaves: every image has its record, of the right class, paid for once."""

from __future__ import annotations

import json
import time
from collections import Counter
from dataclasses import replace
from hashlib import sha256
from random import Random
from typing import Any

import pytest

from core.extraction.extractor import RunStopped
from core.jobs import Outcome, Progress, run_here
from core.records import ImageStatus, Status
from tests.contracts.extractor_contract import make_image
from tests.core.extraction.vlm.shelf import (
    SCHEMA,
    Shelf,
    assert_right,
    images,
    make_extractor,
    png,
    read,
    sent,
)
from tests.fake_server import Call, Mischief, error, true_reading

FIRST = 1
"""Number of the preflight's call."""


def once(mischief: Mischief, times: int = 1) -> Any:
    """Misbehave the first times that a picture is asked about, but not in the preflight."""

    def misbehave(call: Call) -> Mischief | None:
        return mischief if call.number > FIRST and call.try_number <= times else None

    return misbehave


def always(mischief: Mischief) -> Any:
    """Misbehave in every call but the preflight."""
    return lambda call: mischief if call.number > FIRST else None


def told(shelf: Shelf, place: int = 0) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(shelf.records[place].raw)
    return found


def test_every_image_is_asked_about_once_and_read_right(serve: Any) -> None:
    server = serve()

    outcome, shelf = read(server, 60)

    assert (outcome.asked, outcome.done, outcome.failed) == (60, 60, 0)
    assert server.pictures_paid() == {sent(number): 1 for number in range(1, 61)}
    assert len(server.calls) == 61
    for record in shelf.records:
        assert_right(record)
        assert record.n_persons is not None


def test_the_responses_api_reads_the_same(serve: Any) -> None:
    server = serve()

    outcome, shelf = read(server, 5, api="responses")

    assert outcome.done == 5
    assert all(call.path == "/v1/responses" for call in server.calls)
    assert all(call.body["store"] is False for call in server.calls)
    for record in shelf.records:
        assert_right(record)


def test_no_more_requests_than_asked_for_are_under_way(serve: Any) -> None:
    server = serve(latency=0.02)
    read(server, 60, concurrency=6)
    assert 4 <= server.most_under_way <= 6


def test_a_record_tells_how_it_came_about(serve: Any) -> None:
    server = serve(once(error(500, "Oops")))

    _, shelf = read(server, 1)

    story = told(shelf)
    assert story["class"] == "ok"
    assert story["model"] == server.model
    assert story["tries"] == 2
    assert story["faults"] == [{"kind": "server", "sentence": "The server answers 500: Oops"}]
    assert story["usage"] == {"in": 5000, "out": 400}
    assert story["picture"]["sha256"] == sent(1)
    assert story["schema"].startswith(SCHEMA.version)
    assert story["template"].startswith("1.")
    assert len(story["request"]) == 64
    assert json.loads(story["answers"][0]["raw"])["object"] == "chat.completion"
    assert shelf.records[0].seconds is not None


def test_a_second_run_pays_for_nothing_again(serve: Any) -> None:
    server = serve()
    _, shelf = read(server, 20)

    outcome, _ = read(server, 30, shelf)

    assert (outcome.done, outcome.skipped) == (10, 20)
    assert set(server.pictures_paid().values()) == {1}


def test_a_further_attempt_reads_again_under_a_key_of_its_own(serve: Any) -> None:
    server = serve()
    _, shelf = read(server, 3)

    again, _ = read(server, 3, shelf, attempt=1)
    third, _ = read(server, 3, shelf, attempt=1)

    assert (again.done, third.skipped) == (3, 3)
    assert len({record.record_key for record in shelf.records}) == 6
    assert len({record.extractor for record in shelf.records}) == 1


def test_pictures_that_must_not_be_sent_are_recorded_and_not_sent(serve: Any) -> None:
    server = serve()
    shelf = Shelf(missing=[3], broken=[4])
    some = images(4)
    some[0] = replace(some[0], status=ImageStatus.BLACK)

    outcome = run_here(make_extractor(server).read_many(some, shelf, shelf))

    assert outcome.done == 1
    assert {failure.item: failure.kind for failure in outcome.failures} == {
        "image 1": "not sent",
        "image 3": "missing image",
        "image 4": "unreadable image",
    }
    assert shelf.statuses()[4] is Status.MISSING_IMAGE
    assert set(server.pictures_paid()) == {sent(2)}


# What a server may answer instead ------------------------------------------------------------------------

GOOD = json.dumps(true_reading(b"", SCHEMA))
SORRY = "I'm sorry, but I can't help with identifying people in images."

MENDED = {
    "a rate limit": error(429, "Slow down", "rate_limit_exceeded", retry_after_ms="20"),
    "a rate limit without a time": error(429, "Slow down"),
    "a rate limit with nonsense": error(429, "Slow down", retry_after="soon"),
    "a server error": error(500, "Internal"),
    "a bad gateway in HTML": Mischief(502, raw=b"<html><h1>502</h1></html>", content_type="text/html"),
    "overload": error(503, "Loading model", retry_after="0"),
    "overload in one number": error(529, "Overloaded"),
    "a conflict": error(409, "Conflict"),
    "a broken connection": Mischief(cut_connection=True),
    "a connection closed at once": Mischief(reset=True),
    "a page of a hotel's network": Mischief(raw=b"<html>Log in</html>", content_type="text/html"),
    "nothing at all": Mischief(raw=b""),
    "no choices": Mischief(envelope={"object": "chat.completion", "choices": [], "model": "m"}),
    "choices of another kind": Mischief(envelope={"choices": {"0": "yes"}, "model": "m"}),
    "null for the choice": Mischief(envelope={"choices": [None]}),
    "no message": Mischief(envelope={"choices": [{"index": 0}]}),
    "a list": Mischief(envelope=[1, 2, 3]),
    "an error with status 200": Mischief(envelope={"error": {"message": "No capacity", "code": 503}}),
    "ten megabytes": Mischief(raw=b'{"a": "' + b"x" * 10_000_000 + b'"}'),
    "half of an answer": Mischief(content=GOOD[:300]),
    "prose": Mischief(content="The picture shows a kitchen."),
    "an empty text": Mischief(content=""),
    "null for the text": Mischief(content=None, message={"content": None}),
    "a number for the text": Mischief(message={"content": 7}),
    "a JSON list": Mischief(content="[1, 2]"),
    "an object of something else": Mischief(content='{"answer": "a kitchen"}'),
    "values that are all wrong": Mischief(
        content=json.dumps({each.id: "blurple" if each.is_closed else 7 for each in SCHEMA.dimensions})
    ),
    "a tower of brackets": Mischief(content='{"a":' * 50_000),
    "a number without end": Mischief(content='{"n_persons": ' + "9" * 6000 + "}"),
}  # fmt: skip
"""What goes wrong once and is then mended by asking again."""


@pytest.mark.parametrize("name", MENDED)
def test_asking_again_mends(serve: Any, name: str) -> None:
    server = serve(once(MENDED[name]))

    outcome, shelf = read(server, 3)

    assert outcome.done == 3, outcome.failures
    assert told(shelf)["tries"] == 2
    for record in shelf.records:
        assert_right(record)


@pytest.mark.parametrize(
    "form", ["```json\n{}\n```", "Here it is: {} I hope it helps.", "<think>Hm {{</think>\n{}"]
)
def test_words_around_the_object_need_no_second_question(serve: Any, form: str) -> None:
    def misbehave(call: Call) -> Mischief:
        return Mischief(content=form.replace("{}", json.dumps(true_reading(call.picture, SCHEMA))))

    server = serve(misbehave)

    outcome, shelf = read(server, 2)

    assert (outcome.done, len(server.calls)) == (2, 3)
    assert_right(shelf.records[0])


def test_an_answer_with_the_wrong_content_type_is_read_all_the_same(serve: Any) -> None:
    server = serve(lambda call: Mischief(content_type="text/html; charset=latin-1"))
    outcome, _ = read(server, 2)
    assert outcome.done == 2


FOR_GOOD = {
    "prose": (Mischief(content="It is a kitchen."), Status.INVALID, "invalid", 3),
    "half of an answer": (Mischief(content=GOOD[:300]), Status.INVALID, "invalid", 3),
    "cut off": (Mischief(content=GOOD[:300], finish="length"), Status.TRUNCATED, "truncated", 1),
    "cut off but whole": (Mischief(content=GOOD, finish="length"), Status.TRUNCATED, "truncated", 1),
    "a refusal": (Mischief(message={"content": None, "refusal": SORRY}), Status.REFUSED, "refused", 1),
    "a refusal in words": (Mischief(content=SORRY), Status.REFUSED, "refused", 1),
    "a filtered answer": (Mischief(content="", finish="content_filter"), Status.FLAGGED, "flagged", 1),
    "a filtered question": (error(400, "Rejected by the safety system", "content_policy_violation"),
                            Status.FLAGGED, "flagged", 1),
    "a picture it does not like": (error(400, "Invalid image data"), Status.ERROR, "rejected", 1),
    "too large": (error(413, "Payload too large"), Status.ERROR, "too large", 1),
    "server errors": (error(500, "Oops"), Status.ERROR, "server", 5),
    "a login page": (Mischief(raw=b"<html>Log in</html>"), Status.ERROR, "not an answer", 3),
    "silence": (Mischief(reset=True), Status.ERROR, "network", 5),
}  # fmt: skip
"""What never gets better: mischief, status, class, and how often each picture is asked about."""


@pytest.mark.parametrize("name", FOR_GOOD)
@pytest.mark.parametrize("api", ["chat", "responses"])
def test_what_never_gets_better_has_its_class_and_no_reading(serve: Any, name: str, api: str) -> None:
    mischief, status, kind, tries = FOR_GOOD[name]
    server = serve(always(mischief))

    outcome, shelf = read(server, 2, api=api)

    assert (outcome.done, outcome.failed) == (0, 2)
    assert {failure.kind for failure in outcome.failures} == {kind}
    for place, record in enumerate(shelf.records):
        assert (record.status, record.readings, record.n_persons) == (status, {}, None)
        assert record.reason.endswith((".", "…")) or record.reason
        assert told(shelf, place)["class"] == kind
    assert len(server.calls) == 1 + 2 * tries


def test_repairs_are_kept_and_say_what_was_wrong(serve: Any) -> None:
    server = serve(always(Mischief(content="It is a kitchen.")))

    _, shelf = read(server, 1)

    answers = told(shelf)["answers"]
    assert [answer["problem"] for answer in answers] == ["it holds no JSON object."] * 3
    last = server.calls[-1].body["messages"]
    assert [message["role"] for message in last] == [
        "system",
        "user",
        "assistant",
        "user",
        "assistant",
        "user",
    ]
    assert "it holds no JSON object" in last[-1]["content"]


def test_errors_are_asked_again_by_the_next_run_and_refusals_are_not(serve: Any) -> None:
    bad = [True]

    def misbehave(call: Call) -> Mischief | None:
        if call.number == FIRST or not bad[0]:
            return None
        if sent(1) == _digest(call):
            return Mischief(content=SORRY)
        return error(500, "Oops")

    server = serve(misbehave)
    _, shelf = read(server, 4)
    bad[0] = False

    outcome, _ = read(server, 4, shelf)

    assert (outcome.done, outcome.skipped) == (3, 1)
    assert shelf.statuses() == {1: Status.REFUSED, 2: Status.OK, 3: Status.OK, 4: Status.OK}


def test_a_value_outside_the_vocabulary_costs_only_its_dimension(serve: Any) -> None:
    def misbehave(call: Call) -> Mischief:
        reading = true_reading(call.picture, SCHEMA)
        reading |= {"mood": "jolly", "hair_color": "Grey", "age_range": None, "items": []}
        del reading["pose"]
        return Mischief(content=json.dumps(reading))

    _, shelf = read(serve(misbehave), 1)

    readings = shelf.records[0].readings
    assert shelf.records[0].status is Status.OK
    assert {name for name, each in readings.items() if each.status is Status.INVALID} == {
        "mood", "age_range", "items", "pose"
    }  # fmt: skip
    assert readings["hair_color"].labels == ("gray",)
    assert told(shelf)["notes"]["mood"] == "'jolly' is not in its vocabulary."


def test_a_server_that_hangs_is_given_up_after_the_time_out(serve: Any) -> None:
    server = serve(always(Mischief(hang=True)))

    outcome, shelf = read(server, 2, timeout=0.15)

    assert {failure.kind for failure in outcome.failures} == {"time-out"}
    assert told(shelf)["tries"] == 3


def test_a_server_that_drips_is_given_up_after_the_time_out(serve: Any) -> None:
    server = serve(once(Mischief(drip=0.05)))
    outcome, _ = read(server, 2, timeout=0.5)
    assert outcome.done == 2


# Many at once --------------------------------------------------------------------------------------------


def test_a_storm_of_rate_limits_leaves_no_gap(serve: Any) -> None:
    chance = Random(5)

    def misbehave(call: Call) -> Mischief | None:
        return (
            error(429, "Slow down", retry_after_ms="15")
            if call.number > FIRST and chance.random() < 0.3
            else None
        )

    server = serve(misbehave)

    outcome, shelf = read(server, 150, concurrency=16)

    assert (outcome.done, outcome.failed) == (150, 0)
    assert sorted(shelf.statuses()) == list(range(1, 151))
    assert set(server.pictures_paid().values()) == {1}


def test_the_number_at_once_falls_when_the_server_says_too_many(serve: Any) -> None:
    server = serve(lambda call: error(429, "Slow") if server.under_way > 4 else None, latency=0.01)
    texts: list[str] = []

    outcome, _ = read(server, 120, report=lambda progress: texts.append(progress.text), concurrency=16)

    assert outcome.done == 120
    assert any("at once" in text for text in texts)


@pytest.mark.parametrize("retry_after", ["1", "Wed, 21 Oct 2015 07:28:00 GMT"])
def test_the_run_waits_as_long_as_the_server_asks(serve: Any, retry_after: str) -> None:
    server = serve(once(error(429, "Slow down", retry_after=retry_after)))
    outcome, shelf = read(server, 1)
    assert outcome.done == 1
    assert told(shelf)["tries"] == 2


def test_a_mixture_of_everything_is_accounted_for(serve: Any) -> None:
    chance = Random(11)
    kinds = [*MENDED.values(), *(FOR_GOOD[name][0] for name in FOR_GOOD)]
    small = [each for each in kinds if len(each.raw or b"") < 10**6]

    def misbehave(call: Call) -> Mischief | None:
        return chance.choice(small) if call.number > FIRST and chance.random() < 0.25 else None

    server = serve(misbehave)
    shelf = Shelf()
    outcome, _ = read(server, 160, shelf, concurrency=16)

    assert outcome.asked == outcome.done + outcome.failed == 160
    assert all(failure.kind and failure.reason for failure in outcome.failures)
    assert sorted(shelf.statuses()) == list(range(1, 161))
    for record in shelf.records:
        assert bool(record.readings) == (record.status is Status.OK)
    # A whole answer that is lost or of no use is paid for; one that was used never is again.
    used = Counter(story["class"] for story in map(json.loads, (record.raw for record in shelf.records)))
    assert used["ok"] == outcome.done


# Stopping ------------------------------------------------------------------------------------------------

STOPPING = {
    "auth": error(401, "Incorrect API key provided: sk-12345678"),
    "forbidden": error(403, "Country not supported"),
    "quota": error(429, "You exceeded your current quota", "insufficient_quota"),
    "payment": error(402, "Insufficient credits"),
    "not found": error(404, "The model `x` does not exist", "model_not_found"),
    "unsupported": error(400, "Unsupported parameter: 'temperature'", "unsupported_parameter", "temperature"),
    "redirect": Mischief(308, headers={"Location": "http://127.0.0.1:9/v1/chat/completions"}, raw=b""),
    "a wait of days": error(429, "Come back tomorrow", retry_after="90000"),
}


@pytest.mark.parametrize("name", STOPPING)
def test_what_no_other_picture_would_fare_better_with_stops_the_run(serve: Any, name: str) -> None:
    server = serve(lambda call: STOPPING[name] if call.number > 11 else None, latency=0.01)

    with pytest.raises(RunStopped) as caught:
        read(server, 500, concurrency=4)

    outcome = caught.value.outcome
    assert outcome is not None
    outcome.check()
    assert len(server.calls) <= 11 + 4
    assert outcome.done >= 7
    assert "left" in caught.value.sentence
    assert "sk-12345678" not in str(caught.value)


def test_a_server_that_died_stops_the_run_and_the_rest_is_left_for_later(serve: Any) -> None:
    server = serve(lambda call: error(500, "Out of memory") if call.number > 30 else None)
    shelf = Shelf()

    with pytest.raises(RunStopped, match="in a row failed"):
        read(server, 120, shelf, concurrency=4)

    assert len(shelf.records) < 60
    server.misbehave = lambda call: None
    outcome, _ = read(server, 120, shelf)
    assert outcome.done + outcome.skipped == 120


def test_another_model_half_way_stops_the_run(serve: Any) -> None:
    server = serve(lambda call: Mischief(model="fake-vision-2") if call.number > 20 else None)
    shelf = Shelf()

    with pytest.raises(RunStopped, match="fake-vision-2"):
        read(server, 200, shelf)

    assert {record.status for record in shelf.records} == {Status.OK, Status.ERROR}
    outcome, _ = read(server, 30, Shelf(), allow_other_model=True)
    assert outcome.done == 30


def test_the_limit_of_calls_is_never_passed(serve: Any) -> None:
    server = serve(latency=0.005)
    shelf = Shelf()

    with pytest.raises(RunStopped, match="limit of 40 calls"):
        read(server, 200, shelf, most_calls=40, concurrency=16)

    assert len(server.calls) == 40
    assert len(shelf.records) == 39


def test_the_budget_is_never_passed_and_all_that_was_paid_is_kept(serve: Any) -> None:
    server = serve(latency=0.005)
    shelf = Shelf()

    with pytest.raises(RunStopped, match=r"budget of 0\.5"):
        read(server, 500, shelf, budget=0.5, price_in=1.0, price_out=4.0, concurrency=16)

    spent = len(server.calls) * (5000 * 1.0 + 400 * 4.0) / 1e6
    assert 0.4 < spent <= 0.5
    assert len(shelf.records) == len(server.calls) - 1
    assert {record.status for record in shelf.records} == {Status.OK}


def test_cost_and_time_are_told_after_the_first_twenty(serve: Any) -> None:
    seen: list[Progress] = []

    read(serve(latency=0.01), 60, report=seen.append, price_in=1.0, price_out=4.0, concurrency=2)

    early = [each.text for each in seen if 0 < each.done < 20]
    late = [each.text for each in seen if 25 < each.done < 60]
    assert not any("in all" in text for text in early)
    assert all("about 0.40 in all" in text and "left" in text for text in late)


def test_cancelling_keeps_what_arrived_and_ends_at_once(serve: Any) -> None:
    server = serve(lambda call: Mischief(hang=True) if call.number > 20 else None)
    shelf = Shelf()
    job = make_extractor(server, concurrency=8).read_many(images(100), shelf, shelf)
    for progress in job:
        if progress.done >= 15:
            break

    job.close()

    assert len(shelf.records) >= 15
    assert {record.status for record in shelf.records} == {Status.OK}


def test_cancelling_inside_a_long_wait_ends_at_once(serve: Any) -> None:
    server = serve(always(error(429, "Slow down", retry_after="600")))
    shelf = Shelf()
    job = make_extractor(server).read_many(images(10), shelf, shelf)
    texts = []
    for progress in job:
        texts.append(progress.text)
        if "as the server asks" in progress.text:
            break

    job.close()

    assert "waiting" in texts[-1]


def test_a_paused_run_does_not_time_out(serve: Any) -> None:
    server = serve(latency=0.15)
    shelf = Shelf()
    job = make_extractor(server, timeout=0.6, concurrency=4).read_many(images(8), shelf, shelf)
    paused = False
    outcome: Outcome | None = None
    while outcome is None:
        try:
            next(job)
        except StopIteration as stop:
            outcome = stop.value
        if len(server.calls) > 2 and not paused:
            time.sleep(1.0)  # the pause: nobody steps the job
            paused = True

    assert outcome.done == 8
    assert set(server.pictures_paid().values()) == {1}


def test_a_fault_of_ours_is_not_swallowed(serve: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    shelf = Shelf()
    monkeypatch.setattr(shelf, "image_bytes", lambda image: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        run_here(make_extractor(serve()).read_many(images(3), shelf, shelf))


def test_two_images_with_the_same_pixels_have_a_record_each(
    serve: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    shelf = Shelf()
    monkeypatch.setattr(shelf, "image_bytes", lambda image: png(1))
    twins = [make_image(1, sha256="a" * 64, prompt="one"), make_image(2, sha256="a" * 64, prompt="two")]
    outcome = run_here(make_extractor(serve()).read_many(twins, shelf, shelf))
    assert outcome.done == 2


def _digest(call: Call) -> str:
    return sha256(call.picture).hexdigest()
