from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

import main
from core.errors import BadInput
from core.records import DimensionReading, Role, Status
from core.schema import Schema
from core.validation.prompts import Side, Stated, mine, sayable, write
from core.validation.scoring import BOTH_OTHER, BOTH_SAW, NOT_DRAWN, NOT_SEEN, Trial, confusion, score
from core.validation.sheet import read_sheet
from core.validation.tables import validation_tables

ROLES = tuple(Role(f"role_{place}", f"worker {place}", "a", f"workers {place}") for place in range(8))


def study_counts() -> dict[tuple[str, str, str], int]:
    """Half of the roles lean to one gender, half to the other; two have none; eyewear is rare."""
    counts: dict[tuple[str, str, str], int] = {}
    for place, role in enumerate(ROLES):
        female = (90, 90, 85, 10, 10, 15, 50, 48)[place]
        counts[(role.name, "gender_presentation", "female")] = female
        counts[(role.name, "gender_presentation", "male")] = 100 - female
        for label, share in (("none", 80), ("eyeglasses", 15), ("sunglasses", 5)):
            counts[(role.name, "eyewear_type", label)] = share
        for label, share in (("standing", 45), ("sitting", 40), ("kneeling", 15)):
            counts[(role.name, "pose", label)] = share
    return counts


def test_the_three_sides_have_equal_parts_and_say_the_right_thing(schema: Schema) -> None:
    found = mine(study_counts(), ROLES, schema, seed=3, most=24)
    sides = Counter(one.side for one in found)

    assert sides[Side.WITH] == sides[Side.AGAINST] == sides[Side.NEUTRAL] >= 3
    assert sides[Side.WITHOUT] >= 1
    usual = {(one.role, one.label) for one in found if one.side is Side.WITH}
    assert usual <= {(f"role_{n}", "female") for n in (0, 1, 2)} | {(f"role_{n}", "male") for n in (3, 4, 5)}
    for one in found:
        assert (one.label == "none") == (one.side is Side.WITHOUT)
        assert one.text.startswith("a photo of a")
    assert found == mine(dict(reversed(list(study_counts().items()))), ROLES, schema, seed=3, most=24)


