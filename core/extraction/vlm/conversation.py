"""One picture: asked about, asked again if the answer cannot be used, and made a record."""

from __future__ import annotations

from core.extraction.extractor import RunStopped
from core.extraction.vlm.faults import STOPPING, Trouble
from core.extraction.vlm.patience import Patience
from core.extraction.vlm.picture import Picture
from core.extraction.vlm.recorder import Read, Recorder
from core.extraction.vlm.request import Asking, Turn
from core.extraction.vlm.story import Story
from core.extraction.vlm.verdict import Verdict, judge
from core.records import Status, StoredImage

ROW_OF_FAILURES = 10
"""Pictures in a row (or twice as many as are read at once) that end in an error before the run stops."""


class Conversation:
    """Reads pictures one by one, many at once.

    Parameters
    ----------
    asking : Asking
        What is the same in every request.
    patience : Patience
        What sends them.
    recorder : Recorder
        What makes records.
    model : str
        The model as the server called it before the run.
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
        recorder: Recorder,
        model: str,
        *,
        repairs: int,
        most_failures: int = ROW_OF_FAILURES,
        may_change_model: bool = False,
    ) -> None:
        self.recorder = recorder
        self._asking = asking
        self._patience = patience
        self._model = model
        self._repairs = repairs
        self._most_failures = most_failures
        self._may_change_model = may_change_model
        self._failures = 0

    async def read(self, image: StoredImage, picture: Picture) -> Read | None:
        """The record of an image; None when the run was stopped before anything was paid for it."""
        story = Story(request=self._asking.key(picture), picture=picture.as_data())
        try:
            verdict = await self._verdict(picture, story)
        except RunStopped as stop:
            if not story.answers:
                return None
            return self.recorder.failed(image, story, "stopped", f"The run was stopped: {stop.sentence}")
        except Trouble as trouble:
            return self._troubled(image, story, trouble)
        if story.model != self._model and not self._may_change_model:
            return self._other_model(image, story)
        self._failures = 0
        return self.recorder.judged(image, story, verdict)

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

    def _troubled(self, image: StoredImage, story: Story, trouble: Trouble) -> Read:
        fault = trouble.fault
        if fault.kind == "flagged":
            self._failures = 0
            return self.recorder.judged(image, story, Verdict(Status.FLAGGED, reason=fault.sentence))
        self._failures += 1
        if fault.kind in STOPPING:
            self._patience.stop_for(fault)
        elif self._failures >= self._most_failures:
            sentence = f"{self._failures} images in a row failed, the last with: {fault.sentence}"
            again = "What was read is kept; start again when the server is well."
            self._patience.stop(RunStopped(sentence, again))
        return self.recorder.failed(image, story, fault.kind, fault.sentence)

    def _other_model(self, image: StoredImage, story: Story) -> Read:
        sentence = f"The server answered as {story.model!r} and before as {self._model!r}."
        again = "Start again to read with the other model, or go on (--allow-other-model)."
        self._patience.stop(RunStopped(sentence, again))
        return self.recorder.failed(image, story, "other model", sentence)
