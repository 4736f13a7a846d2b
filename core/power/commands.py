"""`main.py plan`: what a design can show, in lines or as JSON."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from core.jobs import Job
from core.power.arguments import design_of
from core.power.panel import power_panel
from core.power.words import TERMS, design_words, people_words, printed_rows
from core.text_table import text_table

COLUMNS = ("what", "of", "value", "95 of 100 studies", "reason")


def plan_text(chosen: Namespace, run: Callable[[str, Job[Any]], Any]) -> str:
    """Simulate the design that the words of the command line ask for, and tell what came of it."""
    design = design_of(chosen)
    panel = run("plan", power_panel(design))
    if chosen.json:
        curves = [asdict(curve) for curve in panel.curves]
        return json.dumps({"power": panel.rows(), "curves": curves, "run": panel.run}, ensure_ascii=False)
    return "\n".join(
        (
            design_words(design),
            people_words(design) + "\n",
            text_table(printed_rows(panel), COLUMNS),
            "",
            *(f"{term.name}: {term.says}" for term in TERMS.values()),
            f"{design.replicates} simulated studies, seed {design.seed}.",
        )
    )
