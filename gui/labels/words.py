"""Which label map a result was made with, in the words of a page's header."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def map_words(run: Mapping[str, Any]) -> tuple[str, ...]:
    """The version of the map, where it gives any label another name.

    >>> map_words({"label_map": {"version": 7, "labels_mapped": 2}}), map_words({})
    (('label map version 7',), ())
    """
    found = run.get("label_map", {})
    return (f"label map version {found['version']}",) if found.get("labels_mapped") else ()
