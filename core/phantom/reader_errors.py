"""What the reader gets wrong: measured on pictures it was not trained on, and written beside its weights."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.errors import BadInput
from core.keys import content_hash
from core.phantom import data
from core.phantom.network import LABELS, MANY, ONE, SURE, SURE_IN_LIST, Network, make_reader
from core.phantom.reading import CHECKPOINT, HELD_OUT, Targets, decode_some, load_reader_pictures
from core.phantom.training import load_checkpoint
from core.records import UNKNOWN
from core.statistics.proportion import wilson

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Pictures = npt.NDArray[np.uint8]
    Truths = Sequence[Mapping[str, tuple[str, ...]]]

_TEMPERATURES = (0.7, 0.85, 1.0, 1.2, 1.4, 1.7, 2.0, 2.5, 3.0)


def held_out(
    pictures_folder: Path, model_folder: Path, folder: Path, seed: int = 2
) -> dict[str, tuple[Pictures, Truths]]:
    """Pictures of three kinds with their truths, none of them trained on.

    `drawn` are pictures of the drawn generators, `phantom drawn` training pictures of the phantom as they
    were drawn, `phantom decoded` the same ones through the decoder.
    """
    import numpy as np

    from core.phantom.decoder import trained_decoder
    from core.phantom.denoiser import prepare_latents

    drawn, truths = load_reader_pictures(folder)
    clean = data.load_pictures(pictures_folder)
    known = [truth for _, truth in data.load_cases(pictures_folder)]
    _, latents = prepare_latents(pictures_folder, model_folder)
    first, start = max(0, len(clean) - HELD_OUT), max(0, len(drawn) - HELD_OUT)
    rows = list(range(first, len(clean)))
    decoded = np.concatenate(list(decode_some(latents, trained_decoder(model_folder), rows, seed)))
    return {
        "drawn": (np.array(drawn[start:]), truths[start:]),
        "phantom drawn": (np.array(clean[first:]), known[first:]),
        "phantom decoded": (decoded, known[first:]),
    }


def publish(
    pictures_folder: Path, model_folder: Path, folder: Path, weights: Path, labels: Path
) -> dict[str, Any]:
    """Write the trained reader: weights as float16, and labels, temperatures and error rates as JSON.

    Returns
    -------
    dict
        The error rates: kind of picture -> dimension -> n, accuracy of what was read, share read.
    """
    import torch
    from safetensors.torch import save_file

    state = load_checkpoint(folder / CHECKPOINT)
    if state is None:
        raise BadInput(f"{folder} holds no trained reader.", "Run `main.py phantom reader` first.")
    averaged = {name: value for name, value in state["averaged"].items() if "num_batches" not in name}
    half = {name: value.half().contiguous() for name, value in averaged.items()}
    counters = {name: value for name, value in state["averaged"].items() if "num_batches" in name}
    weights.parent.mkdir(parents=True, exist_ok=True)
    save_file(half | counters, str(weights))
    material = held_out(pictures_folder, model_folder, folder)
    model = make_reader(state["labels"])
    model.load_state_dict({name: value.float() for name, value in (half | counters).items()})
    about = {
        "about": "Labels of the reader's outputs, temperatures of its confidences, and its error rates.",
        "version": content_hash(weights.read_bytes())[:12],
        "steps": state["step"],
        "labels": state["labels"],
        "temperatures": _temperatures(model.eval(), material, state["labels"]),
    }
    _write(labels, about)
    torch.manual_seed(0)
    network = Network(weights, labels)
    errors = {kind: dict(error_rates(network, *each)) for kind, each in material.items()}
    _write(labels, about | {"sure": SURE, "errors": errors})
    return errors


def measure_again(
    pictures_folder: Path, model_folder: Path, folder: Path, labels: Path = LABELS
) -> dict[str, Any]:
    """Measure the errors of the shipped reader again, and write them beside its labels and temperatures.

    For a reader that stays while the phantom's decoder is a new one; parameters and result as `publish`.
    """
    about = json.loads(labels.read_text(encoding="utf-8"))
    network = Network(labels=labels)
    material = held_out(pictures_folder, model_folder, folder)
    errors = {kind: dict(error_rates(network, *each)) for kind, each in material.items()}
    _write(labels, about | {"errors": errors})
    return errors


def error_rates(network: Network, pictures: Pictures, truths: Truths) -> Iterator[tuple[str, dict[str, Any]]]:
    """Of each dimension: pictures that show it, share that is read at all, accuracy of that, confusions.

    Of a list: share of labels that are there and were read (`recall`), and read and are there (`precision`).
    """
    seen = [each for at in range(0, len(pictures), 50) for each in network.read(pictures[at : at + 50])]
    for name in ONE:
        pairs = [
            (truth[name][0], max(each[name].shares.items(), key=lambda pair: pair[1]))
            for truth, each in zip(truths, seen, strict=True)
            if name in truth
        ]
        if pairs:
            yield name, _of_one(pairs)
    for name in MANY:
        lists = [
            (set(truth[name]), {label for label, share in each[name].shares.items() if share >= SURE_IN_LIST})
            for truth, each in zip(truths, seen, strict=True)
            if name in truth
        ]
        yield name, _of_many(lists)


def _of_one(pairs: Sequence[tuple[str, tuple[str, float]]]) -> dict[str, Any]:
    read = [(true, label) for true, (label, share) in pairs if share >= SURE and label != UNKNOWN]
    right = sum(true == label for true, label in read)
    found = wilson(right, len(read))
    wrong = Counter(f"{true} as {label}" for true, label in read if true != label)
    matrix: dict[str, Counter[str]] = {}
    for true, (label, share) in pairs:
        matrix.setdefault(true, Counter())[label if share >= SURE else UNKNOWN] += 1
    return {
        "n": len(pairs),
        "read": len(read) / len(pairs),
        "accuracy": found.value,
        "low": found.low,
        "high": found.high,
        "confusions": dict(wrong.most_common(5)),
        "matrix": {true: dict(sorted(row.items())) for true, row in sorted(matrix.items())},
    }


def _of_many(pairs: Sequence[tuple[set[str], set[str]]]) -> dict[str, Any]:
    both = sum(len(true & read) for true, read in pairs)
    there, said = sum(len(true) for true, _ in pairs), sum(len(read) for _, read in pairs)
    exact = sum(true == read for true, read in pairs)
    all_labels = [true | read for true, read in pairs]
    return {
        "n": len(pairs),
        "recall": both / there if there else None,
        "precision": both / said if said else None,
        "exact": exact / len(pairs) if pairs else None,
        "labels": {label: _of_label(label, pairs) for label in sorted(set().union(*all_labels))},
    }


def _of_label(label: str, pairs: Sequence[tuple[set[str], set[str]]]) -> list[int]:
    """Where the label is: pictures in which it is named, and all; where it is not: likewise."""
    there = [label in read for true, read in pairs if label in true]
    absent = [label in read for true, read in pairs if label not in true]
    return [sum(there), len(there), sum(absent), len(absent)]


def _temperatures(
    model: Any, material: Mapping[str, tuple[Pictures, Truths]], labels: Any
) -> dict[str, float]:
    """The temperature of each dimension at which the held-out pictures are likeliest.

    Source: C. Guo et al. (2017), On calibration of modern neural networks.
    """
    import numpy as np
    import torch

    pictures = np.concatenate([each for each, _ in material.values()])
    truths = [dict(truth) for _, some in material.values() for truth in some]
    logits = []
    with torch.inference_mode():
        for at in range(0, len(pictures), 100):
            x = torch.from_numpy(pictures[at : at + 100]).permute(0, 3, 1, 2).float() / 127.5 - 1
            logits.append(model(x))
    targets = Targets(truths, labels)
    sizes = [len(each) for each in labels.values()]
    parts = dict(zip(labels, torch.cat(logits).split(sizes, 1), strict=True))
    found = {}
    for name in ONE:
        known = targets.one[name] >= 0
        wanted, said = targets.one[name][known], parts[name][known]
        losses = [float(torch.nn.functional.cross_entropy(said / each, wanted)) for each in _TEMPERATURES]
        found[name] = _TEMPERATURES[int(np.argmin(losses))]
    return found


def _write(path: Path, about: Mapping[str, Any]) -> None:
    path.write_text(json.dumps(about, indent=1, ensure_ascii=False) + "\n", encoding="utf-8", newline="\n")
