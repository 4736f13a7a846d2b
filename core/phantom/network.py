"""The reader's network: one small convolutional network with a head for each dimension.

It sees a picture of 128 pixels. A closed dimension is one softmax over its labels, with `unknown` among
them where a picture may not show it; a list has a sigmoid for each label.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.errors import MissingPart
from core.phantom.captions import FOLDER
from core.records import UNKNOWN

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from torch import Tensor, nn

SIDE = 128
WEIGHTS, LABELS = FOLDER / "reader.safetensors", FOLDER / "reader.json"

ONE = (
    "gender_presentation", "skin_tone", "age_range", "expression", "eyewear_type", "head_covering_type",
    "hair_present", "hair_style", "hair_color", "facial_hair_style", "framing", "color_temperature",
    "contrast_level", "scene",
)  # fmt: skip
"""Dimensions with one label; `scene` is no dimension of the schema, it tells whether a place was followed."""

MANY = ("clothing_garment", "accessories", "activities")
"""Dimensions with a list of labels."""

SURE = 0.6
"""Least confidence at which one label counts as read; below it the dimension is unknown."""

SURE_IN_LIST = 0.5

_CHANNELS = (24, 48, 96, 160, 192)

Labels = Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class Sure:
    """What the network says of one dimension: label -> confidence, and whether it is a list."""

    shares: Mapping[str, float]
    is_list: bool


def labels_of(truths: Sequence[Mapping[str, tuple[str, ...]]]) -> dict[str, list[str]]:
    """The labels of each dimension in these truths, sorted; `unknown` where a truth leaves one out."""
    found: dict[str, set[str]] = {name: set() for name in (*ONE, *MANY)}
    for truth in truths:
        for name in found:
            found[name].update(truth.get(name, (UNKNOWN,) if name in ONE else ()))
    return {name: sorted(labels) for name, labels in found.items()}


def make_reader(labels: Labels) -> Any:
    """The untrained network; called with pictures (n, 3, 128, 128) in [-1, 1] it gives logits (n, labels)."""
    from torch import nn

    layers: list[nn.Module] = []
    before = 3
    for number, channels in enumerate(_CHANNELS):
        stride = 2 if number < len(_CHANNELS) - 1 else 1
        size = 5 if number == 0 else 3
        layers += [nn.Conv2d(before, channels, size, stride, size // 2, bias=False), nn.BatchNorm2d(channels)]
        layers.append(nn.ReLU())
        before = channels
    return _pooled(nn.Sequential(*layers), sum(len(each) for each in labels.values()))


def _pooled(body: nn.Module, outputs: int) -> Any:
    """The body with average, greatest and four corners of its features before one linear layer."""
    import torch
    from torch import nn

    class Reader(nn.Module):
        """Convolutions, pooling, and all heads as one linear layer."""

        def __init__(self) -> None:
            super().__init__()
            self.body = body
            self.heads = nn.Linear(_CHANNELS[-1] * (2 + 16), outputs)

        def forward(self, pictures: Tensor) -> Tensor:
            """Logits of all labels of all dimensions."""
            seen = self.body(pictures)
            grid = nn.functional.adaptive_avg_pool2d(seen, 4).flatten(1)
            found: Tensor = self.heads(torch.cat([seen.mean((2, 3)), seen.amax((2, 3)), grid], 1))
            return found

    return Reader()


class Network:
    """A trained reader, ready to look at pictures."""

    def __init__(self, weights: Path = WEIGHTS, labels: Path = LABELS) -> None:
        try:
            import torch
            from safetensors.torch import load_file
        except ImportError as error:
            raise MissingPart("The reader needs torch and safetensors.", "pip install torch") from error
        about = json.loads(labels.read_text(encoding="utf-8"))
        self.labels: dict[str, list[str]] = about["labels"]
        self.temperatures: dict[str, float] = about["temperatures"]
        self.version: str = about["version"]
        self._torch = torch
        self._model = make_reader(self.labels)
        self._model.load_state_dict({name: value.float() for name, value in load_file(str(weights)).items()})
        self._model.eval()

    def read(self, pictures: npt.NDArray[np.uint8]) -> list[dict[str, Sure]]:
        """What is on each picture, (n, 128, 128, 3) uint8."""
        import numpy as np

        torch = self._torch
        x = torch.from_numpy(np.array(pictures)).permute(0, 3, 1, 2).float() / 127.5 - 1
        with torch.inference_mode():
            logits = self._model(x)
        parts = logits.split([len(each) for each in self.labels.values()], 1)
        return [
            {name: self._sure(name, part[row]) for name, part in zip(self.labels, parts, strict=True)}
            for row in range(len(pictures))
        ]

    def _sure(self, name: str, logits: Tensor) -> Sure:
        cooled = logits / self.temperatures.get(name, 1.0)
        is_list = name in MANY
        shares = cooled.sigmoid() if is_list else cooled.softmax(0)
        return Sure(dict(zip(self.labels[name], shares.tolist(), strict=True)), is_list)


def small(data: bytes) -> npt.NDArray[np.uint8]:
    """An encoded picture as the reader sees it: the middle square, 128 pixels a side."""
    import io

    import numpy as np
    from PIL import Image

    image = Image.open(io.BytesIO(data)).convert("RGB")
    side = min(image.size)
    left, top = (image.width - side) // 2, (image.height - side) // 2
    square = image.crop((left, top, left + side, top + side))
    how = Image.Resampling.BOX if side > SIDE else Image.Resampling.BICUBIC
    return np.asarray(square.resize((SIDE, SIDE), how))
