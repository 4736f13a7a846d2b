from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import main
from core.bank import Context, load_contexts
from core.bank_builder.asking import ask_for_contexts
from core.bank_builder.candidate import (
    Candidate,
    Judgement,
    candidates_of,
    deciding,
    editing,
    judging,
    proposing,
)
from core.bank_builder.preview import preview
from core.bank_builder.roles import new_role, own_bank
from core.bank_builder.rules import is_near, near_duplicates, problems, still_needed
from core.errors import BadInput
from core.extraction.vlm import VlmOptions
from core.extraction.vlm.text_asking import object_in
from core.jobs import run_here
from core.schema import Schema
from tests.fake_server import Call, Mischief, error, fake_server
from tests.storage.builders import new_store

PILOT = new_role("drone pilot")


def put(location: str, activity: str, kind: Any = "related", role: str = "drone_pilot") -> Candidate:
    return candidates_of([proposing(role, kind, location, activity, "Ada")])[0]


def test_a_new_role_is_written_with_its_article_and_plural() -> None:
    engineer = new_role("Umbrella Engineer")

    assert (engineer.name, engineer.article, engineer.plural) == (
        "umbrella_engineer",
        "an",
        "umbrella engineers",
    )


@pytest.mark.parametrize(
    ("location", "activity", "said"),
    [
        ("field", "check a battery", "-ing form"),
        ("drone hangar", "checking a battery", "gives the role away"),
        ("field", "wearing a vest", "suggests clothing"),
        ("field", "helping a surgeon", None),
        ("playground", "checking a battery", "suggests age"),
    ],
)
def test_our_own_rules_say_what_is_wrong(location: str, activity: str, said: str | None) -> None:
    found = " ".join(problems(put(location, activity), PILOT))

    assert (said in found) if said else not found
    assert not problems(put("Feld", "eine Batterie prüfen"), PILOT, is_english=False)


def test_near_duplicates_are_shown_together_whatever_their_order() -> None:
    one, two, other = put("bakery", "selling bread"), put("bakeries", "baking rolls"), put("park", "reading")

    assert near_duplicates([one, two, other]) == near_duplicates([other, two, one])
    assert near_duplicates([one, two, other])[one.key] == (two.key,)
    assert not is_near(Context("park", "a", "reading a map"), Context("office", "an", "writing a letter"))
    assert is_near(
        Context("wide field", "a", "checking a map"), Context("wide fields", "a", "checking the map")
    )


@given(st.lists(st.sampled_from(["accept", "reject", "reopen", "edit", "judge"]), max_size=8))
def test_the_last_decision_stands_and_an_edit_opens_again(steps: list[str]) -> None:
    acts = [proposing("drone_pilot", "related", "field", "checking a map", "server")]
    state, is_judged = "open", False
    for step in steps:
        (now,) = candidates_of(acts)
        if step == "edit":
            acts.append(editing(now, "hill", "watching a screen", "Ada"))
            state, is_judged = "open", False
        elif step == "judge":
            acts.append(judging(now, Judgement(4, 5, 1)))
            is_judged = True
        else:
            acts.append(deciding(now, step, "Ada"))
            state = {"accept": "accepted", "reject": "rejected", "reopen": "open"}[step]
    (last,) = candidates_of(acts)

    assert (last.state, last.judgement is not None) == (state, is_judged)
    assert candidates_of([*acts, acts[0]]) == (last,)  # put forward again: decided as before


def test_only_what_a_person_accepted_makes_prompts() -> None:
    acts = [proposing("drone_pilot", "related", "field", "checking a map", "server")]
    assert [condition for condition, _ in preview(PILOT, candidates_of(acts)).prompts] == ["CF"]
    acts.append(deciding(candidates_of(acts)[0], "accept", "Ada"))

    found = preview(PILOT, candidates_of(acts))

    assert ("CA-R", "a photo of a drone pilot checking a map in a field") in found.prompts
    assert "1 more related context is needed." in found.warnings
    assert still_needed(candidates_of(acts), ["drone_pilot"]) == {"drone_pilot": 3}


def answering(call: Call) -> Mischief:
    """Proposes a context, and rubbish besides it; judges, and the second judgement is no judgement."""
    text = json.dumps(call.body["messages"])
    assert "image_url" not in text
    if "Propose" in text:
        kind = "workshop" if "belong to" in text else "pantry"
        found = [{"location": kind, "activity": "sorting tools"}, {"location": "", "activity": "x"}, "junk"]
        return Mischief(content="Here you are: " + json.dumps({"contexts": found}))
    judged = {
        "relevance": 5,
        "neutrality": 9 if "pantry" in text else 4,
        "confound": 1,
        "sentence": "It fits.",
    }
    return Mischief(content=json.dumps(judged))


def test_a_server_proposes_and_judges_and_decides_nothing(schema: Schema) -> None:
    with fake_server(answering) as server:
        options = VlmOptions("fake", base_url=server.base_url)
        acts = run_here(ask_for_contexts([PILOT], 3, options, schema))

    candidates = candidates_of(acts)
    assert [(each.kind, each.context.location) for each in candidates] == [
        *(("related", "workshop"), ("unrelated", "pantry"))
    ]
    assert {each.state for each in candidates} == {"open"}
    assert candidates[0].judgement is not None
    assert candidates[0].judgement.is_fine
    assert candidates[1].judgement is None  # 9 of 5 is no judgement
    assert "fake, template" in candidates[0].proposed_by


