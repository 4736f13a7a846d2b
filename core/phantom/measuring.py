"""The reference truth: what the finished phantom really shows, read from many of its pictures.

A diffusion model shrinks what it has learned, or, with guidance, exaggerates it. What an audit must find is
therefore the model's own rate at its shipped steps and guidance, with an interval; the planted rate stands
beside it. The pictures are sampled in batches, so their last digits differ from those of a study.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from core.bank import load_contexts
from core.generation.drawn.places import scene_at
from core.jobs import Job, Progress
from core.keys import seed_of
from core.phantom.captions import PLAIN_PLACES, caption, roles
from core.phantom.network import MANY, ONE, SURE, SURE_IN_LIST, Network
from core.prompts import build_prompts
from core.records import UNKNOWN, Condition

BATCH = 12


@dataclass(frozen=True, slots=True)
class Asked:
    """One picture to make: its prompt, its seed, and what is known about it."""

    text: str
    seed: int
    role: str
    condition: str
    place: str | None = None
    stated: Mapping[str, str] | None = None

    @property
    def key(self) -> str:
        """Names the picture among all that are measured."""
        return f"{self.text} {self.seed}"


def cell_pictures(per_cell: int, seed: int) -> list[Asked]:
    """Pictures for every role and condition: the prompts of a study in turn, every picture its own seed."""
    found = []
    prompts = build_prompts(roles(), load_contexts(), seed=seed)
    for role in roles():
        for condition in Condition:
            own = [each for each in prompts if each.role == role.name and each.condition is condition]
            for number in range(per_cell):
                prompt = own[number % len(own)]
                at = seed_of("measured", seed, role.name, condition.value, number)
                found.append(Asked(prompt.text, at, role.name, condition.value, prompt.place))
    return found


def stated_pictures(per_role: int, seed: int) -> list[Asked]:
    """Pictures whose prompts state what is not typical: every role both ways, some in a plain place."""
    found = []
    ways: list[dict[str, str]] = [
        {"gender_presentation": "female"},
        {"gender_presentation": "male"},
        {"eyewear_type": "eyeglasses"},
        {"eyewear_type": "none"},
        {"facial_hair_style": "beard"},
    ]
    for role in roles():
        for stated in ways:
            for number in range(per_role):
                chance = Random(seed_of("stated", seed, role.name, sorted(stated.items()), number))
                place = chance.choice(PLAIN_PLACES) if number % 2 else None
                text = caption(role, place=place, stated=stated)
                found.append(Asked(text, chance.randrange(2**31), role.name, "", place, stated))
    return found


def measure(
    model: Path, results: Path, asked: Sequence[Asked], steps: int, guidance: float, network: Network
) -> Job[list[dict[str, Any]]]:
    """Make and read the pictures; rows go to a file as they come, so the job continues where it stopped.

    Parameters
    ----------
    model : Path
        Pipeline folder.
    results : Path
        JSON lines, one a picture; its first line says by what settings.
    asked : sequence of Asked
    steps, guidance
        As shipped.
    network : Network
        The reader.

    Returns
    -------
    list of dict
        Row of every picture asked for: what was asked and what was read, label -> confidence.
    """
    settings: dict[str, Any] = {"steps": steps, "guidance": guidance}
    settings |= {"model": model_version(model), "reader": network.version}
    rows = _rows(results, settings)
    missing = [each for each in asked if each.key not in rows]
    yield Progress(len(asked) - len(missing), len(asked), "measuring")
    make = picture_maker(model, steps, guidance) if missing else None
    with results.open("a", encoding="utf-8", newline="\n") as lines:
        for at in range(0, len(missing), BATCH):
            part = missing[at : at + BATCH]
            assert make is not None
            for each, row in zip(part, _read(part, make(part), network), strict=True):
                rows[each.key] = row
                lines.write(json.dumps(row, ensure_ascii=False) + "\n")
            lines.flush()
            yield Progress(len(asked) - len(missing) + at + len(part), len(asked), "measuring")
    return [rows[each.key] for each in asked]


def _rows(path: Path, settings: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Rows of an earlier run by the same settings; a file of other settings is begun anew."""
    if path.is_file():
        lines = path.read_text(encoding="utf-8").split("\n")
        whole = [line for line in lines[:-1] if line]
        if whole and json.loads(whole[0]) == dict(settings):
            path.write_text("".join(f"{line}\n" for line in whole), encoding="utf-8", newline="\n")
            return {row["key"]: row for row in map(json.loads, whole[1:])}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(settings) + "\n", encoding="utf-8", newline="\n")
    return {}


def model_version(model: Path) -> str:
    """Content key of a pipeline folder's weights, the first twelve digits."""
    from core.generation.diffusers.fingerprint import fingerprint
    from core.generation.diffusers.weights import look_over

    return fingerprint(look_over(model))[:12]


def picture_maker(model: Path, steps: int, guidance: float) -> Any:
    """What makes the pictures of some `Asked` at once, (n, 128, 128, 3) uint8."""
    import torch
    from diffusers import StableDiffusionPipeline

    from core.generation.diffusers.loading import quiet
    from core.phantom.training import device_name

    with quiet():
        pipe = StableDiffusionPipeline.from_pretrained(
            str(model), dtype=torch.float32, use_safetensors=True, local_files_only=True
        ).to(device_name())
    pipe.set_progress_bar_config(disable=True)

    def make(asked: Sequence[Asked]) -> Any:
        chances = [torch.Generator("cpu").manual_seed(each.seed) for each in asked]
        with torch.inference_mode():
            found = pipe(
                [each.text for each in asked],
                generator=chances,
                num_inference_steps=steps,
                guidance_scale=guidance,
                output_type="np",
            )
        return (found.images * 255).round().astype("uint8")

    return make


def _read(asked: Sequence[Asked], pictures: Any, network: Network) -> Iterator[dict[str, Any]]:
    for each, seen in zip(asked, network.read(pictures), strict=True):
        labels: dict[str, Any] = {}
        for name in ONE:
            label, share = max(seen[name].shares.items(), key=lambda pair: pair[1])
            labels[name] = label if share >= SURE else UNKNOWN
        for name in MANY:
            labels[name] = [label for label, share in seen[name].shares.items() if share >= SURE_IN_LIST]
        yield {
            "key": each.key,
            "role": each.role,
            "condition": each.condition,
            "text": each.text,
            "seed": each.seed,
            "scene": scene_at(each.place).name if each.place else None,
            "stated": dict(each.stated or {}),
            "labels": labels,
        }
