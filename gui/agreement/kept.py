"""Agreement that was computed before, kept beside the study by a key of everything that it rests on.

The key is made of the answers and readings themselves, as the job is given them: whatever changes them
(another answer, an exclusion, an adjudication, a record, another label map) leads to another key.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

    from annotation.agreement import AgreementResult
    from annotation.mapped_labels import Sides
    from core.kept_analyses import KeptAnalyses

ROWS = "table_rows"


def input_key(study: Sequence[str], sides: Sides, options: Sequence[Any]) -> str:
    """A key of what agreement is computed from.

    Parameters
    ----------
    study : sequence of str
        What is asked: the study's schema and questions as they are stored, and the ids the round asks.
    sides : Sides
        Answers, readings and second answers with canonical labels, and the map that made them canonical.
    options : sequence
        JSON-able: how *unknown* counts, which extractor, how many draws.
    """
    from core import __version__
    from core.keys import key_of

    tables = [_content(table) for table in (sides.answers, sides.readings, sides.repeats)]
    return key_of(["agreement", __version__, list(study), sides.account(), tables, list(options)])[:32]


def read_kept(kept: KeptAnalyses, key: str) -> AgreementResult | None:
    """The result of a key as it was computed, None when it is not there."""
    from annotation.agreement import AgreementResult

    found = kept.read(key)
    if found is None:
        return None
    return AgreementResult(found.tables, {name: value for name, value in found.run.items() if name != ROWS})


def keep(kept: KeptAnalyses, key: str, result: AgreementResult) -> bool:
    """Keep a result; returns whether it is kept."""
    rows = {name: len(table) for name, table in result.tables.items()}
    return kept.write(key, result.tables, {**result.run, ROWS: rows})


def _content(table: pd.DataFrame | None) -> list[Any]:
    """Columns, rows in their order and what is told beside them (what was decided, what was left out)."""
    import pandas as pd

    from core.keys import content_hash

    if table is None:
        return []
    rows = pd.util.hash_pandas_object(table, index=False).to_numpy()
    beside = sorted((name, sorted(map(repr, told.items()))) for name, told in table.attrs.items())
    return [[str(name) for name in table.columns], len(table), content_hash(rows.tobytes()), beside]
