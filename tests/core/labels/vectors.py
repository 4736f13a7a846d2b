"""A stand-in for a sentence model: vectors that a test states, so that likeness is known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.labels.embedding import Vectors


class StatedVectors:
    """Labels as directions: `near` gives a label's angle in degrees, and all else stands apart."""

    revision = "stated+1"

    def __init__(self, near: Mapping[str, float]) -> None:
        self._near = dict(near)

    def encode(self, labels: Sequence[str]) -> Vectors:
        """One unit vector a label."""
        made = np.zeros((len(labels), 2 + 256), dtype=np.float32)
        for row, label in enumerate(labels):
            if label in self._near:
                angle = np.radians(self._near[label])
                made[row, :2] = np.cos(angle), np.sin(angle)
            else:
                made[row, 2 + sum(label.encode()) % 256] = 1.0
        return made
