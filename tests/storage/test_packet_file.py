"""What a packet holds, byte for byte: nothing that tells what a picture is."""

from __future__ import annotations

import hashlib
import io
import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from PIL import Image

from annotation.packet_making import make_packet
from core.errors import BadInput, StoreError
from core.jobs import run_here
from core.records import StoredImage
from storage.store import Store
from tests import team

TABLES = {
    "packet": {"id", "key", "study_key", "annotator", "is_simulated", "content_hash"},
    "sitting": {"id", "key", "place", "application_version", "began_at", "ended_at"},
    "content": {
        *("id", "questions_json", "count_mode", "is_reversed", "shows_role", "side"),
        *("pass_share", "attempts"),
    },
    "picture": {"id", "data"},
    "shown": {"number", "key", "part", "role", "pictures_json"},
    "key_answer": {"set_number", "question", "label", "slider", "marks"},
}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("blind")
    with team.new_study(folder / "study", roles=2, roomy=2) as store:
        team.open_round(store)
        for name in ("Ana", "Ben"):
            team.packet_for(store, name, folder / f"{name}.packet")
    return folder


def secrets_of(store: Store) -> dict[str, set[bytes]]:
    """Everything that a packet must not hold, as bytes, by what it is."""
    images: list[StoredImage] = store.images()
    rounds = store.rounds()
    sets = [one for purpose in ("study", "repeat", "training") for one in store.image_sets(1, purpose)]
    words = {
        "role": {text for image in images for text in (image.role, image.role.replace("_", " "))},
        "generator": {image.generator for image in images},
        "prompt": {image.prompt for image in images},
        "condition": {word for image in images if image.condition for word in (image.condition.in_words,)},
        "path": {part for image in images for part in (image.path, image.thumbnail, Path(image.path).name)},
        "hash": {image.sha256 for image in images} | {image.sha256[:12] for image in images},
        "image seed": {str(image.seed) for image in images},
        "key of a set": {one.key for one in sets},
        "study": {store.study.name, "study.sqlite"},
        "round": {rounds[0].name},
    }
    return {what: {text.encode() for text in found} for what, found in words.items()}


def test_no_byte_of_a_packet_says_what_a_picture_is(place: Path) -> None:
    with Store.open(place / "study") as store:
        forbidden, originals = secrets_of(store), [store.image_bytes(image) for image in store.images()]
    for name in ("Ana", "Ben"):
        data = (place / f"{name}.packet").read_bytes()
        for what, texts in forbidden.items():
            for text in texts:
                assert text not in data, f"{what} {text!r}"
                assert text.decode().encode("utf-16-le") not in data, f"{what} {text!r}"
        # The short names of conditions stand alone, or any word with "cf" in it would do.
        assert not re.search(
            rb"(?<![A-Za-z0-9+/])(CF|CA-R|CA-U)(?![A-Za-z0-9+/])", _without_pictures(place, name)
        )
        for original in originals:
            assert original[8:200] not in data
            assert hashlib.sha256(original).digest() not in data


def _without_pictures(place: Path, name: str) -> bytes:
    with closing(sqlite3.connect(place / f"{name}.packet")) as connection:
        data = (place / f"{name}.packet").read_bytes()
        for (picture,) in connection.execute("SELECT data FROM picture"):
            for start in range(0, len(picture), 1024):  # a picture is spread over pages
                data = data.replace(picture[start : start + 1024], b"")
    return data


def test_there_is_no_table_and_no_column_for_anything_else(place: Path) -> None:
    with closing(sqlite3.connect(place / "Ana.packet")) as connection:
        tables = {
            name: {row[1] for row in connection.execute(f"PRAGMA table_info({name})")}
            for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        }
        others = connection.execute("SELECT name FROM sqlite_master WHERE type NOT IN ('table', 'index')")

        assert others.fetchall() == []
        assert tables.keys() == TABLES.keys() | {"event"}
        assert {name: columns for name, columns in tables.items() if name != "event"} == TABLES
        assert connection.execute("PRAGMA freelist_count").fetchone() == (0,)
        assert connection.execute("SELECT count(*) FROM event").fetchone() == (0,)
        assert connection.execute("SELECT count(*) FROM sitting").fetchone() == (0,)
        assert connection.execute("SELECT DISTINCT role FROM shown").fetchall() == [("",)]


def test_every_picture_has_one_size_one_form_and_no_word_in_it(place: Path) -> None:
    with closing(sqlite3.connect(place / "Ana.packet")) as connection:
        pictures = [data for (data,) in connection.execute("SELECT data FROM picture")]
        (side,) = connection.execute("SELECT side FROM content").fetchone()

    headers = set()
    for data in pictures:
        with Image.open(io.BytesIO(data)) as picture:
            assert picture.size == (side, side)
            assert set(picture.info) <= {"jfif", "jfif_version", "jfif_unit", "jfif_density"}
            assert not picture.getexif()
        headers.add(tuple(_segments(data)))
    assert len(headers) <= 2, "first and second showings differ in quality, nothing else does"
    assert all(set(names) <= {0xE0, 0xDB, 0xC0, 0xC4} for names in headers)


