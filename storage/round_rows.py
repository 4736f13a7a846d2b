"""The human half's design: annotators, rounds and image sets."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, TypeAlias

from core.annotator_names import check_new_name
from core.errors import BadInput, StoreError
from core.packets import KeyAnswer
from core.records import Annotator, Condition, ImageSet
from storage.part import IMAGE_COLUMNS, Part, as_json, condition_of, from_json, now, stored_image
from storage.plan_rows import id_of, role_ids
from storage.study import Round

NewImageSet: TypeAlias = tuple[str, str, Condition | None, str, Sequence[int]]
"""Key, role, condition, generator, and the ids of its images in the set's own order."""


KeyRow: TypeAlias = tuple[int, str, KeyAnswer]
"""Image set, question, and the study lead's answer."""


def put_annotator(connection: sqlite3.Connection, name: str, is_simulated: bool) -> Annotator:
    """Add an annotator in a transaction under way, or find the one that is there; BadInput as elsewhere."""
    known = [each for (each,) in connection.execute("SELECT name FROM annotator ORDER BY id")]
    own = name
    if name not in known:
        check_new_name(name, known)
        own = " ".join(name.split())
    connection.execute(
        "INSERT INTO annotator (name, is_simulated, joined_at) VALUES (?, ?, ?)"
        " ON CONFLICT (name) DO NOTHING",
        (own, int(is_simulated), now()),
    )
    number, found = connection.execute(
        "SELECT id, is_simulated FROM annotator WHERE name = ?", (own,)
    ).fetchone()
    return _of_kind(Annotator(number, own, bool(found)), is_simulated)


def _of_kind(found: Annotator, is_simulated: bool) -> Annotator:
    if found.is_simulated != is_simulated:
        raise BadInput(
            f"{found.name!r} is already the name of a "
            f"{'simulated annotator' if found.is_simulated else 'person'}.",
            "Choose another name.",
        )
    return found


