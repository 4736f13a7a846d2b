"""Agreement of a whole study: 23 questions, 120 image sets, three annotators, a pipeline, 1,000 replicates.

Run with `python -m tests.benchmarks.bench_agreement` or as a script from the project folder.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd

sys.path.insert(0, str(Path(__file__).parents[2]))

from annotation.agreement import agreement
from annotation.comparison import pipeline_answers
from core.jobs import run_here
from core.questions import Question, load_questions

SETS, PEOPLE, REPLICATES = 120, ("Ada", "Ben", "Cem"), 1000


def study(questions: tuple[Question, ...], seed: int = 0) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Answers with marks, and readings of every image."""
    rng = np.random.default_rng(seed)
    answers, readings = [], []
    for number in range(SETS):
        name = f"set {number:03}"
        for question in questions:
            options = question.option_ids or ("red hat", "blue coat", "green tie", "apron")
            favourite = int(rng.choice(len(options), p=rng.dirichlet(np.full(len(options), 0.5))))
            shown = rng.random(10) < 0.8
            for image, is_shown in enumerate(shown):
                label = options[favourite if is_shown else int(rng.integers(len(options)))]
                readings.append((name, image, f"{number}-{image}", question.id, label, "ok"))
            for who in PEOPLE:
                label = options[favourite if rng.random() < 0.9 else int(rng.integers(len(options)))]
                marks = [int(one) for one in np.flatnonzero(shown ^ (rng.random(10) < 0.05))]
                answers.append((who, name, question.id, label, len(marks), str(marks) if marks else ""))
    return (
        pd.DataFrame(answers, columns=["annotator", "image_set", "question", "label", "slider", "marks"]),
        pd.DataFrame(readings, columns=["image_set", "position", "image", "question", "label", "status"]),
    )


def main() -> None:
    """Print wall and processor seconds of every part."""
    questions = load_questions()
    answers, readings = study(questions)
    pipeline = pipeline_answers(readings, questions)
    parts = {
        "pipeline's answers": lambda: pipeline_answers(readings, questions),
        "people": lambda: run_here(
            agreement(answers.drop(columns="marks"), None, questions, bootstrap=REPLICATES)
        ),
        "people and pipeline": lambda: run_here(
            agreement(answers.drop(columns="marks"), pipeline, questions, bootstrap=REPLICATES)
        ),
        "and single images": lambda: run_here(
            agreement(answers, pipeline, questions, bootstrap=REPLICATES, readings=readings)
        ),
    }
    for name, part in parts.items():
        wall, processor = time.perf_counter(), time.process_time()
        part()
        wall, processor = time.perf_counter() - wall, time.process_time() - processor
        print(f"{name:20} {wall:6.2f} s, {processor:6.2f} s of processor time")


if __name__ == "__main__":
    main()
