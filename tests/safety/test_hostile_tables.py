"""Text files from strangers: each reader takes them or says in a sentence why not, and soon."""

from __future__ import annotations

import gzip
import json
import re
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core import unpacking
from core.csv_rows import read_rows, write_rows
from core.errors import BadInput, UserError
from core.json_files import read_json
from core.tables import read_labels
from tests.safety.readers import READERS

LABELS = b"generator,role,condition,prompt,image,cohort,dimension,label\n"
EVERY_COLUMN = (
    b"generator,role,condition,prompt,image,cohort,dimension,label,count,annotator,image_set,question,slider,"
    b"marks,canonical,decision,kind,location,activity,state,reason,file,seed,cause,confidence\n"
)
HOSTILE: dict[str, bytes] = {
    "nothing": b"",
    "a byte order mark alone": b"\xef\xbb\xbf",
    "no text": bytes(range(256)) * 8,
    "UTF-16": "role,condition\nnurse,CF\n".encode("utf-16"),
    "NULs": EVERY_COLUMN + b"a\0b," * 24 + b"\n",
    "a header alone": EVERY_COLUMN,
    "the same column twice": b"role,role,role\n1,2,3\n",
    "more cells than columns": EVERY_COLUMN + b"x," * 400 + b"\n",
    "an open quote": EVERY_COLUMN + b'"nurse,CF\n' * 50,
    "a cell of a million letters": EVERY_COLUMN + b"x" * 1_000_000 + b",\n",
    "formulas": EVERY_COLUMN + b"=cmd|'/c calc'!A0," * 25 + b"\n",
    "control signs and turned writing": EVERY_COLUMN + ("\u202eesrun\u0007\u001b[2J," * 25).encode() + b"\n",
    "paths that lead out": EVERY_COLUMN + b"../../../etc/passwd," * 25 + b"\n",
    "numbers that are none": EVERY_COLUMN + b"nan," * 25 + b"\n" + b"1e999," * 25 + b"\n",
    "a number of ten thousand digits": EVERY_COLUMN + b"9" * 10_000 + b",\n" + b"1," * 12 + b"9" * 10_000,
    "half a pair of signs": EVERY_COLUMN + b"\xed\xa0\x80," * 25 + b"\n",
    "deep JSON": b"[" * 100_000,
    "deep JSON objects": b'{"roles":' * 20_000,
    "JSON of the wrong kind": b'{"roles": 1, "contexts": [], "generators": "x", "annotators": {}}',
    "JSON null": b"null",
    "JSON with halves of signs": b'{"contexts": {"a\\ud800": {"related": [], "unrelated": []}}}',
    "JSON with a huge number": b'{"version": ' + b"9" * 5_000 + b', "roles": [], "questions": []}',
    "JSON that is not finite": b'{"annotators": [{"name": "a", "accuracy": NaN}], "questions": [NaN]}',
    "JSON lists of nothing": json.dumps(
        {name: [None, [], {}, 1] for name in ("roles", "generators", "annotators", "questions", "dimensions")}
    ).encode(),
    "a bomb of zeros": gzip.compress(b"\0" * 20_000_000),
    "the start of a Parquet table": b"PAR1" + b"\xff" * 200 + b"PAR1",
    "an SQLite file": b"SQLite format 3\0" + bytes(4080),
}


ODD = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]")


def must_end_well(name: str, path: Path) -> None:
    """A result, or an error of the world with a sentence; nothing else, and within seconds."""
    began, said = time.monotonic(), "read"
    try:
        READERS[name][1](path)
    except UserError as error:
        said = str(error)
    assert said.strip()
    assert len(said) < 3000
    assert not ODD.search(said)
    assert time.monotonic() - began < 10


@pytest.mark.parametrize("name", READERS)
def test_a_hostile_file_is_read_or_refused_in_a_sentence(name: str, tmp_path: Path) -> None:
    for number, content in enumerate(HOSTILE.values()):
        path = tmp_path / f"hostile{number}{READERS[name][0]}"
        path.write_bytes(content)
        must_end_well(name, path)
    must_end_well(name, tmp_path)  # a folder
    must_end_well(name, tmp_path / "nowhere")


def test_a_bomb_that_says_it_is_a_packed_table_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unpacking, "SMALL", 2**20)
    bomb, whole, cut = (tmp_path / f"{name}.csv.gz" for name in ("bomb", "whole", "cut"))
    bomb.write_bytes(gzip.compress(LABELS + b"a,b,CF,p,1,Scene,mood,calm\n" * 1_000_000))
    whole.write_bytes(gzip.compress(LABELS + b"a,b,CF,p,1,Scene,mood,calm\n" * 10))
    cut.write_bytes(whole.read_bytes()[:-20])

    assert len(read_labels(whole)) == 10
    with pytest.raises(BadInput, match="unpacks to more than"):
        read_labels(bomb)
    with pytest.raises(BadInput, match="cannot be unpacked"):
        read_labels(cut)


def test_half_a_character_in_json_is_refused_and_a_whole_one_of_two_halves_is_read(tmp_path: Path) -> None:
    (tmp_path / "whole.json").write_text('{"language": "\\ud83d\\ude00 \\\\ud800"}')
    (tmp_path / "half.json").write_text('{"language": "\\ud800"}')

    assert read_json(tmp_path / "whole.json") == {"language": "\U0001f600 \\ud800"}
    with pytest.raises(BadInput, match="half a character"):
        read_json(tmp_path / "half.json")


PIECES = st.sampled_from(
    [
        *(b",", b"\n", b'"', b"'", b"=", b";", b"\t", b"{", b"}", b"[", b"]", b":", b"\\u0000", b"null"),
        *(b"1e400", b"role", b"label", b"dimension", b"condition", b"CF", b"nurse", b"\xff", b"-1", b"\0"),
    ]
)


@settings(max_examples=6, deadline=None)
@given(body=st.lists(PIECES, max_size=40).map(b"".join), header=st.sampled_from([b"", LABELS, EVERY_COLUMN]))
def test_no_reader_falls_over_whatever_it_is_given(
    tmp_path_factory: pytest.TempPathFactory, body: bytes, header: bytes
) -> None:
    folder = tmp_path_factory.mktemp("fuzz")
    for name, (ending, _) in READERS.items():
        path = folder / f"{name.replace(' ', '-')}{ending}"
        path.write_bytes(header + body)
        must_end_well(name, path)


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@x", "\t=1", "\r=1", "'=1", "=cmd|'/c calc'!A0"])
def test_a_formula_goes_out_harmless_and_comes_back_as_it_was(text: str, tmp_path: Path) -> None:
    path = write_rows(tmp_path / "a.csv", [{"label": text, "end": "x"}])

    cell = path.read_text(encoding="utf-8").splitlines()[1] if "\r" not in text else "'"
    assert cell.lstrip('"').startswith("'")
    if text == text.strip():
        assert read_rows(path)[0]["label"] == text
