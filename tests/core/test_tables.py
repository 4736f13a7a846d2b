"""Tables in and out: words stay words, gaps stay gaps, and nothing runs in a spreadsheet."""

from __future__ import annotations

import csv
import gzip
import json
import os
import stat

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.analysis import analyse
from core.errors import BadInput
from core.jobs import run_here
from core.table_files import FORMULA_STARTS
from core.tables import (
    read_answers,
    read_counts,
    read_labels,
    write_tables,
)

HEADER = "generator,role,condition,prompt,image,cohort,dimension,label"


@pytest.fixture
def written(tmp_path):
    """Write text to a file and give its path."""

    def write(text, name="table.csv"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def words(frame, column="label"):
    return frame[column].astype(object).tolist()


def test_none_and_na_are_words_and_status_defaults_to_ok(written):
    rows = "g,nurse,CF,p,1,People,eyewear_type,none\ng,nurse,CF,p,2,People,items,NA\n"
    frame = read_labels(written(f"{HEADER}\n{rows}"))

    assert words(frame) == ["none", "NA"]
    assert words(frame, "status") == ["ok", "ok"]


def test_an_empty_cell_stays_empty_and_every_row_is_kept(written):
    frame = read_labels(written(f"{HEADER}\ng,nurse,,p,1,People,items,\ng,nurse,CF,p,2,People,items,book\n"))

    assert words(frame, "condition") == ["", "CF"]
    assert words(frame) == ["", "book"]


def test_codes_keep_their_zeros(written):
    frame = read_labels(written(f"{HEADER}\ng,007,CF,01,0001,People,items,12\n"))

    assert [words(frame, column)[0] for column in ("role", "prompt", "image", "label")] == [
        "007", "01", "0001", "12",
    ]  # fmt: skip


def test_further_columns_are_kept(written):
    frame = read_labels(written(f"{HEADER},batch\ng,nurse,CF,p,1,People,items,book,7\n"))

    assert frame["batch"].tolist() == [7]


def test_published_column_names_and_conditions_are_accepted_as_they_are(written, schema):
    text = (
        "model,context,occupation,prompt,cohort,dimension,label,count,bin\n"
        "SDXL,Context-free_CF,nurse,a,people,gender_presentation,female,9,2\n"
        "SDXL,Context-aware_Related_CA-R,nurse,b,people,gender_presentation,female,8,2\n"
        "SDXL,Context-aware_Unrelated_CA-U,nurse,c,people,gender_presentation,female,7,2\n"
    )

    persistence = run_here(analyse(read_counts(written(text)), schema, bootstrap=0)).tables["persistence"]

    assert persistence[["x_cf", "x_car", "x_cau"]].to_numpy().tolist() == [[9, 8, 7]]
    assert persistence["generator"].tolist() == ["SDXL"]


def test_the_published_folder_tree_is_read(tmp_path):
    for condition, kind in (("Context-free_CF", ""), ("Context-aware_Related_CA-R", "location")):
        folder = tmp_path / "root" / "92_SDXL" / condition / "nurse" / kind / "a_photo" / "frequency"
        folder.mkdir(parents=True)
        (folder / "frequencies.csv").write_text("cohort,dimension,label,count,bin\npeople,items,book,3,1\n")

    frame = read_counts(tmp_path / "root")

    assert words(frame, "generator") == ["92_SDXL", "92_SDXL"]
    assert sorted(words(frame, "prompt")) == ["a_photo", "location/a_photo"]
    assert sorted(words(frame, "condition")) == ["Context-aware_Related_CA-R", "Context-free_CF"]
    assert frame["count"].tolist() == [3, 3]


def test_a_folder_without_such_files_is_refused(tmp_path):
    with pytest.raises(BadInput, match=r"no frequencies\.csv"):
        read_counts(tmp_path)


@pytest.mark.parametrize("name", ["table.csv.gz", "table.parquet"])
def test_other_file_endings_give_the_same_table(written, tmp_path, name):
    text = f"{HEADER}\ng,nurse,CF,p,1,People,items,none\n"
    plain = read_labels(written(text))
    path = tmp_path / name
    if name.endswith("gz"):
        path.write_bytes(gzip.compress(text.encode()))
    else:
        plain.to_parquet(path, index=False)

    pd.testing.assert_frame_equal(read_labels(path).astype(object), plain.astype(object))


def test_a_byte_order_mark_is_no_part_of_a_name(written):
    assert len(read_labels(written(f"\ufeff{HEADER}\ng,nurse,CF,p,1,People,items,book\n"))) == 1


def test_a_line_end_within_quotes_is_part_of_the_word(written):
    frame = read_labels(written(f'{HEADER}\ng,nurse,CF,"a\nb",1,People,items,book\n'))

    assert words(frame, "prompt") == ["a\nb"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"", "not a UTF-8 CSV"),
        (b"generator,role\ng\n", "not a UTF-8 CSV"),
        (f"{HEADER}\ng,nurse,CF,p,1,People,items,caf".encode() + b"\xe9\n", "not a UTF-8 CSV"),
        (b"generator,role\ng,nurse\n", "no column condition"),
    ],
)
def test_what_is_no_label_table_is_refused_in_a_sentence(written, text, said):
    with pytest.raises(BadInput, match=said):
        read_labels(written(text))


def test_a_file_that_is_not_there_is_refused(tmp_path):
    for name in ("no.csv", "no.parquet"):
        with pytest.raises(BadInput, match="There is no file"):
            read_labels(tmp_path / name)


