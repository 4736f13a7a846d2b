"""The options of `main.py generate`."""

from __future__ import annotations

import argparse
from pathlib import Path

ENGINES = ("local", "ray", "slurm")


def add_arguments(one: argparse.ArgumentParser) -> None:
    """Add everything but the study, the generator and the limit."""
    one.add_argument(
        "--preflight", action="store_true", help="only look the run over; exit 1 if it cannot be"
    )
    one.add_argument(
        "--device", default="", metavar="NAMES", help="with commas, such as cuda:0,cuda:1 (default: the best)"
    )
    one.add_argument(
        "--accept-device",
        action="store_true",
        help="let images of a device count that makes other pictures than those there",
    )
    one.add_argument(
        "--engine",
        choices=ENGINES,
        default="local",
        help="who carries it out (ray: requirements-cluster.txt)",
    )
    one.add_argument("--workers", type=int, metavar="N", help="ray: actors; slurm: jobs in the array")
    one.add_argument("--address", metavar="ADDRESS", help="ray: an existing cluster (default: this machine)")
    one.add_argument("--folder", type=Path, metavar="DIR", help="slurm: where the work is written, shared")
    one.add_argument("--collect", action="store_true", help="slurm: take in what is finished in the folder")


def devices_in(text: str) -> tuple[str, ...]:
    """The devices that an option names.

    >>> devices_in("cuda:0, cuda:1"), devices_in("")
    (('cuda:0', 'cuda:1'), ())
    """
    return tuple(name.strip() for name in text.split(",") if name.strip())
