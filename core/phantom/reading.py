"""Training of the reader: on clean drawn pictures of every kind, and on training pictures once decoded."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from core.bank import load_contexts, load_roles
from core.errors import BadInput
from core.generation.drawn.painting import picture_of, sketch
from core.generation.drawn.truth import truth_of
from core.jobs import Job, Progress
from core.keys import seed_of
from core.phantom import data
from core.phantom.network import MANY, ONE, SIDE, labels_of, make_reader
from core.phantom.run import TrainingRun
from core.phantom.training import Budget, Clock, device_name, load_checkpoint
from core.prompts import build_prompts
from core.records import UNKNOWN

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from torch import Tensor

    Truths = list[dict[str, tuple[str, ...]]]

CHECKPOINT = "reader.pt"
HELD_OUT = 1000
"""Drawn pictures, and training pictures, that the reader is not trained on."""

BATCH = 64
RATE = 2e-3
_DECAY = 0.997
_THROUGH_DECODER = 4000
_CLEAN = 6000
_GENERATORS = ("drawn-a", "drawn-b")


def draw_reader_pictures(folder: Path, count: int, seed: int, first: int = 0) -> Job[Path]:
    """Draw pictures of both drawn generators, of all roles and prompts, with their truth.

    Writes `drawn.npy` (pictures × 128 × 128 × 3) and `drawn.json` at the end; an interrupted job starts
    again. With `first` the pictures before that one are left out.
    """
    import numpy as np

    folder.mkdir(parents=True, exist_ok=True)
    if (folder / "drawn.json").is_file():
        return folder
    prompts = build_prompts(load_roles(), load_contexts(), seed=seed)
    pictures, truths = np.empty((count - first, SIDE, SIDE, 3), np.uint8), []
    for position in range(first, count):
        chance = Random(seed_of("reader picture", seed, position, bits=64))
        generator = chance.choice(_GENERATORS)
        plan = sketch(generator, generator, chance.choice(prompts), chance.randrange(2**31))
        image = picture_of(plan, 2 * SIDE).reduce(2)
        pictures[position - first] = np.asarray(image)
        scene = plan.situation.scene(plan.values["setting"]).name
        truths.append(dict(truth_of(plan.values, plan.situation)) | {"scene": (scene,)})
        if position % 50 == 0:
            yield Progress(position, count, "drawing")
    np.save(folder / "drawn.npy", pictures)
    (folder / "drawn.json").write_text(json.dumps(truths), encoding="utf-8", newline="\n")
    return folder


def load_reader_pictures(folder: Path) -> tuple[npt.NDArray[np.uint8], Truths]:
    """The pictures and truths of `draw_reader_pictures`."""
    import numpy as np

    if not (folder / "drawn.json").is_file():
        raise BadInput(f"{folder} holds no pictures for the reader.", "Run `main.py phantom reader` again.")
    truths = json.loads((folder / "drawn.json").read_text(encoding="utf-8"))
    plain = [{name: tuple(labels) for name, labels in truth.items()} for truth in truths]
    return np.load(folder / "drawn.npy", mmap_mode="r"), plain


def decode_some(latents: Any, decoder: Any, rows: Sequence[int], seed: int) -> Iterator[Any]:
    """Pictures of latents after the decoder, a little noise on them as the denoiser leaves some."""
    import numpy as np
    import torch

    chance = torch.Generator().manual_seed(seed)
    for at in range(0, len(rows), 50):
        x = torch.from_numpy(np.asarray(latents[list(rows[at : at + 50])], np.float32))
        x = x + 0.25 * torch.rand(len(x), 1, 1, 1, generator=chance) * torch.randn(x.shape, generator=chance)
        with torch.inference_mode(), torch.autocast("cpu", torch.bfloat16):
            found = decoder(x.to(memory_format=torch.channels_last)).float().clamp(-1, 1)
        yield ((found + 1) * 127.5).round().byte().permute(0, 2, 3, 1).numpy()


def train_reader(
    pictures_folder: Path, model_folder: Path, folder: Path, budget: Budget, seed: int, drawn: int
) -> Job[Clock]:
    """Train the reader; continues from the checkpoint in its folder.

    Parameters
    ----------
    pictures_folder, model_folder : Path
        Training pictures, and the folder of latents and decoder.
    folder : Path
        Gets the reader's own drawn pictures and `reader.pt`.
    budget : Budget
    seed : int
    drawn : int
        How many pictures of the drawn generators to draw, those held out included.
    """
    import torch

    yield from draw_reader_pictures(folder, drawn, seed)
    yield Progress(0, budget.steps or 0, "decoding training pictures")
    pictures, truths = _material(pictures_folder, model_folder, folder, seed)
    torch.manual_seed(seed)
    run = _Run(pictures, truths, seed)
    run.resume(load_checkpoint(folder / CHECKPOINT))
    yield from run.train(budget, folder / CHECKPOINT)
    return run.clock


def _material(pictures_folder: Path, model_folder: Path, folder: Path, seed: int) -> tuple[Any, Truths]:
    """Pictures to train on with their truths: drawn, training pictures as they are, and the same decoded."""
    import numpy as np

    from core.phantom.decoder import trained_decoder
    from core.phantom.denoiser import prepare_latents

    _, latents = prepare_latents(pictures_folder, model_folder)
    clean = data.load_pictures(pictures_folder)
    known = [truth for _, truth in data.load_cases(pictures_folder)]
    last = max(1, len(clean) - HELD_OUT)
    rows = Random(seed).sample(range(last), min(_THROUGH_DECODER, last))
    drawn, truths = load_reader_pictures(folder)
    keep = max(1, len(drawn) - HELD_OUT)
    decoded = np.concatenate(list(decode_some(latents, trained_decoder(model_folder), rows, seed)))
    more = Random(seed + 1).sample(range(last), min(_CLEAN, last))
    pictures = np.concatenate([drawn[:keep], decoded, clean[sorted(more)]])
    return pictures, truths[:keep] + [known[row] for row in rows] + [known[row] for row in sorted(more)]


class Targets:
    """Truths as numbers: one class of each dimension, and yes or no for each label of a list."""

    def __init__(self, truths: Truths, labels: Mapping[str, Sequence[str]]) -> None:
        import torch

        self.labels = labels
        one = {name: [_number(truth, name, labels[name]) for truth in truths] for name in ONE}
        many = {name: [_marks(truth, name, labels[name]) for truth in truths] for name in MANY}
        self.one = {name: torch.tensor(numbers) for name, numbers in one.items()}
        self.many = {name: torch.tensor(marks) for name, marks in many.items()}

    def loss(self, logits: Tensor, rows: Tensor) -> Tensor:
        """Sum of cross entropies; a label that the network has not, or a list unseen, is left out."""
        import torch
        from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy

        sizes = [len(each) for each in self.labels.values()]
        parts = dict(zip(self.labels, logits.split(sizes, 1), strict=True))
        total = torch.zeros(())
        for name, numbers in self.one.items():
            wanted = numbers[rows].to(logits.device)
            if (wanted >= 0).any():
                total = total + cross_entropy(parts[name], wanted, ignore_index=-1, label_smoothing=0.01)
        for name, marks in self.many.items():
            wanted_marks = marks[rows].to(logits.device)
            seen = wanted_marks >= 0
            each = binary_cross_entropy_with_logits(parts[name], wanted_marks.clamp(min=0), reduction="none")
            total = total + 8 * (each * seen).sum() / seen.sum().clamp(min=1)
        return total


def _number(truth: Mapping[str, tuple[str, ...]], name: str, labels: Sequence[str]) -> int:
    label = truth.get(name, (UNKNOWN,))[0]
    return labels.index(label) if label in labels else -1


def _marks(truth: Mapping[str, tuple[str, ...]], name: str, labels: Sequence[str]) -> list[float]:
    if name not in truth:
        return [0.0 if name == "activities" else -1.0] * len(labels)
    return [float(label in truth[name]) for label in labels]


class _Run(TrainingRun):
    """The training of the reader."""

    rate, flat = RATE, 0.3

    def __init__(self, pictures: Any, truths: Truths, seed: int) -> None:
        import torch

        self.pictures = pictures
        self.labels = labels_of(truths)
        self.targets = Targets(truths, self.labels)
        model: Any = make_reader(self.labels).to(device_name(), memory_format=torch.channels_last)
        weights = torch.optim.AdamW(model.parameters(), lr=RATE, weight_decay=0.02)
        super().__init__(model, [weights], _DECAY, seed)

    def more_state(self) -> dict[str, Any]:
        """The labels that the outputs stand for."""
        return {"labels": self.labels}

    def step(self, _used: float) -> float:
        """One batch; returns its loss."""
        import torch

        rows = torch.randint(len(self.pictures), (BATCH,), generator=self.chance)
        x = torch.from_numpy(self.pictures[rows.numpy()]).permute(0, 3, 1, 2).float() / 127.5 - 1
        return self.learn(self.targets.loss(self.model(self._varied(x).to(self.device)), rows))

    def _varied(self, x: Tensor) -> Tensor:
        """The batch moved by up to four pixels, in half of the batches mirrored, with a little noise."""
        import torch

        down, right = (int(torch.randint(-4, 5, (), generator=self.chance)) for _ in range(2))
        x = torch.roll(x, (down, right), (2, 3))
        if torch.rand((), generator=self.chance) < 0.5:
            x = x.flip(3)
        return x + 0.05 * torch.rand((), generator=self.chance) * torch.randn(x.shape, generator=self.chance)
