"""The model card: what the phantom is, and the figures of its training, its reader and its own rates.

It is written by `main.py phantom measure`, so that no figure in it can differ from what was measured.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from math import pi, sqrt
from pathlib import Path
from typing import Any

from core.phantom.captions import FOLDER, places
from core.records import Condition

TRAINING = "training.json"
TEMPLATE = "card.md"
"""Its text, with gaps for the figures."""

_CHANCE = 0.5 * sqrt(2 / pi)
"""Mean absolute error of a rate of one half that is measured on a single picture, times the root of one."""

_MAIN = ("gender_presentation", "eyewear_type", "facial_hair_style", "clothing_garment")


def write_card(folder: Path, result: Mapping[str, Any], reader: Mapping[str, Any]) -> Path:
    """Write README.md into a pipeline folder.

    Parameters
    ----------
    folder : Path
        Holds the weights and, if it was trained by the command, `training.json`.
    result : mapping
        The measured truth.
    reader : mapping
        Content of `reader.json`.
    """
    training = folder / TRAINING
    facts = json.loads(training.read_text(encoding="utf-8")) if training.is_file() else {}
    weights = sum(path.stat().st_size for path in folder.glob("*/*.safetensors"))
    text = (
        (FOLDER / TEMPLATE)
        .read_text(encoding="utf-8")
        .format(
            pictures=result["pictures"],
            places=len(places()),
            steps=result["steps"],
            guidance=result["guidance"],
            megabytes=weights / 1e6,
            count=facts.get("pictures", "Some thousand"),
            command=facts.get("command", "main.py phantom train WORK"),
            per_cell=result["per_cell"],
            per_role=result["per_role"],
            chance=_CHANCE / sqrt(result["per_cell"]),
            hand_pictures=result["hand_pictures"],
            training=" ".join(facts.get("sentences", ())),
            closeness=_table(
                ("dimension", "condition", "r", "mean absolute error", "cells"), _closeness(result)
            ),
            gender=_table(("role", *(each.value for each in Condition)), _gender(result)),
            followed=_table(("stated", "followed", "pictures"), _followed(result)),
            sure=reader["sure"],
            reader=_table(("dimension", *reader["errors"]), _reader(reader["errors"])),
            hand=_table(("dimension", "can be told by eye", "read", "as by eye", "confused"), _hand(result)),
        )
    )
    path = folder / "README.md"
    path.write_text(text, encoding="utf-8", newline="\n")
    return path


def _closeness(result: Mapping[str, Any]) -> Iterator[Sequence[str]]:
    for each in result["closeness"]:
        if each["dimension"] in _MAIN or each["condition"] == "all":
            r = "–" if each["r"] is None else f"{each['r']:.2f}"
            gap = f"{each['mean_absolute_error']:.3f}"
            yield each["dimension"].replace("_", " "), each["condition"], r, gap, str(each["cells"])


def _gender(result: Mapping[str, Any]) -> Iterator[Sequence[str]]:
    cells = {
        (each["role"], each["condition"]): each
        for each in result["cells"]
        if (each["dimension"], each["label"]) == ("gender_presentation", "female")
    }
    for role in sorted({role for role, _ in cells}):
        found = [cells.get((role, each.value)) for each in Condition]
        yield role.replace("_", " "), *(_cell(each) if each else "–" for each in found)


def _cell(each: Mapping[str, Any]) -> str:
    return f"{each['planted']:.2f} → {each['measured']:.2f} [{each['low']:.2f}, {each['high']:.2f}]"


def _followed(result: Mapping[str, Any]) -> Iterator[Sequence[str]]:
    for name, each in result["followed"].items():
        interval = f"{each['share']:.3f} [{each['low']:.3f}, {each['high']:.3f}]"
        yield name.replace("_", " "), interval, str(each["n"])


def _hand(result: Mapping[str, Any]) -> Iterator[Sequence[str]]:
    for name, each in result["hand_checked"].items():
        interval = f"{each['accuracy']:.3f} [{each['low']:.3f}, {each['high']:.3f}]"
        confused = ", ".join(f"{what} {n}" for what, n in each["confusions"].items())
        yield name.replace("_", " "), str(each["n"]), f"{each['read']:.2f}", interval, confused or "–"


def _reader(errors: Mapping[str, Any]) -> Iterator[Sequence[str]]:
    names = dict.fromkeys(name for kind in errors.values() for name in kind)
    for name in names:
        yield name.replace("_", " "), *(_accuracy(kind.get(name)) for kind in errors.values())


def _accuracy(entry: Mapping[str, Any] | None) -> str:
    if not entry:
        return "–"
    if "accuracy" in entry:
        right = "–" if entry["accuracy"] is None else f"{entry['accuracy']:.3f}"
        return f"{right} ({entry['read']:.2f})"
    pair = (entry["recall"], entry["precision"])
    recall, precision = ("–" if each is None else f"{each:.3f}" for each in pair)
    return f"recall {recall}, precision {precision}"


def _table(columns: Sequence[str], rows: Iterator[Sequence[str]]) -> str:
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
