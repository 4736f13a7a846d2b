"""What a folder holds, before anything is brought in."""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path

import pytest
from PIL import Image

from core.errors import BadInput
from core.importing import Stated, remarks, scan
from core.importing.walk import NotWanted
from core.records import Condition


def picture(path: Path, kind: str = "PNG", colour: str = "teal") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new("RGB", (8, 6), colour).save(path, kind)
    return path


def test_the_type_comes_from_bytes_not_from_the_name(tmp_path: Path) -> None:
    picture(tmp_path / "really_a_jpeg.png", "JPEG")
    picture(tmp_path / "webp.jpg", "WEBP")
    (tmp_path / "text.png").write_text("not a picture")

    plan = scan(tmp_path)

    assert [each.format for each in plan.pictures] == ["jpeg", "webp"]
    assert [(each.item, each.kind) for each in plan.refused] == [("text.png", "not a picture")]


def test_every_file_is_either_taken_or_refused_with_a_reason(tmp_path: Path) -> None:
    picture(tmp_path / "good.png")
    (tmp_path / "empty.jpg").touch()
    (tmp_path / "notes.txt").write_text("hello, this is not a picture")

    plan = scan(tmp_path)

    assert plan.asked == 3
    assert {each.kind for each in plan.refused} == {"empty", "not a picture"}
    assert all(each.reason.endswith(".") for each in plan.refused)


def test_the_published_tree_states_role_condition_prompt_and_seed(tmp_path: Path) -> None:
    role = tmp_path / "SDXL" / "Context-aware_Related_CA-R" / "bus_driver"
    picture(role / "prompt_003_a_photo_of_a_bus_driver" / "image_00_seed_77.jpg")

    (only,) = scan(tmp_path).pictures

    assert only.stated == Stated("bus_driver", Condition.CA_R, "SDXL", "a photo of a bus driver", 77)


def test_a_manifest_says_more_than_the_folder_names(tmp_path: Path) -> None:
    folder = tmp_path / "Context-free_CF" / "baker" / "a_photo"
    picture(folder / "image_0_seed_5.jpg", "JPEG")
    entry = {"id": 1, "prompt_used": "a photo of a baker", "filename": "image_0_seed_5.jpg", "model": "SDXL"}
    (folder / "manifest.json").write_text(json.dumps([entry]))

    (only,) = scan(tmp_path).pictures

    assert only.stated == Stated("baker", Condition.CF, "SDXL", "a photo of a baker", 5)


def test_the_map_says_what_each_picture_is(tmp_path: Path) -> None:
    picture(tmp_path / "pictures" / "one.png")
    picture(tmp_path / "pictures" / "two.png")
    table = tmp_path / "map.csv"
    table.write_text(
        "file,role,condition,generator,prompt,seed\none.png,baker,CA-U,mine,a photo of a baker,3\n"
        "two.png,nurse,,,,\n"
    )

    one, two = scan(tmp_path / "pictures", table).pictures

    assert one.stated == Stated("baker", Condition.CA_U, "mine", "a photo of a baker", 3)
    assert two.stated == Stated("nurse", None, "pictures", None, None)


def test_a_map_that_names_a_file_outside_the_folder_gets_a_reason(tmp_path: Path) -> None:
    picture(tmp_path / "secret.png")
    picture(tmp_path / "in" / "one.png")
    table = tmp_path / "map.csv"
    table.write_text("file,role\n../secret.png,baker\ngone.png,baker\none.png,baker\n")

    plan = scan(tmp_path / "in", table)

    assert [(each.item, each.kind) for each in plan.refused] == [
        ("../secret.png", "outside the folder"),
        ("gone.png", "missing"),
    ]


def test_a_link_that_leaves_the_folder_is_refused(tmp_path: Path) -> None:
    secret = picture(tmp_path / "secret.png")
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "link.png").symlink_to(secret)

    plan = scan(tmp_path / "in")

    assert [each.kind for each in plan.refused] == ["outside the folder"]


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("name,role\n", "no column `file`"),
        ("file,condition\na.png,kitchen\n", "line 2"),
        ("file,seed\na.png,three\n", "not a whole number"),
        ("file,seed\na.png,-1\n", "not a whole number"),
        (f"file,seed\na.png,{2**63}\n", "not a whole number"),
        (f"file,seed\na.png,{'9' * 5000}\n", "not a whole number"),
        (f"file,role\na.png,{'x' * 501}\n", "501 characters"),
        ("file,role\na.png,baker\na.png,cook\n", "named twice"),
    ],
)
def test_a_bad_map_gets_one_sentence_with_the_line(tmp_path: Path, text: str, part: str) -> None:
    picture(tmp_path / "in" / "a.png")
    table = tmp_path / "map.csv"
    table.write_text(text)

    with pytest.raises(BadInput, match=part):
        scan(tmp_path / "in", table)


def test_a_missing_folder_gets_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="There is no folder"):
        scan(tmp_path / "nowhere")


def test_a_map_with_semicolons_is_understood(tmp_path: Path) -> None:
    picture(tmp_path / "in" / "a.png")
    table = tmp_path / "map.csv"
    table.write_text("\ufefffile;role;seed\r\na.png;baker;0\r\n", encoding="utf-8")

    (only,) = scan(tmp_path / "in", table).pictures

    assert (only.stated.role, only.stated.seed) == ("baker", 0)


