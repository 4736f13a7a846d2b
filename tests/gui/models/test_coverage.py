"""The coverage grid as values."""

from __future__ import annotations

import pytest

from core.records import Condition
from gui.models.coverage import Cell, Key, Layer, coverage_table, matching
from storage.study import Coverage


def row(
    role: str, generator: str | None, condition: Condition | None = Condition.CF, **counts: int
) -> Coverage:
    every = {"prompts": 6, "images": 0, "images_left_out": 0, "records": 0, "image_sets": 0, "answers": 0}
    return Coverage(role, condition, generator, **(every | counts))


def test_five_means_all_and_nothing_less():
    assert [Cell(done, 60).step for done in (0, 1, 14, 15, 30, 45, 59, 60, 61)] == [0, 1, 1, 2, 3, 4, 4, 5, 5]
    assert Cell(0, 0).step == 0
    assert not Cell(0, 0).is_complete


def test_black_images_leave_a_cell_unfinished_and_are_counted_as_failed():
    table = coverage_table([row("baker", "sdxl", images=57, images_left_out=3)], 10)
    cell = table.cell(Layer.IMAGES, Key("baker", "sdxl", Condition.CF))

    assert cell == Cell(57, 60, 3)
    assert table.unfinished(Layer.IMAGES) == ("baker",)


def test_more_images_than_planned_are_still_all():
    table = coverage_table([row("baker", "own", images=100)], 10)

    assert table.cell(Layer.IMAGES, Key("baker", "own", Condition.CF)).is_complete


def test_prompts_count_once_however_many_generators():
    table = coverage_table([row("baker", "sdxl"), row("baker", "flux")], 10)

    assert table.sum(Layer.PROMPTS).done == 6
    assert table.sum(Layer.IMAGES).whole == 120


def test_a_study_without_generators_still_has_its_prompts():
    table = coverage_table([row("baker", None)], 10)

    assert table.generators == (None,)
    assert table.sum(Layer.PROMPTS).done == 6


def test_pictures_of_no_condition_have_a_column_of_their_own_at_the_end():
    table = coverage_table([row("baker", "own", None), row("baker", "own", Condition.CA_U)], 10)

    assert table.conditions == (Condition.CA_U, None)


def test_answers_want_what_the_round_asks_for():
    key = Key("baker", "sdxl", Condition.CF)
    table = coverage_table([row("baker", "sdxl", image_sets=1, answers=46)], 10, {key: 69})

    assert table.cell(Layer.ANSWERS, key) == Cell(46, 69)
    assert table.is_in_human_study("baker")


@pytest.mark.parametrize(("text", "found"), [("", 2), ("bus d", 1), ("BUS_DRIVER", 1), ("x", 0)])
def test_roles_are_found_as_they_are_written_or_read(text: str, found: int):
    assert len(matching(("baker", "bus_driver"), text)) == found


def test_the_export_has_a_row_a_cell_with_all_layers():
    table = coverage_table([row("baker", "sdxl", images=1), row("baker", "flux")], 10)

    assert [(one["generator"], one["images"], one["images_wanted"]) for one in table.as_rows()] == [
        ("sdxl", 1, 60),
        ("flux", 0, 60),
    ]
