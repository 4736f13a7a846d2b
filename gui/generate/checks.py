"""What is checked before a run, in words: only what was looked at, and what is not known yet says so."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from core.generation.findings import BYTES_A_PIXEL
from core.seeds import rule_in_words
from gui.generate.facts import IMPORTED, Maker, Making
from gui.widgets.check_rows import FAILED, NOTE, OPEN, PASSED, Check
from gui.words import counted, data_size, duration, thousands

LONG_VALUE = 24
_HEX = set("0123456789abcdef")
_KINDS = {
    "drawn": "built in, no weights; every label is known",
    IMPORTED: "pictures made elsewhere",
}
_CLASSES = {
    "StableDiffusionXLPipeline": "Stable Diffusion XL",
    "StableDiffusion3Pipeline": "Stable Diffusion 3",
    "FluxPipeline": "FLUX",
    "QwenImagePipeline": "Qwen-Image",
    "StableDiffusionPipeline": "Stable Diffusion",
}


def what_it_is(maker: Maker) -> str:
    """One line that says what a generator is."""
    if maker.settings.get("kind") == "diffusers":
        pipeline = str(maker.settings.get("pipeline", ""))
        size = f"{maker.settings.get('width')} × {maker.settings.get('height')}"
        return f"{_CLASSES.get(pipeline, pipeline)}, {maker.settings.get('dtype')}, {size}"
    return _KINDS.get(maker.kind, maker.kind if maker.kind != maker.name else "")


def checks_for(
    maker: Maker,
    making: Making,
    pace: float | None,
    repeated: Check | None,
    of_model: Sequence[Check] = (),
) -> list[Check]:
    """All checks of one generator; `pace` in images a second as last measured, `repeated` the trial."""
    checks = [_images(maker), *of_model, _settings(maker), _seeds(maker, making)]
    checks += [repeated] if repeated else []
    if maker.missing:
        checks += [_disk(maker, making), _time(maker, pace)]
    return checks


def _images(maker: Maker) -> Check:
    if not maker.asked:
        return Check("Images", "This study has no prompts to make images from.", FAILED)
    if not maker.missing:
        return Check("Images", f"All {thousands(maker.asked)} are there")
    return Check("Images", f"{thousands(maker.missing)} to make, {thousands(maker.present)} already there")


def _settings(maker: Maker) -> Check:
    if maker.trouble:
        return Check("Settings", maker.trouble, FAILED)
    if maker.present:
        return Check("Settings", f"The same as of the {counted(maker.present, 'image')} already there")
    return Check("Settings", "Fixed for this study once the first image is there")


def _seeds(maker: Maker, making: Making) -> Check:
    if maker.odd_seeds:
        said = f"{counted(maker.odd_seeds, 'image')} with a seed that is not the study's"
        return Check("Seeds", said, NOTE)
    said = rule_in_words(making.seed_rule, making.images_per_prompt)
    return Check("Seeds", said, NOTE if making.seed_rule == "per-role" else PASSED)


def _disk(maker: Maker, making: Making) -> Check:
    free = f"{data_size(making.free_bytes)} free"
    size = maker.bytes_an_image or _estimated(maker.settings)
    if size is None:
        return Check("Disk", f"Known after the first images; {free}", OPEN)
    needs = size * maker.missing
    said = f"Needs about {data_size(needs)}, {free}"
    return Check("Disk", said, PASSED if needs < making.free_bytes else NOTE)


def _estimated(settings: Mapping[str, Any]) -> float | None:
    """Bytes of an image by its size, until files can be measured."""
    width, height = settings.get("width"), settings.get("height")
    is_known = isinstance(width, int) and isinstance(height, int)
    return width * height * BYTES_A_PIXEL if is_known else None


def _time(maker: Maker, pace: float | None) -> Check:
    if not pace:
        return Check("Time", "Known after the first images", OPEN)
    return Check("Time", f"About {duration(maker.missing / pace)}, at the pace measured on this machine")


def settings_in_words(settings: Mapping[str, Any], seed: int | None) -> list[tuple[str, str]]:
    """Names and values of the settings as they are read; `seed` is None where others chose the seeds."""
    if "width" in settings and "height" in settings:
        size = {"size": f"{settings['width']} × {settings['height']}"}
        settings = size | {name: value for name, value in settings.items() if name not in ("width", "height")}
    rows = [(name.replace("_", " "), value_in_words(name, value)) for name, value in _flat(settings)]
    return [*rows, ("seeds", f"from the study seed, {seed}" if seed is not None else "as they came")]


def _flat(settings: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in settings.items():
        if isinstance(value, Mapping):
            yield from ((f"{name} {inner}", deep) for inner, deep in _flat(value))
        else:
            yield name, value


def value_in_words(name: str, value: Any) -> str:
    """One setting's value.

    >>> value_in_words("size", 256), value_in_words("is_safe", True), value_in_words("hash", "0a1b" * 16)
    ('256 × 256', 'yes', '0a1b0a1b0a1b …')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None or value == "":
        return "none"
    if name == "size" and isinstance(value, int):
        return f"{value} × {value}"
    if isinstance(value, list | tuple):
        return ", ".join(value_in_words("", each) for each in value)
    text = str(value)
    if len(text) > LONG_VALUE and set(text) <= _HEX:
        return f"{text[:12]} …"
    return text
