"""`main.py round`: design a round, list rounds, lock the newest, take in the study lead's answers."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from annotation.design import RoundDesign
from annotation.design_opening import keys_from_rows, next_seed, open_designed, plan_for
from annotation.key_form import FORM_COLUMNS, key_form_in, key_rows
from annotation.team_lines import plan_lines, round_line
from core.amounts import counted
from core.csv_rows import must_be_new, write_rows
from core.errors import BadInput
from core.near_names import check_names
from core.questions import Question, choose
from core.records import Condition, condition_of


def newest_round(study: Any) -> Any:
    """The round that is worked on; BadInput where there is none."""
    rounds = study.rounds()
    if not rounds:
        raise BadInput("This study has no round yet.", "Design one: `main.py round STUDY`.")
    return rounds[-1]


def round_lines(study: Any, questions: Sequence[Question], chosen: Namespace) -> Iterator[str]:
    """Carry out `round` and say what came of it.

    Raises
    ------
    BadInput
        A design that the study cannot have, a table of answers with a bad row, or no round where one is
        needed.
    """
    if chosen.keys_form:
        yield _write_key_form(study, questions, chosen.keys_form)
    if chosen.list or chosen.lock or chosen.keys:
        yield from _kept_rounds(study, questions, chosen)
        return
    if chosen.keys_form:
        return
    wanted = named(chosen.questions)
    asked = choose(questions, wanted) if wanted else questions
    design = design_from(study, chosen)
    _check_known(study, design)
    made = plan_for(study, asked, design)
    yield from plan_lines(made, len(asked))
    if not chosen.dry_run:
        earlier = [one.name for one in study.rounds() if not one.is_locked]
        open_designed(study, asked, made, chosen.name)
        yield f"{study.rounds()[-1].name} is open. Its design stays as it is once a packet has left."
        for name in earlier:
            yield f'{name} stays open too; `main.py round STUDY --lock --name "{name}"` closes it.'


def _check_known(study: Any, design: RoundDesign) -> None:
    """BadInput for a role or generator that the study does not have."""
    images = study.images()
    roles = dict.fromkeys([*(role.name for role in study.roles()), *(image.role for image in images)])
    check_names(design.roles or (), roles, "role")
    check_names(design.generators or (), dict.fromkeys(image.generator for image in images), "generator")


def _kept_rounds(study: Any, questions: Sequence[Question], chosen: Namespace) -> Iterator[str]:
    newest = None if chosen.list else newest_round(study)
    if chosen.keys and newest is not None:
        sets = study.image_sets(newest.round_id) + study.image_sets(newest.round_id, "training")
        rows = keys_from_rows(key_rows(chosen.keys), sets, questions, chosen.keys.name)
        study.put_key_answers(rows)
        yield f"{len(rows)} right answers kept for {newest.name}."
    if chosen.lock and newest is not None:
        closing = _round_called(study, chosen.name) if chosen.name else newest
        if not (closing.is_locked or chosen.even_so):
            _must_be_complete(study, closing)
        study.lock_round(closing.round_id)
    merged = {one.packet_id for one in study.hand_ins() if one.undone_at is None}
    for found in study.rounds():
        left = [one.packet_id for one in study.packets(found.round_id) if not one.is_withdrawn]
        back = sum(number in merged for number in left)
        yield round_line(found, len(study.image_sets(found.round_id)), len(left) - back, back)


def _round_called(study: Any, name: str) -> Any:
    check_names([name], {one.name: one for one in study.rounds()}, "round")
    return next(one for one in study.rounds() if one.name == name)


def _must_be_complete(study: Any, found: Any) -> None:
    """BadInput while a packet of the round is out or nobody has answered: locking cannot be undone."""
    back = {one.packet_id for one in study.hand_ins() if one.undone_at is None}
    out = [one for one in study.packets(found.round_id) if not (one.is_withdrawn or one.packet_id in back)]
    remedy = "Locking cannot be undone; add `--even-so` to lock it as it is."
    if out:
        names = ", ".join(dict.fromkeys(one.annotator.name for one in out))
        raise BadInput(f"{found.name} has packets that are not back: {names}.", f"Merge them first. {remedy}")
    if not study.has_answers(found.round_id):
        raise BadInput(f"{found.name} has no answer yet.", remedy)


def _write_key_form(study: Any, questions: Sequence[Question], path: Path) -> str:
    """Write the form for right answers, and say how many rows wait."""
    must_be_new(path)
    newest = newest_round(study)
    rows = key_form_in(study, newest, choose(questions, newest.questions))
    write_rows(path, rows, FORM_COLUMNS)
    waiting = counted(len(rows), "row waits", "rows wait")
    return f"{path}: {waiting} for a right answer; take it in with `--keys`."


def design_from(study: Any, chosen: Namespace) -> RoundDesign:
    """The design that the words of the command line ask for."""
    return RoundDesign(
        seed=next_seed(study) if chosen.seed is None else chosen.seed,
        roles=named(chosen.roles),
        conditions=_conditions(chosen.conditions),
        generators=named(chosen.generators),
        sets_per_cell=chosen.sets,
        images_per_set=chosen.images,
        count_mode=chosen.count_mode or study.study.count_mode,
        show_role=chosen.show_role,
        annotators=chosen.annotators,
        overlap=chosen.overlap or chosen.annotators,
        gold_share=chosen.gold,
        repeat_share=chosen.repeats,
        training=chosen.training,
        pass_share=chosen.pass_share,
        attempts=chosen.attempts,
    )


def named(text: str | None) -> tuple[str, ...] | None:
    """Names with commas between them; None for none.

    >>> named("a, b,"), named("")
    (('a', 'b'), None)
    """
    return tuple(name.strip() for name in (text or "").split(",") if name.strip()) or None


def _conditions(text: str | None) -> tuple[Condition, ...] | None:
    found = {name: condition_of(name) for name in named(text) or ()}
    for name, one in found.items():
        if one is None:
            raise BadInput(f"There is no condition {name!r}.", "Use some of CF, CA-R, CA-U.")
    return tuple(one for one in found.values() if one is not None) or None
