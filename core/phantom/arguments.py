"""The words of `main.py phantom`: its parts in the order of the work, and their options."""

from __future__ import annotations

import argparse
from pathlib import Path

PARTS = ("data", "train", "reader", "measure", "sheets")
COUNT, DRAWN = 132_000, 16_000
DENOISER_STEPS, DECODER_STEPS, READER_STEPS = 4000, 1500, 1500
PER_CELL, PER_ROLE = 60, 6


def add_arguments(one: argparse.ArgumentParser) -> None:
    """Add the parts to the command."""
    parts = one.add_subparsers(dest="part", metavar="part", required=True)
    _data(parts.add_parser("data", help="draw the training pictures"))
    _train(parts.add_parser("train", help="train denoiser and decoder, and write the pipeline folder"))
    _reader(parts.add_parser("reader", help="train the reader, and write it with its error rates"))
    _measure(parts.add_parser("measure", help="measure the phantom's own rates beside the planted ones"))
    _sheets(parts.add_parser("sheets", help="make contact sheets to look at, roles and conditions in rows"))


def add_calibrate_arguments(one: argparse.ArgumentParser) -> None:
    """Add the options of `main.py calibrate`."""
    one.add_argument("--studies", type=_positive, default=100, metavar="N", help="how many (%(default)s)")
    one.add_argument("--per-cell", type=_positive, default=18, metavar="N", help="of each role, condition")
    one.add_argument("--bootstrap", type=_positive, default=200, metavar="N", help="draws (%(default)s)")
    one.add_argument("--seed", type=int, default=1, metavar="N")


def _data(one: argparse.ArgumentParser) -> None:
    _shared(one)
    one.add_argument("--count", type=_positive, default=COUNT, metavar="N", help="pictures (%(default)s)")


def _train(one: argparse.ArgumentParser) -> None:
    _shared(one)
    one.add_argument("--part", dest="which", choices=("both", "decoder", "denoiser"), default="both")
    _steps(one, "--steps", DENOISER_STEPS, "of the denoiser")
    _steps(one, "--decoder-steps", DECODER_STEPS, "of the decoder")
    one.add_argument("--minutes", type=float, metavar="M", help="train each part so long instead")
    one.add_argument("--start", type=Path, metavar="PHANTOM", help="begin with an earlier phantom's weights")
    _out(one)


def _reader(one: argparse.ArgumentParser) -> None:
    _shared(one)
    _steps(one, "--steps", READER_STEPS, "of the reader")
    one.add_argument("--minutes", type=float, metavar="M", help="train so long instead")
    one.add_argument("--drawn", type=_positive, default=DRAWN, metavar="N", help="pictures to draw for it")
    one.add_argument("--errors", action="store_true", help="train none: measure the shipped reader's errors")
    _out(one)


def _measure(one: argparse.ArgumentParser) -> None:
    one.add_argument("--per-cell", type=_positive, default=PER_CELL, metavar="N", help="each role, condition")
    one.add_argument("--per-role", type=_positive, default=PER_ROLE, metavar="N", help="per stated attribute")
    _sampling(one)


def _sheets(one: argparse.ArgumentParser) -> None:
    one.add_argument("--per-cell", type=_positive, default=5, metavar="N", help="each role, condition")
    _sampling(one)


def _sampling(one: argparse.ArgumentParser) -> None:
    _shared(one)
    one.add_argument("--model", type=Path, help="pipeline folder (default: the shipped one)")
    one.add_argument("--sampling-steps", type=_positive, metavar="N", help="default: as shipped")
    one.add_argument("--guidance", type=float, metavar="X", help="default: as shipped")
    _out(one)


def _shared(one: argparse.ArgumentParser) -> None:
    one.add_argument("folder", type=Path, help="working folder: pictures and checkpoints, some gigabytes")
    one.add_argument("--seed", type=int, default=1, metavar="N")
    one.add_argument("--threads", type=_positive, metavar="N", help="threads of torch")


def _out(one: argparse.ArgumentParser) -> None:
    one.add_argument("--out", type=Path, help="where the result goes (default: FOLDER/phantom)")


def _steps(one: argparse.ArgumentParser, name: str, default: int, what: str) -> None:
    one.add_argument(name, type=_positive, default=default, metavar="N", help=f"steps {what} (%(default)s)")


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not 1 or more")
    return number
