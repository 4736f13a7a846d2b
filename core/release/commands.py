"""`main.py export --format imagefolder`: the pictures of a study as a folder for others, with its record."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from core.environment import versions
from core.jobs import Job, Outcome
from core.release.folder import release_folder
from core.report.material import Made
from core.tables import write_tables


def releasing(study: Any, out: Path) -> Job[Outcome]:
    """Write the folder, then how it was made; see `core.release.folder.release_folder`."""
    made = [Made(one.name, one.kind, one.settings) for one in study.generators()]
    outcome = yield from release_folder(study.images(), study.folder, out, asdict(study.study), made)
    counts = {"asked": outcome.asked, "done": outcome.done, "failed": outcome.failed}
    run = {"format": "imagefolder", "images": counts, "versions": versions()}
    write_tables({}, out, {"export": run})
    return outcome
