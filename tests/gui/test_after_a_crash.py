"""The window after a program that ended in the middle of a job: it goes on, or says why it waits."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from core.jobs import Outcome
from core.plan import choose_roles, plan_study
from gui import settings
from gui.main_window import MainWindow
from gui.notices import NoticeRow
from gui.studio import Studio
from storage import process
from storage.left_jobs import left_jobs
from storage.making import make_study
from storage.store import Store

Settle = Callable[[Studio], None]
IMAGES = 2


@pytest.fixture(scope="module")
def beginning(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study of drawn pictures without any; take a copy."""
    folder = tmp_path_factory.mktemp("beginning") / "study"
    make_study(
        folder, plan_study("crash", choose_roles("1"), unrelated="everyday", images_per_prompt=1)
    ).close()
    return folder


@pytest.fixture
def left(beginning: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """The study as a killed program leaves it: with a job that is still written down as running."""

    def make(kind: str, of: dict[str, object], times: int = 1) -> Path:
        folder = Path(shutil.copytree(beginning, tmp_path / "study"))
        for number in range(times):
            monkeypatch.setattr(process, "_TOKEN", f"program {number}")
            with Store.open(folder) as store:
                store.begin_job(kind, IMAGES, of)
        monkeypatch.setattr(process, "_TOKEN", "the program after it")
        return folder

    return make


def opened(qtbot: QtBot, studio: Studio, folder: Path, settle: Settle) -> MainWindow:
    """A window with the study open and nothing under way."""
    window = MainWindow(studio)
    qtbot.addWidget(window)
    window.show()
    window.open_study(folder)
    settle(studio)
    return window


def rows(window: MainWindow) -> list[str]:
    """The notices."""
    return [f"{row.sentence} {row.remedy}".strip() for row in window.shell.notice_bar.rows]


def button_of(row: NoticeRow, words: str) -> Callable[[], None]:
    """What a press of the one act of a row does."""
    assert row.act is not None
    assert row.act.words == words
    return row.act_button.click


def states(folder: Path) -> list[tuple[str, str, int]]:
    """Kind, state and number done of all jobs."""
    with Store.open(folder) as store:
        return [(job.kind, job.state, job.done) for job in store.jobs()]


def test_work_that_costs_nothing_goes_on_by_itself_up_to_what_was_asked_for(
    qtbot: QtBot, studio: Studio, left: Callable[..., Path], settle: Settle
) -> None:
    """Two images of many were asked for when the program was killed: two are made, and it is said."""
    folder = left("generate", {"generator": "drawn-a"})

    window = opened(qtbot, studio, folder, settle)

    assert rows(window) == [
        "Making images (drawn-a) went on where the program had stopped. 2 images more, 0 were there."
    ]
    assert states(folder) == [("generate", "interrupted", 0), ("generate", "done", 2)]
    window.continuing.look()  # never twice
    settle(studio)
    assert len(states(folder)) == 2


def test_not_now_answers_at_once_and_is_remembered(
    qtbot: QtBot, studio: Studio, left: Callable[..., Path], settle: Settle
) -> None:
    folder = left("generate", {"generator": "drawn-a"})
    window = MainWindow(studio)
    qtbot.addWidget(window)
    window.show()
    window.open_study(folder)
    bar = window.shell.notice_bar
    qtbot.waitUntil(lambda: any(row.act for row in bar.rows), timeout=10_000)
    (row,) = bar.rows
    assert row.sentence.startswith(
        "Making images (drawn-a) stopped when the program ended, with 0 of 2 done."
    )

    button_of(row, "Not now")()

    assert rows(window) == ["Making images (drawn-a) does not go on. What was done is kept."]
    settle(studio)
    assert all(state == "cancelled" for _, state, _ in states(folder))
    window.continuing.look()
    settle(studio)
    assert all(state == "cancelled" for _, state, _ in states(folder))


@pytest.mark.parametrize(
    ("kind", "of", "why"),
    [
        ("extract", {"extractor": "vlm-gpt"}, "may cost money and is sent the pictures"),
        ("extract", {"extractor": "vlm-gpt", "how": "batch"}, "ordered from a server"),
        ("generate", {"generator": "drawn-a", "engine": "elsewhere"}, "other machines made the images"),
        ("generate", {"generator": "of another person"}, "there is no generator of another person here"),
        ("import", {"folder": "pictures"}, "has to be named again"),
    ],
)
def test_what_a_person_has_to_decide_waits(
    kind: str, of: dict[str, object], why: str, left: Callable[..., Path]
) -> None:
    with Store.open(left(kind, of)) as store:
        (job,) = left_jobs(store)
    assert why in job.why_it_waits
    assert not job.can_be_continued_here


def test_a_job_that_ended_the_program_twice_is_only_offered(
    qtbot: QtBot, studio: Studio, left: Callable[..., Path], settle: Settle
) -> None:
    folder = left("generate", {"generator": "drawn-a"}, 2)

    window = opened(qtbot, studio, folder, settle)

    (said,) = rows(window)
    assert "the program has ended during it 2 times in a row" in said
    assert {state for _, state, _ in states(folder)} == {"interrupted"}
    button_of(window.shell.notice_bar.rows[0], "Go on")()
    assert rows(window)[-1].endswith("It goes on now.")
    settle(studio)
    assert (window.page_name, states(folder)[-1]) == ("generate", ("generate", "done", 2))


def test_a_server_is_not_asked_by_itself(
    qtbot: QtBot, studio: Studio, left: Callable[..., Path], settle: Settle
) -> None:
    """*Go on* leads to where a person chooses the server."""
    window = opened(qtbot, studio, left("extract", {"extractor": "vlm-gpt"}), settle)

    button_of(window.shell.notice_bar.rows[0], "Go on")()
    settle(studio)
    assert window.page_name == "extract"
    assert rows(window) == []


def test_it_can_be_switched_off_in_the_menu(
    qtbot: QtBot, studio: Studio, left: Callable[..., Path], settle: Settle
) -> None:
    folder = left("generate", {"generator": "drawn-a"})
    first = MainWindow(studio)
    qtbot.addWidget(first)
    menu = first.shell.menu
    menu.aboutToShow.emit()
    (act,) = [one for one in menu.actions() if one.text() == "Continue unfinished work when a study opens"]
    assert act.isChecked()
    act.trigger()
    assert not settings.continues_by_itself()

    window = opened(qtbot, studio, folder, settle)

    assert "the menu says" in rows(window)[0]
    assert states(folder) == [("generate", "interrupted", 0)]


def test_nothing_goes_on_beside_another_program_or_after_people_went_on(
    left: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = left("generate", {"generator": "drawn-a"})
    with Store.open(folder) as store:
        (job,) = left_jobs(store)
        monkeypatch.setattr(process, "_TOKEN", "another window")
        other = store.begin_job("extract", 1, {"extractor": "pixels"})
        monkeypatch.setattr(process, "_TOKEN", "the program after it")
        (again,) = left_jobs(store)
        assert (job.why_it_waits, again.why_it_waits) == ("", "another program is at work on this study")
        assert not store.take_up_job(job.job, unless_busy=True)
        store.end_job(other, Outcome(asked=1, done=1))
        assert store.take_up_job(job.job, unless_busy=True)
        assert not store.take_up_job(job.job, unless_busy=True)  # two windows, one job
        assert left_jobs(store)[0].why_it_waits == "the program ended again when it was gone on with"
    with Store.open(folder) as store:
        assert left_jobs(store) == ()  # the study was worked on since
