"""What `export` wrote comes back into a study with the same round, and the study is the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotation.answer_import import import_answers
from annotation.commands.merging import import_table
from annotation.exchange import answer_table
from core.csv_rows import read_rows
from core.errors import BadInput
from core.tables import write_tables
from storage.frames import Frames
from storage.packet_book import PacketBook
from storage.quality_rows import quality_answers
from storage.store import Store
from tests import team

ASKED = team.questions()


def new_study(folder: Path) -> Store:
    store = team.new_study(folder, roles=2, generators=("sdxl-turbo",), roomy=0)
    team.open_round(store, training=0, repeat_gap=2, repeat_share=0.4)
    return store


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study of two annotators with second showings, and its answers as a table."""
    folder = tmp_path_factory.mktemp("exported")
    with new_study(folder / "study") as store:
        for salt, name in enumerate(("Ana", "Ben")):
            team.packet_for(store, name, folder / f"{name}.packet")
            with PacketBook(folder / f"{name}.packet") as book:
                team.answer(book, team.study_places(book), salt)
            team.merge(store, folder / f"{name}.packet")
        frames, number = Frames(store.folder), store.rounds()[-1].round_id
        given = quality_answers(store, number)
        table = answer_table(frames.answers(number), frames.repeats(number), given)
    write_tables({"answers": table}, folder, {})
    return folder


def tables(folder: Path, number: int = 1):  # type: ignore[no-untyped-def]
    frames, keys = Frames(folder), ["annotator", "image_set", "question"]
    found = (frames.answers(number), frames.repeats(number))
    return [one.sort_values(keys).astype(str).reset_index(drop=True) for one in found]


def test_an_own_export_imports_back_to_an_identical_study(exported: Path, tmp_path: Path) -> None:
    rows = read_rows(exported / "answers.csv")
    with new_study(tmp_path / "again") as store:
        first = import_answers(store, 1, rows, ASKED)
        second = import_answers(store, 1, rows, ASKED)
        with Store.open(exported / "study") as other:
            before = {(one[0], one[1], one[3]): one[4] for one in quality_answers(other, 1)}
        after = {(one[0], one[1], one[3]): one[4] for one in quality_answers(store, 1)}

    assert first.counts == {"new": len(rows)}
    assert second.counts == {"same": len(rows)}, "the same table twice adds nothing"
    assert after == before, "labels, counts and where they are from, marks, flags, comments, repeats"
    for mine, theirs in zip(tables(tmp_path / "again"), tables(exported / "study"), strict=True):
        assert len(mine) > 0
        assert mine.equals(theirs)


def test_a_row_that_contradicts_the_study_is_named_and_not_taken(exported: Path, tmp_path: Path) -> None:
    (row, *_) = [one for one in read_rows(exported / "answers.csv") if one["question"] == "mood"]
    other = {**row, "label": "", "status": "unknown", "slider": "", "slider_source": "", "marks": ""}
    with new_study(tmp_path / "again") as store:
        with pytest.raises(BadInput, match=r"Row 2 says something else than row 1: \w+, set \w+, mood"):
            import_answers(store, 1, [row, other], ASKED)
        assert import_answers(store, 1, [row, row], ASKED).counts == {"new": 1, "same": 1}
        found = import_answers(store, 1, [other], ASKED)
        assert found.counts == {"conflicting": 1}
        assert found.contradicting[0].startswith("Row 1 contradicts the study and was not taken: ")
        assert Frames(store.folder).answers(1)["label"].tolist() == [row["label"]]


def test_a_dry_run_of_a_table_counts_and_changes_nothing(exported: Path, tmp_path: Path) -> None:
    rows = read_rows(exported / "answers.csv")
    with new_study(tmp_path / "again") as store:
        found = import_answers(store, 1, rows, ASKED, is_dry_run=True)
        assert found.counts == {"new": len(rows)}
        assert (store.annotators(), store.image_sets(1, "repeat"), team.standing(store)) == ([], [], {})


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"image_set": "elsewhere"}, "no image set 'elsewhere'"),
        ({"question": "shoe"}, "does not ask 'shoe'"),
        ({"label": "loud"}, "no answer to mood"),
        ({"label": "", "status": ""}, "has no answer"),
        ({"slider": "11"}, "whole number from 0 to 10"),
        ({"marks": "[10]"}, "no list of positions"),
        ({"slider_source": "guess"}, "a count comes from"),
        ({"slider": "", "slider_source": "slider"}, "has no count"),
        ({"slider": "1" * 5000}, "whole number from 0 to 10"),
        ({"marks": "[" * 100_000}, "no list of positions"),
        ({"annotator": ""}, "names no annotator"),
        ({"slider": "9", "marks": "[0, 1]", "slider_source": "marks"}, "the count is 9 and from marks"),
        ({"status": "perhaps"}, "the status 'perhaps'"),
        ({"is_flagged": "perhaps"}, "is_flagged is 'perhaps'"),
        ({"answered_at": "noon"}, "no date and time"),
        ({"question": "items", "label": "|||"}, "no descriptor"),
        ({"active_seconds": "-1"}, "not a number of seconds"),
    ],
)
def test_a_row_that_cannot_be_kept_is_named_and_nothing_is_taken(
    exported: Path, tmp_path: Path, change: dict[str, str], words: str
) -> None:
    rows = [one for one in read_rows(exported / "answers.csv") if one["question"] == "mood"][:2]
    with Store.open(exported / "study") as store:
        before = len(quality_answers(store, 1))
        with pytest.raises(BadInput, match=f"Row 2.*{words}"):
            import_answers(store, 1, [rows[0], {**rows[1], **change}], ASKED)
        assert len(quality_answers(store, 1)) == before


def test_a_table_without_a_column_that_is_needed_is_refused_before_the_study_is_asked(tmp_path: Path) -> None:
    (tmp_path / "empty.csv").touch()
    (tmp_path / "none.csv").write_text("annotator;Image_Set;question;label\nAna;set-1;mood;calm\n")
    for name, column in (("empty", "annotator"), ("none", "slider")):
        with pytest.raises(BadInput, match=f"no column `{column}`"):
            import_table(None, ASKED, tmp_path / f"{name}.csv", print, is_dry_run=True)
