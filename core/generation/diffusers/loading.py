"""Load a pipeline from a folder: safetensors unless an entry allows more, no foreign code, no network."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from core.errors import BadInput, UserError
from core.generation.diffusers.decoder import Decoder
from core.generation.diffusers.devices import Offload
from core.generation.diffusers.weights import Model
from core.generation.entry import Entry
from core.held_files import is_held

Place = Callable[[Any, str, Offload], None]
"""Brings a pipeline onto a device with an off-load."""


def load(entry: Entry, model: Model, device: str, offload: Offload, place: Place | None = None) -> Any:
    """The pipeline of an entry, on its device, quiet, with the decoder under watch.

    Raises
    ------
    BadInput
        When the entry names another class than the model, or the model cannot be loaded.
    """
    import torch

    kind = pipeline_class(entry, model)
    torch.set_num_threads(entry.threads)
    with quiet(), _in_words(entry, model):
        pipe = kind.from_pretrained(
            str(model.folder),
            dtype=getattr(torch, entry.dtype),
            variant=_variant(entry, model),
            use_safetensors=None if model.pickled else True,
            local_files_only=True,
            **({} if entry.uses_safety_checker else _no_checker(kind)),
        )
        _set_scheduler(entry, pipe)
        _lay_on(entry, pipe)
        if entry.vae_dtype:
            pipe.vae.to(getattr(torch, entry.vae_dtype))
        (place or onto)(pipe, device, offload)
    pipe.set_progress_bar_config(disable=True)
    pipe.vae.decode = Decoder(pipe.vae, device)
    return pipe


def pipeline_class(entry: Entry, model: Model) -> Any:
    """The class of diffusers that an entry and its model both name; BadInput when it cannot be used."""
    import diffusers

    if model.pipeline != entry.pipeline:
        raise BadInput(
            f"The generator {entry.name!r} is to be a {entry.pipeline}, but {model.folder} is a "
            f"{model.pipeline}.",
            "Correct the entry, or name the right folder.",
        )
    with quiet():  # a pipeline is imported when it is first named, and its parts have much to say
        kind = getattr(diffusers, entry.pipeline, None)
    if not (inspect.isclass(kind) and issubclass(kind, diffusers.DiffusionPipeline)):
        raise BadInput(
            f"The installed diffusers {diffusers.__version__} has no pipeline {entry.pipeline!r}.",
            "Install a release that has it, or correct the entry.",
        )
    return kind


def _no_checker(kind: Any) -> dict[str, Any]:
    takes = inspect.signature(kind.__init__).parameters
    return {
        name: value
        for name, value in (("safety_checker", None), ("requires_safety_checker", False))
        if name in takes
    }


def _variant(entry: Entry, model: Model) -> str | None:
    """The variant, if the files that were found are of it."""
    names = [path.name for paths in model.files.values() for path in paths]
    variant = entry.source.variant
    return variant if variant and any(f".{variant}" in name for name in names) else None


def _set_scheduler(entry: Entry, pipe: Any) -> None:
    import diffusers

    if entry.scheduler is None and not entry.scheduler_options:
        return
    kind = getattr(diffusers, entry.scheduler, None) if entry.scheduler else type(pipe.scheduler)
    if not (inspect.isclass(kind) and issubclass(kind, diffusers.SchedulerMixin)):
        raise BadInput(f"diffusers has no scheduler {entry.scheduler!r}.", "Correct the entry.")
    pipe.scheduler = kind.from_config(pipe.scheduler.config, **entry.scheduler_options)


def _lay_on(entry: Entry, pipe: Any) -> None:
    """Lay the entry's LoRAs over the weights, for good."""
    if not entry.loras:
        return
    names = [f"own{number}" for number in range(len(entry.loras))]
    for name, lora in zip(names, entry.loras, strict=True):
        is_there = lora.file.suffix == ".safetensors" and lora.file.is_file()
        if not is_there or is_held(lora.file):  # weights are opened past Python
            raise BadInput(f"The LoRA {lora.file} is not there as a safetensors file.", "Correct the entry.")
        pipe.load_lora_weights(str(lora.file.parent), weight_name=lora.file.name, adapter_name=name)
    pipe.set_adapters(names, [lora.scale for lora in entry.loras])
    pipe.fuse_lora(adapter_names=names)
    pipe.unload_lora_weights()


def onto(pipe: Any, device: str, offload: Offload) -> None:
    """Bring a pipeline onto a device."""
    if offload == "model":
        pipe.enable_model_cpu_offload(device=device)
    elif offload == "sequential":
        pipe.enable_sequential_cpu_offload(device=device)
    else:
        pipe.to(device)


@contextmanager
def quiet() -> Iterator[None]:
    """Neither bars nor chatter from the libraries."""
    import diffusers
    import transformers

    diffusers.utils.logging.disable_progress_bar()
    transformers.utils.logging.disable_progress_bar()
    before = diffusers.utils.logging.get_verbosity(), transformers.utils.logging.get_verbosity()
    diffusers.utils.logging.set_verbosity_error()
    transformers.utils.logging.set_verbosity_error()
    try:
        yield
    finally:
        diffusers.utils.logging.set_verbosity(before[0])
        transformers.utils.logging.set_verbosity(before[1])


@contextmanager
def _in_words(entry: Entry, model: Model) -> Iterator[None]:
    """What the libraries raise over a model that cannot be loaded becomes one sentence."""
    try:
        yield
    except UserError:
        raise
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RuntimeError) as error:
        if is_out_of_memory(error):
            raise
        first = (str(error).strip().splitlines() or [type(error).__name__])[0][:300]
        raise BadInput(
            f"The model of {entry.name!r} in {model.folder} cannot be loaded: {first}",
            "Download or copy it again, or correct the entry.",
        ) from error


def is_out_of_memory(error: BaseException) -> bool:
    """Whether a device or the machine ran out of memory."""
    import torch

    is_processor = isinstance(error, RuntimeError) and "allocate memory" in str(error)
    return isinstance(error, torch.OutOfMemoryError | MemoryError) or is_processor
