"""What the files beside the pictures of a released folder are called."""

METADATA, CARD, SUMS = "metadata.csv", "README.md", "SHA256SUMS"

MARK = ".xmp"
"""Ending of the mark beside a picture that has no place for one inside."""
