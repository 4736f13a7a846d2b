"""The label map: (dimension, label as said) -> canonical label; applied on reading, never to the store."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from core.keys import key_of
from core.records import Status

if TYPE_CHECKING:
    import pandas as pd

_ROWS_AT_ONCE = 1 << 18


@dataclass(frozen=True)
class LabelMap:
    """Canonical labels as decided by people.

    Parameters
    ----------
    canonical : mapping of (dimension, label) to label
        A label that is not in it, or that is its own canonical label, stays as it was said.
    version : int
        Number of the last act that went into it; 0 for an empty map, and for one from a file.
    source : str
        "study", or the name of the file it was read from.
    """

    canonical: Mapping[tuple[str, str], str]
    version: int = 0
    source: str = "study"

    @cached_property
    def moved(self) -> dict[tuple[str, str], str]:
        """The labels that get another name."""
        return {key: to for key, to in sorted(self.canonical.items()) if to != key[1]}

    @cached_property
    def hash(self) -> str:
        """Content key of what the map does: two maps that do the same have the same."""
        return key_of([[*key, to] for key, to in self.moved.items()])

    def of(self, dimension: str, label: str) -> str:
        """The canonical label of a label."""
        return self.canonical.get((dimension, label), label)

    def as_data(self) -> dict[str, Any]:
        """What a result says about the map it was made with."""
        return {
            "source": self.source,
            "version": self.version,
            "hash": self.hash[:16],
            "labels_mapped": len(self.moved),
        }

    def apply(self, labels: pd.DataFrame) -> pd.DataFrame:
        """A label table, or a table of counts, with canonical labels; the table given stays as it is.

        Parameters
        ----------
        labels : DataFrame
            Columns dimension and label, and perhaps status: only labels that were read are mapped. An image
            that says two labels of one canonical label keeps both rows; counting takes the label once.

        Returns
        -------
        DataFrame
            The same rows in the same order; `attrs["label_map"]` names the map.

        Examples
        --------
        >>> import pandas as pd
        >>> said = pd.DataFrame({"dimension": ["items", "mood"], "label": ["tee", "tee"]})
        >>> LabelMap({("items", "tee"): "t-shirt"}).apply(said)["label"].tolist()
        ['t-shirt', 'tee']
        """
        import numpy as np
        import pandas as pd

        mapped = labels.copy(deep=False)
        mapped.attrs = dict(labels.attrs) | {"label_map": self.as_data()}
        if not self.moved:
            return mapped
        dimension = labels["dimension"].astype("category")
        label = labels["label"].astype("category")
        names, words = list(dimension.cat.categories), list(label.cat.categories)
        places = {word: place for place, word in enumerate(words)}
        at = {name: place for place, name in enumerate(names)}
        # The last row is of labels without a dimension, the last column of rows without a label.
        renamed = np.tile(np.arange(len(words) + 1, dtype=np.int32), (len(names) + 1, 1))
        renamed[:, -1] = -1
        width = len(words)
        for (name, said), to in self.moved.items():
            if name in at and said in places and places[said] < width:
                if to not in places:
                    places[to] = len(words)
                    words.append(to)
                renamed[at[name], places[said]] = places[to]
        rows = np.array(label.cat.codes, dtype=np.int32)
        is_read = np.ones(len(rows), dtype=np.bool_)
        if "status" in labels:
            status = labels["status"].astype("category").cat
            is_ok = np.array([*(str(one) == Status.OK.value for one in status.categories), False])
            is_read = is_ok[status.codes.to_numpy()]
        codes = dimension.cat.codes.to_numpy()
        for start in range(0, len(rows), _ROWS_AT_ONCE):
            part = slice(start, start + _ROWS_AT_ONCE)
            rows[part] = np.where(is_read[part], renamed[codes[part], rows[part]], rows[part])
        mapped["label"] = pd.Categorical.from_codes(rows, categories=pd.Index(words))
        return mapped


RAW = LabelMap({}, source="raw")
"""Maps nothing: labels as they were said."""
