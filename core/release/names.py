"""What the files beside the pictures of a released folder are called."""

METADATA, CARD, SUMS = "metadata.csv", "README.md", "SHA256SUMS"

RUN = "run.json"
"""Record of the export, which the checksums leave out."""

MARK = ".xmp"
"""Ending of the mark beside a picture that has no place for one inside."""
