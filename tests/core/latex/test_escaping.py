"""No text can do anything in a LaTeX document but be printed."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.latex.escaping import escaped

HARMLESS = re.compile(
    r"\\(textbackslash|textasciitilde|textasciicircum|textless|textgreater|textbar|textquotedbl|ldots"
    r"|textasciigrave|textquotesingle)\{\}|\\[{}$&#_%,]|\$(-|\\(times|le|ge|alpha|kappa|chi|Delta))\$"
    r"|\\textsuperscript\{2\}|~"
)


@given(st.text())
def test_nothing_that_latex_reads_as_a_command_is_left(text: str):
    left = HARMLESS.sub("", escaped(text))

    assert not set(left) & set("\\{}$&#_%~^\n\r\t\0")


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("safety_gear", r"safety\_gear"),
        (r"\input{/etc/passwd}", r"\textbackslash{}input\{/etc/passwd\}"),
        ("50 % & more #1", r"50 \% \& more \#1"),
        ("a$b$", r"a\$b\$"),
        ("two\nlines", "two lines"),
        ("left\u202eright", "leftright"),
        ("−0.5 ≤ κ", r"$-$0.5 $\le$ $\kappa$"),
        ("flambé 厨师", "flambé 厨师"),
    ],
)
def test_signs_stand_for_themselves(text: str, right: str):
    assert escaped(text) == right
