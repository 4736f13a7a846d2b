"""The annotator's program by itself: `python -m gui.annotate [PACKET]`, and what the one-file bundle starts.

It imports nothing but what `requirements-annotator.txt` brings, so that a bundle of it stays small.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from io import TextIOWrapper
from pathlib import Path

from core.errors import UserError

USAGE = "usage: annotate [PACKET]\n\nThe annotation screen for one packet; without one, it asks for it."


def main(arguments: Sequence[str] | None = None) -> int:
    """Open a packet; 0 when it was closed, 1 after a sentence about why it could not be opened."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given and given[0] in ("-h", "--help"):
        _say(sys.stdout, USAGE)
        return 0
    from core.log_file import start_log
    from gui.annotate.alone import run_alone

    start_log()
    try:
        return run_alone(Path(given[0]) if given else None)
    except UserError as error:
        _say(sys.stderr, str(error))
        return 1


def _say(stream: object, text: str) -> None:
    # A program without a console, as on Windows, has no streams.
    if isinstance(stream, TextIOWrapper):
        stream.reconfigure(errors="replace")  # a console of Windows cannot show every name
    if stream is not None:
        print(text, file=stream)  # type: ignore[call-overload]


if __name__ == "__main__":
    sys.exit(main())
