"""The job that writes a study's pictures as a folder for others."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from core.csv_rows import write_rows
from core.errors import BadInput
from core.figures.look import family_of
from core.file_names import plain_name
from core.jobs import Job, Outcome, Progress
from core.origins import of_unknown_origin
from core.records import ImageStatus, StoredImage
from core.regular_files import read_regular
from core.release.card import dataset_card
from core.release.marking import DRAWN, TRAINED, marked, xmp_packet
from core.release.names import CARD, MARK, METADATA, SUMS
from core.report.material import Made
from core.whole_files import make_folder, write_whole

COLUMNS = (
    *("file_name", "generator", "role", "condition", "prompt", "seed", "width", "height"),
    *("sha256", "sha256_of_original"),
)


def release_folder(
    images: Sequence[StoredImage],
    study: Path,
    out: Path,
    facts: Mapping[str, Any],
    generators: Sequence[Made],
) -> Job[Outcome]:
    """Write all pictures that can be used, marked as AI-generated, with metadata, card and checksums.

    Imported pictures of unknown origin are not marked, and the card says so.

    Parameters
    ----------
    images : sequence of StoredImage
        All images of the study; black, flagged and wrong-sized ones are skipped.
    study : Path
        The study's folder.
    out : Path
        A new or empty folder.
    facts, generators
        As in `core.release.card.dataset_card`.

    Returns
    -------
    Job of Outcome
        asked = done + failed + skipped; a picture whose file is gone or changed has failed.

    Raises
    ------
    BadInput
        A folder that holds something, or cannot be written.
    """
    outcome, rows = Outcome(asked=len(images)), []
    kinds: dict[str, str | None] = {one.name: DRAWN if one.kind == "drawn" else TRAINED for one in generators}
    kinds |= dict.fromkeys(of_unknown_origin(generators))  # no mark where nobody knows
    try:
        make_folder(out)
        if any(out.iterdir()):
            raise BadInput(f"{out} is not empty.", "Name a new folder.")
        for number, image in enumerate(images):
            yield Progress(number, len(images), image.role, outcome.failed)
            if image.status is not ImageStatus.OK:
                outcome.skipped += 1
                continue
            row = _write_one(
                image, study, out, kinds.get(image.generator, _type_of(image.generator)), outcome
            )
            if row is not None:
                rows.append(row)
        rows.sort(key=lambda row: str(row["file_name"]))
        write_rows(out / METADATA, rows, COLUMNS)
        roles = sorted({str(row["role"]) for row in rows})
        _write(out / CARD, dataset_card(facts, generators, len(rows), roles).encode())
        names = [*(str(row["file_name"]) for row in rows), METADATA, CARD]
        sums = "".join(f"{hashlib.sha256((out / name).read_bytes()).hexdigest()}  {name}\n" for name in names)
        _write(out / SUMS, sums.encode())
    except OSError as error:
        raise BadInput(f"The pictures cannot be written to {out}: {error.strerror or error}.") from error
    outcome.check()
    return outcome


def _type_of(generator: str) -> str:
    return DRAWN if generator.startswith("drawn") and family_of(generator) == "drawn" else TRAINED


def _write_one(
    image: StoredImage, study: Path, out: Path, source_type: str | None, outcome: Outcome
) -> dict[str, object] | None:
    try:
        data = read_regular(study / image.path)
    except OSError as error:
        outcome.fail(image.path, "missing", f"The file cannot be read: {error.strerror or error}.")
        return None
    if hashlib.sha256(data).hexdigest() != image.sha256:
        outcome.fail(image.path, "changed", "The file is not the one that was recorded.")
        return None
    parts = [plain_name(one) for one in (image.generator, str(image.condition or "no-condition"), image.role)]
    name = "/".join(["data", *parts, f"{image.seed}_{image.sha256[:12]}{Path(image.path).suffix}"])
    place = out / name
    make_folder(place.parent)
    with_mark = data if source_type is None else marked(data, source_type)
    _write(place, data if with_mark is None else with_mark)
    if with_mark is None and source_type is not None:
        _write(place.with_suffix(MARK), xmp_packet(source_type))
    outcome.done += 1
    said = (image.generator, image.role, str(image.condition or ""), image.prompt, image.seed)
    size = (image.width, image.height)
    digest = hashlib.sha256(place.read_bytes()).hexdigest()
    return dict(zip(COLUMNS, (name, *said, *size, digest, image.sha256), strict=True))


def _write(path: Path, data: bytes) -> None:
    write_whole(path, lambda place: place.write_bytes(data))
