"""A small study played at the real session object; the paper's size is in `bench_packet_sessions.py`."""

from __future__ import annotations

from pathlib import Path

from tests.played_study import play


def test_hand_ins_of_real_sessions_in_any_order_give_the_study_done_in_one_place(tmp_path: Path) -> None:
    found = play(tmp_path, roles=1, generators=("sdxl-turbo",), days=2, asked=("mood", "pose"))

    assert found.answers == 3 * 3 * 23
    assert found.files == 6
    assert 3 <= found.merges <= 6, "a file that comes after a newer one, or again, brings nothing"
