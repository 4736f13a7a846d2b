"""Images behind a number of the Results page, looked up off the GUI thread."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.records import Condition, StoredImage
from gui.models.coverage import in_words
from gui.models.results_data import Spot
from gui.results.image_index import Group, grouped, label_shares
from gui.results.view import ResultsView

if TYPE_CHECKING:
    from storage.store import Store


@dataclass(frozen=True, slots=True)
class Sheet:
    """The images of one condition, those with the label first."""

    group: Group
    having: tuple[StoredImage, ...]
    other: tuple[StoredImage, ...]

    @property
    def condition(self) -> Condition:
        """The condition."""
        return self.group.condition


@dataclass(frozen=True, slots=True)
class Found:
    """Sheets, and for a place of the chart the labels with their numbers."""

    key: object
    sheets: tuple[Sheet, ...]
    labels: tuple[tuple[str, int, int], ...] = ()
    label: str = ""


def sheets_of_row(
    store: Store, view: ResultsView, key: object, generator: str, role: str, dimension: str, label: str
) -> Found:
    """The images of one role by condition."""
    groups = grouped(view.index.read(generator, dimension, role), label)
    return Found(key, _sheets(store, groups), label=label)


def sheet_of_spot(
    store: Store, view: ResultsView, spot: Spot, label: str, conditions: tuple[Condition, ...] = ()
) -> Found:
    """Labels of one place of the chart, and the images that have one of them (default: the first).

    `conditions` are those whose images are wanted, of a change both; default: that of the place.
    """
    wanted = conditions or (spot.condition,)
    reads = view.index.read(spot.generator, spot.dimension, conditions=(spot.condition, *wanted))
    labels = tuple(label_shares(reads, spot.condition))
    chosen = label or (labels[0][0] if labels else "")
    groups = tuple(group for group in grouped(reads, chosen) if group.condition in wanted)
    return Found(spot, _sheets(store, groups), labels, chosen)


def _sheets(store: Store, groups: tuple[Group, ...]) -> tuple[Sheet, ...]:
    wanted = [number for group in groups for number in (*group.having, *group.other)]
    known = {image.image_id: image for image in store.images_with(wanted)}
    return tuple(
        Sheet(
            group,
            tuple(known[number] for number in group.having if number in known),
            tuple(known[number] for number in group.other if number in known),
        )
        for group in groups
    )


def label_name(view: ResultsView, dimension: str, label: str) -> str:
    """A label as it is read."""
    if view.schema.has(dimension):
        for one in view.schema.dimension(dimension).labels:
            if one.id == label:
                return one.name
    return in_words(label)
