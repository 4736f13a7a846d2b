"""One picture: asked about, asked again if the answer cannot be used, and made a record."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from core.extraction.extractor import RunStopped
from core.extraction.vlm.faults import STOPPING, Trouble
from core.extraction.vlm.patience import Patience
from core.extraction.vlm.picture import Picture
from core.extraction.vlm.request import Asking, Turn
from core.extraction.vlm.story import Story
from core.extraction.vlm.verdict import Verdict, judge
from core.records import NewRecord, Status, StoredImage

ROW_OF_FAILURES = 10
"""Pictures in a row (or twice as many as are read at once) that end in an error before the run stops."""


@dataclass(frozen=True, slots=True)
class Read:
    """A record and the class of what became of it, which for an error says more than its status."""

    record: NewRecord
    kind: str


@dataclass(frozen=True, slots=True)
class Frame:
    """What the records of a run have in common."""

    extractor: str
    schema_version: str
    model: str
    record_key: Callable[[StoredImage], str]


class Conversation:
    """Reads pictures one by one, many at once.

    Parameters
    ----------
    asking : Asking
        What is the same in every request.
    patience : Patience
        What sends them.
    frame : Frame
        What the records have in common.
    repairs : int
        How often an answer that cannot be used is asked for again.
    most_failures : int
        Pictures in a row that may end in an error.
    may_change_model : bool
        Whether answers of another model than the first are taken.
    """

    def __init__(
        self,
        asking: Asking,
        patience: Patience,
        frame: Frame,
        *,
        repairs: int,
        most_failures: int = ROW_OF_FAILURES,
        may_change_model: bool = False,
    ) -> None:
        self._asking = asking
        self._patience = patience
        self._frame = frame
        self._repairs = repairs
        self._most_failures = most_failures
        self._may_change_model = may_change_model
        self._failures = 0

    async def read(self, image: StoredImage, picture: Picture) -> Read | None:
        """The record of an image; None when the run was stopped before anything was paid for it."""
        story = Story(request=self._asking.key(picture), picture=picture)
        try:
            verdict = await self._verdict(picture, story)
        except RunStopped as stop:
            if not story.answers:
                return None
            return self._failed(image, story, "stopped", f"The run was stopped: {stop.sentence}")
        except Trouble as trouble:
            return self._troubled(image, story, trouble)
        if story.model != self._frame.model and not self._may_change_model:
            return self._other_model(image, story)
        self._failures = 0
        return self._record(image, story, verdict)

    def without_picture(self, image: StoredImage, kind: str, sentence: str) -> Read:
        """The record of an image whose picture cannot be sent."""
        key = self._frame.record_key(image)
        record = NewRecord(image.image_id, self._frame.extractor, key, Status.MISSING_IMAGE, reason=sentence)
        return Read(record, kind)

    async def _verdict(self, picture: Picture, story: Story) -> Verdict:
        turns: list[Turn] = []
        terms = self._asking.terms
        while True:
            reply = await self._patience.ask(terms.api, self._asking.body(picture, turns), story)
            verdict = judge(reply, self._asking.schema, self._asking.template.refusal_phrases)
            if verdict.status is not Status.INVALID:
                return verdict
            story.add_problem(verdict.reason)
            if len(turns) >= self._repairs:
                return verdict
            turns.append(Turn(reply.text, self._asking.template.repair(verdict.reason)))

    def _record(self, image: StoredImage, story: Story, verdict: Verdict) -> Read:
        kind = verdict.status.value
        parsed = verdict.parsed
        reason = verdict.reason
        if verdict.status is Status.INVALID:
            reason = f"{len(story.answers)} answers could not be used; of the last, {reason}"
        record = NewRecord(
            image_id=image.image_id,
            extractor=self._frame.extractor,
            record_key=self._frame.record_key(image),
            status=verdict.status,
            readings=parsed.readings if parsed else {},
            n_persons=parsed.n_persons if parsed else None,
            reason=reason,
            raw=self._told(story, kind, parsed.notes if parsed else None),
            seconds=round(story.seconds, 3),
        )
        return Read(record, kind)

    def _troubled(self, image: StoredImage, story: Story, trouble: Trouble) -> Read:
        fault = trouble.fault
        if fault.kind == "flagged":
            self._failures = 0
            return self._record(image, story, Verdict(Status.FLAGGED, reason=fault.sentence))
        self._failures += 1
        if fault.kind in STOPPING:
            self._patience.stop_for(fault)
        elif self._failures >= self._most_failures:
            self._patience.stop(
                RunStopped(
                    f"{self._failures} images in a row failed, the last with: {fault.sentence}",
                    "What was read is kept; start again when the server is well.",
                )
            )
        return self._failed(image, story, fault.kind, fault.sentence)

    def _other_model(self, image: StoredImage, story: Story) -> Read:
        sentence = f"The server answered as {story.model!r} and before as {self._frame.model!r}."
        self._patience.stop(
            RunStopped(
                sentence,
                "Start again to read with the other model, or go on with --allow-other-model.",
            )
        )
        return self._failed(image, story, "other model", sentence)

    def _failed(self, image: StoredImage, story: Story, kind: str, sentence: str) -> Read:
        record = NewRecord(
            image.image_id,
            self._frame.extractor,
            self._frame.record_key(image),
            Status.ERROR,
            reason=sentence,
            raw=self._told(story, kind),
            seconds=round(story.seconds, 3),
        )
        return Read(record, kind)

    def _told(self, story: Story, kind: str, notes: Mapping[str, str] | None = None) -> str:
        template = self._asking.template.version
        return story.text(kind, template, self._frame.schema_version, notes)
