"""Names that would be taken for one are refused, and so are names that nobody can read."""

from __future__ import annotations

import pytest

from core.annotator_names import check_new_name
from core.errors import BadInput


@pytest.mark.parametrize("name", ["anna", "Anna ", " ANNA", "Ａｎｎａ"])
def test_a_name_that_would_be_taken_for_a_known_one_is_refused(name: str):
    with pytest.raises(BadInput, match="nearly “Anna”"):
        check_new_name(name, ["Boris", "Anna"])


@pytest.mark.parametrize("name", ["", "  ", "W" * 10_000, "An\u202ena", "An\x07na", "An\u200bna"])
def test_a_name_that_cannot_be_read_is_refused(name: str):
    with pytest.raises(BadInput):
        check_new_name(name, [])


@pytest.mark.parametrize("name", ["Anne", "Anna B", "Chloé", "李", "O'Brien <3"])
def test_other_names_are_taken(name: str):
    check_new_name(name, ["Anna"])
