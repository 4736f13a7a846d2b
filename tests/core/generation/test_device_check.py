"""A new device makes three images again before its own count."""

from __future__ import annotations

import contextlib
import io
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image

from core.engines.local import LocalEngine
from core.generation import registry
from core.generation.device_check import DeviceDiffers, compare, difference
from core.generation.worker import OnDevices
from core.jobs import Outcome, run_here
from core.plan import choose_roles, plan_study
from core.running import generate_in
from storage.making import make_study
from storage.store import Store
from tests.core.engines.stand_in import Stepping


@pytest.fixture
def stepping(monkeypatch: pytest.MonkeyPatch) -> Stepping:
    """A quick generator in the place of every other."""
    generator = Stepping()
    monkeypatch.setattr(registry, "by_name", lambda name: generator)
    return generator


@pytest.fixture
def store(tmp_path: Path, stepping: Stepping) -> Store:
    """A study with four images made on the processor."""
    plan = plan_study("audit", choose_roles("baker"), seed=7, unrelated="everyday", images_per_prompt=1)
    made = make_study(tmp_path / "study", plan)
    run_here(generate_in(made, "stepping", limit=4))
    return made


def go_on(store: Store, device: str, *, accepts: bool = False) -> Outcome:
    job = generate_in(store, "stepping", 6, LocalEngine((device,)), accepts_device=accepts)
    return run_here(job)


def png(colour: tuple[int, int, int], side: int = 4) -> bytes:
    data = io.BytesIO()
    Image.new("RGB", (side, side), colour).save(data, "PNG")
    return data.getvalue()


def test_the_device_of_before_is_not_compared(store: Store, stepping: Stepping) -> None:
    before = stepping.steps_begun

    assert go_on(store, "cpu").done == 2

    assert stepping.steps_begun == before + 2 * 4
    assert "device_check" not in store.provenance_of(store.images()[-1].image_id)
    assert store.devices_of("stepping") == {"a cpu": 6}
    store.close()


def test_an_endless_number_in_the_provenance_does_not_stop_a_run_from_going_on(store: Store) -> None:
    with contextlib.closing(sqlite3.connect(store.folder / "study.sqlite")) as other, other:
        endless = "UPDATE image SET provenance_json = '{\"lowest\":-Infinity,' || substr(provenance_json, 2)"
        assert other.execute(endless).rowcount == 4

    assert store.devices_of("stepping") == {"a cpu": 4}
    assert go_on(store, "cpu").done == 2
    store.close()


def test_a_device_that_makes_the_same_counts_and_says_so(store: Store, stepping: Stepping) -> None:
    before = stepping.steps_begun

    assert go_on(store, "gpu").done == 2

    assert stepping.steps_begun == before + (3 + 2) * 4
    facts = store.provenance_of(store.images()[-1].image_id)["device_check"]
    assert facts == {
        "device": "a gpu",
        "elsewhere": ["a cpu"],
        "compared": 3,
        "identical": 3,
        "largest": 0,
        "mean": 0.0,
    }
    assert store.devices_of("stepping") == {"a cpu": 4, "a gpu": 2}
    store.close()


def test_another_rounding_counts_and_is_reported(store: Store, stepping: Stepping) -> None:
    stepping.shift = 2

    assert go_on(store, "gpu").done == 2

    facts = store.provenance_of(store.images()[-1].image_id)["device_check"]
    assert (facts["identical"], facts["largest"], facts["mean"]) == (0, 2, 2.0)
    store.close()


def test_another_picture_stops_the_run_before_anything_is_taken(store: Store, stepping: Stepping) -> None:
    stepping.shift = 90

    with pytest.raises(DeviceDiffers, match=r"a gpu against a cpu: 0 of 3 .*largest difference is 90 of 255"):
        go_on(store, "gpu")
    assert len(store.images()) == 4
    assert store.jobs()[-1].state == "failed"

    assert go_on(store, "gpu", accepts=True).done == 2
    assert store.provenance_of(store.images()[-1].image_id)["device_check"]["largest"] == 90
    store.close()


def test_with_nothing_left_to_make_nothing_is_compared(store: Store, stepping: Stepping) -> None:
    before = stepping.steps_begun

    outcome = run_here(generate_in(store, "stepping", 4, LocalEngine(("gpu",))))

    assert outcome.skipped == 4
    assert stepping.steps_begun == before
    store.close()


@pytest.fixture
def empty(tmp_path: Path, stepping: Stepping) -> Iterator[Store]:
    """A study without an image."""
    plan = plan_study("audit", choose_roles("baker"), seed=7, unrelated="everyday", images_per_prompt=1)
    with make_study(tmp_path / "empty", plan) as made:
        yield made


def test_two_kinds_of_device_in_a_first_run_are_compared_with_each_other(
    empty: Store, stepping: Stepping
) -> None:
    stepping.shifts = {"gpu": 90}
    engine = LocalEngine(("cpu", "gpu"))

    with pytest.raises(DeviceDiffers, match=r"a gpu against a cpu: 0 of 3"):
        run_here(generate_in(empty, "stepping", 6, engine))
    assert not empty.images()

    stepping.shifts, before = {}, stepping.steps_begun
    assert run_here(generate_in(empty, "stepping", 6, engine)).done == 6
    assert stepping.steps_begun == before + (3 + 3 + 6) * 4
    assert run_here(generate_in(empty, "stepping", 8, LocalEngine(("cpu", "cpu")))).done == 2


class Unforeseen(LocalEngine):
    """An engine some of whose work is done where nobody looked."""

    def titles(self, generator: OnDevices) -> dict[str, str]:
        return {"cpu": "a cpu"}


def test_an_image_of_a_device_that_nobody_compared_is_not_taken(store: Store, stepping: Stepping) -> None:
    outcome = run_here(generate_in(store, "stepping", 6, Unforeseen(("gpu",))))

    assert (outcome.done, outcome.failed) == (0, 2)
    assert "a gpu, which was not compared with a cpu" in outcome.failures[0].reason
    assert len(store.images()) == 4
    store.close()


def test_differences_are_of_255_and_another_size_is_as_far_as_can_be() -> None:
    assert difference(png((10, 10, 10)), png((10, 10, 10))) == (0, 0.0)
    assert difference(png((10, 10, 10)), png((10, 13, 10))) == (3, 1.0)
    assert difference(png((10, 10, 10)), png((10, 10, 10), side=5)) == (255, 255.0)


def test_nothing_made_again_is_nothing_compared() -> None:
    assert compare([], [], {}).compared == 0
