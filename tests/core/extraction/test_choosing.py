"""Whose records are meant where nobody says which extractor."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from core.errors import BadInput
from core.extraction.choosing import chosen_extractor, usual_extractor


@dataclass(frozen=True)
class Named:
    """An extractor of which only the name matters here."""

    name: str


@dataclass(frozen=True)
class Read:
    """A study that these extractors have read, in this order."""

    names: tuple[str, ...]

    def extractors(self) -> list[Named]:
        """Those that have read it."""
        return [Named(name) for name in self.names]


@pytest.mark.parametrize(
    ("names", "usual"),
    [
        (("drawn-truth", "drawn-reader"), "drawn-reader"),
        (("pixels", "drawn-truth"), "pixels"),
        (("drawn-truth",), "drawn-truth"),
        ((), ""),
    ],
)
def test_what_knows_the_answer_is_never_taken_where_another_has_read(names: tuple[str, ...], usual: str):
    assert usual_extractor(names) == usual
    if names:
        assert chosen_extractor(Read(names), None) == usual


def test_several_that_read_are_not_chosen_among():
    with pytest.raises(BadInput, match=r"Several extractors have read it.*drawn-truth, drawn-reader, pixels"):
        chosen_extractor(Read(("drawn-truth", "drawn-reader", "pixels")), None)