class RoundRows(Part):
    """Annotators, rounds and image sets of a study."""

    def add_annotator(self, name: str, is_simulated: bool = False) -> Annotator:
        """Add an annotator; the same name again gives the one that is there.

        A person and a simulated annotator never share a name, and no two names may be taken for one
        ("Anna" and "anna "): BadInput.
        """

        return self._writer.do(lambda connection: put_annotator(connection, name, is_simulated), "annotator")

    def person_named(self, name: str) -> Annotator:
        """The person of this name; with the number 0 where the name is new and can be added.

        Nothing is changed; BadInput as from `add_annotator`.
        """
        rows = self._readers.rows("SELECT id, name, is_simulated FROM annotator ORDER BY id")
        for number, known, is_simulated in rows:
            if known == name:
                return _of_kind(Annotator(number, known, bool(is_simulated)), is_simulated=False)
        check_new_name(name, [known for _, known, _ in rows])
        return Annotator(0, " ".join(name.split()))

    def remove_annotator(self, annotator_id: int) -> None:
        """Take an annotator out who has never answered; BadInput for one with answers or a packet."""

        def act(connection: sqlite3.Connection) -> None:
            try:
                connection.execute("DELETE FROM annotator WHERE id = ?", (annotator_id,))
            except sqlite3.IntegrityError:
                raise BadInput(
                    "This annotator has answered or has a packet, so the name stays in the study.",
                    "Answers can be left out by an exclusion, which is recorded with its reason.",
                ) from None

        self._writer.do(act, "annotator")

    def add_round(
        self,
        name: str,
        seed: int,
        questions: Sequence[str],
        count_mode: str = "marks+slider",
        settings: Mapping[str, Any] | None = None,
        *,
        show_role: bool = False,
        image_sets: Sequence[NewImageSet] = (),
        training: Sequence[NewImageSet] = (),
        keys: Mapping[str, Mapping[str, KeyAnswer]] | None = None,
    ) -> int:
        """Add a round of annotation with its questions in order, and its image sets; return its id.

        `training` are sets that are practised on before; nothing of them is an answer of the study. `keys`
        are the study lead's answers, by key of a set and question.
        """

        def act(connection: sqlite3.Connection) -> int:
            if connection.execute("SELECT 1 FROM round WHERE name = ?", (name,)).fetchone():
                raise BadInput(
                    f"This study already has a round {name!r}.", "Give the new round another name."
                )
            added = connection.execute(
                "INSERT INTO round (name, seed, questions_json, count_mode, show_role, settings_json,"
                " designed_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
                (name, seed, as_json(questions), count_mode, int(show_role), as_json(settings or {}), now()),
            )
            round_id = int(added.lastrowid or 0)
            numbers = _put_image_sets(connection, round_id, image_sets)
            numbers += _put_image_sets(connection, round_id, training, "training")
            by_key = dict(zip([one[0] for one in (*image_sets, *training)], numbers, strict=True))
            rows = [(by_key[one], *row) for one, found in (keys or {}).items() for row in found.items()]
            put_keys(connection, rows)
            return round_id

        return self._writer.do(act, "round", "image_set")

    def add_image_sets(self, round_id: int, image_sets: Sequence[NewImageSet]) -> list[int]:
        """Add image sets to an open round in one transaction; return their ids in the same order.

        A set whose key is there with the same images is left as it is; with others it raises BadInput.
        """

        def act(connection: sqlite3.Connection) -> list[int]:
            refuse_locked(connection, round_id)
            _refuse_left(connection, round_id)
            return _put_image_sets(connection, round_id, image_sets)

        return self._writer.do(act, "image_set")

    def lock_round(self, round_id: int) -> None:
        """Close a round for good: it takes no more answers. Again changes nothing."""

        def act(connection: sqlite3.Connection) -> None:
            connection.execute(
                "UPDATE round SET locked_at = ? WHERE id = ? AND locked_at IS NULL", (now(), round_id)
            )

        self._writer.do(act, "round")

    def annotators(self) -> list[Annotator]:
        """All annotators in the order they joined."""
        rows = self._readers.rows("SELECT id, name, is_simulated FROM annotator ORDER BY id")
        return [Annotator(number, name, bool(simulated)) for number, name, simulated in rows]

    def rounds(self) -> list[Round]:
        """All rounds in the order they were designed."""
        rows = self._readers.rows(
            "SELECT id, name, seed, questions_json, count_mode, show_role, settings_json, designed_at,"
            " locked_at FROM round ORDER BY id"
        )
        return [
            Round(number, name, seed, tuple(from_json(questions)), mode, bool(role), from_json(rest), *times)
            for number, name, seed, questions, mode, role, rest, *times in rows
        ]

    def image_sets(self, round_id: int, purpose: str = "study") -> list[ImageSet]:
        """The image sets of a round in the order they were added, images in each set's own order.

        `purpose` is "study", "repeat" (a second showing of one of them) or "training".
        """
        rows = self._readers.rows(
            "SELECT image_set.id, image_set.key, set_role.name, image_set.condition, set_generator.name,"
            f" {IMAGE_COLUMNS} FROM image_set"
            " JOIN role AS set_role ON set_role.id = image_set.role_id"
            " JOIN generator AS set_generator ON set_generator.id = image_set.generator_id"
            " JOIN image_set_image ON image_set_image.image_set_id = image_set.id"
            " JOIN image ON image.id = image_set_image.image_id"
            " JOIN generator ON generator.id = image.generator_id"
            " JOIN prompt ON prompt.id = image.prompt_id"
            " JOIN role ON role.id = prompt.role_id"
            " WHERE image_set.round_id = ? AND purpose = ?"
            " ORDER BY image_set.id, image_set_image.position",
            [round_id, purpose],
        )
        sets = []
        for (number, key, role, condition, generator), found in groupby(rows, lambda row: row[:5]):
            images = tuple(stored_image(row[5:]) for row in found)
            sets.append(ImageSet(number, key, role, condition_of(condition), generator, images))
        return sets


