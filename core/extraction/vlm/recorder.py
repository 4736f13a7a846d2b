"""From what happened to a record: one for every class that there is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from core.extraction.vlm.story import Story
from core.extraction.vlm.verdict import Verdict
from core.records import NewRecord, Status, StoredImage


@dataclass(frozen=True, slots=True)
class Read:
    """A record and the class of what became of it, which for an error says more than its status."""

    record: NewRecord
    kind: str


@dataclass(frozen=True, slots=True)
class Recorder:
    """Makes the records of a run.

    Parameters
    ----------
    extractor : str
        Its name.
    schema_version, template_version : str
        What was asked, and in which words.
    record_key : callable
        Key of the record of an image.
    """

    extractor: str
    schema_version: str
    template_version: str
    record_key: Callable[[StoredImage], str]

    def judged(self, image: StoredImage, story: Story, verdict: Verdict) -> Read:
        """The record of an image about which there was an answer."""
        kind = verdict.status.value
        parsed = verdict.parsed
        reason = verdict.reason
        if verdict.status is Status.INVALID:
            count = len(story.answers)
            many = "1 answer" if count == 1 else f"{count} answers"
            reason = f"{many} could not be used; of the last, {reason}"
        notes = parsed.notes if parsed else None
        record = NewRecord(
            image_id=image.image_id,
            extractor=self.extractor,
            record_key=self.record_key(image),
            status=verdict.status,
            readings=parsed.readings if parsed else {},
            n_persons=parsed.n_persons if parsed else None,
            reason=reason,
            raw=story.text(kind, self.template_version, self.schema_version, notes),
            seconds=round(story.seconds, 3),
        )
        return Read(record, kind)

    def failed(self, image: StoredImage, story: Story, kind: str, sentence: str) -> Read:
        """The record of an attempt that came to nothing; the image will be asked about again."""
        record = NewRecord(
            image.image_id,
            self.extractor,
            self.record_key(image),
            Status.ERROR,
            reason=sentence,
            raw=story.text(kind, self.template_version, self.schema_version),
            seconds=round(story.seconds, 3),
        )
        return Read(record, kind)

    def without_picture(self, image: StoredImage, kind: str, sentence: str) -> Read:
        """The record of an image whose picture cannot be sent."""
        key = self.record_key(image)
        record = NewRecord(image.image_id, self.extractor, key, Status.MISSING_IMAGE, reason=sentence)
        return Read(record, kind)
