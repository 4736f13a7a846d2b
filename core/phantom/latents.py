"""A picture as 8 × 8 × 32 numbers: the principal components of its patches, so that no encoder is trained.

A picture is halved to 64 pixels and cut into 8 × 8 patches of 8 × 8 × 3; one basis serves every patch. Each
component is divided by its standard deviation to the power of 0.6: full whitening would drown the denoiser
in the faintest components, none would let it forget them. Patches with the head count more when the basis
is fitted, because eyes, glasses and beards are what the pictures are about.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.errors import BadInput

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]

GRID = 8
"""Patches a side."""

CHANNELS = 32
"""Components kept of each patch."""

_HALVED = 64
_PATCH = _HALVED // GRID
_POWER = 0.6
HEAD = (slice(1, 6), slice(3, 7))
"""Rows and columns of patches in which the head lies."""

_HEAD_WEIGHT = 3.0


@dataclass(frozen=True)
class Basis:
    """The fitted components.

    Attributes
    ----------
    mean : array, shape (192,)
        Mean patch, values in [-1, 1].
    components : array, shape (32, 192)
        Orthonormal rows.
    scales : array, shape (32,)
        What each component is divided by.
    """

    mean: Floats
    components: Floats
    scales: Floats

    def encode(self, pictures: npt.NDArray[np.uint8]) -> Floats:
        """Latents of pictures: (n, 128, 128, 3) uint8 to (n, 32, 8, 8)."""
        import numpy as np

        flat = (_patches(pictures) - self.mean) @ self.components.T / self.scales
        return np.ascontiguousarray(flat.reshape(-1, GRID, GRID, CHANNELS).transpose(0, 3, 1, 2))

    def decode(self, latents: Floats) -> Floats:
        """The linear way back, to (n, 64, 64, 3) with values in [-1, 1]; the decoder does it better."""
        flat = latents.transpose(0, 2, 3, 1).reshape(len(latents), -1, CHANNELS)
        patches = (flat * self.scales) @ self.components + self.mean
        shaped = patches.reshape(-1, GRID, GRID, _PATCH, _PATCH, 3).transpose(0, 1, 3, 2, 4, 5)
        found: Floats = shaped.reshape(-1, _HALVED, _HALVED, 3).astype("float32")
        return found

    def save(self, path: Path) -> None:
        """Write the basis as safetensors, which takes the memory of an array for its rows: so copy a view."""
        import numpy as np
        from safetensors.numpy import save_file

        parts = {"mean": self.mean, "components": self.components, "scales": self.scales}
        save_file({name: np.ascontiguousarray(part) for name, part in parts.items()}, str(path))


def load_basis(path: Path) -> Basis:
    """Read a basis; BadInput when it is not there."""
    if not path.is_file():
        raise BadInput(f"{path} is not there.", "Run `main.py phantom train` from its start.")
    from safetensors.numpy import load_file

    found: dict[str, Any] = load_file(str(path))
    return Basis(found["mean"], found["components"], found["scales"])


def fit_basis(pictures: npt.NDArray[np.uint8]) -> Basis:
    """The basis of some thousand pictures, (n, 128, 128, 3) uint8."""
    import numpy as np

    patches = _patches(pictures)
    weights = np.ones((GRID, GRID), np.float32)
    weights[HEAD] = _HEAD_WEIGHT
    weight = weights.reshape(1, -1, 1)
    mean = (patches * weight).mean((0, 1)) / weights.mean()
    centred = (patches - mean).astype(np.float32)
    flat = (centred * np.sqrt(weight)).reshape(-1, centred.shape[-1])
    _values, vectors = np.linalg.eigh(flat.T @ flat / len(flat))
    components = vectors[:, ::-1][:, :CHANNELS].T.astype(np.float32)
    spread = (centred @ components.T).std((0, 1))
    scales = spread**_POWER
    scales *= np.sqrt(np.mean((spread / scales) ** 2))
    return Basis(mean.astype(np.float32), components, scales.astype(np.float32))


def _patches(pictures: npt.NDArray[np.uint8]) -> Floats:
    """(n, 128, 128, 3) uint8 to (n, 64, 192), values in [-1, 1]."""
    import numpy as np

    n = len(pictures)
    halves = pictures.reshape(n, _HALVED, 2, _HALVED, 2, 3).mean((2, 4), dtype=np.float32) / 127.5 - 1
    cut = halves.reshape(n, GRID, _PATCH, GRID, _PATCH, 3).transpose(0, 1, 3, 2, 4, 5)
    found: Floats = cut.reshape(n, GRID * GRID, _PATCH * _PATCH * 3)
    return found
