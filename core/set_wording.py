"""The wording of a question for image sets of other sizes than ten."""

from __future__ import annotations

_WHOLE_SET = 10
_ONE_IMAGE = (
    ("do most of the ten images", "does the image"),
    ("that most of the ten images show", "that the image shows"),
    ("in most of the ten images", "in the image"),
    ("most often among the ten images", "in the image"),
    ("the ten images", "the image"),
)


def for_images(wording: str, number: int) -> str:
    """A question about ten images as it is asked of a set that has fewer.

    >>> for_images("Which mood do most of the ten images show?", 7)
    'Which mood do most of the 7 images show?'
    >>> for_images("Which framing do most of the ten images have?", 1)
    'Which framing does the image have?'
    >>> for_images("Which weather is seen most often among the ten images?", 1)
    'Which weather is seen in the image?'
    """
    if number >= _WHOLE_SET:
        return wording
    if number > 1:
        return wording.replace("the ten images", f"the {number} images")
    for plural, one in _ONE_IMAGE:
        wording = wording.replace(plural, one)
    return wording
