from __future__ import annotations

import threading
import warnings

from core.decoding import without_warnings


def test_warnings_are_as_before_after_threads_that_overlap() -> None:
    before = list(warnings.filters)
    first_is_in, second_is_in = threading.Event(), threading.Event()

    def first() -> None:
        with without_warnings():
            first_is_in.set()
            second_is_in.wait(5)

    thread = threading.Thread(target=first)
    thread.start()
    first_is_in.wait(5)
    with without_warnings():
        second_is_in.set()
        thread.join(5)  # the first to come is the first to go
        assert warnings.filters != before

    assert list(warnings.filters) == before
