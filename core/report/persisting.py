"""Tables of labels: those that change most with their shares, and scores as far as they are known."""

from __future__ import annotations

import pandas as pd

from core.figures.persistence import CHANGED, largest_ranges
from core.figures.wording import thousands
from core.report.blocks import Block, Paragraph, Table
from core.report.material import Material
from core.report.naming import naming

MOST_ROWS = 40
CONSTANT = 99.9995
"""A label in every image has a CCS of 100 and says nothing about contexts."""

WIDEST = 20.0
"""A score whose interval is wider, of a scale of 100, is not known well enough to be put into an order."""

BESIDE = "\u00a0"
"""A space where no line ends."""

KEYS = {"CF": "cf", "CA-R": "car", "CA-U": "cau"}


def persistence_blocks(material: Material) -> list[Block]:
    """Labels that change most, and the highest scores."""
    return [*_changes(material), *_scores(material)]


def _changes(material: Material) -> list[Block]:
    table = material.tables["persistence"]
    found = largest_ranges(table, MOST_ROWS)
    if not found:
        return []
    data = pd.DataFrame(found, columns=list(table.columns))
    for condition, key in KEYS.items():
        pairs = zip(data[f"x_{key}"], data[f"n_{key}"], strict=True)
        data[condition] = [_share(int(shown), int(images)) for shown, images in pairs]
    keys = ["generator", "role", "dimension", "label"]
    numbers = [one for one in ("range_pp", "p_adjusted") if one in data.columns]
    total = int((table["verdict"].astype(object) == CHANGED).sum())
    return [
        Table(
            "persistence",
            f"Labels that change most between conditions, read by {material.extractor}",
            data[[*keys, *KEYS, *numbers]],
            {"range_pp": "range, points", "p_adjusted": "p adjusted"},
            2,
            f"The first {len(data)} of {thousands(total)} that change; all are in persistence.csv. CF, CA-R, "
            "CA-U: share of the images with a usable record that show the label (so many of so many).",
            naming(material),
            {"range_pp": 0, "p_adjusted": 3},
        )
    ]


def _share(shown: int, images: int) -> str:
    """A share with what it rests on, in one line.

    >>> _share(20, 22).replace(BESIDE, " "), _share(0, 0).replace(BESIDE, " ")
    ('91 % (20/22)', '– (0/0)')
    """
    share = f"{100 * shown / images:.0f} %" if images else "–"
    return f"{share} ({shown}/{images})".replace(" ", BESIDE)


def _scores(material: Material) -> list[Block]:
    mean = material.tables["ccs_mean"]
    defined = mean[mean["ccs"].notna()]
    varying = defined[defined["ccs"] < CONSTANT]
    has_ends = "ccs_low" in mean.columns
    known = varying[varying["ccs_high"] - varying["ccs_low"] <= WIDEST] if has_ends else varying
    constant, wide = len(defined) - len(varying), len(varying) - len(known)
    left_out = (
        f"Left out: {thousands(constant)} that every image shows (CCS 100, whatever the context)"
        + (f", and {thousands(wide)} with an interval wider than {WIDEST:g} points" if has_ends else "")
        + ". All are in ccs_mean.csv."
    )
    if not len(known):
        said = f"Of {thousands(len(defined))} labels none has a CCS that is known well: not enough data."
        return [Paragraph(f"{said} {left_out}")]
    top = known.sort_values(["ccs", "role", "label"], ascending=[False, True, True], kind="stable")
    wanted = ["role", "dimension", "label", "ccs", "ccs_low", "ccs_high", "ccs_if_stable"]
    shown = top.head(MOST_ROWS)[[name for name in wanted if name in top.columns]]
    return [
        Table(
            "ccs_mean",
            "Context Consistency Score (CCS, 0 to 100), mean over generators, where it is known well enough",
            shown,
            {"ccs": "CCS", "ccs_low": "from", "ccs_high": "to", "ccs_if_stable": "if stable"},
            1,
            f"The highest {len(shown)} of {thousands(len(known))}. “If stable”: what a label that does not "
            "move at all would be expected to score with as many images; far below it, a label moves, near "
            f"it, nothing speaks for a move. {left_out}",
            naming(material),
        )
    ]
