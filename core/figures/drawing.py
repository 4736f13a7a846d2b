"""A figure before it is drawn: its words, its data, and how to draw it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from core.figures.look import Look

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Drawing:
    """One figure.

    Attributes
    ----------
    name : str
        Of the file, without ending.
    title : str
        One line.
    caption : str
        What is drawn, what the intervals are, and n.
    alt : str
        What a person who does not see it should know: what stands where, and the main numbers.
    data : DataFrame
        What is drawn, one row a mark; written beside the figure as CSV.
    draw : callable
        From a look to a matplotlib `Figure` without its caption.
    """

    name: str
    title: str
    caption: str
    alt: str
    data: pd.DataFrame
    draw: Callable[[Look], Figure]
