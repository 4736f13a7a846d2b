from __future__ import annotations

from pathlib import Path

import pytest

import main

HALF = "b\udcffd"
"""What Python makes of a byte that is no UTF-8."""


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["prompts", "x" * 300], "File name too long"),
        (["new", "{}/new", "--roles", "doctor", "--name", HALF], "`name` is not UTF-8 text: b?d"),
        (["merge", "{}/none", "--decide", "1", "--keep", "ours", "--by", HALF], "`by` is not UTF-8 text"),
        (["prompts", HALF], "`study` is not UTF-8 text"),
        (["import-images", "{}/none", f"{{}}/{HALF}"], "There is no folder"),
    ],
)
def test_a_name_too_long_or_bytes_that_are_no_text_are_a_sentence(
    arguments: list[str], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main.main([each.replace("{}", str(tmp_path)) for each in arguments]) == 1
    said = capsys.readouterr().err
    assert told in said
    assert "Traceback" not in said
    assert list(tmp_path.iterdir()) == []


def test_a_file_whose_name_is_no_text_is_no_fault_of_ours_wherever_it_comes_up(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(main.COMMANDS, "handin", lambda chosen: str(chosen.packet).encode("utf-8"))
    assert main.main(["handin", str(tmp_path / HALF), "--out", "h.handin"]) == 1
    assert "not UTF-8 text" in capsys.readouterr().err

    def faulty(chosen: object) -> int:
        raise OSError(5, "no file is named")

    monkeypatch.setitem(main.COMMANDS, "handin", faulty)
    assert main.main(["handin", "a.packet", "--out", "h.handin"]) == 2
