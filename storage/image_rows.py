"""Images: the file, its thumbnail and its row."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from core.errors import BadInput
from core.keys import content_hash
from core.records import ImageStatus, NewImage, StoredImage
from storage.images import StoredFile
from storage.part import IMAGE_COLUMNS, IMAGE_TABLES, Part, as_json, from_json, now, stored_image
from storage.plan_rows import id_of, put_prompt, role_ids

_AT_ONCE = 500
"""Values in one list of a query; SQLite takes 32,766, but a list is planned anew for every length."""


# A scheduler's endless bound was written as Python writes it, which SQLite before 3.42 takes for damage.
_STRICT = (
    "CASE WHEN json_valid(provenance_json) THEN provenance_json ELSE"
    " replace(replace(replace(provenance_json, '-Infinity', 'null'), 'Infinity', 'null'), 'NaN', 'null') END"
)


class ImageRows(Part):
    """Images of a study and what is known to be on drawn ones."""

    def add_image(self, image: NewImage) -> int:
        """Store one image and return its id; one with the same run key is left as it is."""
        return self.add_images([image])[0]

    def add_images(self, images: Sequence[NewImage]) -> list[int]:
        """Store images in one transaction and return their ids in the same order.

        An image whose run key is there is neither written nor changed; if its file is gone, the same
        picture puts it back, and another one raises BadInput. The rows are kept through a
        crash of the program but may be lost with the power, as images can be made again; no row is ever
        kept without its whole file.
        """
        known = self._known([image.run_key for image in images])
        self._put_back(images, known)
        fresh = {image.run_key: image for image in images if image.run_key not in known}
        if not fresh:
            return [known[image.run_key] for image in images]
        files = self._images.keep((image.data, image.format) for image in fresh.values())

        def act(connection: sqlite3.Connection) -> dict[str, int]:
            return _put_images(connection, list(fresh.values()), files)

        known.update(self._writer.do(act, "image", durable=False))
        return [known[image.run_key] for image in images]

    def complete_image(self, run_key: str, image: NewImage) -> None:
        """Give an imported image the role and the condition that are said of it now, and note what it had.

        One that is in a round already stays as people see it, and raises BadInput.
        """
        self._writer.do(lambda connection: _complete(connection, run_key, image), "image")

    def images(
        self,
        generator: str | None = None,
        status: ImageStatus | str | None = None,
        role: str | None = None,
    ) -> list[StoredImage]:
        """Images in the order they arrived, of one generator, status or role where that is given."""
        state = status and ImageStatus(status).value
        wanted = {"generator.name": generator, "image.status": state, "role.name": role}
        wanted = {column: value for column, value in wanted.items() if value is not None}
        where = " AND ".join(f"{column} = ?" for column in wanted) or "1"
        return self._stored_images(f"WHERE {where} ORDER BY image.id", list(wanted.values()))

    def image(self, image_id: int) -> StoredImage:
        """The image with this id; KeyError when there is none."""
        found = self._stored_images("WHERE image.id = ?", [image_id])
        if not found:
            raise KeyError(image_id)
        return found[0]

    def images_with(self, image_ids: Iterable[int]) -> list[StoredImage]:
        """The images with these ids, in the order they arrived; ids that are not there are left out."""
        wanted = json.dumps(list(image_ids))
        rest = "WHERE image.id IN (SELECT value FROM json_each(?)) ORDER BY image.id"
        return self._stored_images(rest, [wanted])

    def run_keys(self, generator: str) -> set[str]:
        """Run keys of the images of a generator whose files are there: what need not be made again."""
        rows = self._readers.rows(
            "SELECT run_key, path FROM image JOIN generator ON generator.id = generator_id WHERE name = ?",
            [generator],
        )
        present = self._images.present() if rows else set()
        return {key for key, path in rows if path in present}

    def devices_of(self, generator: str) -> dict[str, int]:
        """What a generator's images were made on, by title, with how many; {} where none is stated."""
        rows = self._readers.rows(
            f"SELECT json_extract({_STRICT}, '$.device.title') AS title, count(*) FROM image"
            " JOIN generator ON generator.id = generator_id WHERE generator.name = ? AND title IS NOT NULL"
            " GROUP BY title ORDER BY min(image.id)",
            [generator],
        )
        return dict(rows)

    def truth_of(self, image_ids: Iterable[int]) -> dict[int, dict[str, tuple[str, ...]]]:
        """What is on the drawn ones among these images: dimension -> labels; others are left out."""
        rows = self._by_list(
            "SELECT image_id, labels_json FROM truth WHERE image_id IN ({marks})", list(image_ids)
        )
        return {
            number: {dimension: tuple(labels) for dimension, labels in from_json(text).items()}
            for number, text in rows
        }

    def image_bytes(self, image: StoredImage) -> bytes:
        """The image's file as it arrived; StoreError when it is missing."""
        return self._images.data(image.path)

    def thumbnail_bytes(self, image: StoredImage) -> bytes:
        """The image's thumbnail, a JPEG of at most 512 px a side; StoreError when it is missing."""
        return self._images.data(image.thumbnail)

    def provenance_of(self, image_id: int) -> dict[str, Any]:
        """Everything recorded about how an image was made; KeyError when there is no such image."""
        row = self._readers.row("SELECT provenance_json FROM image WHERE id = ?", [image_id])
        if row is None:
            raise KeyError(image_id)
        found: dict[str, Any] = from_json(row[0])
        return found

    def _put_back(self, images: Sequence[NewImage], known: Mapping[str, int]) -> None:
        there = {image.image_id: image for image in self.images_with(known.values())}
        for image in images:
            stored = there.get(known.get(image.run_key, -1))
            if stored is None or self._images.has(stored.path):
                continue
            if content_hash(image.data) != stored.sha256:
                raise BadInput(
                    f"The file {stored.path} is missing, and made again the picture is another one.",
                    "Copy the file back from wherever the folder came from; the row is kept.",
                )
            self._images.keep([(image.data, Path(stored.path).suffix)])

    def _stored_images(self, rest: str, values: Sequence[Any]) -> list[StoredImage]:
        rows = self._readers.rows(f"SELECT {IMAGE_COLUMNS} FROM {IMAGE_TABLES} {rest}", values)
        return [stored_image(row) for row in rows]

    def _known(self, run_keys: list[str]) -> dict[str, int]:
        return dict(self._by_list("SELECT run_key, id FROM image WHERE run_key IN ({marks})", run_keys))

    def _by_list(self, sql: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
        found: list[tuple[Any, ...]] = []
        for start in range(0, len(values), _AT_ONCE):
            some = values[start : start + _AT_ONCE]
            found += self._readers.rows(sql.format(marks=", ".join("?" * len(some))), some)
        return found


def _put_images(
    connection: sqlite3.Connection, images: Sequence[NewImage], files: Sequence[StoredFile]
) -> dict[str, int]:
    roles = role_ids(connection)
    generators = dict(connection.execute("SELECT name, id FROM generator"))
    ids: dict[str, int] = {}
    for image, file in zip(images, files, strict=True):
        generator_id = id_of(generators, image.generator, "generator")
        prompt_id = put_prompt(connection, image.prompt, roles)
        ids[image.run_key] = _put_image(connection, image, file, generator_id, prompt_id)
    return ids


def _put_image(
    connection: sqlite3.Connection, image: NewImage, file: StoredFile, generator_id: int, prompt_id: int
) -> int:
    # Another process may have stored the same run key since this one looked: the first stays.
    added = connection.execute(
        "INSERT INTO image (generator_id, prompt_id, seed, run_key, sha256, path, thumbnail, format,"
        " width, height, bytes, status, seconds, source, provenance_json, arrived_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (run_key) DO NOTHING",
        (
            *(generator_id, prompt_id, image.seed, image.run_key),
            *(file.sha256, file.path, file.thumbnail, image.format),
            *(image.width, image.height, file.bytes, image.status.value),
            *(image.seconds, image.source, as_json(image.provenance), now()),
        ),
    )
    if not added.rowcount:
        (number,) = connection.execute("SELECT id FROM image WHERE run_key = ?", (image.run_key,)).fetchone()
        return int(number)
    number = added.lastrowid
    if image.truth is not None:
        labels = json.dumps({dimension: list(labels) for dimension, labels in image.truth.items()})
        connection.execute("INSERT INTO truth (image_id, labels_json) VALUES (?, ?)", (number, labels))
    return int(number or 0)


def _complete(connection: sqlite3.Connection, run_key: str, image: NewImage) -> None:
    number, told, role, condition = connection.execute(
        "SELECT image.id, provenance_json, role.name, condition FROM image"
        " JOIN prompt ON prompt.id = prompt_id JOIN role ON role.id = role_id WHERE run_key = ?",
        (run_key,),
    ).fetchone()
    if connection.execute("SELECT 1 FROM image_set_image WHERE image_id = ?", (number,)).fetchone():
        raise BadInput(
            f"Image {number} is this picture and is in a round already, so it stays as people see it.",
            "Import the pictures into a new study to say more of them.",
        )
    prompt_id = put_prompt(connection, image.prompt, role_ids(connection))
    was = {"role": role, "condition": condition, "completed_at": now()}
    known = from_json(told)
    kept = known | dict(image.provenance) | {"before": [*known.get("before", ()), was]}
    connection.execute(
        "UPDATE image SET prompt_id = ?, run_key = ?, provenance_json = ? WHERE id = ?",
        (prompt_id, image.run_key, as_json(kept), number),
    )
