from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from core.analysis import analyse
from core.errors import BadInput
from core.jobs import run_here
from core.labels.board import rows_of
from core.labels.files import import_act, map_from, read_changes, write_map
from core.labels.label_map import RAW, LabelMap
from core.labels.proposal import Proposal
from core.labels.review import map_of
from core.schema import Schema

MAP = LabelMap({("items", "tee"): "t-shirt", ("items", "coat"): "coat", ("items", "cup"): "mug"}, version=3)


def test_a_label_is_mapped_in_its_dimension_and_only_where_it_was_read() -> None:
    said = pd.DataFrame(
        {
            "dimension": ["items", "mood", "items", "items", "items"],
            "label": ["tee", "tee", "cup", "tee", None],
            "status": ["ok", "ok", "ok", "refused", "ok"],
        }
    )

    mapped = MAP.apply(said)

    assert mapped["label"].astype(object).where(mapped["label"].notna(), None).tolist() == [
        *("t-shirt", "tee", "mug", "tee", None)
    ]
    assert said["label"].tolist()[0] == "tee"
    assert mapped.attrs["label_map"]["version"] == 3
    assert mapped.attrs["label_map"]["labels_mapped"] == 2


def test_two_maps_that_do_the_same_have_the_same_hash() -> None:
    assert LabelMap({("items", "tee"): "t-shirt"}).hash != RAW.hash
    assert LabelMap({("items", "coat"): "coat"}, version=9).hash == RAW.hash


def test_every_result_names_the_map_it_was_made_with(labels: pd.DataFrame, schema: Schema) -> None:
    merge = LabelMap({("items", "coffee cup"): "book", ("items", "phone"): "book"}, version=7)

    raw = run_here(analyse(labels, schema, bootstrap=0))
    mapped = run_here(analyse(merge.apply(labels), schema, bootstrap=0))

    assert raw.run["label_map"]["source"] == "raw"
    assert (mapped.run["label_map"]["version"], mapped.run["label_map"]["hash"]) == (7, merge.hash[:16])
    found = set(mapped.tables["persistence"].query("dimension == 'items'")["label"])
    assert "book" in found
    assert not found & {"coffee cup", "phone"}


def test_a_label_that_two_of_an_image_become_counts_once(labels: pd.DataFrame, schema: Schema) -> None:
    everything = {("items", word): "thing" for word in labels.query("dimension == 'items'")["label"].unique()}

    result = run_here(analyse(LabelMap(everything).apply(labels), schema, bootstrap=0))

    shown = result.tables["prevalence"].query("dimension == 'items'")
    assert (shown["x"] == shown["n"]).all()
    assert set(shown["label"]) == {"thing"}


def test_a_map_comes_back_from_its_file_as_it_was(tmp_path: Path, schema: Schema) -> None:
    counts = {("items", "tee"): 4, ("items", "coat"): 2, ("items", "=1+1"): 1, ("items", "pan, small"): 1}
    proposals = [Proposal("items", "pan, small", "pan", "modifier", 0.9)]
    decided = LabelMap({("items", "tee"): "t-shirt", ("items", "coat"): "coat", ("items", "=1+1"): "two"})
    path = write_map(tmp_path / "map.csv", rows_of(counts, proposals, decided))

    changes = read_changes(path, schema)

    assert changes == dict(decided.canonical)
    assert map_from(path, schema).hash == decided.hash
    assert not import_act(changes, decided, "Ada", path.name).changes
    fresh = map_of([import_act(changes, RAW, "Ada", path.name)])
    again = write_map(tmp_path / "again.csv", rows_of(counts, proposals, fresh))
    assert again.read_bytes() == path.read_bytes()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("dimension,label\nitems,tee\n", "no column canonical"),
        ("dimension,label,canonical\nitems,tee,t-shirt\nitems,tee,shirt\n", "line 3: 'tee' is decided twice"),
        ("dimension,label,canonical\nmood,calm,tense\n", "line 2: mood is a closed dimension"),
        ("dimension,label,canonical\nitems,beard,no beard\n", "line 2: 'beard' and 'no beard'"),
    ],
)
def test_rubbish_in_a_file_is_one_sentence(tmp_path: Path, schema: Schema, text: str, words: str) -> None:
    path = tmp_path / "map.csv"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(BadInput, match=words):
        read_changes(path, schema)
