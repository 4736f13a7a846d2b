"""What is looked at of a model before it runs: its weights, licence, memory, and the words it will lose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from core.errors import BadInput
from core.generation.diffusers.devices import Device, Offload, choose, device_called, needs, weights_in_memory
from core.generation.diffusers.generator import DiffusersGenerator
from core.generation.diffusers.hub import Missing, downloaded, has_token, missing
from core.generation.diffusers.pickled import WARNING
from core.generation.diffusers.provenance import libraries
from core.generation.diffusers.truncation import cuts, limits
from core.generation.diffusers.weights import Model, look_over, look_over_folder
from core.generation.entry import Entry, Folder
from core.generation.findings import FAILED, NOTE, OPEN, Finding, gigabytes

MOST_LISTED = 200


@dataclass(frozen=True, slots=True)
class Looked:
    """What was found of a model: rows to read, and the bytes that are still to be downloaded."""

    findings: tuple[Finding, ...] = field(default=())
    to_download: int = 0


def look_at_model(
    generator: DiffusersGenerator,
    texts: Sequence[str],
    devices: Sequence[str] = (),
    made_with: Mapping[str, str] | None = None,
    *,
    asks_hub: bool = True,
) -> Looked:
    """Look a model over.

    Parameters
    ----------
    generator : DiffusersGenerator
        Whose model.
    texts : sequence of str
        The prompts that will be sent.
    devices : sequence of str
        Names of the devices it is to run on; the generator's own choice when empty.
    made_with : mapping, optional
        Versions of the libraries that the study's newest image was made with.
    asks_hub : bool
        Whether the hub may be asked what is missing; without, the entry's own sizes are told.
    """
    entry = generator.entry
    model, weights, to_download = _weights(entry, asks_hub)
    names = tuple(devices) or generator.devices()
    numbers = weights_in_memory(entry, model.numbers) if model else _by_entry(entry)
    findings = [weights]
    findings += [_licence(entry, is_here=model is not None)] if entry.licence else []
    findings += [_device(names), _memory(entry, numbers, [device_called(name) for name in names])]
    findings += [_prompt_length(entry, model, texts), _negative(entry)]
    if model is not None and "safety_checker" in model.classes:
        findings.append(_safety(entry))
    if made_with:
        findings.append(_libraries(made_with))
    return Looked(tuple(findings), to_download)


def _weights(entry: Entry, asks_hub: bool) -> tuple[Model | None, Finding, int]:
    source = entry.source
    try:
        if isinstance(source, Folder):
            model = look_over_folder(source)
            said = f"Complete, {gigabytes(model.bytes)} in {source.path}"
            if model.pickled:
                return model, Finding("Weights", f"{said}; pickled, as its entry allows: {WARNING}", NOTE), 0
            return model, Finding("Weights", said), 0
        here = downloaded(source)
        if here is not None:
            return _on_hub(entry, look_over(here, source.variant))
    except BadInput as error:
        if isinstance(source, Folder):
            return None, Finding("Weights", str(error), FAILED), 0
    return _to_download(entry) if asks_hub else _not_here(entry)


def _not_here(entry: Entry) -> tuple[None, Finding, int]:
    size = sum(entry.bytes.values())
    about = f", about {gigabytes(size)}" if size else ""
    said = f"Not on this machine, or not whole; a run downloads it from {entry.where}{about}"
    return None, Finding("Weights", said, NOTE), size


def _on_hub(entry: Entry, model: Model) -> tuple[Model, Finding, int]:
    assert not isinstance(entry.source, Folder)
    revision = entry.source.revision[:7]
    return model, Finding("Weights", f"Complete, {gigabytes(model.bytes)}, revision {revision}"), 0


def _to_download(entry: Entry) -> tuple[None, Finding, int]:
    try:
        left: Missing = missing(entry)
    except BadInput as error:
        return None, Finding("Weights", str(error), FAILED), sum(entry.bytes.values())
    files = f"{len(left.files)} file{'s' if len(left.files) != 1 else ''}"
    said = f"To be downloaded first: {gigabytes(left.bytes)} in {files} from {entry.where}"
    return None, Finding("Weights", said, NOTE), left.bytes


def _by_entry(entry: Entry) -> dict[str, int]:
    """Sizes in memory by what the entry says, for a model that is not here yet."""
    width = 2 if entry.vae_dtype == "float32" and entry.dtype != "float32" else 1
    return {name: size * (width if name == "vae" else 1) for name, size in entry.bytes.items()}


def _licence(entry: Entry, *, is_here: bool) -> Finding:
    if not entry.gated:
        return Finding("Licence", entry.licence)
    if is_here:
        return Finding("Licence", f"{entry.licence}; accepted, since the model is here")
    if has_token():
        return Finding(
            "Licence", f"{entry.licence}; given to accounts that accepted it, and you are logged in"
        )
    return Finding(
        "Licence",
        f"{entry.licence}; given to accounts that accepted it. Accept it on the page of {entry.where}, then "
        "run `hf auth login` or set HF_TOKEN.",
        FAILED,
    )


def _device(names: Sequence[str]) -> Finding:
    found = [device_called(name) for name in names]
    said = ", ".join(f"{one.name} ({one.title})" for one in found)
    if found[0].is_processor:
        return Finding("Device", f"{said}; no graphics card, so large models take minutes an image", NOTE)
    return Finding("Device", said)


def _memory(entry: Entry, weights: Mapping[str, int], devices: Sequence[Device]) -> Finding:
    if not weights:
        return Finding("Memory", "Known once the model is here", OPEN)
    needed = needs(entry, weights)
    smallest = min(devices, key=lambda one: one.free)
    chosen, free = choose(smallest, needed), f"{gigabytes(smallest.free)} free on {smallest.name}"
    if chosen is None:
        least: Offload = "none" if smallest.is_processor else "sequential"
        return Finding(
            "Memory",
            f"Needs about {gigabytes(needed[least])}, {free}. "
            "Close what else uses it, or choose another device.",
            FAILED,
        )
    if chosen == "none":
        return Finding("Memory", f"Needs about {gigabytes(needed[chosen])}, {free}")
    how = "one part at a time" if chosen == "model" else "one layer at a time, slowly"
    said = f"Needs about {gigabytes(needed['none'])}, {free}: will be off-loaded, {how}"
    return Finding("Memory", said, NOTE)


def _prompt_length(entry: Entry, model: Model | None, texts: Sequence[str]) -> Finding:
    if model is None:
        return Finding("Prompt length", "Known once the model is here", OPEN)
    blank = not (entry.negative_prompt or "").strip()
    every = [*dict.fromkeys(texts), *([] if blank else [str(entry.negative_prompt)])]
    found = cuts(entry, model, every)
    takes = ", ".join(f"{name} {limit}" for name, limit in limits(entry, model).items())
    if not found:
        return Finding("Prompt length", f"Every prompt is read whole; tokens: {takes}")
    count = len({cut.text for cut in found})
    are = "prompt is" if count == 1 else "prompts are"
    items = tuple(
        f"{cut.encoder} takes {cut.limit} of {cut.tokens} tokens, lost: {cut.lost}" for cut in found
    )
    return Finding("Prompt length", f"{count} {are} cut off; tokens: {takes}", NOTE, items[:MOST_LISTED])


def _negative(entry: Entry) -> Finding:
    if entry.negative_prompt is None:
        return Finding("Negative prompt", entry.negative_prompt_note or "None is sent")
    said = f"{entry.negative_prompt!r}" if entry.negative_prompt.strip() else "Blank"
    return Finding("Negative prompt", f"{said}. {entry.negative_prompt_note}".strip(". ") + ".")


def _safety(entry: Entry) -> Finding:
    if entry.uses_safety_checker:
        return Finding("Safety filter", "On; what it blackens is kept apart and counted", NOTE)
    return Finding("Safety filter", "Off")


def _libraries(made_with: Mapping[str, str]) -> Finding:
    now = libraries()
    other = [name for name, version in made_with.items() if now.get(name) != version]
    if not other:
        return Finding("Libraries", "The same versions as of the newest image")
    changed = ", ".join(f"{name} {made_with[name]} → {now.get(name, 'none')}" for name in other)
    return Finding("Libraries", f"Changed since the newest image, so last digits may differ: {changed}", NOTE)