def refuse_locked(connection: sqlite3.Connection, round_id: int) -> None:
    """Raise StoreError when the round takes no more image sets and answers."""
    found = connection.execute(
        "SELECT name FROM round WHERE id = ? AND locked_at IS NOT NULL", (round_id,)
    ).fetchone()
    if found:
        raise StoreError(
            f"The round {found[0]!r} is locked, so nothing was added.",
            "Open a new round.",
            blind="The round was locked meanwhile, so it takes no more answers.",
        )


def _refuse_left(connection: sqlite3.Connection, round_id: int) -> None:
    """Raise StoreError when a packet of the round has left: its design stays as it is."""
    found = connection.execute(
        "SELECT name FROM round WHERE id = ? AND id IN (SELECT round_id FROM packet)", (round_id,)
    ).fetchone()
    if found:
        raise StoreError(
            f"A packet of {found[0]!r} has left, so its design stays as it is.", "Design a new round."
        )


def put_repeats(
    connection: sqlite3.Connection, round_id: int, sets: Sequence[ImageSet], keys: Sequence[str]
) -> list[int]:
    """Put second showings of image sets into their round; return their ids."""
    refuse_locked(connection, round_id)
    rows = [
        (key, one.role, one.condition, one.generator, [image.image_id for image in one.images])
        for key, one in zip(keys, sets, strict=True)
    ]
    numbers = _put_image_sets(connection, round_id, rows, "repeat")
    connection.executemany(
        "UPDATE image_set SET repeats_id = ? WHERE id = ?",
        [(one.image_set_id, number) for one, number in zip(sets, numbers, strict=True)],
    )
    return numbers


def put_keys(connection: sqlite3.Connection, rows: Iterable[KeyRow]) -> None:
    """Write key answers inside another act."""
    connection.executemany(
        "INSERT INTO key_answer (image_set_id, question, label, slider, marks, source)"
        " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (image_set_id, question) DO UPDATE SET"
        " label = excluded.label, slider = excluded.slider, marks = excluded.marks, source = excluded.source",
        [
            (number, question, key.label, key.slider, json.dumps(sorted(key.marks)), key.source)
            for number, question, key in rows
        ],
    )


def _put_image_sets(
    connection: sqlite3.Connection,
    round_id: int,
    image_sets: Sequence[NewImageSet],
    purpose: str = "study",
) -> list[int]:
    roles = role_ids(connection)
    generators = dict(connection.execute("SELECT name, id FROM generator"))
    numbers = []
    for key, role, condition, generator, image_ids in image_sets:
        row = (
            *(round_id, key, id_of(roles, role, "role")),
            *(condition and condition.value, id_of(generators, generator, "generator"), purpose),
        )
        numbers.append(_put_image_set(connection, row, list(image_ids)))
    return numbers


def _put_image_set(connection: sqlite3.Connection, row: Sequence[Any], image_ids: list[int]) -> int:
    key = row[1]
    found = connection.execute(
        "SELECT id FROM image_set WHERE key = ? AND round_id = ?", (key, row[0])
    ).fetchone()
    if found is None and connection.execute("SELECT 1 FROM image_set WHERE key = ?", (key,)).fetchone():
        raise BadInput(f"The image set {key!r} belongs to another round.", "Give the new round another seed.")
    if found:
        images = connection.execute(
            "SELECT image_id FROM image_set_image WHERE image_set_id = ? ORDER BY position", found
        ).fetchall()
        if [number for (number,) in images] != image_ids:
            raise BadInput(f"There is already an image set {key!r} with other images.", "Use another key.")
        return int(found[0])
    added = connection.execute(
        "INSERT INTO image_set (round_id, key, role_id, condition, generator_id, purpose)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        row,
    )
    connection.executemany(
        "INSERT INTO image_set_image (image_set_id, position, image_id) VALUES (?, ?, ?)",
        [(added.lastrowid, position, image_id) for position, image_id in enumerate(image_ids)],
    )
    return int(added.lastrowid or 0)
