"""The pictures of a packet: all of one size, in one format, without a byte that is not a pixel.

A generator's native size, its file format and what tools write into files (prompts, seeds, cameras) would
tell annotators what they look at. So every picture is decoded, laid on white, fitted into one common
square and written anew as a plain JPEG.
"""

from __future__ import annotations

import io
from collections.abc import Iterable
from typing import TYPE_CHECKING

from core.decoding import FORMATS
from core.errors import BadInput
from core.records import StoredImage

if TYPE_CHECKING:
    from PIL.Image import Image

LEAST_SIDE, MOST_SIDE = 64, 1024
QUALITY = 90
MARGIN = (128, 128, 128)
"""What is beside a picture that is not square; the same for all."""


def common_side(images: Iterable[StoredImage], most: int = MOST_SIDE) -> int:
    """Side of the square for all pictures: no larger than the smallest picture's longer side, within bounds.

    Nothing is sharper than anything else because it had more pixels.

    >>> common_side([])
    1024
    """
    sides = [max(one.width, one.height) for one in images]
    return max(min([*sides, most]), LEAST_SIDE)


def re_encoded(data: bytes, side: int, quality: int = QUALITY) -> bytes:
    """A picture as a square JPEG of `side` pixels with nothing but pixels in it.

    Raises
    ------
    BadInput
        The bytes are no picture that can be decoded.
    """
    from PIL import Image, ImageOps

    try:
        with Image.open(io.BytesIO(data), formats=FORMATS) as opened:
            opened.draft("RGB", (side, side))
            upright = ImageOps.exif_transpose(opened)
            picture = _fitted(_on_white(upright), side)
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise BadInput(
            f"A picture cannot be decoded: {error}.", "Run `main.py doctor` on the study."
        ) from error
    out = io.BytesIO()
    picture.save(out, "JPEG", quality=quality, subsampling=0, optimize=False, exif=b"", icc_profile=None)
    return out.getvalue()


def _on_white(picture: Image) -> Image:
    from PIL import Image

    if picture.mode == "RGB":
        return picture
    whole = picture.convert("RGBA")
    ground = Image.new("RGBA", whole.size, "white")
    ground.alpha_composite(whole)
    return ground.convert("RGB")


def _fitted(picture: Image, side: int) -> Image:
    from PIL import Image

    longer = max(picture.size)
    wide, high = (max(1, round(one * side / longer)) for one in picture.size)
    size = (wide, high)
    scaled = picture if picture.size == size else picture.resize(size, Image.Resampling.LANCZOS)
    square = Image.new("RGB", (side, side), MARGIN)
    square.paste(scaled, ((side - size[0]) // 2, (side - size[1]) // 2))
    return square
