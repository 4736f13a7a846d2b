"""Pictures come off the GUI thread, visible ones first, and a bad one spoils nothing."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
from pytestqt.qtbot import QtBot

from core.errors import StoreError
from core.records import StoredImage
from gui.annotate import decoding
from gui.annotate.decoding import decode, shared_pixels
from gui.annotate.image_cache import ImageCache
from gui.annotate.screen import AnnotateScreen
from gui.tasks import TaskRunner
from tests.annotation.sittings import make_image, make_set
from tests.gui.annotate.conftest import MakeScreen, encoded, of_size, press, read_plain

Seen = Callable[[AnnotateScreen], None]


class HeldRunner:
    """Takes reads and does them when told to."""

    def __init__(self) -> None:
        self.waiting: list[tuple[Callable[[], object], Callable[[object], None]]] = []

    def query(self, read: Callable[[], object], on_done: Callable[[object], None]) -> None:
        self.waiting.append((read, on_done))

    def do_next(self) -> None:
        read, on_done = self.waiting.pop(0)
        on_done(read())

    def do_all(self) -> None:
        while self.waiting:
            self.do_next()


class Reads:
    """Which images were read, in order."""

    def __init__(self) -> None:
        self.ids: list[int] = []

    def __call__(self, image: StoredImage) -> bytes:
        self.ids.append(image.image_id)
        return encoded()


@pytest.mark.usefixtures("theme")
def test_visible_pictures_come_before_those_ahead() -> None:
    held, reads = HeldRunner(), Reads()
    cache = ImageCache(held, reads, 1024)
    cache.set_pixels(100)

    cache.want(make_set(1).images, make_set(2).images, ())
    held.do_all()

    assert set(reads.ids[:10]) == {image.image_id for image in make_set(1).images}
    assert len(reads.ids) == 20


@pytest.mark.usefixtures("theme")
def test_a_jump_drops_what_nobody_waits_for() -> None:
    held, reads = HeldRunner(), Reads()
    cache = ImageCache(held, reads, 1024)
    cache.set_pixels(100)
    cache.want(make_set(1).images, [*make_set(2).images, *make_set(3).images], ())

    cache.want(make_set(9).images, (), ())
    held.do_all()

    begun_before = len(reads.ids) - 10
    assert begun_before <= 4
    assert cache.picture(make_set(2).images[0].image_id) is None
    assert all(cache.picture(image.image_id) is not None for image in make_set(9).images)


@pytest.mark.usefixtures("theme")
def test_a_picture_is_read_once() -> None:
    held, reads = HeldRunner(), Reads()
    cache = ImageCache(held, reads, 1024)
    cache.set_pixels(100)
    first, second = make_set(1).images, make_set(2).images

    cache.want(first, second, ())
    held.do_all()
    cache.want(second, (), first)
    held.do_all()

    assert len(reads.ids) == len(set(reads.ids)) == 20
    assert cache.picture(first[0].image_id) is not None


@pytest.mark.usefixtures("theme")
def test_what_is_kept_and_no_more_stays_in_memory() -> None:
    held = HeldRunner()
    cache = ImageCache(held, read_plain, 1024)
    cache.set_pixels(100)
    for number in range(1, 5):
        cache.want(make_set(number).images, (), make_set(number - 1).images)
        held.do_all()

    assert cache.picture(make_set(2).images[0].image_id) is None
    assert cache.picture(make_set(3).images[0].image_id) is not None


@pytest.mark.usefixtures("theme")
def test_full_detail_is_bounded_in_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gui.annotate.image_cache.BYTES_FOR_DETAIL", 3 * 4 * 64 * 64)
    held = HeldRunner()
    cache = ImageCache(held, read_plain, 1024)
    images = make_set(1).images

    for image in images:
        cache.want_detail(image)
        held.do_all()

    kept = [image for image in images if cache.detail(image.image_id) is not None]
    assert kept == list(images[-3:])


def test_detail_does_not_tell_a_large_picture_from_a_small_one() -> None:
    sets = [of_size(1, 1024, 1024), of_size(2, 1328, 1328)]
    pixels = shared_pixels(sets)

    small = decode(lambda image: encoded(1024), sets[0].images[0], pixels)
    large = decode(lambda image: encoded(1328), sets[1].images[0], pixels)

    assert small.image is not None
    assert large.image is not None
    assert small.image.size() == large.image.size()


SVG = b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="file:///etc/passwd"/></svg>'


@pytest.mark.parametrize("data", [SVG, encoded(20, form="BMP")])
def test_what_only_looks_like_a_picture_is_not_opened(data: bytes) -> None:
    found = decode(lambda image: data, make_image(1), 250)

    assert (found.image, found.reason) == (None, "The image file is damaged.")


@pytest.mark.parametrize("form", ["PNG", "JPG", "WEBP"])
def test_every_format_is_decoded_at_the_size_asked_for(form: str) -> None:
    found = decode(lambda image: encoded(600, form=form), make_image(1), 250)

    assert found.image is not None
    assert (found.image.width(), found.image.height()) == (250, 250)


def test_a_picture_that_is_not_square_keeps_its_shape() -> None:
    from PySide6.QtCore import QSize

    assert decoding.fitted(QSize(1000, 500), 200) == QSize(200, 100)
    assert decoding.fitted(QSize(100, 50), 200) == QSize(100, 50)


def test_the_small_form_is_read_where_it_is_large_enough() -> None:
    image = make_image(1)
    small, whole = Reads(), Reads()

    assert decode(whole, image, 60, small).image is not None
    assert (len(small.ids), len(whole.ids)) == (1, 0)
    decode(whole, image, 600, small)
    assert (len(small.ids), len(whole.ids)) == (1, 1)


def test_a_missing_small_form_gives_way_to_the_image() -> None:
    assert decode(read_plain, make_image(1), 60, _missing).image is not None


def _missing(image: StoredImage) -> bytes:
    raise FileNotFoundError(f"/home/someone/study/{image.path}")


def _unreadable(image: StoredImage) -> bytes:
    raise StoreError(f"{image.path} of sdxl cannot be read.")


@pytest.mark.parametrize(
    ("read", "reason"),
    [
        (_missing, decoding.MISSING),
        (_unreadable, decoding.UNREADABLE),
        (lambda image: b"", decoding.DAMAGED),
        (lambda image: b"not a picture", decoding.DAMAGED),
        (lambda image: encoded(300)[:200], decoding.DAMAGED),
    ],
)
def test_a_bad_file_has_a_reason_without_a_path(read: Callable[[StoredImage], bytes], reason: str) -> None:
    found = decode(read, make_image(1), 100)

    assert found.image is None
    assert found.reason == reason


def test_a_set_with_a_bad_picture_stays_usable(make_screen: MakeScreen, seen: Seen) -> None:
    bad = {image.image_id for image in make_set(1).images[:2]} | {
        image.image_id for image in make_set(2).images[:2]
    }
    screen = make_screen(read=lambda image: b"" if image.image_id in bad else read_plain(image))
    seen(screen)

    failed = [tile for tile in screen.parts.grid.tiles if tile.failure]
    assert len(failed) == 2
    assert all("cannot be shown" in tile.accessibleName() for tile in failed)
    press("1", *"QWERT", "Enter", "Enter")  # the first is asked about: two pictures were not seen
    assert screen.session.question_index == 1


def test_pictures_are_decoded_off_the_gui_thread(make_screen: MakeScreen, seen: Seen) -> None:
    threads = set()

    def read(image: StoredImage) -> bytes:
        threads.add(threading.current_thread())
        return read_plain(image)

    seen(make_screen(read=read))

    assert threads
    assert threading.main_thread() not in threads


def test_the_next_sets_are_there_before_they_are_asked_for(
    make_screen: MakeScreen, seen: Seen, qtbot: QtBot, runner: TaskRunner
) -> None:
    screen = make_screen(sets=4)
    seen(screen)
    qtbot.waitUntil(lambda: runner.is_idle)

    for number in range(2):
        press("PgDn")
        assert all(tile.has_picture for tile in screen.parts.grid.tiles), f"set {number + 2}"


def test_an_undecoded_tile_is_an_empty_square_with_its_position(make_screen: MakeScreen) -> None:
    gate = threading.Event()

    def read(image: StoredImage) -> bytes:
        gate.wait(5)
        return read_plain(image)

    screen = make_screen(read=read)
    try:
        assert not any(tile.has_picture for tile in screen.parts.grid.tiles)
        press("Q")
        assert screen.parts.grid.tiles[0].is_marked
    finally:
        gate.set()
