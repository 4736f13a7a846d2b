"""The options of the command `labels`."""

from __future__ import annotations

import argparse
from pathlib import Path

from core.overwriting import add_overwrite

ACTIONS = ("propose", "review", "export", "import")


def add_labels_arguments(one: argparse.ArgumentParser) -> None:
    """Add what to do and its options to a command that has the study already."""
    from core.extraction.vlm.arguments import add_arguments

    one.add_argument("action", choices=ACTIONS, help="what to do with the label map")
    add = one.add_argument_group("propose").add_argument
    add("--rules-only", action="store_true", help="by spelling and aliases alone, without a sentence model")
    add("--sentence-model", type=Path, metavar="DIR", help="folder of another sentence model")
    add("--names", action="store_true", help="ask the server below for names of groups")
    add = one.add_argument_group("review", "a label is written dimension:label").add_argument
    add("--accept-safe", action="store_true", help="accept all other spellings and aliases")
    add("--accept", action="append", default=[], metavar="LABEL", help="accept what is proposed for it")
    add("--reject", action="append", default=[], metavar="LABEL", help="keep it as it was said")
    add("--split", action="append", default=[], metavar="LABEL", help="take it out of its group")
    add("--rename", action="append", default=[], metavar="LABEL=NEW", help="give it this canonical label")
    add("--undo", action="store_true", help="take the last decision back")
    add("--redo", action="store_true", help="take the last undo back")
    add(
        "--by", default="", metavar="NAME", help="whose decisions (default: the name you are logged in under)"
    )
    add = one.add_argument_group("export and import").add_argument
    add("--out", type=Path, metavar="FILE", help="CSV file to write")
    add_overwrite(add)
    add("--file", type=Path, metavar="FILE", help="CSV file to read")
    add_arguments(one)