def _segments(data: bytes) -> list[int]:
    """Markers of a JPEG up to the pixels."""
    found, at = [], 2
    while data[at + 1] != 0xDA:
        found.append(data[at + 1])
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return found


def test_the_order_of_sets_and_pictures_tells_nothing_and_no_picture_is_there_twice(place: Path) -> None:
    with Store.open(place / "study") as store:
        packets = store.packets()
        cells = {one.image_set_id: one for one in (*store.image_sets(1), *store.image_sets(1, "repeat"))}
    orders = []
    for packet in packets:
        shown = [one for one in packet.plan.sets if one.part == "study"]
        orders.append([cells[one.image_set_id].generator for one in shown])
        assert all(sorted(one.order) == list(range(10)) for one in shown)
        assert any(one.order != tuple(range(10)) for one in shown)
    assert orders[0] != orders[1]
    assert orders[0] != sorted(orders[0])
    for name in ("Ana", "Ben"):
        with closing(sqlite3.connect(place / f"{name}.packet")) as connection:
            pictures = json.loads(
                "[" + ",".join(row[0] for row in connection.execute("SELECT pictures_json FROM shown")) + "]"
            )
        numbers = [number for one in pictures for number in one]
        assert numbers == list(range(1, len(numbers) + 1))


def test_neutral_keys_differ_between_packets_and_follow_from_nothing(place: Path) -> None:
    with Store.open(place / "study") as store:
        first, second = (packet.plan for packet in store.packets())
        keys = {one.key for one in (*store.image_sets(1), *store.image_sets(1, "repeat"))}
    assert not {one.key for one in first.sets} & {one.key for one in second.sets}
    assert not {one.key for one in first.sets} & keys
    assert len({one.key for one in first.sets}) == len(first.sets)


def test_a_round_that_shows_the_role_puts_it_in_and_nothing_more(tmp_path: Path) -> None:
    with team.new_study(tmp_path / "study", roles=2, roomy=2) as store:
        team.open_round(store, show_role=True)
        team.packet_for(store, "Ana", tmp_path / "ana.packet")
    data = (tmp_path / "ana.packet").read_bytes()
    assert b"occupation_1" in data
    assert b"sdxl-turbo" not in data


def test_a_file_that_is_there_is_never_replaced(place: Path) -> None:
    before = (place / "Ana.packet").read_bytes()
    with Store.open(place / "study") as store, pytest.raises(BadInput, match="already a file"):
        team.packet_for(store, "Ana", place / "Ana.packet")
    assert (place / "Ana.packet").read_bytes() == before


def test_a_picture_that_is_missing_leaves_no_packet_and_no_note_of_one(tmp_path: Path) -> None:
    with team.new_study(tmp_path / "study", roles=1, generators=("sdxl-turbo",), roomy=1) as store:
        team.open_round(store, training=0)
        (tmp_path / "study" / store.images()[0].path).unlink()
        with pytest.raises(StoreError, match="missing"):
            team.packet_for(store, "Ana", tmp_path / "ana.packet")
        assert store.packets() == []
    assert [path.name for path in tmp_path.iterdir()] == ["study"]


def test_the_same_annotator_gets_the_same_sets_again_and_a_fourth_gets_none(
    place: Path, tmp_path: Path
) -> None:
    with team.new_study(tmp_path / "study", roles=2, roomy=2) as store:
        team.open_round(store, annotators=2, overlap=1)
        for number, name in enumerate(("Ana", "Ben", "Ana")):
            team.packet_for(store, name, tmp_path / f"{number}.packet")
        ana, ben, again = ([one.image_set_id for one in packet.plan.sets] for packet in store.packets())
        study = {one.image_set_id for one in store.image_sets(1)}

        assert again == ana
        assert not set(ana) & set(ben) & study
        assert study <= set(ana) | set(ben)
        with pytest.raises(BadInput, match="2 annotators"):
            team.packet_for(store, "Cy", tmp_path / "cy.packet")
        team.packet_for(store, "simulated A", tmp_path / "s.packet", is_simulated=True)
        assert store.packets()[-1].plan.slot == 0, "who is simulated takes nobody's place"


def test_packets_made_at_the_same_time_have_slots_of_their_own(tmp_path: Path) -> None:
    parts = (team.questions(), team.FILES.open_writer)
    with team.new_study(tmp_path / "study", roles=1, roomy=0) as store:
        team.open_round(store, annotators=2, overlap=1, training=0)
        found = store.rounds()[-1]
        jobs = [
            make_packet(
                *(store, found, parts[0], store.person_named(name), tmp_path / f"{name}.packet"),
                *(parts[1], store.image_bytes),
            )
            for name in ("Ana", "Ben")
        ]
        for job in jobs:
            next(job)  # both have chosen their slot
        made = [run_here(job) for job in jobs]

        first, second = (one.plan for one in store.packets())
        assert (first.slot, second.slot) == (0, 1)
        shown = [{one.image_set_id for one in plan.sets} for plan in (first, second)]
        assert shown[0] | shown[1] >= {one.image_set_id for one in store.image_sets(1)}
        assert [one.packet_id for one in made] == [1, 2]
        assert sorted(one.name for one in tmp_path.glob("*.packet")) == ["Ana.packet", "Ben.packet"]
