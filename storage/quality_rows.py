"""Every confirmed answer of a round with how it came about: what the look at quality needs."""

from __future__ import annotations

from core.records import Answer
from storage.answer_rows import EVENT_COLUMNS, event_of
from storage.part import Part

_COLUMNS = ", ".join(f"standing_event.{name.strip()}" for name in EVENT_COLUMNS.split(","))


def quality_answers(store: Part, round_id: int) -> list[tuple[str, str, str, str, Answer, float]]:
    """Confirmed answers as they stand, study and repeats, in the order of their first confirmation.

    Annotator, image set (its key), key of the set that it repeats ('' for a first showing), question,
    answer, and the active seconds until it was first confirmed.
    """
    rows = store._readers.rows(
        f"SELECT {_COLUMNS}, standing_event.id, annotator.name, image_set.key, ifnull(first.key, '')"
        " FROM standing_event JOIN annotator ON annotator.id = annotator_id"
        " JOIN image_set ON image_set.id = standing_event.image_set_id"
        " LEFT JOIN image_set AS first ON first.id = image_set.repeats_id"
        " WHERE image_set.round_id = ? AND image_set.purpose <> 'training' ORDER BY standing_event.id",
        [round_id],
    )
    found: dict[tuple[str, str, str, str], tuple[Answer, float]] = {}
    for row in rows:
        event, (name, key, again) = event_of(row[:-3]), row[-3:]
        place = (name, key, again, event.question)
        before = found.get(place)
        if before is None and not event.answer.is_confirmed:
            continue
        found[place] = (event.answer, before[1] if before else event.active_seconds)
    return [(*place, *answer) for place, answer in found.items() if answer[0].is_confirmed]
