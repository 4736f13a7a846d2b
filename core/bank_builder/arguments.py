"""The options of the command `bank`."""

from __future__ import annotations

import argparse
from pathlib import Path

from core.overwriting import add_overwrite

ACTIONS = ("propose", "review", "export", "import")


def add_bank_arguments(one: argparse.ArgumentParser) -> None:
    """Add what to do and its options to a command that has the study already."""
    from core.extraction.vlm.arguments import add_arguments

    one.add_argument("action", choices=ACTIONS, help="what to do with contexts for new roles")
    one.add_argument("--roles", default="", help="names with commas, new ones too (default: the study's)")
    add = one.add_argument_group("propose").add_argument
    add("--number", type=int, default=4, metavar="N", help="contexts for each role and kind (4)")
    add("--language", default="", metavar="WORD", help="of the prompts (default: that of the sentences)")
    add = one.add_argument_group("review").add_argument
    add(
        "--add",
        action="append",
        default=[],
        metavar="ROLE:KIND:CONTEXT",
        help="put one forward by hand: kneading dough in a bakery, or in any language ACTIVITY @ LOCATION",
    )
    add("--accept", action="append", default=[], metavar="KEY", help="it may enter the bank")
    add("--reject", action="append", default=[], metavar="KEY", help="it may not")
    add("--reopen", action="append", default=[], metavar="KEY", help="it is to be decided again")
    add("--edit", action="append", default=[], metavar="KEY=CONTEXT", help="change its words")
    add("--reason", default="", metavar="WORDS", help="why")
    add("--by", default="", metavar="NAME", help="who decides (default: the name you are logged in under)")
    said = "JSON with language, patterns and six wordings of the prompts; kept from then on"
    one.add_argument("--sentences", type=Path, metavar="FILE", help=said)
    add = one.add_argument_group("export and import").add_argument
    add("--out", type=Path, metavar="FILE", help="CSV with everything, or JSON with what was accepted")
    add_overwrite(add)
    add("--file", type=Path, metavar="FILE", help="CSV or JSON to read")
    add_arguments(one)
