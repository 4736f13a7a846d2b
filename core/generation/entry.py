"""One entry of `generators.json` as a value: the model, where it lies, and its settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Hub:
    """A repository on the hub at one commit; `variant` names the files to take, such as "fp16"."""

    repository: str
    revision: str
    variant: str | None = None


@dataclass(frozen=True, slots=True)
class Folder:
    """A diffusers folder on this machine: it holds `model_index.json` and one folder a component.

    `allows_pickled` is a person's own act: without it only safetensors are read.
    """

    path: Path
    variant: str | None = None
    allows_pickled: bool = False


@dataclass(frozen=True, slots=True)
class Lora:
    """A file of low-rank changes laid over the weights, and how strongly."""

    file: Path
    scale: float = 1.0


@dataclass(frozen=True, slots=True)
class Entry:
    """A generator that diffusers runs.

    Parameters
    ----------
    pipeline : str
        Name of a pipeline class of diffusers; the model must say the same.
    width, height : int
        In pixels; an image of another size is kept apart.
    steps : int
        Denoising steps.
    guidance_scale, true_cfg_scale : float, optional
        Whichever the class has; the second is guidance by a negative prompt in classes whose first one
        is distilled into the model.
    scheduler : str, optional
        Name of a scheduler class of diffusers, made from the model's own scheduler settings and
        `scheduler_options`; the model's own when left out.
    dtype, vae_dtype : str
        Of the weights: float32, float16 or bfloat16; the second for the image decoder where it differs.
    max_sequence_length : int, optional
        Tokens that the long text encoder takes, where the class lets one choose.
    negative_prompt : str, optional
        Given with every prompt where it is not None.
    threads : int
        Threads of torch on a processor: another number changes last digits, so it is a setting.
    uses_safety_checker : bool
        Whether a safety checker that the model brings is asked.
    bytes : mapping
        Component -> size of its weights, for a model that is not here yet.
    """

    name: str
    source: Hub | Folder
    pipeline: str
    width: int
    height: int
    steps: int
    dtype: str
    title: str = ""
    guidance_scale: float | None = None
    true_cfg_scale: float | None = None
    scheduler: str | None = None
    scheduler_options: Mapping[str, Any] = field(default_factory=dict)
    vae_dtype: str | None = None
    max_sequence_length: int | None = None
    negative_prompt: str | None = None
    negative_prompt_note: str = ""
    threads: int = 2
    uses_safety_checker: bool = True
    loras: tuple[Lora, ...] = ()
    licence: str = ""
    gated: bool = False
    bytes: Mapping[str, int] = field(default_factory=dict)

    @property
    def where(self) -> str:
        """Where the model comes from, in one word: the repository or the folder."""
        return self.source.repository if isinstance(self.source, Hub) else str(self.source.path)
