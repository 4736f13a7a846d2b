"""Images by prompt, newest first, and where they stand."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication

from core.records import Condition, ImageStatus, StoredImage
from gui.generate.groups import Groups
from gui.generate.sheet_geometry import SheetGeometry, columns_in


def image(number: int, prompt: str, status: ImageStatus = ImageStatus.OK) -> StoredImage:
    return StoredImage(
        *(number, "drawn-a", "baker", Condition.CF, prompt, number, "hash", "path", "thumbnail"),
        *(64, 64, status),
    )


def test_the_prompt_whose_image_is_newest_comes_first():
    groups = Groups(asked=2)
    groups.add([image(1, "a"), image(2, "b"), image(3, "c")])

    groups.add([image(4, "a")])

    assert [group.prompt for group in groups.newest_first()] == ["a", "c", "b"]
    assert [len(group.images) for group in groups.newest_first()] == [2, 1, 1]


def test_images_that_are_there_already_change_nothing():
    groups = Groups()
    groups.add([image(1, "a"), image(2, "b")])

    assert not groups.add([image(1, "a"), image(2, "b")])
    assert len(groups) == 2


def test_a_black_image_has_a_place_and_is_not_counted_as_made():
    groups = Groups(asked=3)
    groups.add([image(1, "a"), image(2, "a", ImageStatus.BLACK)])

    (group,) = groups.newest_first()
    assert (group.made, group.cells) == (1, 3)


def test_more_images_than_asked_for_all_have_a_place():
    groups = Groups(asked=1)
    groups.add([image(1, "a"), image(2, "a")])

    assert groups.newest_first()[0].cells == 2


@pytest.mark.usefixtures("theme")
class TestGeometry:
    """Two groups of ten and seven cells, five in a row."""

    @pytest.fixture
    def sheet(self, qapp: QApplication) -> SheetGeometry:
        return SheetGeometry([10, 7], 600)

    def test_a_point_in_a_square_finds_its_cell_and_a_point_between_finds_none(self, sheet: SheetGeometry):
        assert sheet.cell_at(sheet.place(1, 6).center()) == (1, 6)
        assert sheet.cell_at(sheet.head(1).center()) is None

    def test_groups_lie_below_each_other(self, sheet: SheetGeometry):
        assert sheet.place(0, 9).bottom() < sheet.head(1).top()
        assert sheet.place(1, 6).bottom() < sheet.height
        assert list(sheet.groups_in(0, 10)) == [0]
        assert list(sheet.groups_in(0, sheet.height)) == [0, 1]

    def test_down_goes_to_the_next_row_also_of_the_next_group(self, sheet: SheetGeometry):
        filled = [10, 7]

        assert sheet.step((0, 2), 0, 1, filled) == (0, 7)
        assert sheet.step((0, 7), 0, 1, filled) == (1, 2)
        assert sheet.step((1, 4), 0, 1, filled) == (1, 6)
        assert sheet.step((1, 5), 0, 1, filled) == (1, 5)

    def test_right_goes_on_in_the_next_group_and_left_back(self, sheet: SheetGeometry):
        assert sheet.step((0, 9), 1, 0, [10, 7]) == (1, 0)
        assert sheet.step((1, 0), -1, 0, [10, 7]) == (0, 9)
        assert sheet.step((0, 0), -1, 0, [10, 7]) == (0, 0)

    def test_places_of_images_to_come_are_not_stepped_on(self, sheet: SheetGeometry):
        assert sheet.step((0, 2), 1, 0, [3, 1]) == (1, 0)
        assert sheet.step((0, 2), 0, 1, [3, 1]) == (1, 0)

    def test_ten_stand_side_by_side_only_where_there_is_room(self):
        assert [columns_in(width, 10) for width in (200, 500, 900, 1400)] == [2, 5, 5, 10]
        assert columns_in(1400, 5) == 5
