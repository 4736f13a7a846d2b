"""Sentences of the Results page: what is missing, what the numbers rest on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gui.labels.words import map_words
from gui.models.missing import Missing
from gui.models.results_data import Chart
from gui.results.reading import Situation
from gui.words import counted, thousands

if TYPE_CHECKING:
    from gui.results.view import ResultsView

WILL_BE_HERE = "Here will stand how strong biases are and whether they persist across contexts"


def what_is_missing(situation: Situation, pages: frozenset[str]) -> Missing | None:
    """What the analysis lacks in this study, None when it can be computed."""
    if not situation.images:
        act = "Choose generators" if "generate" in pages else ""
        sentence = f"No images yet. {counted(situation.prompts, 'prompt')} are ready."
        return Missing(WILL_BE_HERE, sentence, act, "generate" if act else "")
    if not situation.records or not situation.extractors:
        act = f"Extract {counted(situation.images, 'image')}" if "extract" in pages else ""
        sentence = f"No records yet. {counted(situation.images, 'image')} are ready to be read."
        return Missing(WILL_BE_HERE, sentence, act, "extract" if act else "")
    return None


def facts_words(view: ResultsView) -> str:
    """ "40 894 images, 22 644 records by qwen2.5-vl, seed 0, 2 000 resamples"."""
    reader = f"{view.settings.extractor} (simulated)" if view.is_simulated else view.settings.extractor
    return ", ".join(
        [
            counted(view.images, "image"),
            f"{counted(view.records, 'record')} by {reader}",
            f"seed {view.run.get('seed', 0)}",
            f"{thousands(view.bootstrap)} resamples",
            *map_words(view.run),
        ]
    )


def figure_remark(view: ResultsView, chart: Chart) -> str:
    """What a figure must say about itself."""
    said = f"{chart.kind.in_words}, {thousands(view.bootstrap)} resamples"
    return f"{said}, simulated records" if view.is_simulated else said