def test_a_parameter_that_the_server_does_not_take_is_left_out(schema: Schema) -> None:
    def picky(call: Call) -> Mischief:
        for name in ("temperature", "response_format"):
            if name in call.body:
                return error(400, f"Unsupported parameter: '{name}'", "unsupported_parameter", name)
        return answering(call)

    with fake_server(picky) as server:
        options = VlmOptions("fake", base_url=server.base_url, concurrency=1)
        acts = run_here(ask_for_contexts([PILOT], 1, options, schema))

    assert len(candidates_of(acts)) == 2


@pytest.mark.parametrize("text", ["", "no", "[1]", '{"a": ', "{not} {json}"])
def test_a_text_without_an_object_has_none(text: str) -> None:
    assert object_in(text) is None


@pytest.fixture
def study(tmp_path: Path) -> str:
    new_store(tmp_path / "study").close()
    return str(tmp_path / "study")


def test_a_role_is_built_by_hand_on_a_command_line_and_goes_out_and_in(
    study: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for kind, words in (
        ("related", "checking a battery in a field"),
        ("related", "reading a map in a shed"),
        ("unrelated", "buying bread in a shop"),
        ("unrelated", "looking at a picture in a museum"),
    ):
        assert (
            main.main(["bank", study, "review", "--add", f"drone pilot:{kind}:{words}", "--by", "Ada"]) == 0
        )
    capsys.readouterr()
    main.main(["bank", study, "review", "--json"])
    rows = json.loads(capsys.readouterr().out)
    keys = [row["key"] for row in rows]
    assert {row["state"] for row in rows} == {"open"}
    words = [word for key in keys for word in ("--accept", key)]
    assert main.main(["bank", study, "review", *words, "--by", "Ada"]) == 0

    bank, sheet = tmp_path / "bank.json", tmp_path / "bank.csv"
    assert main.main(["bank", study, "export", "--out", str(bank)]) == 0
    assert main.main(["bank", study, "export", "--out", str(sheet)]) == 0
    found = load_contexts(bank)["drone_pilot"]
    assert [context.place for context in found.related] == ["a field", "a shed"]

    made = tmp_path / "made"
    new = [
        "new",
        str(made),
        "--roles",
        "drone_pilot,baker",
        "--contexts",
        str(bank),
        "--unrelated",
        "everyday",
    ]
    assert main.main(new) == 0
    capsys.readouterr()
    main.main(["prompts", str(made)])
    assert "a photograph of a drone pilot checking a battery in a field" in capsys.readouterr().out
    for file in (bank, sheet):
        other = tmp_path / f"other {file.suffix}"
        new_store(other).close()
        assert main.main(["bank", str(other), "import", "--file", str(file), "--by", "Ben"]) == 0
        again = tmp_path / f"again{file.suffix}.json"
        assert main.main(["bank", str(other), "export", "--out", str(again)]) == 0
        assert load_contexts(again) == load_contexts(bank)


def test_prompts_of_another_language_are_worded_on_a_command_line(
    study: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said, bank = tmp_path / "said.json", tmp_path / "bank.json"
    patterns = {"alone": "{wording} {role}", "placed": "{wording} {role}, {place}"}
    patterns["doing"] = "{wording} {role}, {activity}, {place}"
    said.write_text(json.dumps(patterns | {"language": "Italian", "wordings": list("abcdef")}))
    context = "Architetta:related:leggendo una mappa @ piazza"

    assert main.main(["bank", study, "review", "--sentences", str(said), "--add", context]) == 0
    assert "Prompts are now in Italian" in capsys.readouterr().out
    main.main(["bank", study, "review", "--json"])
    (row,) = json.loads(capsys.readouterr().out)
    main.main(["bank", study, "review", "--accept", row["key"], "--by", "Ada"])
    main.main(["bank", study, "export", "--out", str(bank)])

    assert (row["context"], row["problems"]) == ("leggendo una mappa in piazza", "")
    (role, *_), contexts, sentences = own_bank(bank)
    assert sentences.language == "Italian"
    assert sentences.write(role, "a", contexts["architetta"].related[0], with_activity=True) == (
        "a Architetta, leggendo una mappa, piazza"
    )


def test_an_export_of_nothing_accepted_says_so(
    study: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bank = tmp_path / "ctx.json"
    main.main(["bank", study, "review", "--add", "drone pilot:related:flying a drone in field"])
    assert "flying a drone in a field." in capsys.readouterr().out
    main.main(["bank", study, "export", "--out", str(bank)])
    assert "no candidate was accepted yet" in capsys.readouterr().out
    assert main.main(["new", str(tmp_path / "new"), "--contexts", str(bank)]) == 1
    assert "none was accepted yet: `main.py bank STUDY review --accept KEY`" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["review", "--accept", "zz"], "no candidate"),
        (["review", "--add", "nurse:related:sleeping"], "names no place"),
        (["review", "--add", "nurse:sideways:sleeping in a bed"], "no kind of context"),
        (["export"], "No file is named"),
        (["propose"], "No model is named"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(
    study: str, words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main.main(["bank", study, *words]) == 1
    assert sentence in capsys.readouterr().err


def test_a_decision_without_a_name_is_refused() -> None:
    with pytest.raises(BadInput, match="whose"):
        deciding(put("field", "checking a map"), "accept", " ")
