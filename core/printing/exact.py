"""Tables as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd


def as_json(tables: Mapping[str, pd.DataFrame]) -> str:
    """Tables as one JSON object, each a list of rows; undefined is null."""
    rows = {name: json.loads(table.to_json(orient="records")) for name, table in tables.items()}
    return json.dumps(rows, ensure_ascii=False)
