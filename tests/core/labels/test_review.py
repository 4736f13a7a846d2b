from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import BadInput
from core.labels.board import accept, check_change, reject, rename, rows_of, split
from core.labels.label_map import LabelMap
from core.labels.proposal import Proposal
from core.labels.review import Act, LabelAct, map_of, settled, standing, to_redo, to_undo
from core.schema import Schema

COUNTS = {("items", "tee"): 2, ("items", "t-shirt"): 9, ("items", "coat"): 4, ("items", "lab coat"): 3}
PROPOSALS = (
    Proposal("items", "tee", "t-shirt", "alias"),
    Proposal("items", "lab coat", "coat", "modifier", 0.8),
    Proposal("items", "coat", "coat", "none"),
    Proposal("items", "t-shirt", "t-shirt", "none"),
)


def numbered(acts: list[LabelAct]) -> list[LabelAct]:
    return [replace(act, act_id=number) for number, act in enumerate(acts, start=1)]


def rows(acts: list[LabelAct] | None = None) -> dict[str, object]:
    return {row.label: row for row in rows_of(COUNTS, PROPOSALS, map_of(acts or []))}


def test_a_proposal_maps_nothing_until_it_is_accepted() -> None:
    assert map_of([]).of("items", "tee") == "tee"

    act = accept([rows()["tee"]], "Ada")

    assert map_of(numbered([act])).of("items", "tee") == "t-shirt"
    assert map_of(numbered([act])).version == 1


def test_merges_by_meaning_or_modifier_are_accepted_one_by_one() -> None:
    other = Proposal("items", "t-shirt", "tee", "meaning", 0.7)
    both = [row for row in rows_of(COUNTS, [*PROPOSALS[:2], other], LabelMap({})) if row.proposal.is_merge]

    with pytest.raises(BadInput, match="one by one"):
        accept(both, "Ada")
    assert accept(both, "Ada", kinds=("spelling", "alias")).changes == {("items", "tee"): "t-shirt"}
    assert accept([rows()["lab coat"]], "Ada").changes == {("items", "lab coat"): "coat"}


def test_a_servers_name_for_a_group_takes_the_whole_group() -> None:
    named = replace(PROPOSALS[0], name="tee shirt")
    (row,) = [one for one in rows_of(COUNTS, [named], LabelMap({})) if one.label == "tee"]

    changes = accept([row], "Ada").changes

    assert changes == {("items", "tee"): "tee shirt", ("items", "t-shirt"): "tee shirt"}


def test_split_takes_a_label_out_and_rejected_ones_do_not_wait_again(schema: Schema) -> None:
    first = accept([rows()["tee"]], "Ada")
    taken = rows(numbered([first]))["tee"]
    second = split([taken], "Ada")
    after = rows(numbered([first, second]))["tee"]

    assert (after.decision, after.canonical, after.is_waiting) == ("kept", "tee", False)
    assert not rows(numbered([reject([rows()["lab coat"]], "Ada")]))["lab coat"].is_waiting
    renamed = map_of(numbered([rename([rows()["coat"], rows()["lab coat"]], " Coats ", "Ada", schema)]))
    assert renamed.of("items", "lab coat") == "coats"


def test_undo_and_redo_go_back_and_forth_and_a_new_act_ends_redo() -> None:
    one = LabelAct(Act.ACCEPT, "Ada", {("items", "tee"): "t-shirt"})
    two = LabelAct(Act.RENAME, "Ada", {("items", "coat"): "jacket"})
    acts = numbered([one, two])
    assert to_undo(acts) == acts[1]
    acts = numbered([*acts, LabelAct(Act.UNDO, "Ada", undoes=2)])
    assert map_of(acts).moved == {("items", "tee"): "t-shirt"}
    assert to_undo(acts) == acts[0]
    acts = numbered([*acts, LabelAct(Act.REDO, "Ada", undoes=3)])
    assert map_of(acts).of("items", "coat") == "jacket"
    assert to_undo(acts) == acts[1]
    assert to_redo(acts) is None
    acts = numbered([*acts, LabelAct(Act.UNDO, "Ada", undoes=2), one])
    assert to_redo(acts) is None


@given(st.lists(st.sampled_from(["act", "undo", "redo"]), max_size=25))
def test_any_row_of_undos_and_redos_equals_a_stack(steps: list[str]) -> None:
    acts: list[LabelAct] = []
    done: list[int] = []
    undone: list[int] = []
    for place, step in enumerate(steps):
        acts = numbered(acts)
        if step == "act":
            acts.append(LabelAct(Act.RENAME, "Ada", {("items", f"l{place}"): f"m{place}"}))
            done.append(len(acts))
            undone.clear()
        elif step == "undo" and (last := to_undo(acts)) is not None:
            acts.append(LabelAct(Act.UNDO, "Ada", undoes=last.act_id))
            undone.append(done.pop())
        elif step == "redo" and (undo := to_redo(acts)) is not None:
            acts.append(LabelAct(Act.REDO, "Ada", undoes=undo.act_id))
            done.append(undone.pop())

    assert sorted(act.act_id or 0 for act in standing(numbered(acts))) == sorted(done)
    assert (to_redo(numbered(acts)) is not None) == bool(undone)


def test_chains_end_and_circles_end_too() -> None:
    chain = settled({("items", "a"): "b", ("items", "b"): "c", ("mood", "b"): "d"})
    circle = settled({("items", "a"): "b", ("items", "b"): "a"})

    assert chain[("items", "a")] == "c"
    assert chain[("mood", "b")] == "d"
    assert circle == {("items", "a"): "a", ("items", "b"): "a"}


@pytest.mark.parametrize(
    ("key", "to", "words"),
    [
        (("mood", "calm"), "tense", "closed dimension"),
        (("items", "beard"), "no beard", "opposite"),
        (("items", "beard"), "  ", "empty"),
        (("itmes", "beard"), "hair", "no dimension"),
    ],
)
def test_what_the_map_never_holds_is_refused_with_a_sentence(
    schema: Schema, key: tuple[str, str], to: str, words: str
) -> None:
    with pytest.raises(BadInput, match=words):
        check_change(schema, key, to)
