"""The end from outside: Ctrl+C in the terminal, or a signal to end, closes the window as its button does.

Python runs a handler of its own only between two of its instructions, and Qt's loop has none while nobody
does anything; the byte that every signal writes to a socket wakes that loop.
"""

from __future__ import annotations

import contextlib
import signal
import socket
from collections.abc import Callable
from types import FrameType

from PySide6.QtCore import QObject, QSocketNotifier
from PySide6.QtWidgets import QApplication

SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Ending(QObject):
    """Closes the application at the first signal; another one ends the process where it stands.

    `close` is what closes, and returns whether it is closed: what cannot be saved holds the window open
    once, and the next signal is asked again. By default every window there is gets closed.
    """

    def __init__(self, application: QApplication) -> None:
        super().__init__(application)
        self._quit: Callable[[], object] = application.quit
        self.close: Callable[[], bool] = close_all
        self._read, self._write = socket.socketpair()
        for end in (self._read, self._write):
            end.setblocking(False)
        self._notifier = QSocketNotifier(self._read.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._on_woken)
        self._asked: int | None = None
        self._wakeup_before = signal.set_wakeup_fd(self._write.fileno(), warn_on_full_buffer=False)
        self._before = {one: signal.getsignal(one) for one in SIGNALS}
        self._listen()

    def _listen(self) -> None:
        for one in SIGNALS:
            signal.signal(one, self._on_signal)

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        self._asked = number
        for one in SIGNALS:
            signal.signal(one, signal.SIG_DFL)  # whoever asks twice does not wait for anything

    def _on_woken(self) -> None:
        with contextlib.suppress(BlockingIOError):
            self._read.recv(64)
        if self._asked is None:
            return  # another signal, or one whose handler comes with the next instruction
        asked, self._asked = self._asked, None
        is_closed = self.close()
        if not is_closed and asked == signal.SIGTERM:
            is_closed = self.close()  # nobody is there to read why; what is not saved goes into a file
        if is_closed:
            self._quit()
        else:
            self._listen()

    def stop(self) -> None:
        """Leave the signals to whom they belonged before."""
        self._notifier.setEnabled(False)
        signal.set_wakeup_fd(self._wakeup_before)
        for one, handler in self._before.items():
            signal.signal(one, handler)
        self._read.close()
        self._write.close()


def close_all() -> bool:
    """Close every window that is shown; whether all did."""
    shown = [window for window in QApplication.topLevelWidgets() if window.isVisible()]
    closed = [window.close() for window in shown]
    return all(closed)
