"""The next sensible act follows from the counts alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gui.models.next_act import Counts, next_act

READY = Counts(prompts=1656, generators=0)
MADE = replace(READY, generators=2, images=100, images_wanted=100)
READ = replace(MADE, records=100)
ROUND = replace(READ, image_sets=12, open_rounds=1)
PEOPLE = replace(ROUND, annotators=2, answers=100, answers_wanted=552, open_answers=452)
ALL_IN = replace(PEOPLE, answers=552, open_answers=0)
LOCKED = replace(ALL_IN, open_rounds=0, locked_rounds=1)


@pytest.mark.parametrize(
    ("counts", "page", "button"),
    [
        (Counts(), "generate", "Import a folder"),
        (READY, "generate", "Choose generators"),
        (replace(MADE, images=60), "generate", "Continue generating"),
        (MADE, "extract", "Check and extract"),
        (READ, "team", "Design a round"),
        (ROUND, "annotate", "Annotate"),
        (replace(ROUND, annotators=2), "annotate", "Annotate"),
        (PEOPLE, "annotate", "Annotate"),
        (replace(PEOPLE, packets_out=2), "team", "Look at the team"),
        (ALL_IN, "team", "Look at the team"),
        (LOCKED, "agreement", "Read agreement"),
    ],
)
def test_the_first_thing_missing_is_next(counts: Counts, page: str, button: str):
    act = next_act(counts)

    assert (act.page, act.button) == (page, button)
    assert act.title
    assert act.reason


def test_nobody_asked_is_not_everything_answered():
    assert next_act(ROUND).facts == "Nobody has been asked yet: 12 image sets wait for annotators."
    assert next_act(replace(PEOPLE, packets_out=2)).facts == "452 answers are still open. 2 packets are out."
    assert next_act(ALL_IN).title == "Lock the round"


def test_what_runs_already_is_not_asked_for():
    running = replace(MADE, images=60, is_generating=True)

    assert next_act(running).page == "extract"
    assert next_act(replace(running, is_extracting=True)).page == "team"


def test_time_is_claimed_only_where_it_was_measured():
    unread = replace(MADE, images=18250, images_wanted=18250)

    assert "measured on the first few" in next_act(unread).facts
    assert next_act(replace(unread, extracting_pace=59 / 60)).facts.startswith("About 5 h 10 min at the 59")


def test_one_image_is_one_image():
    assert next_act(replace(READ, images=101)).title == "Extract records from 1 new image"
