"""From the files that a batch leaves behind to records, joined by id: every id has exactly one fate."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from core.amounts import counted
from core.extraction.vlm.budget import Budget
from core.extraction.vlm.faults import Fault, Trouble, fault_of_status
from core.extraction.vlm.recorder import Read, Recorder
from core.extraction.vlm.reply import read_reply
from core.extraction.vlm.request import Asking
from core.extraction.vlm.story import Story
from core.extraction.vlm.verdict import Verdict, judge
from core.records import Status, StoredImage
from core.secrets import Secret, scrubbed

HALF_PRICE = 0.5

_STATUS_OF = {"expired": "expired", "cancelled": "cancelled", "failed": "batch failed", "lost": "lost"}
"""Class of a request without an answer, by what became of its batch."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of an output or error file."""

    id: str
    status: int
    body: Any
    code: str
    message: str


@dataclass
class Tally:
    """What else was in the files: lines that nobody asked for, came twice, or cannot be read."""

    unknown: int = 0
    twice: int = 0
    unreadable: int = 0
    left: list[str] = field(default_factory=list)

    def sentence(self) -> str:
        """The tally in words; empty when there is nothing to say."""
        parts = [
            f"{counted(count, 'line')} {what[count != 1]}"
            for count, what in (
                (self.unknown, ("answers what nobody asked", "answer what nobody asked")),
                (self.twice, ("came a second time",) * 2),
                (self.unreadable, ("cannot be read",) * 2),
            )
            if count
        ]
        return ", ".join(parts)


@dataclass
class Joiner:
    """Makes records of one part's files.

    Parameters
    ----------
    asking : Asking
        What was asked.
    recorder : Recorder
        What makes records.
    model : str
        The model as the server called it; answers of another one are errors unless allowed.
    may_change_model : bool
        Whether they are allowed.
    budget : Budget
        Where usage is counted, at half price.
    secret : Secret or None
        The key, to keep it out of records.
    """

    asking: Asking
    recorder: Recorder
    model: str
    may_change_model: bool
    budget: Budget
    secret: Secret | None = None
    tally: Tally = field(default_factory=Tally)

    def join(
        self,
        asked: Mapping[str, Mapping[str, Any]],
        images: Mapping[str, StoredImage],
        files: tuple[Path, ...],
        fate: str,
        problem: str,
    ) -> Iterator[Read]:
        """The record of every image that the part asked about.

        Parameters
        ----------
        asked : mapping
            Id -> what was asked.
        images : mapping
            Id -> image; ids without one are listed in the tally and left.
        files : tuple of Path
            Answers and errors; one that is missing is empty.
        fate : str
            What became of the batch.
        problem : str
            Why, in words.
        """
        open_ids = dict(asked)
        for line in self._lines(files):
            if line.id not in asked:
                self.tally.unknown += 1
            elif line.id not in open_ids:
                self.tally.twice += 1
            else:
                yield from self._read(line, open_ids.pop(line.id), images)
        kind = _STATUS_OF.get(fate, "no answer")
        sentence = f"The batch ended as {fate}" + (f": {problem}" if problem else " without an answer to it.")
        for name, what in open_ids.items():
            if name in images:
                yield self.recorder.failed(images[name], _story(what), kind, sentence)
            else:
                self.tally.left.append(name)

    def _read(self, line: Line, what: Mapping[str, Any], images: Mapping[str, StoredImage]) -> Iterator[Read]:
        image = images.get(line.id)
        if image is None:
            self.tally.left.append(line.id)
            return
        story = _story(what)
        story.tries = 1
        try:
            verdict = self._verdict(line, story)
        except Trouble as trouble:
            yield self._troubled(image, story, trouble.fault)
            return
        if story.model != self.model and not self.may_change_model:
            sentence = f"The server answered as {story.model!r} and before as {self.model!r}."
            yield self.recorder.failed(image, story, "other model", sentence)
            return
        yield self.recorder.judged(image, story, verdict)

    def _verdict(self, line: Line, story: Story) -> Verdict:
        if line.status != 200 or line.code:
            raise Trouble(_fault(line))
        data = json.dumps(line.body, ensure_ascii=False).encode()
        reply = read_reply(data, self.asking.terms.api)
        story.add_answer(data, reply, 0.0)
        if reply.usage is not None:
            self.budget.note(reply.usage, HALF_PRICE)
        verdict = judge(reply, self.asking.schema, self.asking.template.refusal_phrases)
        if verdict.status is Status.INVALID:
            story.add_problem(verdict.reason)
        return verdict

    def _troubled(self, image: StoredImage, story: Story, fault: Fault) -> Read:
        story.add_fault(fault)
        if fault.kind == "flagged":
            return self.recorder.judged(image, story, Verdict(Status.FLAGGED, reason=fault.sentence))
        return self.recorder.failed(image, story, fault.kind, fault.sentence)

    def _lines(self, files: tuple[Path, ...]) -> Iterator[Line]:
        for path in files:
            if not path.exists():
                continue
            with path.open(encoding="utf-8", errors="replace") as file:
                for text in file:
                    line = _line(scrubbed(text, self.secret))
                    if line is not None:
                        yield line
                    elif text.strip():
                        self.tally.unreadable += 1


def _story(what: Mapping[str, Any]) -> Story:
    return Story(request=str(what.get("request", "")), picture=what.get("picture"))


def _line(text: str) -> Line | None:
    """A line of a file in the form that OpenAI writes, or None."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(data, dict) or not isinstance(data.get("custom_id"), str):
        return None
    response = data.get("response")
    response = response if isinstance(response, dict) else {}
    error = data.get("error")
    error = error if isinstance(error, dict) else {}
    status = response.get("status_code")
    return Line(
        id=data["custom_id"],
        status=status if type(status) is int else 0,
        body=response.get("body"),
        code=str(error.get("code") or ""),
        message=str(error.get("message") or ""),
    )


def _fault(line: Line) -> Fault:
    """Why a request has no answer, from its status or its error."""
    if line.code == "batch_expired":
        return Fault("expired", "The batch expired before this request was answered.")
    if line.code == "batch_cancelled":
        return Fault("cancelled", "The batch was called off before this request was answered.")
    if line.status not in (0, 200):
        return fault_of_status(line.status, line.body, {})
    message = line.message or line.code
    return Fault(
        "rejected", f"The server gives no answer: {message}" if message else "The line holds no answer."
    )
