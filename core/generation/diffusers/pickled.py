"""Pickled weights: refused unless a person's own entry allows them, and then told with every image.

A pickle is a list of instructions, and reading one carries them out. torch's restricted reader, which is the
only one used here, takes few of them; a fault in it would still run what a stranger wrote. So they are read
only from a folder on this machine whose entry says `"allow_pickled": true`.
"""

from __future__ import annotations

from pathlib import Path

WARNING = (
    "pickled weights can hold commands of whoever made them; only torch's restricted reader opens them, but "
    "use them only from people you trust"
)

REMEDY = (
    'Use a model with safetensors files, or, if you trust who made it, write "allow_pickled": true into its '
    "entry."
)

NAMES = ("diffusion_pytorch_model", "pytorch_model")
"""What the libraries call pickled weights of a part, before a variant, a shard's number and `.bin`."""


def pickled_files(place: Path, variant: str | None = None) -> tuple[Path, ...]:
    """The pickled weights of a model's part that the libraries would read, with all shards; or none."""
    found = sorted(path for path in place.glob("*.bin") if path.is_file() and path.name.startswith(NAMES))
    of_variant = [path for path in found if variant and f".{variant}" in path.name]
    return tuple(of_variant or [path for path in found if path.stem.partition(".")[2] == ""])


def lone_pickle(folder: Path) -> str:
    """The pickled file that a folder holds instead of a model, as older ones are handed on; "" for none."""
    found = sorted(path.name for path in folder.glob("*") if path.suffix in (".ckpt", ".bin", ".pt", ".pth"))
    return found[0] if found else ""


def is_pickled(folder: Path) -> bool:
    """Whether a part of a model folder has pickled weights and no others.

    >>> is_pickled(Path("nowhere"))
    False
    """
    try:
        parts = [path for path in folder.iterdir() if path.is_dir()]
    except OSError:  # none, no folder, one that may not be looked into, or a path too long to be one
        return False
    return any(pickled_files(part) and not any(part.glob("*.safetensors")) for part in parts)


def count_at_most(path: Path) -> int:
    """How many numbers a pickled file can hold, if each takes two bytes; it does not say so itself."""
    return path.stat().st_size // 2
