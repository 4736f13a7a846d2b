"""The command line's words for the validation study: rounds, packets, hand-ins, quality, adjudication."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from core.records import CAUSES, CONFIDENCES

Number = Callable[[str], int]


def add_round(one: argparse.ArgumentParser, positive: Number, seed: Number) -> None:
    """Options of `round`."""
    one.add_argument("--name", default="", help="what to call it (default: Round 1, Round 2 …)")
    one.add_argument("--roles", metavar="A,B", help="names with commas (default: all with images)")
    one.add_argument("--conditions", metavar="CF,CA-R,CA-U", help="default: all with images")
    one.add_argument("--generators", metavar="A,B", help="default: all with images")
    one.add_argument("--questions", metavar="A,B", help="ids in their order (default: the study's)")
    one.add_argument("--sets", type=positive, default=1, metavar="N", help="image sets a cell (default: 1)")
    one.add_argument("--images", type=positive, default=10, metavar="N", help="images a set (default: 10)")
    one.add_argument("--count-mode", choices=("marks+slider", "slider only", "marks only"))
    one.add_argument("--show-role", action="store_true", help="annotators see the role of each set")
    one.add_argument("--annotators", type=positive, default=3, metavar="N", help="default: 3")
    one.add_argument("--overlap", type=positive, metavar="K", help="annotators a set (default: all)")
    one.add_argument("--gold", type=share, default=0.05, metavar="SHARE", help="default: 0.05")
    one.add_argument("--repeats", type=share, default=0.05, metavar="SHARE", help="default: 0.05")
    one.add_argument("--training", type=_count, default=6, metavar="N", help="training sets (default: 6)")
    one.add_argument(
        "--pass", type=share, default=0.8, metavar="SHARE", dest="pass_share", help="default: 0.8"
    )
    one.add_argument("--attempts", type=positive, default=3, metavar="N", help="of training (default: 3)")
    one.add_argument("--seed", type=seed, metavar="N", help="default: follows from the study's")
    one.add_argument("--dry-run", action="store_true", help="only say what the design would be")
    one.add_argument("--list", action="store_true", help="list the rounds")
    one.add_argument(
        "--keys",
        type=Path,
        metavar="FILE",
        help="your answers to gold and training sets as CSV: image_set, question, label (an id, unknown, or "
        "of an open question words with a bar between them), and perhaps slider and marks "
        "(positions from 0, as 0 3 4)",
    )
    one.add_argument(
        "--keys-form", type=Path, metavar="FILE", help="write what --keys takes, to be filled in"
    )
    one.add_argument("--lock", action="store_true", help="close the newest round for good, or that of --name")
    said = "with --lock: also while packets are out or without any answer"
    one.add_argument("--even-so", action="store_true", help=said)


def add_packet(one: argparse.ArgumentParser, positive: Number) -> None:
    """Options of `packet`."""
    one.add_argument("--annotator", metavar="NAME", help="who it is for")
    one.add_argument("--out", type=Path, metavar="FILE", help="where it goes")
    one.add_argument(
        "--pixels", type=positive, default=1024, metavar="N", help="largest side (default: 1024)"
    )
    one.add_argument("--list", action="store_true", help="list the packets: out, back or withdrawn")
    one.add_argument("--withdraw", type=positive, metavar="N", help="take nothing more of packet N")
    _decision(one)


def add_merge(one: argparse.ArgumentParser, positive: Number) -> None:
    """Options of `merge`."""
    one.add_argument("files", type=Path, nargs="*", metavar="FILE", help="hand-ins, or packets themselves")
    one.add_argument("--answers", type=Path, metavar="FILE", help="take in answers that `export` wrote")
    one.add_argument("--dry-run", action="store_true", help="only say what each file would change")
    one.add_argument("--list", action="store_true", help="list the merges")
    said = "take merge N back (default: the newest that stands)"
    one.add_argument("--undo", type=positive, nargs="?", const=True, metavar="N", help=said)
    one.add_argument("--conflicts", action="store_true", help="list answers that contradict each other")
    one.add_argument("--decide", type=positive, metavar="N", help="decide a conflict")
    one.add_argument("--keep", choices=("ours", "theirs"), help="which answer counts; both are kept")
    _decision(one)


def add_quality(one: argparse.ArgumentParser, positive: Number) -> None:
    """Options of `quality`."""
    one.add_argument("--out", type=Path, metavar="DIR", help="folder for quality.csv and repeats.csv")
    one.add_argument("--exclude", metavar="NAME", help="leave an annotator out of the newest round's tables")
    one.add_argument("--question", metavar="ID", help="with --exclude: of this question only")
    one.add_argument("--withdraw", type=positive, metavar="N", help="take an exclusion back")
    _decision(one)


def add_adjudicate(one: argparse.ArgumentParser) -> None:
    """Options of `adjudicate`."""
    one.add_argument("--out", type=Path, metavar="FILE", help="write what waits for a decision as CSV")
    one.add_argument("--names", action="store_true", help="with --out: also who gave which answer")
    said = f"take in what --out wrote, filled in: label, slider, cause ({', '.join(CAUSES)}), reason, "
    said += f"confidence ({', '.join(CONFIDENCES)}); rows without a label wait on"
    one.add_argument("--decisions", type=Path, metavar="FILE", help=said)
    one.add_argument("--by", default="", metavar="NAME", help="who decided")


def share(text: str) -> float:
    """A share from 0 to 1, or the words in which argparse refuses it."""
    try:
        found = float(text)
    except ValueError:
        found = -1.0
    if not 0 <= found <= 1:
        raise argparse.ArgumentTypeError(f"must be a number from 0 to 1, not {text[:40]!r}")
    return found


def _count(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and int(text) <= 1000):
        raise argparse.ArgumentTypeError(f"must be a whole number from 0 to 1000, not {text[:40]!r}")
    return int(text)


def _decision(one: argparse.ArgumentParser) -> None:
    one.add_argument("--by", default="", metavar="NAME", help="who decided")
    one.add_argument("--reason", default="", metavar="TEXT", help="why")
