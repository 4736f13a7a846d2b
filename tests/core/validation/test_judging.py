"""Two windows that judge at once: no judgement is lost, and each takes back only its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.csv_rows import read_rows
from core.errors import UserError
from core.records import Condition, ImageStatus, StoredImage
from core.validation.judgement_log import LOG, Act, append_acts, read_acts
from core.validation.judging import FILE, Case, Judging, Verdict
from core.validation.prompts import Side, Stated

STATED = Stated("nurse", "a nurse", "pose", "standing", Side.WITH)


def window(folder: Path, name: str) -> Judging:
    """A window that opens the sheet as it stands."""
    cases = [Case(image(place), STATED) for place in range(4)]
    rows = [{"image": place, "path": "p.png", "dimension": "pose", "label": ""} for place in range(4)]
    return Judging(cases, rows, folder / FILE, name)


def image(place: int) -> StoredImage:
    """A picture in which a nurse was to stand."""
    where = ("0" * 64, "p.png", "p.png", 8, 8)
    return StoredImage(place, "drawn-a", "nurse", Condition.CF, "a nurse", 0, *where, ImageStatus.OK)


def labels(folder: Path) -> list[str]:
    """The cells of the sheet."""
    return [row["label"] for row in read_rows(folder / FILE)]


def test_two_windows_that_judge_at_once_lose_nothing(tmp_path: Path) -> None:
    one, other = window(tmp_path, "one"), window(tmp_path, "other")

    assert one.judge(0, Verdict.DRAWN, "1")()
    assert other.judge(1, Verdict.NOT_DRAWN, "2")()
    assert (other.judged, other.news(), other.news()) == (2, 1, 0)
    assert one.judge(2, Verdict.CANNOT_TELL, "3")()

    assert labels(tmp_path) == ["standing", "not drawn", "unknown", ""]
    assert (one.judged, one.news(), one.next_open()) == (3, 1, 3)
    assert [window(tmp_path, "later").verdict(at) for at in range(4)] == [*Verdict, None]


def test_undo_takes_back_own_judgements_only_and_what_another_said_stands_again(tmp_path: Path) -> None:
    one, other = window(tmp_path, "one"), window(tmp_path, "other")
    one.judge(0, Verdict.DRAWN, "1")()
    other.judge(1, Verdict.DRAWN, "2")()
    other.judge(0, Verdict.NOT_DRAWN, "3")()
    one.judge(3, Verdict.DRAWN, "4")()

    at, save = one.undo("5") or (None, bool)
    assert (at, save(), one.can_undo, one.undo("6")) == (3, True, False, None)  # its first is another's now
    at, save = other.undo("7") or (None, bool)

    assert (at, save()) == (0, True)
    assert labels(tmp_path) == ["standing", "standing", "", ""]
    assert other.can_undo
    assert not window(tmp_path, "later").can_undo


def test_undo_does_not_take_back_what_another_window_said_unseen(tmp_path: Path) -> None:
    one, other = window(tmp_path, "one"), window(tmp_path, "other")
    one.judge(0, Verdict.DRAWN, "1")()
    other.judge(0, Verdict.NOT_DRAWN, "2")()

    at, save = one.undo("3") or (None, bool)

    assert (at, save(), one.verdict(0), one.news()) == (0, True, Verdict.NOT_DRAWN, 1)
    assert labels(tmp_path) == ["not drawn", "", "", ""]


def test_a_judgement_that_could_not_be_kept_is_kept_with_the_next(tmp_path: Path) -> None:
    one = window(tmp_path, "one")
    (tmp_path / LOG).mkdir()
    save = one.judge(0, Verdict.DRAWN, "1")
    with pytest.raises(UserError, match="could not be"):
        save()
    (tmp_path / LOG).rmdir()

    assert one.judge(1, Verdict.NOT_DRAWN, "2")()
    assert labels(tmp_path) == ["standing", "not drawn", "", ""]


def test_half_a_line_is_no_judgement_and_spoils_none(tmp_path: Path) -> None:
    (tmp_path / LOG).write_text('{"image": 0, "label": "stan', encoding="utf-8")
    append_acts(tmp_path / LOG, [Act(1, "unknown", "1", "one")])

    assert read_acts(tmp_path / LOG)[0] == [Act(1, "unknown", "1", "one")]
