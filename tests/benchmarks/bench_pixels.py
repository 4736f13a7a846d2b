"""How often the pixels extractor is right: on drawn pictures (truth known) and on sample photographs.

    python tests/benchmarks/bench_pixels.py [pictures] [--write]

`--write` puts the figures where the application states them. What the photographs show was written down by
looking at them, before the extractor was run on them.
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import skimage

from core.extraction import registry
from core.extraction.pixels.faces import package_version
from core.extraction.pixels.words import MEASURED, settings_key
from core.generation.drawn.generator import DrawnGenerator
from core.records import Condition, ImageStatus, Prompt, PromptKind, StoredImage
from core.schema import load_schema

SINGLE = ("color_temperature", "contrast_level", "depth_of_field")
ROLES = ("nurse", "baker", "bus_driver", "lawyer", "farmer", "chef", "judge", "welder")
PHOTOGRAPHS: dict[str, dict[str, Any]] = {
    "astronaut.png": {"faces": 1, "gender_presentation": "female", "age_range": "young_adult",
                      "framing": "medium", "color_temperature": "warm"},
    "camera.png": {"faces": 0, "color_temperature": "neutral"},
    "chelsea.png": {"faces": 0, "color_temperature": "warm", "depth_of_field": "shallow"},
    "coffee.png": {"faces": 0, "color_temperature": "warm"},
    "rocket.jpg": {"faces": 0, "color_temperature": "cool"},
    "motorcycle_left.png": {"faces": 0, "depth_of_field": "deep"},
    "grass.png": {"faces": 0, "color_temperature": "neutral", "depth_of_field": "deep"},
    "hubble_deep_field.jpg": {"faces": 0, "depth_of_field": "deep"},
}  # fmt: skip


def image(number: int) -> StoredImage:
    """An image of no study."""
    return StoredImage(
        *(number, "g", "r", Condition.CF, "p", number, str(number), "", "", 1, 1, ImageStatus.OK)
    )


def drawn(pictures: int, reader: Any) -> dict[str, Any]:
    """Right, wrong and unknown against the truth; for the colours, precision and recall."""
    generator = DrawnGenerator("drawn-a", size=384)
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for number in range(pictures):
        role = ROLES[number % len(ROLES)]
        text = f"a photo of a {role}"
        made = generator.make(Prompt(role, Condition.CF, PromptKind.BASE, text, wording="a photo of"), number)
        truth = made.truth or {}
        readings = reader.read(image(number), None, lambda made=made: made.data).readings
        for name in SINGLE:
            if truth.get(name):
                said = readings[name].labels
                found[name]["unknown" if not said else "right" if said == truth[name] else "wrong"] += 1
        true, said = set(truth["dominant_colors"]), set(readings["dominant_colors"].labels)
        found["dominant_colors"].update(
            {"hits": len(true & said), "said": len(said), "true": len(true), "right": int(true == said)}
        )
        found["dominant_colors"]["images"] += 1
    for name in SINGLE:
        found[name]["images"] = sum(found[name].values())
    return {name: dict(sorted(counts.items())) for name, counts in sorted(found.items())}


def photographs(reader: Any, has_faces: bool) -> dict[str, Any]:
    """What was said of each photograph, beside what was written down."""
    folder = Path(skimage.__file__).parent / "data"
    right: Counter[str] = Counter()
    wrong: list[str] = []
    for number, (name, stated) in enumerate(PHOTOGRAPHS.items()):
        record = reader.read(image(number), None, (folder / name).read_bytes)
        for dimension, true in stated.items():
            if dimension == "faces":
                if has_faces:
                    right["faces" if record.n_persons == true else "wrong"] += 1
                continue
            if not has_faces and dimension in ("gender_presentation", "age_range", "framing"):
                continue
            said = record.readings[dimension].labels
            if said == (true,):
                right[dimension] += 1
            elif said:
                wrong.append(f"{name}: {dimension} {said[0]}, not {true}")
            else:
                right["unknown"] += 1
    return {"images": len(PHOTOGRAPHS), "right": dict(sorted(right.items())), "wrong": wrong}


def main(pictures: int, is_written: bool) -> None:
    """Measure and print."""
    has_faces = package_version() is not None
    reader = registry.by_name("pixels-faces" if has_faces else "pixels", load_schema())
    started = time.perf_counter()
    on_drawn = drawn(pictures, registry.by_name("pixels", load_schema()))
    seconds = (time.perf_counter() - started) / pictures
    stated = {
        "bounds": settings_key(),
        "drawn": on_drawn,
        "photographs": photographs(reader, has_faces) | {"faces_by": package_version() or "none"},
    }
    text = json.dumps(stated, indent=2)
    print(text)
    print(f"{1000 * seconds:.0f} ms an image, drawing included")
    if is_written:
        MEASURED.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[1:] if word.isdecimal()]
    main(numbers[0] if numbers else 400, "--write" in sys.argv)
