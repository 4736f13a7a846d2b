"""What the Team page reads and records about quality: flags, repeats, exclusions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from core.errors import BadInput
from gui.team.facts import questions_of

if TYPE_CHECKING:
    from storage.store import Store

ALL = "ALL"


@dataclass(frozen=True)
class Quality:
    """Rows of `annotation.quality` with the names of their questions; exclusions, also those taken back."""

    rows: tuple[dict[str, Any], ...] = ()
    exclusions: tuple[dict[str, Any], ...] = ()

    @property
    def flagged(self) -> int:
        """How many rows have a flag."""
        return sum(bool(row["flags"]) for row in self.rows)

    def excluded(self, annotator: str, question: str) -> str:
        """Why somebody is left out of a question now; empty when nobody left them out."""
        for one in self.exclusions:
            is_meant = one["annotator"] == annotator and one["question"] in ("", question)
            if is_meant and not one["withdrawn_at"]:
                return str(one["reason"])
        return ""


def read_quality(store: Store) -> Quality:
    """Look over the newest round's answers."""
    from annotation.quality import quality_rows
    from annotation.right_answers import right_answers
    from core.schema import read_schema
    from storage.quality_rows import quality_answers

    rounds = store.rounds()
    if not rounds:
        return Quality()
    number, questions = rounds[-1].round_id, questions_of(store)
    sets = {one.image_set_id: one.key for one in store.image_sets(number)}
    keys = {
        (sets[image_set], question): key
        for (image_set, question), key in right_answers(store, number, questions).items()
        if image_set in sets
    }
    schema = read_schema(store.study.schema_json)
    names = {one.id: schema.dimension(one.dimension).name for one in questions}
    rows = quality_rows(quality_answers(store, number), keys)
    named = [
        row
        | {"name": "all questions" if row["question"] == ALL else names.get(row["question"], row["question"])}
        for row in rows
    ]
    return Quality(tuple(named), tuple(store.exclusions(number)))


def exclude_in(store: Store, annotator: str, question: str, why: str, who: str) -> int:
    """Leave somebody out of the newest round's tables, of one question or of all."""
    rounds = store.rounds()
    people = {one.name: one.annotator_id for one in store.annotators()}
    if not rounds or annotator not in people:
        raise BadInput(f"There is no annotator {annotator!r} in this study.")
    return store.exclude(rounds[-1].round_id, people[annotator], question or None, why, who)
