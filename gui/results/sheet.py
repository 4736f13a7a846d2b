"""A contact sheet from the Results page: pictures of the role that is looked at."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from storage.store import Store


def write_sheet(store: Store, role: str, path: Path) -> Path:
    """Pictures of a role by condition and generator, with the list of them beside the file."""
    from core.figures.contact_sheet import Choice, contact_sheet
    from core.figures.writing import write_with_data
    from core.origins import of_unknown_origin

    unknown = of_unknown_origin(store.generators())
    images = store.images(status="ok", role=role) or store.images()  # all, to say what roles there are
    return write_with_data(contact_sheet(images, Choice(role), store.folder, unknown), path)[0]
