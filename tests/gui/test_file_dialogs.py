"""Dialogs that ask for files: they open none, because that would drop the locks of an open study."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QFileInfo
from PySide6.QtWidgets import QFileDialog, QFileSystemModel, QLineEdit
from pytestqt.qtbot import QtBot

from gui import file_dialogs
from gui.file_dialogs import NamesAlone
from storage.store import Store

PROJECT = Path(__file__).resolve().parents[2]
VISIT = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1])
connection.execute("SELECT count(*) FROM study")
connection.close()
"""


def shown(qtbot: QtBot, folder: Path, mode: QFileDialog.FileMode = QFileDialog.FileMode.AnyFile):
    dialog = file_dialogs._Dialog(None, "Save", folder / "report.html", "Report (*);;Picture (*.png)", mode)
    qtbot.addWidget(dialog)
    dialog.show()
    model = dialog.findChild(QFileSystemModel)
    at = model.index(str(folder))
    qtbot.waitUntil(lambda: model.rowCount(at) >= 2, timeout=5000)
    for row in range(model.rowCount(at)):
        model.fileIcon(model.index(row, 0, at))
        model.type(model.index(row, 0, at))
    return dialog


@pytest.mark.skipif(file_dialogs.IS_OUTSIDE, reason="locks are kept by handle, or dialogs run outside")
def test_a_dialog_in_the_folder_of_an_open_study_leaves_its_locks_alone(qtbot: QtBot, study_folder: Path):
    with Store.open(study_folder) as store:
        store.add_generator("before", "before", {})
        dialog = shown(qtbot, study_folder)
        qtbot.wait(300)
        dialog.close()
        subprocess.run([sys.executable, "-c", VISIT, str(study_folder / "study.sqlite")], check=True)

        store.add_generator("after", "after", {})
        assert (study_folder / "study.sqlite-wal").exists()
    with Store.open(study_folder) as store:
        assert {"before", "after"} <= {one.name for one in store.generators()}


def test_icon_and_kind_come_from_the_name_alone(qtbot: QtBot, tmp_path: Path):
    (tmp_path / "a.png").write_bytes(b"SQLite format 3\0")
    icons = NamesAlone()

    assert icons.type(QFileInfo(str(tmp_path / "a.png"))) == "png File"
    assert icons.type(QFileInfo(str(tmp_path))) == "Folder"
    assert not icons.icon(QFileInfo(str(tmp_path / "a.png"))).isNull()


def test_a_folder_that_is_named_is_made(qtbot: QtBot, tmp_path: Path):
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    dialog = shown(qtbot, tmp_path, QFileDialog.FileMode.Directory)
    dialog.findChild(QLineEdit).setText("new")

    dialog.accept()

    assert (tmp_path / "new").is_dir()
    assert dialog.result() == QFileDialog.DialogCode.Accepted


def test_no_other_file_asks_by_a_dialog_of_its_own():
    named = [
        path for path in (PROJECT / "gui").rglob("*.py") if re.search("QFileDialog", path.read_text("utf-8"))
    ]

    assert [path.name for path in named] == ["file_dialogs.py"]