def test_the_input_is_named_by_its_content(written):
    frame = read_labels(written(f"{HEADER}\ng,nurse,CF,p,1,People,items,book\n"))

    assert frame.attrs["input"]["rows"] == 1
    assert len(frame.attrs["input"]["sha256"]) == 64


ANSWERS = "annotator,image_set,question,label,slider"


def test_answers_keep_a_missing_count_apart_from_zero(written):
    rows = "ann,s1,mood,calm,,\nann,s2,mood,calm,0,\nann,s3,mood,calm,10,x\n"
    frame = read_answers(written(f"{ANSWERS},note\n{rows}"))

    assert np.isnan(frame["slider"].iloc[0])
    assert frame["slider"].iloc[1:].tolist() == [0, 10]
    assert frame["note"].astype(object).tolist()[-1] == "x"


def test_unknown_is_a_status_and_an_empty_label_is_a_missing_answer(written):
    frame = read_answers(written(f"{ANSWERS}\nann,s1,mood,Unknown,3\nann,s2,mood,,\nann,s3,mood,none,1\n"))

    assert frame["status"].tolist() == ["unknown", "missing", "ok"]
    assert words(frame) == ["", "", "none"]
    assert frame["is_simulated"].tolist() == [False] * 3


@pytest.mark.parametrize("slider", ["11", "-1", "2.5", "many"])
def test_a_count_outside_the_slider_is_refused_with_its_line(written, slider):
    with pytest.raises(BadInput, match="Line 3"):
        read_answers(written(f"{ANSWERS}\nann,s1,mood,calm,1\nann,s2,mood,calm,{slider}\n"))


def test_an_answer_of_nobody_is_refused(written):
    with pytest.raises(BadInput, match="Line 2 names no annotator"):
        read_answers(written(f"{ANSWERS}\n,s1,mood,calm,1\n"))


FRAME = pd.DataFrame(
    {
        "label": pd.Categorical(["=1+1", "a, b", 'said "so"', "none", "-x"]),
        "value": [0.1, np.nan, 1 / 3, -2.0, 1e-20],
        "count": pd.array([1, None, 3, 4, 5], dtype="Int64"),
        "holds": pd.array([True, False, None, True, True], dtype="boolean"),
        "reason": ["", "why", "", "@SUM(A1)", "line\nend"],
    }
)


def test_undefined_is_an_empty_cell_and_numbers_keep_every_digit(tmp_path):
    write_tables({"one": FRAME}, tmp_path, {"seed": 0})

    assert (tmp_path / "one.csv").read_text(encoding="utf-8") == (
        "label,value,count,holds,reason\n"
        "'=1+1,0.1,1,true,\n"
        '"a, b",,,false,why\n'
        '"said ""so""",0.3333333333333333,3,,\n'
        "none,-2,4,true,'@SUM(A1)\n"
        '\'-x,1e-20,5,true,"line\nend"\n'
    )


texts = st.text(st.characters(codec="utf-8", exclude_characters="\x00\r"), max_size=6)


@given(st.lists(texts | st.sampled_from(["=1", "'=1", "''-x", "\tx", "@a,b"]), min_size=1, max_size=5))
def test_no_text_cell_starts_like_a_formula_and_reading_gives_it_back(tmp_path_factory, labels):
    folder = tmp_path_factory.mktemp("round")
    frame = pd.DataFrame({"label": labels})
    frame[["generator", "role", "condition", "prompt", "image", "cohort", "dimension"]] = "x"

    write_tables({"labels": frame}, folder, {})

    with (folder / "labels.csv").open(encoding="utf-8", newline="") as file:
        cells = [row[0] for row in list(csv.reader(file))[1:]]
    assert not any(cell.startswith(FORMULA_STARTS) for cell in cells)
    assert words(read_labels(folder / "labels.csv")) == labels


def test_the_record_is_sorted_json(tmp_path):
    write_tables({}, tmp_path, {"seed": 1, "mode": "audit", "word": "café"})

    assert (tmp_path / "run.json").read_text(encoding="utf-8") == (
        '{\n  "mode": "audit",\n  "seed": 1,\n  "word": "café"\n}\n'
    )
    assert json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))["seed"] == 1


def test_parquet_keeps_values_and_gaps(tmp_path):
    write_tables({"one": FRAME}, tmp_path, {}, file_format="parquet")

    back = pd.read_parquet(tmp_path / "one.parquet")
    assert back["value"].equals(FRAME["value"])
    assert back["count"].tolist()[2:] == [3, 4, 5]


def test_an_empty_table_has_its_header(tmp_path):
    write_tables({"one": FRAME.iloc[:0]}, tmp_path, {})

    assert (tmp_path / "one.csv").read_text(encoding="utf-8") == "label,value,count,holds,reason\n"


def test_nothing_is_left_over_beside_the_tables(tmp_path):
    write_tables({"one": FRAME}, tmp_path, {})
    write_tables({"one": FRAME}, tmp_path, {})

    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.csv", "run.json"]


def test_a_format_and_a_folder_that_cannot_be_are_refused(tmp_path):
    with pytest.raises(BadInput, match="format"):
        write_tables({}, tmp_path, {}, file_format="xlsx")
    (tmp_path / "file").write_text("")
    with pytest.raises(BadInput, match="file is a file"):
        write_tables({}, tmp_path / "file", {})


@pytest.mark.skipif(os.geteuid() == 0 if hasattr(os, "geteuid") else True, reason="root may write anywhere")
def test_a_folder_without_the_right_to_write_is_refused(tmp_path):
    tmp_path.chmod(stat.S_IRUSR | stat.S_IXUSR)
    with pytest.raises(BadInput, match="cannot be written"):
        write_tables({"one": FRAME}, tmp_path, {})
