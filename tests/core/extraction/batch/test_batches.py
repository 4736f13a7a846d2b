"""Batches: every image has one fate, nothing is ordered twice, and a run can stop at every stage."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from core.errors import BadInput, UserError
from core.extraction.batch import BatchOptions, read_in_batches
from core.extraction.batch.ledger import Ledger
from core.extraction.extractor import RunStopped
from core.jobs import Outcome, Progress, run_here
from core.records import Status
from tests.core.extraction.vlm.shelf import Shelf, assert_right, images, make_extractor, sent
from tests.fake_batches import FakeBatches
from tests.fake_server import FakeServer, Mischief, error, fake_server

SORRY = "I'm sorry, I can't help with that."


class Lab:
    """A server with batches, a shelf, and a folder that outlives runs."""

    def __init__(self, server: FakeServer, folder: Path) -> None:
        self.server = server
        self.batches = FakeBatches(server)
        self.folder = folder
        self.shelf = Shelf()
        self.now = 1_000_000.0

    def job(self, count: int, limits: dict[str, Any] | None = None, **changes: Any) -> Any:
        options = BatchOptions(**{"poll_seconds": 0.0, "most_requests": 10, **(limits or {})})
        extractor = make_extractor(self.server, **{"tries": 3, **changes})
        return read_in_batches(
            extractor, images(count), self.shelf, self.shelf, self.folder, options, now=lambda: self.now
        )

    def read(self, count: int, report: Callable[[Progress], None] | None = None, **changes: Any) -> Outcome:
        outcome: Outcome = run_here(self.job(count, **changes), report)
        return outcome

    def read_or_stop(self, count: int, **changes: Any) -> Outcome:
        """The outcome, also of a run that stopped."""
        try:
            return self.read(count, **changes)
        except RunStopped as stop:
            return stop.outcome or Outcome()

    def ledger(self) -> list[dict[str, Any]]:
        (path,) = self.folder.rglob("ledger.json")
        parts: list[dict[str, Any]] = json.loads(path.read_text())["parts"]
        return parts


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Lab]:
    with fake_server() as server:
        yield Lab(server, tmp_path / "batches")


def kinds(outcome: Outcome) -> dict[str, str]:
    return {failure.item: failure.kind for failure in outcome.failures}


def test_every_image_is_read_right_and_paid_for_once(lab: Lab) -> None:
    outcome = lab.read(25)

    assert (outcome.asked, outcome.done, outcome.failed) == (25, 25, 0)
    assert len(lab.batches.batches) == 3
    assert set(lab.batches.paid.values()) == {1}
    for record in lab.shelf.records:
        assert_right(record)
    story = json.loads(lab.shelf.records[0].raw)
    assert story["class"] == "ok"
    assert story["picture"]["sha256"] == sent(lab.shelf.records[0].image_id)
    assert story["usage"] == {"in": 5000, "out": 400}


def test_a_record_has_the_key_of_one_that_was_asked_for_directly(lab: Lab) -> None:
    lab.read(5)
    outcome = run_here(make_extractor(lab.server).read_many(images(8), lab.shelf, lab.shelf))
    assert (outcome.done, outcome.skipped) == (3, 5)


def test_a_second_run_orders_only_what_is_new(lab: Lab) -> None:
    lab.read(12)
    outcome = lab.read(15)
    assert (outcome.done, outcome.skipped) == (3, 12)
    assert len(lab.batches.batches) == 3


def test_the_responses_api_goes_to_its_own_endpoint(lab: Lab) -> None:
    outcome = lab.read(3, api="responses")
    assert outcome.done == 3
    assert lab.batches.batches["batch_1"]["endpoint"] == "/v1/responses"


def test_files_are_split_by_bytes_after_encoding_and_by_count(lab: Lab) -> None:
    lab.batches.misbehave = lambda method, path, number: (
        error(401, "Stop here") if (method, path) == ("POST", "/batches") else None
    )
    with pytest.raises(RunStopped):
        run_here(lab.job(7, {"most_bytes": 70_000, "most_requests": 100}))

    parts = lab.ledger()
    files = sorted(lab.folder.rglob("*.jsonl"))
    assert len(parts) == len(files) > 1
    assert sum(part["requests"] for part in parts) == 7
    for part, path in zip(parts, files, strict=True):
        assert part["bytes"] == path.stat().st_size <= 70_000
    with pytest.raises(UserError, match="One request has"):
        run_here(Lab(lab.server, lab.folder / "other").job(3, {"most_bytes": 1000}))


def test_what_is_uploaded_says_nothing_about_what_the_pictures_were_made_for(lab: Lab) -> None:
    lab.read(2)

    text = lab.batches.uploads[0]
    for line in lab_lines(text):
        picture = line["body"]["messages"][1]["content"][1]["image_url"]["url"].split(",")[1]
        assert base64.b64decode(picture)[:2] == b"\xff\xd8"
        text = text.replace(picture.encode(), b"")
    for word in (b"baker", b"drawn-a", b"CF", b"images/", b"photo of"):
        assert word not in text
    assert b'filename="part-0001.jsonl"' in text


def lab_lines(upload: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in upload.splitlines() if line.startswith(b'{"custom_id"')]


# What may become of single requests ----------------------------------------------------------------------

FATES: dict[str, tuple[Any, str]] = {
    "missing": ("missing", "no answer"),
    "expired": ("expired", "expired"),
    "cancelled": ("cancelled", "cancelled"),
    "a server error": (error(500, "Oops"), "server"),
    "too many": (error(429, "Slow down"), "rate limit"),
    "flagged": (error(400, "Rejected by the safety system", "content_policy_violation"), "flagged"),
    "refused": (Mischief(message={"content": None, "refusal": SORRY}), "refused"),
    "refused in words": (Mischief(content=SORRY), "refused"),
    "truncated": (Mischief(content='{"mood"', finish="length"), "truncated"),
    "invalid": (Mischief(content="A kitchen."), "invalid"),
    "no choices": (Mischief(envelope={"choices": [], "model": "m"}), "not an answer"),
    "another model": (Mischief(model="fake-vision-2"), "other model"),
}


@pytest.mark.parametrize("name", FATES)
@pytest.mark.parametrize("has_error_file", [True, False])
def test_each_fate_of_a_request_has_its_class(lab: Lab, name: str, has_error_file: bool) -> None:
    what, kind = FATES[name]
    lab.batches.has_error_file = has_error_file
    lab.batches.line_fate = lambda place, request: what if place in (1, 4) else "ok"

    outcome = lab.read(10)

    goes_to_error_file = what in ("expired", "cancelled") or (
        isinstance(what, Mischief) and what.status != 200
    )
    expected = "no answer" if goes_to_error_file and not has_error_file else kind
    assert (outcome.done, outcome.failed) == (8, 2)
    assert set(kinds(outcome).values()) == {expected}
    for record in lab.shelf.records:
        assert bool(record.readings) == (record.status is Status.OK)


def test_only_what_is_missing_is_ordered_again(lab: Lab) -> None:
    lab.batches.line_fate = lambda place, request: ["ok", "missing", "expired", error(500, "Oops")][place % 4]
    lab.read(10)
    lab.batches.line_fate = lambda place, request: "ok"

    outcome = lab.read(10)

    assert (outcome.done, outcome.skipped) == (7, 3)
    assert set(lab.batches.paid.values()) == {1}
    assert set(lab.shelf.statuses().values()) == {Status.OK}


def test_answers_twice_unknown_and_unreadable_are_counted_and_do_no_harm(lab: Lab) -> None:
    lab.batches.line_fate = lambda place, request: "twice"
    lab.batches.more_lines = [
        b"", b"not JSON", b"[]", b'{"custom_id": 7}', b'{"custom_id": "nobody", "response": {}}', b"{" * 5000
    ]  # fmt: skip

    outcome = lab.read(10)

    assert (outcome.done, len(lab.shelf.records)) == (10, 10)
    assert lab.ledger()[0]["problem"] == (
        "1 line answers what nobody asked, 10 lines came a second time, 4 lines cannot be read"
    )


# What may become of a whole batch ------------------------------------------------------------------------


def test_a_batch_that_failed_without_an_error_file_is_named_and_ordered_again_by_the_next_run(
    lab: Lab,
) -> None:
    lab.batches.fate = lambda number: "failed" if number == 1 else "completed"

    outcome = lab.read(20)
    again = lab.read(20)

    assert (outcome.done, set(kinds(outcome).values())) == (10, {"batch failed"})
    assert (again.done, again.skipped) == (10, 10)


def test_a_batch_that_failed_says_why(lab: Lab) -> None:
    lab.batches.fate = lambda number: "failed"
    lab.batches.errors = [{"code": "invalid_json_line", "message": "Line 3 is no JSON."}]
    outcome = lab.read(3)
    assert "Line 3 is no JSON." in outcome.failures[0].reason


def test_an_expired_batch_gives_what_was_done(lab: Lab) -> None:
    lab.batches.fate = lambda number: "expired"
    lab.batches.line_fate = lambda place, request: "ok" if place < 6 else "expired"
    outcome = lab.read(10)
    assert (outcome.done, set(kinds(outcome).values())) == (6, {"expired"})


def test_a_batch_that_never_ends_is_called_off_and_named(lab: Lab) -> None:
    lab.batches.fate = lambda number: "stuck" if number == 1 else "completed"
    lab.batches.line_fate = lambda place, request: "ok" if place < 2 else "cancelled"
    texts: list[str] = []

    def report(progress: Progress) -> None:
        texts.append(progress.text)
        lab.now += 3600

    outcome = lab.read(10, report)

    assert ("POST", "/batches/batch_1/cancel") in lab.batches.calls
    assert (outcome.done, set(kinds(outcome).values())) == (2, {"cancelled"})
    assert any("validating" in text for text in texts)


def test_a_batch_that_cannot_even_be_called_off_is_given_up(lab: Lab) -> None:
    lab.batches.fate = lambda number: "stuck"
    lab.batches.misbehave = lambda method, path, number: (
        Mischief(envelope={"id": "batch_1", "status": "validating"}) if path.endswith("cancel") else None
    )

    def report(progress: Progress) -> None:
        lab.now += 3600

    outcome = lab.read(4, report)
    assert set(kinds(outcome).values()) == {"lost"}
    assert "hours" in outcome.failures[0].reason


def test_an_order_that_the_server_forgot_is_named(lab: Lab) -> None:
    lab.batches.misbehave = lambda method, path, number: (
        error(404, "No batch found") if (method, path) == ("GET", "/batches/batch_1") else None
    )
    outcome = lab.read(4)
    assert set(kinds(outcome).values()) == {"lost"}


def test_too_many_tokens_at_once_waits_for_the_others(lab: Lab) -> None:
    lab.batches.fate = lambda number: "failed" if number == 2 else "completed"
    lab.batches.errors = [{"code": "token_limit_exceeded", "message": "Enqueued token limit reached."}]

    outcome = lab.read(20)

    assert outcome.done == 20
    assert len(lab.batches.batches) == 3


def test_too_many_tokens_in_one_file_stops_with_a_remedy(lab: Lab) -> None:
    lab.batches.fate = lambda number: "failed"
    lab.batches.errors = [{"code": "token_limit_exceeded", "message": "Enqueued token limit reached."}]
    with pytest.raises(RunStopped, match="token limit"):
        lab.read(10)


# Calls that fail -----------------------------------------------------------------------------------------

PASSING = [
    error(500, "Oops"),
    error(429, "Slow", retry_after_ms="5"),
    error(503, "Busy", retry_after="0"),
    Mischief(reset=True),
    Mischief(raw=b"<html>Log in</html>", content_type="text/html"),
    Mischief(raw=b"[" * 200_000),
    "reset after",
]


CALLS = ("POST /files", "POST /batches", "GET /batches/batch_1", "GET /files/out-batch_1/content")


@pytest.mark.parametrize(
    ("path", "mischief"),
    # A page in place of a file is told from its lines: the test after this one.
    [(path, each) for path in CALLS for each in PASSING if not (path == CALLS[3] and each is PASSING[4])],
)
def test_a_call_that_fails_once_is_repeated_and_nothing_is_ordered_twice(
    lab: Lab, path: str, mischief: Any
) -> None:
    seen: list[int] = []

    def misbehave(method: str, where: str, number: int) -> Any:
        if f"{method} {where}" == path and not seen:
            seen.append(number)
            return mischief
        return None

    lab.batches.misbehave = misbehave

    outcome = lab.read(6)

    assert outcome.done == 6
    assert set(lab.batches.paid.values()) == {1}
    assert seen


def test_a_page_in_place_of_the_answers_is_no_answer_and_they_are_fetched_later_without_paying_again(
    lab: Lab,
) -> None:
    lab.batches.misbehave = lambda method, path, number: (
        Mischief(raw=b"<html>Log in</html>") if path.endswith("content") else None
    )
    with pytest.raises(RunStopped, match="no file of answers"):
        lab.read(4)
    assert lab.shelf.records == []

    lab.batches.misbehave = lambda method, path, number: None
    assert lab.read(4).done == 4
    assert set(lab.batches.paid.values()) == {1}


@pytest.mark.parametrize("path", ["/files", "/batches"])
@pytest.mark.parametrize(
    ("mischief", "sentence"),
    [
        (error(401, "Incorrect API key"), "does not accept the key"),
        (error(429, "Quota", "insufficient_quota"), "used up"),
        (error(404, "Not Found"), "404"),
        (error(400, "Invalid purpose"), "Invalid purpose"),
        (error(500, "Oops"), "Oops"),
    ],
)
def test_what_cannot_work_stops_the_run_and_is_continued_later(
    lab: Lab, path: str, mischief: Mischief, sentence: str
) -> None:
    lab.batches.misbehave = lambda method, where, number: (
        mischief if (method, where) == ("POST", path) else None
    )

    with pytest.raises(RunStopped, match=sentence) as caught:
        lab.read(5, tries=1)

    assert caught.value.outcome is not None
    caught.value.outcome.check()
    lab.batches.misbehave = lambda method, where, number: None
    assert lab.read(5).done == 5
    assert set(lab.batches.paid.values()) == {1}


def test_a_server_without_batches_is_told(lab: Lab) -> None:
    lab.server.cabinet = None
    with pytest.raises(RunStopped) as caught:
        lab.read(2)
    assert "--batch" in caught.value.remedy
    with pytest.raises(BadInput, match="no Batch interface"):
        lab.read(2, server="ollama")


# Stopping and going on -----------------------------------------------------------------------------------


@pytest.mark.parametrize("stage", ["built", "sent", "ordering", "ordered", "over", "fetched"])
def test_a_run_that_dies_at_any_stage_goes_on_without_ordering_twice(
    lab: Lab, stage: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    save = Ledger.save
    dies = [True]

    def save_and_die(ledger: Ledger) -> None:
        save(ledger)
        if dies[0] and any(part.stage == stage for part in ledger.parts):
            dies[0] = False
            raise KeyboardInterrupt

    monkeypatch.setattr(Ledger, "save", save_and_die)
    with pytest.raises(KeyboardInterrupt):
        lab.read(15)

    outcome = lab.read(15)

    assert outcome.done + outcome.skipped == 15
    assert set(lab.shelf.statuses().values()) == {Status.OK}
    assert set(lab.batches.paid.values()) == {1}
    assert len(lab.shelf.records) == 15


def test_a_run_that_is_cancelled_while_it_waits_fetches_the_answers_next_time(lab: Lab) -> None:
    lab.batches.fate = lambda number: "stuck"
    job = lab.job(8)
    for progress in job:
        if "validating" in progress.text:
            break
    job.close()
    lab.batches.fate = lambda number: "completed"

    outcome = lab.read(8)

    assert outcome.done == 8
    assert len(lab.batches.batches) == 1


def test_a_run_over_fewer_images_leaves_the_answers_for_the_others(lab: Lab) -> None:
    lab.batches.fate = lambda number: "stuck"
    job = lab.job(8)
    for progress in job:
        if "validating" in progress.text:
            break
    job.close()
    lab.batches.fate = lambda number: "completed"

    few = lab.read(3)
    rest = lab.read(8)

    assert (few.done, rest.done, rest.skipped) == (3, 5, 3)
    assert set(lab.batches.paid.values()) == {1}


def test_a_ledger_that_cannot_be_read_is_not_overwritten(lab: Lab) -> None:
    lab.read(2)
    (path,) = lab.folder.rglob("ledger.json")
    path.write_text("{")
    with pytest.raises(BadInput, match="cannot be read"):
        lab.read(4)
    assert path.read_text() == "{"


def test_pictures_do_not_stay_at_the_server_or_twice_on_the_disk(lab: Lab) -> None:
    lab.read(12)
    assert not [name for name in lab.batches.files if name.startswith("file-")]
    assert not list(lab.folder.rglob("part-????.jsonl"))


def test_missing_and_broken_files_are_recorded_and_not_ordered(lab: Lab) -> None:
    lab.shelf = Shelf(missing=[2], broken=[3])
    outcome = lab.read(4)
    assert outcome.done == 2
    assert kinds(outcome) == {"image 2": "missing image", "image 3": "unreadable image"}


def test_the_budget_holds_at_half_price_and_what_fits_is_ordered(lab: Lab) -> None:
    with pytest.raises(RunStopped, match=r"does not hold part-0002") as caught:
        lab.read(30, budget=0.2, price_in=1.0, price_out=4.0)

    assert caught.value.outcome is not None
    assert (caught.value.outcome.done, caught.value.outcome.skipped) == (10, 20)
    assert sum(lab.batches.paid.values()) == 10


def test_half_the_price_is_shown(lab: Lab) -> None:
    texts: list[str] = []
    lab.read(10, lambda progress: texts.append(progress.text), price_in=1.0, price_out=4.0)
    assert any("about 0.03 at half price" in text for text in texts)


def test_a_mixture_of_everything_is_accounted_for(lab: Lab) -> None:
    random = Random(4)
    fates = ["ok", "ok", "ok", "twice", *(what for what, _ in FATES.values())]
    lab.batches.line_fate = lambda place, request: random.choice(fates)
    lab.batches.fate = lambda number: random.choice(["completed", "completed", "expired", "failed"])
    trouble = [
        *[None] * 6,
        error(500, "Oops"),
        error(429, "Slow", retry_after_ms="1"),
        Mischief(reset=True),
        Mischief(raw=b"<html>"),
        "reset after",
    ]
    lab.batches.misbehave = lambda method, path, number: random.choice(trouble)

    for _ in range(6):
        outcome = lab.read_or_stop(60, tries=8, first_wait=0.001, allow_other_model=True)
        assert outcome.asked == outcome.done + outcome.failed + outcome.skipped == 60

    settled = [record for record in lab.shelf.records if record.status is not Status.ERROR]
    assert len({record.record_key for record in settled}) == len(settled)
    for record in settled:
        assert bool(record.readings) == (record.status is Status.OK)
        assert_right(record)
