"""Numbers of a picture: lightness, tint, sharpness and colour, in CIELAB for daylight (D65)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Pixels = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]

_TO_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)
_WHITE = np.array([0.95047, 1.0, 1.08883])
_CENTRE = 0.5
"""Side of the middle part of a picture, as a share of its sides."""


@dataclass(frozen=True, slots=True)
class Measures:
    """What is measured of one picture.

    Parameters
    ----------
    contrast : float
        Distance of the 95th from the 5th percentile of lightness L*, 0 to 100.
    warmth : float
        Mean of b* + a*/2 (yellow and red against blue and green), over all pixels.
    warm_share, cool_share : float
        Shares of the pixels that are clearly warm and clearly cool, 0 to 1.
    sharpness_in, sharpness_out : float
        Mean absolute Laplacian of L* in the middle and around it; the 90th percentile of blocks.
    colours : mapping of str to float
        Share of the pixels that are nearest to each named colour, the largest first.
    """

    contrast: float
    warmth: float
    warm_share: float
    cool_share: float
    sharpness_in: float
    sharpness_out: float
    colours: Mapping[str, float]


def measure(pixels: Pixels, colours: Mapping[str, Sequence[Sequence[int]]], tint: float) -> Measures:
    """Measure a picture.

    Parameters
    ----------
    pixels : array of uint8
        Shape (height, width, 3), sRGB.
    colours : mapping of str to sequence of colours
        Names, each with the colours that stand for it.
    tint : float
        From which warmth on a pixel is clearly warm, or below its negative cool.
    """
    lab = lab_of(pixels)
    light = lab[..., 0]
    low, high = np.percentile(light, [5, 95])
    warmth = lab[..., 2] + lab[..., 1] / 2
    inside, outside = _sharpness(light)
    return Measures(
        contrast=float(high - low),
        warmth=float(warmth.mean()),
        warm_share=float((warmth > 2 * tint).mean()),
        cool_share=float((warmth < -2 * tint).mean()),
        sharpness_in=inside,
        sharpness_out=outside,
        colours=_shares(lab, colours),
    )


def lab_of(pixels: Pixels) -> Floats:
    """CIELAB of sRGB pixels, shape (…, 3).

    >>> white = lab_of(np.array([[[255, 255, 255]]], dtype=np.uint8))
    >>> bool(np.allclose(white, [[[100, 0, 0]]], atol=0.01))
    True
    """
    value = pixels.astype(np.float64) / 255
    linear = np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)
    xyz = linear @ _TO_XYZ.T / _WHITE
    part = np.where(xyz > (6 / 29) ** 3, np.cbrt(xyz), xyz / (3 * (6 / 29) ** 2) + 4 / 29)
    light = 116 * part[..., 1] - 16
    lab: Floats = np.stack(
        [light, 500 * (part[..., 0] - part[..., 1]), 200 * (part[..., 1] - part[..., 2])], axis=-1
    )
    return lab


def _shares(lab: Floats, colours: Mapping[str, Sequence[Sequence[int]]]) -> dict[str, float]:
    names = [name for name, anchors in colours.items() for _ in anchors]
    anchors = np.array([anchor for each in colours.values() for anchor in each], dtype=np.uint8)
    points = lab_of(anchors[None])[0]
    flat = lab.reshape(-1, 3)
    distance = (flat**2).sum(axis=1)[:, None] - 2 * flat @ points.T + (points**2).sum(axis=1)
    counts = np.bincount(distance.argmin(axis=1), minlength=len(names))
    shares: dict[str, float] = {}
    for name, count in zip(names, counts.tolist(), strict=True):
        shares[name] = shares.get(name, 0.0) + count / len(flat)
    return dict(sorted(shares.items(), key=lambda item: (-item[1], item[0])))


def _sharpness(light: Floats) -> tuple[float, float]:
    inner = light[1:-1, 1:-1]
    around = light[:-2, 1:-1] + light[2:, 1:-1] + light[1:-1, :-2] + light[1:-1, 2:]
    edges = np.abs(around - 4 * inner)
    blocks = _blocks(edges)
    rows, columns = blocks.shape
    top, left = round(rows * (1 - _CENTRE) / 2), round(columns * (1 - _CENTRE) / 2)
    is_inside = np.zeros(blocks.shape, dtype=bool)
    is_inside[top : rows - top, left : columns - left] = True
    if is_inside.all() or not is_inside.any():
        whole = float(np.percentile(blocks, 90))
        return whole, whole
    inside, outside = blocks[is_inside], blocks[~is_inside]
    return float(np.percentile(inside, 90)), float(np.percentile(outside, 90))


def _blocks(edges: Floats, side: int = 16) -> Floats:
    """Means of square blocks; what is left over at the right and below is left out."""
    high, wide = max(edges.shape[0] // side, 1), max(edges.shape[1] // side, 1)
    if min(edges.shape) < side:
        return np.array([[float(edges.mean()) if edges.size else 0.0]])
    cut = edges[: high * side, : wide * side]
    means: Floats = cut.reshape(high, side, wide, side).mean(axis=(1, 3))
    return means
