"""Work for SLURM: written, carried out by a stand-in `sbatch`, taken in as often as one likes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import main
from core.engines.collecting import collect
from core.engines.slurm import run_shard, write_work
from core.errors import BadInput
from core.generation import registry
from core.generation.generator import Generator
from core.generation.study_job import plan_of, tasks_of
from core.jobs import Outcome, run_here
from core.plan import choose_roles, plan_study
from core.running import generate_in
from storage.making import make_study
from storage.store import Store
from tests.core.engines.stand_in import Stepping

SBATCH = """#!/bin/sh
# Runs every job of the array, one after the other, as SLURM would on its nodes.
last=$(sed -n 's/^#SBATCH --array=0-//p' "$1")
number=0
while [ "$number" -le "$last" ]; do
    SLURM_ARRAY_TASK_ID=$number sh "$1"
    number=$((number + 1))
done
"""


@pytest.fixture
def study(tmp_path: Path) -> Path:
    """A study of one role, 18 images."""
    plan = plan_study("audit", choose_roles("baker"), seed=7, unrelated="everyday", images_per_prompt=1)
    make_study(tmp_path / "study", plan).close()
    return tmp_path / "study"


@pytest.fixture
def stepping(monkeypatch: pytest.MonkeyPatch) -> Stepping:
    """A quick generator in the place of every other."""
    generator = Stepping()
    monkeypatch.setattr(registry, "by_name", lambda name: generator)
    return generator


def written(store: Store, folder: Path, generator: Generator, shards: int = 3) -> tuple[int, int]:
    return write_work(folder, generator, tasks_of(*plan_of(store)), store, shards)


def carry_out(folder: Path, generator: Generator, *numbers: int) -> list[Outcome]:
    return [run_here(run_shard(folder, number, lambda name: generator)) for number in numbers]


def hashes(store: Store) -> dict[tuple[str, int], str]:
    return {(one.prompt, one.seed): one.sha256 for one in store.images()}


def test_a_stand_in_cluster_makes_what_this_machine_makes(
    study: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """From the command line, with the script that is written, in processes of their own."""
    tools = tmp_path / "bin"
    tools.mkdir()
    (tools / "sbatch").write_text(SBATCH)
    (tools / "sbatch").chmod(0o755)
    work = tmp_path / "work on the cluster"
    words = ["generate", str(study), "--generator", "drawn-a", "--limit", "5"]
    slurm = [*words, "--engine", "slurm", "--folder", str(work)]

    assert main.main([*slurm, "--workers", "2"]) == 0
    assert "5 images in 2 jobs" in capsys.readouterr().out
    environment = os.environ | {"PATH": f"{tools}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        ["sbatch", str(work / "job.sh")], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.count("4 images asked: 4 done") == 2, "three in common, to compare devices by"
    assert main.main([*slurm, "--collect"]) == 0
    assert "5 images asked: 5 done, 0 failed, 0 skipped" in capsys.readouterr().out
    assert main.main([*slurm, "--collect"]) == 0
    assert "5 images asked: 0 done, 0 failed, 5 skipped" in capsys.readouterr().out

    with Store.open(study) as store:
        collected = hashes(store)
        assert store.truth_of([store.images()[0].image_id])
        assert main.main(words) == 0
    assert "5 images asked: 0 done, 0 failed, 5 skipped" in capsys.readouterr().out
    plan = plan_study("audit", choose_roles("baker"), seed=7, unrelated="everyday", images_per_prompt=1)
    with make_study(tmp_path / "here", plan) as here:
        run_here(generate_in(here, "drawn-a", limit=5))
        assert hashes(here) == collected


def test_what_is_finished_is_taken_while_other_jobs_still_run(
    study: Path, tmp_path: Path, stepping: Stepping
) -> None:
    with Store.open(study) as store:
        assert written(store, tmp_path / "work", stepping) == (3, 18)
        carry_out(tmp_path / "work", stepping, 1)
        first = run_here(collect(tmp_path / "work", store))
        carry_out(tmp_path / "work", stepping, 0, 2)
        second = run_here(collect(tmp_path / "work", store))

        assert (first.asked, first.done, first.skipped) == (6, 6, 0)
        assert (second.asked, second.done, second.skipped) == (18, 12, 6)
        assert len(hashes(store)) == 18
        with pytest.raises(BadInput, match="Every image of stepping is there"):
            written(store, tmp_path / "more", stepping)


def test_a_job_run_again_goes_on_where_it_was(study: Path, tmp_path: Path, stepping: Stepping) -> None:
    folder = tmp_path / "work"
    with Store.open(study) as store:
        written(store, folder, stepping, 1)
    job = run_shard(folder, 0, lambda name: stepping)
    while len(list((folder / "done" / "0000").glob("*.json"))) < 4:
        next(job)
    job.close()
    before = {path: path.stat().st_mtime_ns for path in (folder / "done" / "0000").iterdir()}

    (outcome,) = carry_out(folder, stepping, 0)

    assert outcome.skipped == len(before) // 2 >= 4
    assert outcome.done + outcome.skipped == 18
    assert {path: path.stat().st_mtime_ns for path in before} == before
    assert not list(folder.rglob("*.part"))


def test_damaged_files_are_failures_and_the_rest_is_taken(
    study: Path, tmp_path: Path, stepping: Stepping
) -> None:
    folder = tmp_path / "work"
    with Store.open(study) as store:
        written(store, folder, stepping, 1)
        carry_out(folder, stepping, 0)
        pictures = sorted((folder / "done" / "0000").glob("*.png"))
        pictures[0].write_bytes(pictures[0].read_bytes()[:-5])
        pictures[1].unlink()
        pictures[2].with_suffix(".json").write_text("{")
        facts = json.loads(pictures[3].with_suffix(".json").read_text())
        pictures[3].with_suffix(".json").write_text(json.dumps(facts | {"seed": 12345}))

        outcome = run_here(collect(folder, store))

        assert (outcome.done, outcome.failed) == (14, 4)
        reasons = " ".join(one.reason for one in outcome.failures)
        for said in ("not the one it describes", "is damaged", "made with other settings"):
            assert said in reasons
        assert len(store.images()) == 14


def test_another_device_is_compared_by_the_images_that_every_shard_makes_again(
    study: Path, tmp_path: Path, stepping: Stepping
) -> None:
    folder = tmp_path / "work"
    with Store.open(study) as store:
        run_here(generate_in(store, "stepping", limit=4))
        written(store, folder, stepping, 2)
        far, near = Elsewhere("gpu", shift=90), Elsewhere("other gpu", shift=1)
        carry_out(folder, far, 0)
        carry_out(folder, near, 1)

        outcome = run_here(collect(folder, store))

        assert (outcome.done, outcome.failed) == (7, 7)
        assert {one.kind for one in outcome.failures} == {"DeviceDiffers"}
        assert "a gpu against a cpu: 0 of 3 images are the same" in outcome.failures[0].reason
        facts = store.provenance_of(store.images()[-1].image_id)["device_check"]
        assert (facts["device"], facts["elsewhere"], facts["largest"]) == ("a other gpu", ["a cpu"], 1)
        accepted = run_here(collect(folder, store, accepts_device=True))
        assert (accepted.done, accepted.skipped) == (7, 7)


class Elsewhere(Stepping):
    """The same generator on another device, which rounds differently or makes other pictures."""

    def __init__(self, device: str, shift: int) -> None:
        super().__init__()
        self.device = device
        self.shift = shift

    def devices(self) -> tuple[str, ...]:
        return (self.device,)


def test_work_is_not_written_over_and_other_settings_make_nothing(
    study: Path, tmp_path: Path, stepping: Stepping
) -> None:
    folder = tmp_path / "work"
    with Store.open(study) as store:
        written(store, folder, stepping)
        with pytest.raises(BadInput, match="holds work already"):
            written(store, folder, stepping)
    with pytest.raises(BadInput, match="has no shard 3"):
        carry_out(folder, stepping, 3)
    with pytest.raises(BadInput, match="holds no work"):
        carry_out(tmp_path, stepping, 0)
    stepping.settings = {"kind": "stand-in", "steps": 9}
    with pytest.raises(BadInput, match="has other settings here"):
        carry_out(folder, stepping, 0)


def test_the_script_names_this_python_and_the_shard(study: Path, tmp_path: Path, stepping: Stepping) -> None:
    folder = tmp_path / "a folder"
    with Store.open(study) as store:
        written(store, folder, stepping, 2)

    script = (folder / "job.sh").read_text()

    assert "#SBATCH --array=0-1\n" in script
    assert sys.executable in script
    assert f"shard '{folder}' \"$SLURM_ARRAY_TASK_ID\"" in script
