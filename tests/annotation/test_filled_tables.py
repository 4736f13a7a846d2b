"""Tables that people fill in: read however a spreadsheet writes them, or refused by name; never half."""

from __future__ import annotations

import os
from argparse import Namespace
from pathlib import Path

import pytest

from annotation.adjudication import decisions_from
from annotation.commands.rounds import round_lines
from annotation.design_opening import keys_from_rows
from annotation.filled_cells import count_in, marks_in
from annotation.key_form import key_rows
from core.csv_rows import must_be_new
from core.errors import BadInput
from core.packets import KeyAnswer
from tests.annotation.sittings import AGE, make_set

SETS = [make_set(1), make_set(2)]


def taken(path: Path, text: bytes) -> list[tuple[int, str, KeyAnswer]]:
    path.write_bytes(text)
    return keys_from_rows(key_rows(path), SETS, [AGE], "k.csv")


@pytest.mark.parametrize(
    "text",
    [
        b"image_set,question,label,slider,marks\nset-1,age,adult,2,[0]\n",
        b"image_set;question;label;slider;marks\nset-1;age;adult;2;0\n",
        b"\xef\xbb\xbfImage_Set\tQUESTION\t Label \tslider\tmarks\r\nset-1\tage\t adult\t2.0\t[0]\r\n",
    ],
)
def test_a_form_is_read_however_a_spreadsheet_wrote_it(text: bytes, tmp_path: Path) -> None:
    right = KeyAnswer("adult", 2, frozenset({0}), "k.csv")
    assert taken(tmp_path / "k.csv", text) == [(1, "age", right)]


def test_a_right_answer_needs_no_count(tmp_path: Path) -> None:
    text = b"image_set,question,label\nset-1,age,adult\nset-1,age,adult\n"
    assert taken(tmp_path / "k.csv", text)[0] == (1, "age", KeyAnswer("adult", source="k.csv"))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (b"", "has no column `image_set`"),
        (b"set-1,age,adult\n", "has no column `image_set`"),
        (b"image_set,question,lable\nset-1,age,adult\n", "`lable` may be meant"),
        (b"image_set,question,label,label\nset-1,age,adult,old\n", "two columns called `label`"),
        (b"image_set,question,label\nset-1,age,a\0\n", "NUL"),
        (b"image_set,question,label\nset-1,age,adult\nset-1,age,old\n", "Row 2 contradicts row 1"),
        (b"image_set,question,label,slider\nset-1,age,adult," + b"1" * 5000, "is not a whole number"),
        (b"image_set,question,label,marks\nset-1,age,adult," + b"[" * 100_000, "the marks"),
        (b"image_set,question,label,marks\nset-1,age,adult,[10]", "no list of positions from 0 to 9"),
    ],
)
def test_what_cannot_be_understood_is_named_and_nothing_is_kept(
    text: bytes, told: str, tmp_path: Path
) -> None:
    with pytest.raises(BadInput) as raised:
        taken(tmp_path / "k.csv", text)
    assert told in str(raised.value)
    assert len(str(raised.value)) < 300


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes in folders")
def test_a_pipe_is_no_table_and_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(BadInput, match="a pipe, a socket or a device"):
        key_rows(tmp_path / "pipe")


@pytest.mark.parametrize("text", ["[0, 2]", "0 2", "0,2", "0|2", "0 | 2", "[2,0]"])
def test_marks_may_be_parted_in_any_usual_way(text: str) -> None:
    assert marks_in(text, 10, "Row 1") == {0, 2}


@pytest.mark.parametrize("text", ["[", "0 2 x", "-1", "[[0]]", "0.5", "true", "10"])
def test_other_marks_are_refused(text: str) -> None:
    with pytest.raises(BadInput, match="Row 1: the marks"):
        marks_in(text, 10, "Row 1")
    assert marks_in("[]", 10, "Row 1") == marks_in("", 10, "Row 1") == frozenset()


def test_two_decisions_that_contradict_each_other_are_refused_by_row() -> None:
    row = {"image_set": "set-1", "question": "age", "label": "adult", "slider": ""}
    row |= {"cause": "ambiguous image", "confidence": "medium"}
    with pytest.raises(BadInput, match="Row 3 contradicts row 1"):
        decisions_from([row, {**row, "label": ""}, {**row, "label": "old"}], SETS, [AGE], "Eve")
    with pytest.raises(BadInput, match="Row 1: the count"):
        count_in("\u0664", 10, "Row 1")


def test_a_form_is_not_written_over_what_is_there(tmp_path: Path) -> None:
    filled = tmp_path / "filled.csv"
    filled.write_text("work of an evening")
    with pytest.raises(BadInput, match="already a file"):
        must_be_new(filled)

    with pytest.raises(BadInput, match="already a file"):
        list(round_lines(None, [AGE], Namespace(keys_form=filled)))
    assert filled.read_text() == "work of an evening"