def test_a_seed_of_0_in_a_manifest_is_a_seed(tmp_path: Path) -> None:
    picture(tmp_path / "baker" / "a.png")
    (tmp_path / "baker" / "manifest.json").write_text(json.dumps([{"filename": "a.png", "seed": 0}]))

    (only,) = scan(tmp_path).pictures

    assert only.stated.seed == 0


@pytest.mark.parametrize(
    "text", ["", "[" * 100_000, '[{"filename": "a\\u0000.png"}]', '[{"filename": 5}]', "null", '{"a": 1}']
)
def test_a_rubbish_manifest_gets_a_sentence_or_changes_nothing(tmp_path: Path, text: str) -> None:
    picture(tmp_path / "baker" / "a.png")
    (tmp_path / "baker" / "manifest.json").write_text(text)

    with contextlib.suppress(BadInput):
        plan = scan(tmp_path)
        assert [each.stated.role for each in plan.pictures] == ["baker"]


def test_words_from_a_map_hold_nothing_that_a_screen_would_obey(tmp_path: Path) -> None:
    picture(tmp_path / "in" / "a.png")
    table = tmp_path / "map.csv"
    table.write_text('file,role\na.png,"do\u202ector\n"\n', encoding="utf-8")

    (only,) = scan(tmp_path / "in", table).pictures

    assert only.stated.role == "do ctor"


def test_names_that_are_no_text_are_taken_and_shown_as_escapes(tmp_path: Path) -> None:
    folder = os.fsdecode(os.fsencode(tmp_path) + b"/bak\xffer")
    picture(Path(folder) / "a.png")
    (Path(folder) / os.fsdecode(b"\xfe.txt")).write_text("not a picture at all")

    plan = scan(tmp_path)

    assert plan.pictures[0].stated.role == "bak er"
    assert [each.item for each in plan.refused] == [f"bak{chr(92)}udcffer/{chr(92)}udcfe.txt"]


def test_pictures_without_role_or_condition_and_new_roles_are_told(tmp_path: Path) -> None:
    for place in ("a.png", "juggler/b.png"):
        picture(tmp_path / place)

    said = remarks(scan(tmp_path), {"baker"})

    assert said[0].startswith("Pictures whose role nothing states: 1;")
    assert said[1] == "Roles that neither the bank nor the study knows: juggler; pictures: 1."
    assert said[2].startswith("Pictures whose condition nothing states: 2;")


def test_with_a_map_a_picture_that_nothing_names_is_refused(tmp_path: Path) -> None:
    for name in ("named.png", "stray.png", "nurse/by_folder.png"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        Image.new("RGB", (4, 4)).save(tmp_path / name)
    table = tmp_path / "map.csv"
    table.write_text("file,role\nnamed.png,doctor\n")

    plan = scan(tmp_path, table)

    assert {each.path.name: each.stated.role for each in plan.pictures} == {
        "named.png": "doctor",
        "by_folder.png": "nurse",
    }
    assert [(each.item, each.kind) for each in plan.refused] == [("stray.png", "not in the map")]


def test_a_misspelt_column_of_a_map_is_refused_and_one_of_others_is_named(tmp_path: Path) -> None:
    picture(tmp_path / "a.png")
    table = tmp_path / "map.csv"
    table.write_text("file,role,cond,generator\na.png,nurse,CF,sdxl\n")
    with pytest.raises(BadInput, match="`cond`, which is not known; `condition` may be meant"):
        scan(tmp_path, table)

    table.write_text("file,role,condition,photographer\na.png,nurse,CF,somebody\n")

    assert "Columns of the map from which nothing is taken: photographer." in remarks(
        scan(tmp_path, table), ["nurse"]
    )


def test_a_gif_is_called_by_its_name_and_a_role_like_a_known_one_is_asked_about(tmp_path: Path) -> None:
    picture(tmp_path / "a.gif", "GIF")
    picture(tmp_path / "docter" / "a.png")

    plan = scan(tmp_path)

    assert [each.reason for each in plan.refused] == ["It is a GIF, which is not taken; convert it to PNG."]
    assert "For docter, the role doctor may be meant." in remarks(plan, ["doctor", "nurse"])


def test_folders_of_studies_are_left_out_and_counted(tmp_path: Path) -> None:
    picture(tmp_path / "new" / "a.png")
    picture(tmp_path / "study" / "images" / "its_own.png")
    (tmp_path / "study" / "study.sqlite").touch()

    plan = scan(tmp_path)

    assert [each.path.name for each in plan.pictures] == ["a.png"]
    assert (plan.refused, plan.studies_left_out) == ([], 1)
    assert "1 study folder was left out." in remarks(plan, ())


def test_a_scan_that_nobody_wants_any_more_ends_between_two_files(tmp_path: Path) -> None:
    for number in range(5):
        picture(tmp_path / f"{number}.png")
    asked = []

    def is_wanted() -> bool:
        asked.append(1)
        return len(asked) < 8

    with pytest.raises(NotWanted):
        scan(tmp_path, is_wanted=is_wanted)
    assert len(asked) == 8
