"""Windows offscreen, settings in a folder of the test, a small study, and no thread left behind."""

from __future__ import annotations

import os

os.environ["QT_QPA_PLATFORM"] = "offscreen"

import io
import shutil
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image
from PySide6.QtCore import QSettings, QThreadPool
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from core.jobs import Outcome
from core.records import (
    Answer,
    AnswerEvent,
    Condition,
    DimensionReading,
    ImageStatus,
    NewImage,
    NewRecord,
    Prompt,
    PromptKind,
    Role,
    Status,
)
from gui.studio import Studio
from gui.tasks import TaskRunner
from gui.theme import Theme
from storage.store import Store
from storage.study import NewStudy

ROLES = (Role("baker", "baker", "a", "bakers"), Role("bus_driver", "bus driver", "a", "bus drivers"))
GENERATORS = ("sdxl", "drawn-a")
IMAGES_PER_PROMPT = 2
AT = "2026-11-26T10:00:00.000Z"


@pytest.fixture(autouse=True)
def own_settings(tmp_path: Path) -> None:
    """Settings of a test stay in the test."""
    QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, str(tmp_path / "settings"))


@pytest.fixture(autouse=True)
def no_thread_left() -> Iterator[None]:
    """A test that leaves a thread running fails."""
    before = set(threading.enumerate())
    yield
    assert QThreadPool.globalInstance().waitForDone(2000), "a job outlived its test"
    left = [thread for thread in threading.enumerate() if thread not in before and not thread.daemon]
    assert not left, f"threads left: {left}"


@pytest.fixture(scope="session")
def only_theme(qapp: QApplication) -> Theme:
    """The one theme of the process."""
    return Theme(qapp, "light")


@pytest.fixture
def theme(only_theme: Theme) -> Iterator[Theme]:
    """The theme, light and at 100 % before and after."""
    yield only_theme
    only_theme.pin("light")
    only_theme.set_scale(1.0)


@pytest.fixture
def studio(theme: Theme) -> Iterator[Studio]:
    """A studio without a study."""
    made = Studio(TaskRunner(), theme)
    yield made
    made.runner.close()
    made.close_study()
    made.deleteLater()


@pytest.fixture
def settle(qtbot: QtBot) -> Callable[[Studio], None]:
    """Wait until nothing is read or run any more."""

    def wait(studio: Studio) -> None:
        qtbot.waitUntil(lambda: studio.runner.is_idle, timeout=10_000)

    return wait


@pytest.fixture(scope="session")
def whole_study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study of two roles and two generators, made once: never open it, take `study_folder`."""
    folder = tmp_path_factory.mktemp("whole") / "study"
    with Store.create(folder, NewStudy("audit", 7, images_per_prompt=IMAGES_PER_PROMPT)) as store:
        store.add_roles(ROLES)
        store.add_prompts(prompts())
        for name in GENERATORS:
            store.add_generator(name, name, {"steps": 1})
        store.add_extractor("reader", {}, is_simulated=False)
        add_images(store)
        add_records(store)
        add_answers(store)
        job = store.begin_job("generate", 3, {"generator": "sdxl"})
        outcome = Outcome(asked=3, done=2)
        outcome.fail("baker 3", "out_of_memory", "The GPU ran out of memory.")
        store.end_job(job, outcome, "done")
    return folder


@pytest.fixture
def study_folder(whole_study: Path, tmp_path: Path) -> Path:
    """A copy of the small study for one test."""
    return Path(shutil.copytree(whole_study, tmp_path / "audit"))


@pytest.fixture
def open_studio(studio: Studio, study_folder: Path, settle: Callable[[Studio], None]) -> Studio:
    """A studio with the small study open."""
    studio.open_study(study_folder)
    settle(studio)
    return studio


def prompts() -> list[Prompt]:
    """Two prompts a role and condition; the contexts name a place."""
    made = []
    for role in ROLES:
        for condition in Condition:
            for number in range(2):
                place = None if condition is Condition.CF else f"a place {number}"
                where = f" in {place}" if place else f" of kind {number}"
                text = f"a photo of {role.article} {role.display_name}{where}, {condition.lower()}"
                made.append(Prompt(role.name, condition, PromptKind.BASE, text, place=place))
    return made


def picture(number: int) -> bytes:
    """A small picture, each of another colour."""
    file = io.BytesIO()
    Image.new("RGB", (64, 64), (number * 7 % 256, number * 29 % 256, number * 53 % 256)).save(file, "PNG")
    return file.getvalue()


def add_images(store: Store) -> None:
    """All images of the first generator, one of them black; of the second only those of bakers."""
    images = []
    for generator in GENERATORS:
        for prompt in prompts():
            if generator == GENERATORS[1] and prompt.role != "baker":
                continue
            for seed in range(IMAGES_PER_PROMPT):
                number = len(images)
                images.append(
                    NewImage(generator, prompt, seed, f"run {number}", picture(number), 64, 64, "png")
                )
    images[0] = replace(images[0], status=ImageStatus.BLACK)
    store.add_images(images)


def add_records(store: Store) -> None:
    """Records of the first generator's images; one of them was refused."""
    records = []
    for image in store.images(generator="sdxl", status="ok"):
        readings = {"mood": DimensionReading(("calm",)), "pose": DimensionReading((), Status.UNKNOWN)}
        records.append(NewRecord(image.image_id, "reader", f"record {image.image_id}", Status.OK, readings))
    records[0] = replace(records[0], status=Status.REFUSED, readings={}, reason="The server said no.")
    store.add_records(records)


def add_answers(store: Store) -> None:
    """One image set, two questions; a person has answered one of them, a simulated one both."""
    round_id = store.add_round("first", 1, ["mood", "pose"])
    images = [one.image_id for one in store.images(generator="sdxl", status="ok") if one.role == "baker"]
    (image_set,) = store.add_image_sets(round_id, [("key 1", "baker", Condition.CF, "sdxl", images[:10])])
    events = []
    for name, is_simulated, questions in (("Ana", False, 1), ("simulated A", True, 2)):
        person = store.add_annotator(name, is_simulated)
        for question in ("mood", "pose")[:questions]:
            answer = Answer("calm", slider=3, slider_source="key", is_confirmed=True)
            events.append(AnswerEvent(person.annotator_id, image_set, question, "confirm", answer, AT))
    store.append_answers(events)
