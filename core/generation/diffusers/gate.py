"""Loading and sampling keep out of each other's way, over all threads of the process.

While the libraries load a model they change how any module of the process is made, and the kind of number
that new ones have by default. A pipeline that sampled at that moment would make other pixels, and two
that load at once break each other.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Gate:
    """Any number may sample at once, or one may load.

    >>> gate = Gate()
    >>> with gate.sampling(), gate.sampling():
    ...     pass
    >>> with gate.loading():
    ...     pass
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._sampling = 0
        self._waiting = 0
        self._is_loading = False

    @contextmanager
    def sampling(self) -> Iterator[None]:
        """Wait until nobody loads or wants to, then keep loading out."""
        with self._changed:
            self._changed.wait_for(lambda: not self._is_loading and not self._waiting)
            self._sampling += 1
        try:
            yield
        finally:
            with self._changed:
                self._sampling -= 1
                self._changed.notify_all()

    @contextmanager
    def loading(self) -> Iterator[None]:
        """Wait until nobody samples or loads, then keep everybody out."""
        with self._changed:
            self._waiting += 1
            self._changed.wait_for(lambda: not self._is_loading and not self._sampling)
            self._waiting -= 1
            self._is_loading = True
        try:
            yield
        finally:
            with self._changed:
                self._is_loading = False
                self._changed.notify_all()


GATE = Gate()
"""The one of this process."""
