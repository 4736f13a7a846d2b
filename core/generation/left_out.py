"""Images that are kept but not sent on, counted by role, condition and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from core.records import ImageStatus, StoredImage


def left_out_lines(images: Iterable[StoredImage]) -> list[str]:
    """One line a role, condition and status that has images which may not be sent on, most first."""
    counts = Counter(
        (image.role, str(image.condition or "no condition"), image.status.value.replace("_", " "))
        for image in images
        if image.status is not ImageStatus.OK
    )
    return [
        f"left out: {number} {status}: {role}, {condition}"
        for (role, condition, status), number in counts.most_common()
    ]
