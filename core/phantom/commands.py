"""What `main.py phantom` does: one job for each part; its result is the text to print."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.jobs import Job
from core.phantom.captions import FOLDER
from core.phantom.card import TRAINING, write_card
from core.phantom.training import Budget
from core.text_table import text_table

if TYPE_CHECKING:
    from core.phantom.instruments import Eye

BUDGETS = "commands.txt"
"""Beside the checkpoints: the commands that made them."""


def job_of(chosen: Namespace) -> Job[str]:
    """The job of one part, by the parsed options."""
    if chosen.threads:
        import torch

        torch.set_num_threads(chosen.threads)
    jobs = {"data": _data, "train": _train, "reader": _reader, "measure": _measure, "sheets": _sheets}
    return jobs[chosen.part](chosen)


def shipped_settings() -> Mapping[str, Any]:
    """The entry of the phantom among the released generators."""
    from core.generation.entries import released
    from core.phantom import NAME

    return {"steps": released()[NAME].steps, "guidance": released()[NAME].guidance_scale}


def calibration_of(chosen: Namespace, people: Sequence[Eye]) -> Job[str]:
    """The job of `main.py calibrate`: how often the audit's intervals hold the phantom's own rates.

    `people` are the simulated people that look at the pictures, besides the reader.
    """
    from core.phantom.calibrating import calibrate, load_rows
    from core.phantom.network import LABELS
    from core.schema import load_schema

    rows, schema = load_rows(), load_schema()
    errors = json.loads(LABELS.read_text(encoding="utf-8"))["errors"]["phantom decoded"]
    draws = (chosen.studies, chosen.per_cell, chosen.seed, chosen.bootstrap)
    lines = yield from calibrate(rows, schema, *draws, errors, people)
    columns = ("labels", "number", "studies", "intervals", "hold the truth", "low", "high")
    sentence = (
        f"{chosen.studies} studies of {chosen.per_cell} pictures of each role and condition, drawn from "
        f"{len(rows)} pictures of the phantom; intervals of 95 %. {_WAYS}"
    )
    return f"{sentence}\n\n{text_table(lines, columns)}"


_WAYS = (
    "The labels are taken as they are, looked at once more by the reader with its errors on held-out "
    "pictures, corrected for these errors (dimensions with one label), and looked at by three simulated "
    "people, the commonest of whose answers counts."
)


def _data(chosen: Namespace) -> Job[str]:
    from core.phantom.data import draw_training_pictures

    folder = yield from draw_training_pictures(chosen.folder / "data", chosen.count, chosen.seed)
    return f"{chosen.count} training pictures are in {folder}."


def _train(chosen: Namespace) -> Job[str]:
    from core.phantom import decoder, denoiser
    from core.phantom.assembling import assemble
    from core.phantom.data import load_pictures, planted_hash
    from core.phantom.decoder import fidelity, train_decoder
    from core.phantom.denoiser import train_denoiser
    from core.phantom.measuring import model_version

    pictures, folder, out = chosen.folder / "data", chosen.folder / "model", _out(chosen)
    lines = []
    if chosen.which in ("both", "decoder"):
        budget = _budget(chosen.decoder_steps, chosen.minutes)
        clock = yield from train_decoder(pictures, folder, budget, chosen.seed, chosen.start)
        decibels = fidelity(pictures, folder)
        lines.append(
            f"Decoder: {clock.step} steps of {decoder.BATCH}, {decibels:.1f} dB on pictures held out."
        )
    if chosen.which in ("both", "denoiser"):
        budget = _budget(chosen.steps, chosen.minutes)
        clock = yield from train_denoiser(pictures, folder, budget, chosen.seed, chosen.start)
        loss = f", loss {clock.losses[-1][1]:.3f}" if clock.losses else ""
        lines.append(f"Denoiser: {clock.step} steps of {denoiser.BATCH} pictures{loss}.")
    if chosen.which == "both":
        facts = assemble(folder, out)
        count = len(load_pictures(pictures))
        about = {"pictures": count, "planted": planted_hash(), "seed": chosen.seed, "denoiser": facts}
        if chosen.start:
            about["start"] = model_version(chosen.start)
            lines.append(
                f"Both began with the weights of an earlier phantom (version {about['start']}), but for the "
                "layers that belong to its latents."
            )
        about["command"] = "\n".join(budgets_of(folder, _command(chosen)))
        about["sentences"] = list(lines)
        (out / TRAINING).write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8", newline="\n")
        lines.append(f"The pipeline is in {out}, {_megabytes(out):.1f} MB.")
    return "\n".join(lines)


def budgets_of(folder: Path, command: str) -> list[str]:
    """Every command that a training was begun and gone on with, in order, the newest included.

    A longer budget after a shorter one is not the same as the longer one from the start: the learning rate
    had fallen in between.
    """
    path = folder / BUDGETS
    found = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    if command not in found[-1:]:
        found.append(command)
        path.write_text("".join(f"{each}\n" for each in found), encoding="utf-8", newline="\n")
    return found


def _command(chosen: Namespace) -> str:
    """The training as it is typed, without what names a place on this machine."""
    start = " --start EARLIER" if chosen.start else ""
    steps = f"--decoder-steps {chosen.decoder_steps} --steps {chosen.steps}"
    if chosen.minutes:
        steps = f"--minutes {chosen.minutes:g}"
    return f"main.py phantom train WORK{start} {steps} --seed {chosen.seed}"


def _reader(chosen: Namespace) -> Job[str]:
    from core.phantom.reader_errors import measure_again, publish
    from core.phantom.reading import HELD_OUT, draw_reader_pictures, train_reader

    pictures, model, folder = chosen.folder / "data", chosen.folder / "model", chosen.folder / "reader"
    if chosen.errors:
        held = folder / "held_out"
        yield from draw_reader_pictures(held, chosen.drawn, chosen.seed, chosen.drawn - HELD_OUT)
        return errors_text(measure_again(pictures, model, held))
    budget = _budget(chosen.steps, chosen.minutes)
    clock = yield from train_reader(pictures, model, folder, budget, chosen.seed, chosen.drawn)
    out = _out(chosen)
    errors = publish(pictures, model, folder, out / "reader.safetensors", out / "reader.json")
    return f"Reader: {clock.step} steps.\n\n" + errors_text(errors)


def _measure(chosen: Namespace) -> Job[str]:
    from core.phantom.calibrating import PICTURES, save_rows
    from core.phantom.data import planted_hash
    from core.phantom.hand_check import against_hand, load_hand_checked
    from core.phantom.measuring import cell_pictures, measure, model_version, stated_pictures
    from core.phantom.network import LABELS, Network
    from core.phantom.truth import cells, closeness, counts, followed

    model, steps, guidance = _sampling(chosen)
    asked = [*cell_pictures(chosen.per_cell, chosen.seed), *stated_pictures(chosen.per_role, chosen.seed)]
    rows = yield from measure(model, chosen.folder / "measured.jsonl", asked, steps, guidance, Network())
    counted, checked = counts(rows), load_hand_checked()
    found = list(cells(counted))
    result = {
        "about": "The phantom's own rates, read by the reader at the shipped steps and guidance, with 95 % "
        "Wilson intervals, beside the planted ones. Pictures of which a dimension was read: n.",
        "steps": steps,
        "guidance": guidance,
        "seed": chosen.seed,
        "model": model_version(model),
        "planted": planted_hash(),
        "per_cell": chosen.per_cell,
        "per_role": chosen.per_role,
        "pictures": len(rows),
        "reader": Network().version,
        "closeness": closeness(found),
        "followed": followed(rows),
        "hand_checked": against_hand(rows, checked),
        "hand_pictures": len({(each["prompt"], each["seed"]) for each in checked}),
        "cells": [_rounded(asdict(each)) for each in found],
    }
    out = _out(chosen)
    out.mkdir(parents=True, exist_ok=True)
    (out / "measured.json").write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8", newline="\n")
    save_rows(out / PICTURES.name, rows)
    write_card(out, result, json.loads(LABELS.read_text(encoding="utf-8")))
    return measured_text(result)


def _sheets(chosen: Namespace) -> Job[str]:
    from core.phantom.measuring import cell_pictures
    from core.phantom.sheets import draw_sheets

    model, steps, guidance = _sampling(chosen)
    asked, out = cell_pictures(chosen.per_cell, chosen.seed), chosen.out or chosen.folder / "sheets"
    count = yield from draw_sheets(model, out, asked, chosen.per_cell, 3, steps, guidance)
    return f"{count} sheets are in {out}, one a role: its three conditions, in twice the size."


def _sampling(chosen: Namespace) -> tuple[Path, int, float]:
    """Pipeline folder, steps and guidance: as asked for, else as shipped."""
    settings = shipped_settings()
    steps = chosen.sampling_steps or settings["steps"]
    return chosen.model or FOLDER, steps, chosen.guidance or settings["guidance"]


def errors_text(errors: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> str:
    """The reader's error rates as a table: kind of picture, dimension, accuracy."""
    columns = ("pictures", "dimension", "n", "read", "accuracy", "recall", "precision")
    rows = [
        {"pictures": kind, "dimension": name} | {key: entry[key] for key in columns[2:] if key in entry}
        for kind, each in errors.items()
        for name, entry in each.items()
    ]
    return text_table(rows, columns)


def measured_text(result: Mapping[str, Any]) -> str:
    """Planted beside measured in short: closeness by dimension, and what is followed."""
    follow = [{"stated": name} | dict(each) for name, each in result["followed"].items()]
    return "\n\n".join(
        [
            f"{result['pictures']} pictures at {result['steps']} steps, guidance {result['guidance']}",
            text_table(result["closeness"], ("dimension", "condition", "r", "mean_absolute_error", "cells")),
            text_table(follow, ("stated", "share", "low", "high", "n")),
        ]
    )


def _rounded(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: round(value, 4) if isinstance(value, float) else value for name, value in row.items()}


def _budget(steps: int, minutes: float | None) -> Budget:
    return Budget(minutes=minutes) if minutes else Budget(steps=steps)


def _out(chosen: Namespace) -> Path:
    out: Path = chosen.out or chosen.folder / "phantom"
    return out


def _megabytes(folder: Path) -> float:
    return sum(path.stat().st_size for path in folder.rglob("*.safetensors")) / 1e6