@pytest.mark.parametrize("most", [3, 4, 5, 7, 24])
def test_there_are_never_more_prompts_than_asked_for(schema: Schema, most: int) -> None:
    found = Counter(one.side for one in mine(study_counts(), ROLES, schema, seed=3, most=most))
    assert sum(found.values()) <= most
    assert found[Side.WITH] == found[Side.AGAINST] == found[Side.NEUTRAL] == max(most // 4, 1)
    with pytest.raises(BadInput, match="2 prompts are too few"):
        mine(study_counts(), ROLES, schema, seed=3, most=2)


def test_nothing_read_is_a_sentence(schema: Schema) -> None:
    with pytest.raises(BadInput, match="No record says anything"):
        mine({}, ROLES, schema, seed=1)


def test_every_attribute_that_can_be_stated_is_in_the_schema_and_makes_a_sentence(schema: Schema) -> None:
    nurse = Role("nurse", "nurse", "a", "nurses")
    written = [write(nurse, name, label) for name, labels in sayable(schema).items() for label in labels]

    assert len(written) == len(set(written)) >= 25
    assert "a photo of an elderly nurse" in written
    assert "a photo of a nurse without any facial hair" in written


def trial(label: str, *said: str, judged: str | None = None, side: Side = Side.WITH, image: int = 1) -> Trial:
    stated = Stated("nurse", "x", "gender_presentation", label, side)
    second = None if judged is None else DimensionReading((judged,))
    return Trial(stated, image, DimensionReading(said), second)


def test_scores_are_those_worked_out_by_hand() -> None:
    # female stated 4 times: said female 3, male 1; male stated 4 times: said male 2, female 2.
    trials = [trial("female", "female")] * 3 + [trial("female", "male")]
    trials += [trial("male", "male")] * 2 + [trial("male", "female")] * 2

    found = score(trials)

    assert found.accuracy.value == pytest.approx(5 / 8)
    assert found.recall == pytest.approx((3 / 4 + 2 / 4) / 2)
    assert found.precision == pytest.approx((3 / 5 + 2 / 3) / 2)
    assert (found.accuracy.low, found.accuracy.high) == pytest.approx((0.3057, 0.8632), abs=1e-4)
    assert confusion(trials)[("gender_presentation", "male", "female")] == 2


def test_intervals_of_precision_recall_and_f1_draw_whole_prompts() -> None:
    def of_prompt(text: str, hits: int, misses: int) -> list[Trial]:
        stated = Stated("nurse", text, "gender_presentation", "female", Side.WITH)
        said = [*["female"] * hits, *["male"] * misses]
        return [Trial(stated, at, DimensionReading((one,))) for at, one in enumerate(said)]

    # Six prompts, three always right: how many of six drawn are is binomial: 1.6 % none, 11 % at most one.
    spread = score([one for name in "abc" for one in (*of_prompt(name, 9, 0), *of_prompt(name * 2, 0, 9))])
    even = score([one for name in "abcdef" for one in of_prompt(name, 5, 5)])

    assert spread.bounds.recall == pytest.approx((1 / 6, 5 / 6), abs=0.02)
    assert even.bounds.recall == (0.5, 0.5)
    assert even.bounds.precision == (1.0, 1.0)
    assert even.bounds.f1 == pytest.approx((2 / 3, 2 / 3))
    # The images of few prompts tell nothing about other prompts.
    alone = score(of_prompt("a", 25, 25)).bounds
    assert (alone.recall.low, alone.reason[-19:]) == (None, "fewer than 5 prompts"[-19:])


def test_an_extractor_that_answers_from_priors_fails_only_against_the_stereotype() -> None:
    prior = "female"
    trials = [trial("female", prior, side=Side.WITH, image=n) for n in range(10)]
    trials += [trial("male", prior, side=Side.AGAINST, image=n) for n in range(10, 20)]

    table = validation_tables(trials, dict.fromkeys(range(20), "gen"))["validation"].set_index("side")

    assert table.loc["stereotypical", "accuracy"] == 1
    assert table.loc["counter-stereotypical", "accuracy"] == 0
    assert table.loc["ALL", "accuracy"] == 0.5


def test_the_second_judge_tells_who_erred() -> None:
    told = [
        trial("female", "female", judged="female"),
        trial("female", "male", judged="female"),
        trial("female", "male", judged="male"),
        trial("female", "female", judged="male"),
    ]

    assert [one.blame for one in told] == [BOTH_SAW, NOT_SEEN, NOT_DRAWN, BOTH_OTHER]
    found = score(told)
    assert (found.not_seen, found.not_drawn, found.against_judge.value) == (1, 1, 0.5)


def test_without_a_judge_nobody_knows_what_was_not_drawn() -> None:
    found = score([trial("female", "male"), trial("female", "female")])

    assert (found.not_drawn, found.not_seen, found.against_judge.value) == (None, None, None)
    table = validation_tables([trial("female", "male", image=1)], {1: "gen"})["validation"]
    assert table["not_drawn"].tolist() == [None] * len(table)


def test_refused_images_are_counted_apart_and_unknown_is_no_hit() -> None:
    stated = Stated("nurse", "x", "gender_presentation", "female", Side.WITH)
    refused = Trial(stated, 1, DimensionReading(status=Status.REFUSED))
    unknown = Trial(stated, 2, DimensionReading(status=Status.UNKNOWN))

    found = score([refused, unknown, trial("female", "female")])

    assert (found.images, found.failed, found.unknown, found.hits) == (3, 1, 1, 1)
    assert found.accuracy.value == 0.5
    none = score([refused])
    assert none.accuracy.value is None
    assert none.accuracy.reason


def test_a_study_is_validated_from_end_to_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(tmp_path / "study")
    roles = "nurse,baker,judge,mechanic,farmer,teacher"
    assert main.main(["new", folder, "--roles", roles, "--images-per-prompt", "1"]) == 0
    assert main.main(["generate", folder, "--generator", "drawn-a"]) == 0
    assert main.main(["extract", folder, "--extractor", "drawn-reader"]) == 0
    capsys.readouterr()
    words = ["validate", folder, "--generator", "drawn-a", "--images-per-prompt", "2", "--prompts", "24"]

    assert main.main([*words, "--judge", "drawn-truth", "--out", str(tmp_path / "out"), "--json"]) == 0

    tables = json.loads(capsys.readouterr().out)
    whole = next(row for row in tables["validation"] if row["side"] == "ALL")
    assert whole["images"] == len(tables["validation_images"]) >= 12
    assert {row["side"] for row in tables["validation"]} >= {
        "stereotypical",
        "counter-stereotypical",
        "neutral",
    }
    # The drawn generator does not read the sentence, so what is amiss is mostly not drawn; the reader's own
    # errors are few, because it reads what was drawn with small stated errors.
    assert whole["not_drawn"] > whole["not_seen"]
    assert whole["accuracy_if_drawn"] > whole["accuracy"]
    assert (tmp_path / "out" / "validation_dimensions.csv").is_file()

    sheet = tmp_path / "sheet.csv"
    assert main.main(["validate", folder, "--sheet", str(sheet)]) == 0
    assert main.main(["validate", folder, "--sheet", str(sheet)]) == 1, "a sheet may be filled in already"
    text = sheet.read_text(encoding="utf-8")
    assert "stereotypical" not in text
    header, first, *_ = text.splitlines()
    number, path, dimension, _, options = first.split(",", 4)
    label = options.strip('"').split(",")[0]
    sheet.write_text(f"{header}\n{number},{path},{dimension},{label},\n", encoding="utf-8")
    capsys.readouterr()
    assert main.main(["validate", folder, "--judge-file", str(sheet), "--json"]) == 0
    judged = json.loads(capsys.readouterr().out)["validation_images"]
    assert [row["judged"] for row in judged if row["judged"]] == [label]


def test_a_sheet_with_a_label_that_is_none_names_its_line(tmp_path: Path, schema: Schema) -> None:
    path = tmp_path / "sheet.csv"
    path.write_text("image,dimension,label\n3,pose,flying\n", encoding="utf-8")

    with pytest.raises(BadInput, match="line 2: 'flying' is not in the vocabulary of pose"):
        read_sheet(path, schema)
