"""`main.py bank`: contexts for new roles, in lines or as JSON."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Callable, Iterator
from typing import Any

from core.bank_builder import work
from core.bank_builder.rules import still_needed
from core.extraction.vlm.arguments import options_of
from core.jobs import Job
from core.labels.work import user_name
from core.overwriting import refuse_old
from core.schema import Schema
from core.text_table import text_table


def bank_lines(
    study: Any,
    schema: Schema,
    chosen: Namespace,
    run: Callable[[str, Job[Any]], Any],
    tell: Callable[[str], object],
) -> Iterator[str]:
    """Carry out `bank` and say what came of it; beside JSON, `tell` says the sentences."""
    for sentence in _done(study, schema, chosen, run):
        if chosen.json:
            tell(sentence)
        else:
            yield sentence
    rows = work.review_rows(study, work.roles_named(study, chosen.roles))
    if chosen.json:
        yield json.dumps(rows, ensure_ascii=False)
        return
    if chosen.action == "export":
        return
    yield text_table(rows, list(rows[0])) if rows else "No candidate yet: `propose`, or `review --add`."
    asked = list(dict.fromkeys(row["role"] for row in rows))
    for role, number in still_needed(study.candidates(), asked).items():
        more = "context is" if number == 1 else "contexts are"
        yield f"{role}: {number} more {more} to be accepted before prompts can be made of it."


def _done(
    study: Any, schema: Schema, chosen: Namespace, run: Callable[[str, Job[Any]], Any]
) -> Iterator[str]:
    author = chosen.by.strip() or user_name()
    if chosen.sentences:
        yield work.word_in(study, chosen.sentences, author)
    roles = work.roles_named(study, chosen.roles)
    if chosen.action == "propose":
        asking = (roles, chosen.number, options_of(chosen), chosen.language)
        run("bank", work.propose_in(study, schema, *asking))
    elif chosen.action == "export":
        refuse_old(chosen, *filter(None, [chosen.out]))
        yield work.export_in(study, chosen.out)
        return
    elif chosen.action == "import":
        yield work.import_in(study, chosen.file, author)
    yield from work.decide_in(study, vars(chosen), author)
