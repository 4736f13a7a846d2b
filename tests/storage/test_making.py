"""A study appears under its name when everything is in it, or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import StoreError
from core.paths import STUDY_FILE
from core.plan import choose_roles, plan_study
from storage.making import make_study
from storage.store import Store, place_new


def test_a_crash_half_way_leaves_no_study(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(*_: object) -> None:
        raise OSError("power cut")

    monkeypatch.setattr(Store, "add_prompts", crash)

    with pytest.raises(OSError, match="power cut"):
        make_study(folder, plan_study("small", choose_roles("nurse,farmer")))

    assert not (folder / STUDY_FILE).exists()
    assert list(folder.iterdir()) == []


def test_a_study_that_another_program_made_meanwhile_is_left_as_it_is(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_prompts = Store.add_prompts

    def slow(store: Store, *rest: object) -> object:
        (folder / STUDY_FILE).write_bytes(b"another one")
        return add_prompts(store, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(Store, "add_prompts", slow)

    with pytest.raises(StoreError, match="already a study"):
        make_study(folder, plan_study("small", choose_roles("nurse,farmer")))

    assert (folder / STUDY_FILE).read_bytes() == b"another one"


def test_where_there_are_no_links_a_new_file_still_takes_no_other_ones_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_links(*_: object) -> None:
        raise PermissionError("not here")

    monkeypatch.setattr("os.link", no_links)
    (tmp_path / "new").write_bytes(b"new")
    place_new(tmp_path / "new", tmp_path / "name")
    (tmp_path / "newer").write_bytes(b"newer")

    with pytest.raises(StoreError, match="already a study"):
        place_new(tmp_path / "newer", tmp_path / "name")

    assert (tmp_path / "name").read_bytes() == b"new"
