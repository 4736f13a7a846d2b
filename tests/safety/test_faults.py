"""What the world does to a study: it is said, nothing is lost, and work goes on when the world is right."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from core.errors import StoreError
from core.jobs import run_here
from storage import process
from storage.check import check_study
from storage.relink import relink
from storage.repair import repair
from storage.store import Store
from storage.trouble import in_words
from tests.safety import full_disk
from tests.storage.builders import add_image_set, fill, make_event, make_image, new_store

ROOT = Path(__file__).resolve().parents[2]
IS_ROOT_ON_LINUX = sys.platform == "linux" and os.geteuid() == 0


@pytest.fixture
def study(tmp_path: Path) -> Path:
    with new_store(tmp_path / "study", questions_json="") as store:  # the released ones
        fill(store)
    return tmp_path / "study"


@pytest.mark.skipif(not IS_ROOT_ON_LINUX, reason="only root may make a small disk")
def test_a_full_and_a_read_only_disk_are_said_and_nothing_is_lost(tmp_path: Path) -> None:
    own_mounts = ["unshare", "-m"]
    if subprocess.run([*own_mounts, "mount", "-t", "tmpfs", "x", str(tmp_path)], check=False).returncode:
        pytest.skip("this machine lets nobody mount")
    done = subprocess.run(
        [*own_mounts, sys.executable, full_disk.__file__, str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "held\n", done.stderr


def test_a_quota_is_said_like_a_full_disk() -> None:
    told = in_words(OSError(errno.EDQUOT, "Disk quota exceeded"), Path("study.sqlite"))

    assert told is not None
    assert "disk is full" in told.sentence


def test_on_a_slow_share_an_act_is_not_waited_for_and_arrives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with new_store(tmp_path / "study") as store:
        image_set, ada = add_image_set(store), store.add_annotator("Ada").annotator_id
        commit = store._writer._commit

        def slowly(*given: object) -> object:
            time.sleep(0.05)
            return commit(*given)  # type: ignore[arg-type]

        monkeypatch.setattr(store._writer, "_commit", slowly)
        began = time.monotonic()
        waiting = [store.append_answer(make_event(ada, image_set, label=f"w{n}")) for n in range(6)]
        assert time.monotonic() - began < 0.05
        assert [one.result().event_id for one in waiting] == list(range(1, 7))


def test_with_the_clock_set_back_acts_stay_in_their_order(study: Path) -> None:
    with Store.open(study) as store:
        ada = store.add_annotator("Eve").annotator_id
        for number in range(5):
            at = f"20{26 - number}-03-01T09:00:00.000Z"
            event = make_event(ada, 1, label=f"word {number}")
            store.append_answer(type(event)(ada, 1, "mood", "choose", event.answer, at)).result()

        assert [one.answer.label for one in store.answer_events(ada)] == [f"word {n}" for n in range(5)]


def test_a_word_from_the_future_keeps_no_job_alive() -> None:
    ahead = (datetime.now(UTC) + timedelta(days=400)).isoformat()

    assert not process.may_live({"host": "elsewhere", "seen_at": ahead})


def test_a_study_may_be_moved_and_copied(study: Path, tmp_path: Path) -> None:
    moved = tmp_path / "another place" / "of the study"
    moved.parent.mkdir()
    study.rename(moved)
    shutil.copytree(moved, tmp_path / "copy")

    for folder in (moved, tmp_path / "copy"):
        assert check_study(folder) == []
        with Store.open(folder) as store:
            assert all(store.image_bytes(image) for image in store.images())


@pytest.mark.skipif(sys.platform == "win32", reason="Windows moves nothing that is open")
def test_a_study_moved_while_it_is_open_loses_no_act(study: Path, tmp_path: Path) -> None:
    with Store.open(study) as store:
        ada = store.add_annotator("Eve").annotator_id
        study.rename(tmp_path / "elsewhere")
        kept = 0
        for number in range(3):
            try:
                store.append_answer(make_event(ada, 1, label=f"word {number}")).result()
                kept += 1
            except StoreError as error:
                assert "moved" in error.sentence  # noqa: PT017
    with Store.open(tmp_path / "elsewhere") as store:
        assert len(store.answer_events(ada)) == kept


def test_images_that_were_deleted_or_put_elsewhere_are_found_by_their_content(
    study: Path, tmp_path: Path
) -> None:
    with Store.open(study) as store:
        images = [image.path for image in store.images()][:4]
        small = [image.thumbnail for image in store.images()][:4]
    backup = tmp_path / "backup" / "deep"
    backup.mkdir(parents=True)
    (study / images[0]).rename(backup / "renamed.bin")  # found in another folder
    (study / images[1]).rename(study / "images" / "a copy (2).png")  # moved within the study
    (study / images[2]).write_bytes(b"torn")
    shutil.copy(study / images[3], backup)
    (study / images[3]).unlink()
    for name in small:
        (study / name).unlink()
    (backup / "big").write_bytes(b"x" * 100_000)

    lines = repair(study, check_study(study), [tmp_path / "backup"])

    assert lines[0] == "Images found elsewhere and put back: 3 of 4."
    left = {finding.kind: finding.items for finding in check_study(study)}
    assert left == {"missing image": (images[2],), "orphan file": ("images/a copy (2).png",)}
    assert next((study / "damaged").iterdir()).read_bytes() == b"torn"
    assert run_here(relink(study)) == []
    assert (backup / "renamed.bin").exists()  # nothing is moved or deleted


def test_a_job_that_nobody_works_at_is_found_and_closed(study: Path) -> None:
    dead = """UPDATE job SET state = 'running', ended_at = NULL,
        process_json = '{"host": "elsewhere", "seen_at": "2026-01-01T00:00:00Z"}'"""
    with Store.open(study) as store:
        store._writer.do(lambda connection: connection.execute(dead))

    (found,) = check_study(study)
    assert found.kind == "stopped job"
    assert repair(study, [found]) == ["Jobs closed: 1; the next run goes on with what is missing."]
    assert check_study(study) == []


def test_a_window_and_the_command_line_on_one_study_see_each_other(study: Path) -> None:
    with Store.open(study) as window:
        code = "import sys, main; sys.exit(main.main(['round', sys.argv[1], '--lock']))"
        done = subprocess.run([sys.executable, "-c", code, str(study)], cwd=ROOT, check=False)

        assert done.returncode == 0
        assert window.rounds()[-1].is_locked
        window.add_image(make_image(200))
