"""Questions about sets that have fewer than ten images."""

from __future__ import annotations

import pytest

from core.questions import load_questions
from core.set_wording import for_images


@pytest.mark.parametrize("question", load_questions(), ids=lambda one: one.id)
def test_a_question_says_how_many_images_there_are(question):
    assert for_images(question.wording, 10) == question.wording
    assert "the 7 images" in for_images(question.wording, 7)
    one = for_images(question.wording, 1)
    assert "image" in one
    assert "images" not in one
    assert "most" not in one
