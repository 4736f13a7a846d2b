"""The picture that is sent: a JPEG of stated size and quality that carries nothing but its pixels."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.decoding import FORMATS, without_warnings
from core.errors import ExtractorError
from core.importing.sniff import sniff
from core.keys import content_hash

if TYPE_CHECKING:
    from PIL.Image import Image

WHITE = (255, 255, 255)

_SRGB_NAMES = ("srgb", "s rgb")


@dataclass(frozen=True, slots=True)
class Picture:
    """An encoded picture as it goes into a request."""

    data: bytes
    width: int
    height: int

    @property
    def mime(self) -> str:
        """The media type that the bytes show."""
        kind = sniff(self.data)
        if kind is None:
            raise AssertionError("a picture of no known format was about to be sent")
        return f"image/{kind}"

    def as_data(self) -> dict[str, str | int]:
        """What is kept about it: hash, bytes and size."""
        return {
            "sha256": self.sha256,
            "bytes": len(self.data),
            "width": self.width,
            "height": self.height,
        }

    @property
    def sha256(self) -> str:
        """Hash of the bytes."""
        return content_hash(self.data)


class UnreadablePicture(ExtractorError):
    """The image's file holds no picture that can be decoded."""


def make_picture(data: bytes, size: int, quality: int) -> Picture:
    """The picture to send for an image's file.

    It is turned upright, brought to sRGB, laid on white, and reduced so that no side is longer than `size`;
    never enlarged. EXIF, comments, profiles and text of the file, where a prompt may stand, stay behind.

    Parameters
    ----------
    data : bytes
        The image's file.
    size : int
        Longest side in pixels.
    quality : int
        JPEG quality.
    """
    from PIL import Image, ImageOps

    try:
        with without_warnings(), Image.open(io.BytesIO(data), formats=FORMATS) as opened:
            opened.draft("RGB", (size, size))
            upright = ImageOps.exif_transpose(opened)
            plain = _in_srgb(upright)
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise UnreadablePicture("The image's file cannot be decoded.") from error
    plain.thumbnail((size, size), Image.Resampling.LANCZOS)
    plain.info.clear()
    out = io.BytesIO()
    plain.save(out, "JPEG", quality=quality)
    return Picture(out.getvalue(), plain.width, plain.height)


def plain_picture(size: int, quality: int) -> Picture:
    """The picture of the preflight: a green ground with a darker square, of the size that will be sent."""
    from PIL import Image

    image = Image.new("RGB", (size, size), (40, 160, 60))
    third = size // 3
    image.paste((20, 110, 40), (third, third, 2 * third, 2 * third))
    out = io.BytesIO()
    image.save(out, "JPEG", quality=quality)
    return Picture(out.getvalue(), size, size)


def _in_srgb(image: Image) -> Image:
    """A new RGB image on white whose numbers mean sRGB."""
    from PIL import Image as images

    profile = image.info.get("icc_profile")
    if image.mode.startswith("I;16"):
        image = image.point(lambda value: value / 256).convert("L")
    elif image.mode == "I" or image.mode == "F":
        raise ValueError("a picture without a stated range")
    if image.has_transparency_data:
        image = image.convert("RGBA")
        ground = images.new("RGBA", image.size, (*WHITE, 255))
        image = images.alpha_composite(ground, image)
        return _converted(image.convert("RGB"), profile)
    return _converted(image, profile)


def _converted(image: Image, profile: bytes | None) -> Image:
    if profile:
        from PIL import ImageCms

        try:
            source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
            if not ImageCms.getProfileDescription(source).casefold().startswith(_SRGB_NAMES):
                target = ImageCms.createProfile("sRGB")
                changed = ImageCms.profileToProfile(image, source, target, outputMode="RGB")
                if changed is not None:
                    return changed
        except (ImageCms.PyCMSError, OSError):
            pass  # a broken profile: the numbers are taken as they are, as every viewer does
    return image.convert("RGB")
