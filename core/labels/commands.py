"""`main.py labels`: the label map proposed, reviewed, exported and imported, in lines or as JSON."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Callable, Iterator
from typing import Any

from core.extraction.vlm.arguments import options_of
from core.jobs import Job
from core.labels.work import decide_in, export_in, import_in, propose_in, review_rows, rows_in, summary
from core.overwriting import refuse_old
from core.schema import Schema
from core.text_table import text_table

MOST_SHOWN = 40


def labels_lines(
    study: Any,
    schema: Schema,
    chosen: Namespace,
    run: Callable[[str, Job[Any]], Any],
    tell: Callable[[str], object],
) -> Iterator[str]:
    """Carry out `labels` and say what came of it; beside JSON, `tell` says the sentences."""
    said = list(_done(study, schema, chosen, run))
    rows = rows_in(study, schema)
    if chosen.json:
        for sentence in said:
            tell(sentence)
        yield json.dumps(review_rows(rows), ensure_ascii=False)
        return
    yield from said
    if chosen.action in ("propose", "review"):
        yield text_table(review_rows(rows, waiting_only=True)[:MOST_SHOWN], list(review_rows(rows)[0]))
    yield summary(rows, study.label_map())


def _done(
    study: Any, schema: Schema, chosen: Namespace, run: Callable[[str, Job[Any]], Any]
) -> Iterator[str]:
    if chosen.action == "propose":
        naming = options_of(chosen) if chosen.names else None
        how = {"rules_only": chosen.rules_only, "model_folder": chosen.sentence_model, "naming": naming}
        run("labels", propose_in(study, schema, **how))
    elif chosen.action == "export":
        refuse_old(chosen, *filter(None, [chosen.out]))
        yield str(export_in(study, schema, chosen.out))
    elif chosen.action == "import":
        yield str(import_in(study, schema, chosen.file, chosen.by))
    else:
        yield from decide_in(study, schema, vars(chosen), chosen.by)
