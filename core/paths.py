"""Where things are on disk; the only file that knows."""

from __future__ import annotations

from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
RESOURCES = PROJECT / "resources"

STUDY_FILE = "study.sqlite"
IMAGES = "images"
THUMBNAILS = "thumbnails"
"""Inside `IMAGES`: JPEG files of at most 512 px a side, written when an image arrives."""
