"""Section: how often the extractor says what a prompt states, on both sides of the stereotype."""

from __future__ import annotations

from core.figures.wording import counted, interval, is_number, number, plain
from core.report.blocks import Block, Paragraph, Section, Table
from core.report.material import Material

ALL = "ALL"
WITH, AGAINST = "stereotypical", "counter-stereotypical"
COLUMNS = ("side", "images", "failed", "accuracy", "low", "high", "precision", "recall", "f1")
NOT_VALIDATED = (
    "The extractor was not validated against prompts whose attribute is stated: what it misreads in all "
    "conditions alike is unknown here. `main.py validate` does that."
)


def validation_section(material: Material) -> Section:
    """Accuracy where the right answer is stated, or that it is not known."""
    tables = material.validation
    if "validation" not in tables or not len(tables["validation"]):
        return Section("Extraction validation", [Paragraph(NOT_VALIDATED)])
    blocks: list[Block] = [Paragraph(_sentence(material))]
    for name, first in (("validation", "generator"), ("validation_dimensions", "dimension")):
        if name in tables:
            table = tables[name]
            shown = table[[first, *(one for one in COLUMNS if one in table.columns)]].copy()
            shown[first] = [plain(str(one), material.names) if one != ALL else "all" for one in shown[first]]
            caption = f"Stated attributes that were said, by {first} and side of the stereotype"
            blocks.append(Table(name, caption, shown, {"low": "from", "high": "to", "f1": "F1"}))
    return Section("Extraction validation", blocks)


def _sentence(material: Material) -> str:
    table = material.validation["validation"].astype({"generator": object, "side": object})
    whole = table[table["generator"] == ALL] if (table["generator"] == ALL).any() else table
    found = {str(row["side"]): row for row in whole.to_dict("records")}
    overall = found.get(ALL, {})
    if not is_number(overall.get("accuracy")):
        return "No image of a prompt whose attribute is stated could be scored."
    said = (
        f"On {counted(int(overall['images']), 'image')} of prompts that state an attribute, "
        f"{material.extractor} said it in {number(100 * overall['accuracy'], 0)} % "
        f"({interval(100 * overall['low'], 100 * overall['high'], 0)} %)."
    )
    usual, contrary = (found.get(side, {}).get("accuracy") for side in (WITH, AGAINST))
    if is_number(usual) and is_number(contrary):
        said += (
            f" Where the attribute is usual for the role: {number(100 * usual, 0)} %; where it is the "
            f"contrary: {number(100 * contrary, 0)} %. A gap between the two would mean that it answers from "
            "what is usual and not from the picture, or that the generator did not draw what was asked."
        )
    return said
