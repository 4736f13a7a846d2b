"""The sample study: drawn pictures, read and labelled by simulated parts that need no server."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from annotation.simulated_round import simulate_in
from core.errors import BadInput
from core.jobs import Job
from core.questions import Question
from core.running import extract_in, generate_in
from core.sample import EXACT, GENERATORS, PIPELINE
from core.schema import Schema


def sample_steps(study: Any, schema: Schema, questions: Sequence[Question]) -> Job[None]:
    """Make what is missing of an open sample study: images, records, answers; BadInput for another study."""
    if not study.study.is_sample:
        raise BadInput(f"{study.folder} holds a study of yours, not the sample.", "Name another folder.")
    for name in GENERATORS:
        yield from generate_in(study, name)
    for name in (EXACT, PIPELINE):
        yield from extract_in(study, name, schema)
    yield from simulate_in(study, questions)
