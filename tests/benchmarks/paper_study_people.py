"""The human half of `paper_study`: a round of 120 image sets, and three annotators who answered all of it."""

from __future__ import annotations

import json
import random
import sqlite3
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from core.questions import Question, load_questions

ROLES, SEED = 10, 5
PEOPLE = {"Ada": 0.08, "Ben": 0.14, "Cem": 0.22}
"""Annotators, each with how often the answer is another label than the most frequent one of the pictures."""

AT = "2026-11-20T10:00:00.000Z"

Cell = tuple[int, list[int]]
"""An image set and the ids of its ten images."""


def add_people(connection: sqlite3.Connection, labels: pd.DataFrame) -> None:
    """A locked round of roles × conditions × generators with ten images a set, and everybody's answers."""
    questions = load_questions()
    connection.execute(
        "INSERT INTO round (id, name, seed, questions_json, count_mode, show_role, settings_json,"
        " designed_at, locked_at) VALUES (1, 'main round', ?, ?, 'marks+slider', 0, '{}', ?, ?)",
        (SEED, json.dumps([one.id for one in questions]), AT, AT),
    )
    connection.executemany(
        "INSERT INTO annotator (name, is_simulated, joined_at) VALUES (?, 0, ?)",
        [(one, AT) for one in PEOPLE],
    )
    sets = _add_sets(connection)
    seen = _seen(labels, sets, questions)
    rows = list(_answers(sets, seen, questions))
    connection.executemany(
        "INSERT INTO answer_event (annotator_id, image_set_id, question, act, label, is_unknown, slider,"
        " slider_source, marks, is_confirmed, is_flagged, comment, wall_seconds, active_seconds, theme, at)"
        f" VALUES ({', '.join('?' * 16)})",
        rows,
    )


def _add_sets(connection: sqlite3.Connection) -> list[Cell]:
    cells: dict[tuple[int, str, int], list[int]] = {}
    roles = [one for (one,) in connection.execute("SELECT id FROM role ORDER BY id")]
    chosen = set(roles[:: max(1, len(roles) // ROLES)][:ROLES])
    for image, role, condition, generator in connection.execute(
        "SELECT image.id, role_id, condition, generator_id FROM image JOIN prompt ON prompt.id = prompt_id"
        " WHERE status = 'ok' ORDER BY image.id"
    ):
        if role in chosen:
            cells.setdefault((role, condition, generator), []).append(image)
    rng, sets = random.Random(SEED), []
    for number, (cell, images) in enumerate(cells.items(), start=1):
        picked = rng.sample(images, 10)
        connection.execute(
            "INSERT INTO image_set (id, round_id, key, role_id, condition, generator_id, purpose)"
            " VALUES (?, 1, ?, ?, ?, ?, 'study')",
            (number, f"set {number:03d}", *cell),
        )
        connection.executemany(
            "INSERT INTO image_set_image (image_set_id, position, image_id) VALUES (?, ?, ?)",
            [(number, position, image) for position, image in enumerate(picked)],
        )
        sets.append((number, picked))
    return sets


def _seen(
    labels: pd.DataFrame, sets: list[Cell], questions: tuple[Question, ...]
) -> dict[tuple[int, str], list[str]]:
    """What is on the pictures that people see: (image, dimension) -> labels."""
    wanted = np.array(sorted({image for _, images in sets for image in images})) - 1
    rows = labels[np.isin(labels["image"].cat.codes.to_numpy(), wanted)]
    rows = rows[rows["dimension"].isin([one.dimension for one in questions])]
    found: dict[tuple[int, str], list[str]] = {}
    for image, dimension, label in zip(
        rows["image"].cat.codes.tolist(), rows["dimension"].tolist(), rows["label"].tolist(), strict=True
    ):
        if label != "unknown":
            found.setdefault((image + 1, dimension), []).append(label)
    return found


def _answers(
    sets: list[Cell], seen: dict[tuple[int, str], list[str]], questions: tuple[Question, ...]
) -> Iterator[tuple[Any, ...]]:
    """Three acts an answer, as the screen keeps them: a label, the marks, the confirmation."""
    rng = random.Random(SEED + 1)
    for annotator, error in enumerate(PEOPLE.values(), start=1):
        for number, images in sets:
            for question in questions:
                shown = [seen.get((image, question.dimension), []) for image in images]
                label = _label(shown, question, error, rng)
                marks = [at for at, said in enumerate(shown) if (label in said) != (rng.random() < error / 3)]
                source = "marks" if label else None
                flag = int(rng.random() < 0.01)
                counted = (len(marks), source, json.dumps(marks)) if label else (None, None, "[]")
                acts = {
                    "label": (None, None, "[]", 0, 0),
                    "mark": (*counted, 0, 0),
                    "confirm": (*counted, 1, flag),
                }
                for step, (act, state) in enumerate(acts.items(), start=1):
                    yield (
                        *(annotator, number, question.id, act, label, int(label is None), *state),
                        *("", 3.0 * step, 2.5 * step, "light", AT),
                    )


def _label(shown: list[list[str]], question: Question, error: float, rng: random.Random) -> str | None:
    """The most frequent label of ten pictures, or by mistake another one; None is *unknown*."""
    counts = Counter(label for said in shown for label in said)
    if not counts or rng.random() < 0.02:
        return None
    options = question.option_ids or tuple(counts)
    return rng.choice(options) if rng.random() < error else counts.most_common(1)[0][0]
