"""One rule for every file that a person names: the command line writes over none of them unasked.

A table that was written may have been corrected by hand since, and a report sent. Forms that a person fills
in are never written over (`core.csv_rows.must_be_new`); tables in a folder of results are, together with the
record of the run they are from.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from pathlib import Path

from core.errors import BadInput


def add_overwrite(add: Callable[..., object]) -> None:
    """Add the option to a command, or to a group of its options."""
    add("--overwrite", action="store_true", help="write over a file that is there")


def refuse_old(chosen: Namespace, *paths: Path) -> None:
    """BadInput where one of the files is there and nobody asked to write over it."""
    there = next((path for path in paths if path.exists()), None)
    if there is not None and not chosen.overwrite:
        raise BadInput(f"There is already a file {there}.", "Choose another name, or add --overwrite.")
