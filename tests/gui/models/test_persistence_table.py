"""A table of 96,000 rows is sorted and filtered without losing which row is which."""

from __future__ import annotations

import numpy as np
import pytest

from gui.models.persistence_data import (
    NUMBERS,
    VERDICTS,
    Filter,
    PersistenceData,
    Words,
    rank_of_numbers,
    rank_of_words,
)
from gui.models.persistence_table import PersistenceModel

ROWS = 96_000
SIZES = {"generator": 4, "role": 92, "dimension": 30, "label": 3000, "prompt": 50, "reason": 3}


@pytest.fixture(scope="module")
def table() -> PersistenceData:
    """A synthetic table of the design size; a third of its scores is undefined."""
    rng = np.random.default_rng(0)
    words = {}
    for name, size in SIZES.items():
        ids = tuple(f"{name} {number}" for number in range(size))
        words[name] = Words(rng.integers(0, size, ROWS), ids, ids)
    numbers = {name: rng.random(ROWS) for name in NUMBERS}
    numbers["ccs"][rng.random(ROWS) < 1 / 3] = np.nan
    verdict = rng.integers(0, 3, ROWS)
    images = np.full((ROWS, 3), 60)
    shown = rng.integers(0, 61, (ROWS, 3))
    ranks = {name: rank_of_words(words[name]) for name in ("generator", "role", "dimension", "label")}
    ranks |= {name: rank_of_numbers(values) for name, values in numbers.items()}
    return PersistenceData(
        **words,
        **numbers,
        verdict=verdict,
        x=shown,
        n=images,
        low=shown / 60,
        high=shown / 60,
        move=rng.random(ROWS),
        published=verdict % 2,
        ranks={**ranks, "verdict": verdict, "published": verdict % 2},
    )


@pytest.fixture
def model(table: PersistenceData) -> PersistenceModel:
    """The model over the whole table."""
    made = PersistenceModel()
    made.set_table(table)
    return made


@pytest.mark.parametrize("key", ["range_pp", "label", "ccs", "p_adjusted", "verdict", "prevalence"])
@pytest.mark.parametrize("is_down", [True, False])
def test_sorting_keeps_every_row_once_and_says_which_it_is(
    model: PersistenceModel, table: PersistenceData, key: str, is_down: bool
):
    model.sort_by(key, is_down)

    assert np.array_equal(np.sort(model.order), np.arange(ROWS))
    for row in (0, 1, 17, ROWS // 2, ROWS - 1):
        at = model.data_row(row)
        assert model.row(row).label == table.label.id_at(at)
        assert model.row(row).shown == tuple(table.x[at])
        assert model.row_of(at) == row


def test_undefined_scores_come_last_in_either_order(model: PersistenceModel, table: PersistenceData):
    undefined = int(np.isnan(table.ccs).sum())
    for is_down in (True, False):
        model.sort_by("ccs", is_down)

        values = table.ccs[model.order]

        assert np.isnan(values[-undefined:]).all()
        defined = values[:-undefined]
        assert (np.diff(defined) <= 0).all() if is_down else (np.diff(defined) >= 0).all()


def test_equal_rows_stay_in_the_order_of_the_table(model: PersistenceModel, table: PersistenceData):
    model.sort_by("verdict", False)

    for verdict in range(3):
        rows = model.order[table.verdict[model.order] == verdict]
        assert (np.diff(rows) > 0).all()


def test_filters_together_show_what_passes_all_of_them(model: PersistenceModel, table: PersistenceData):
    wanted = Filter("generator 1", "role 5", None, "label 1", frozenset({"changed", "invariant"}))

    model.set_filter(wanted)

    slow = [
        at
        for at in range(ROWS)
        if table.generator.id_at(at) == "generator 1"
        and table.role.id_at(at) == "role 5"
        and any("label 1" in words.name_at(at) for words in (table.label, table.dimension, table.role))
        and VERDICTS[table.verdict[at]] in ("changed", "invariant")
    ]
    assert sorted(int(at) for at in model.order) == slow
    assert model.rowCount() == len(slow) > 0


def test_chips_count_what_the_other_filters_let_pass(model: PersistenceModel, table: PersistenceData):
    model.set_filter(Filter(role="role 5", verdicts=frozenset({"changed"})))

    here = table.verdict[table.role.codes == 5]

    assert model.counts == {verdict: int((here == at).sum()) for at, verdict in enumerate(VERDICTS)}


def test_a_row_that_is_filtered_out_has_no_place(model: PersistenceModel, table: PersistenceData):
    model.set_filter(Filter(generator="generator 0"))
    other = int(np.flatnonzero(table.generator.codes == 1)[0])

    assert model.row_of(other) == -1
    assert model.row_of(-1) == -1
