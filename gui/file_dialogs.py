"""Every dialog that asks for a file or a folder.

To give each file its icon, a file dialog looks into it. Closing it afterwards drops, under POSIX, every lock
that this program holds on that file, SQLite's own on `study.sqlite` or on an open packet among them: the
next program that opens the study believes to be alone and tidies its log away, and acts that were kept
afterwards are gone (https://www.sqlite.org/howtocorrupt.html, section 2.2). So these dialogs take icon and
kind from the name alone, and where a dialog of the desktop would run inside this program, Qt's own is used.
"""

from __future__ import annotations

import contextlib
import re
import sys
from pathlib import Path

from PySide6.QtCore import QFileInfo
from PySide6.QtGui import QAbstractFileIconProvider, QIcon
from PySide6.QtWidgets import QFileDialog, QFileIconProvider, QWidget

IS_OUTSIDE = sys.platform in ("win32", "darwin")
"""Whether the system's dialog cannot drop our locks: Windows keeps them by handle, macOS runs its dialogs in
another process."""

_ICON = QAbstractFileIconProvider.IconType


def open_file(parent: QWidget | None, title: str, start: Path | str, kinds: str) -> Path | None:
    """Ask for a file that is there; None when the person changed their mind.

    `kinds` are written as Qt does: `Table (*.csv);;All files (*)`.
    """
    found = _asked(_Dialog(parent, title, start, kinds, QFileDialog.FileMode.ExistingFile))
    return found[0] if found else None


def open_files(parent: QWidget | None, title: str, start: Path | str, kinds: str) -> list[Path]:
    """Ask for any number of files that are there."""
    return _asked(_Dialog(parent, title, start, kinds, QFileDialog.FileMode.ExistingFiles))


def save_file(parent: QWidget | None, title: str, suggestion: Path | str, kinds: str) -> Path | None:
    """Ask where to write, with the ending of the chosen kind; a name that is taken is asked about."""
    dialog = _Dialog(parent, title, suggestion, kinds, QFileDialog.FileMode.AnyFile)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.filterSelected.connect(lambda kind: dialog.setDefaultSuffix(ending_of(kind)))
    dialog.setDefaultSuffix(ending_of(dialog.selectedNameFilter()))
    found = _asked(dialog)
    return found[0] if found else None


def choose_folder(parent: QWidget | None, title: str, start: Path | str) -> Path | None:
    """Ask for a folder; one that is named and not there is made."""
    found = _asked(_Dialog(parent, title, start, "", QFileDialog.FileMode.Directory))
    return found[0] if found else None


def ending_of(kind: str) -> str:
    """The first ending that a kind names, without its dot.

    >>> ending_of("Pictures (*.png *.svg)"), ending_of("All files (*)")
    ('png', '')
    """
    found = re.search(r"\*\.([\w.]+)", kind)
    return found[1] if found else ""


class NamesAlone(QFileIconProvider):
    """Icons and kinds by the name of a file, which is not opened for it."""

    def icon(self, what: QAbstractFileIconProvider.IconType | QFileInfo) -> QIcon:  # type: ignore[override]
        """The plain icon of a file or folder."""
        if isinstance(what, QFileInfo):
            return super().icon(_ICON.Folder if what.isDir() else _ICON.File)
        return super().icon(what)

    def type(self, info: QFileInfo) -> str:
        """The kind in a word: the ending."""
        return "Folder" if info.isDir() else f"{info.suffix()} File".strip()


class _Dialog(QFileDialog):
    """A dialog that opens no file."""

    def __init__(
        self, parent: QWidget | None, title: str, start: Path | str, kinds: str, mode: QFileDialog.FileMode
    ) -> None:
        super().__init__(parent, title)
        self.setOption(QFileDialog.Option.DontUseNativeDialog, not IS_OUTSIDE)
        self.setOption(QFileDialog.Option.DontUseCustomDirectoryIcons)
        self._icons = NamesAlone()
        self.setIconProvider(self._icons)
        self.setFileMode(mode)
        self.setOption(QFileDialog.Option.ShowDirsOnly, mode is QFileDialog.FileMode.Directory)
        if kinds:
            self.setNameFilter(kinds)
        self._start_at(Path(start) if str(start) else Path.home())

    def _start_at(self, start: Path) -> None:
        if start.is_dir():
            self.setDirectory(str(start))
        else:
            self.setDirectory(str(start.parent))
            self.selectFile(start.name)

    def accept(self) -> None:
        """Make a folder that was named and is not there; Qt would refuse it."""
        if self.fileMode() is QFileDialog.FileMode.Directory and not IS_OUTSIDE:
            folder = Path(self.selectedFiles()[0])
            if not folder.exists() and folder.parent.is_dir():
                with contextlib.suppress(OSError):  # Qt says that it is not there
                    folder.mkdir()
        super().accept()


def _asked(dialog: _Dialog) -> list[Path]:
    """Show a dialog and wait; the chosen paths, none when it was left."""
    try:
        return [Path(one) for one in dialog.selectedFiles()] if dialog.exec() else []
    finally:
        dialog.deleteLater()
