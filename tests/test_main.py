"""The command line as a person uses it: the sample study from an empty folder, and every other command."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
from PIL import Image

import main
from storage.store import Store

PROJECT = Path(__file__).resolve().parent.parent
README = (PROJECT / "README.md").read_text(encoding="utf-8")


def run(*arguments: str, folder: Path = PROJECT) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(PROJECT / "main.py"), *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, subprocess.CompletedProcess[str]]:
    """The sample study made in an empty folder, and what was printed."""
    folder = tmp_path_factory.mktemp("demo") / "sample"
    return folder, run("demo", "--study", str(folder), "--no-window", "--no-phantom")


@pytest.fixture
def study(tmp_path: Path) -> Path:
    assert (
        run(
            "new", str(tmp_path / "study"), "--roles", "doctor,nurse,baker,farmer,teacher,mechanic"
        ).returncode
        == 0
    )
    return tmp_path / "study"


def test_the_demo_prints_bias_intensity_with_the_planted_truth_in_every_interval(demo) -> None:
    folder, done = demo

    assert done.returncode == 0, done.stderr
    planted = pd.read_csv(folder / "tables" / "planted_bi.csv")
    cohorts = planted[planted["dimension"] == "ALL"].dropna(subset=["planted"])
    assert set(zip(cohorts["generator"], cohorts["condition"], strict=True)) == {
        (generator, condition) for generator in ("drawn-a", "drawn-b") for condition in ("CF", "CA-R", "CA-U")
    }
    assert cohorts["is_inside"].eq(True).all(), cohorts
    assert all(f"{value:.3f}" in done.stdout for value in cohorts["value"])


def test_at_least_95_percent_of_planted_prevalences_lie_in_their_intervals(demo) -> None:
    folder, done = demo

    planted = pd.read_csv(folder / "tables" / "planted_prevalence.csv")
    decided = planted[(planted["planted"] > 0) & planted["is_inside"].notna()]
    assert len(decided) > 4000
    assert decided["is_inside"].eq(True).mean() >= 0.95
    assert f"of {len(decided)} planted shares" in done.stdout


def test_kappa_of_the_pipeline_is_near_what_the_stated_errors_imply(demo) -> None:
    folder, _ = demo

    tables = folder / "tables"
    agreement, implied = pd.read_csv(tables / "agreement.csv"), pd.read_csv(tables / "implied.csv")
    measured = agreement[(agreement["scope"] == "pipeline") & (agreement["statistic"] == "cohen_kappa")]
    both = implied.merge(measured, on="question", suffixes=("_implied", "")).dropna(
        subset=["value", "value_implied"]
    )
    assert len(both) >= 15
    assert (both["value"] - both["value_implied"]).abs().median() < 0.08
    inside = (both["low"] <= both["high_implied"]) & (both["low_implied"] <= both["high"])
    assert inside.mean() >= 0.9, both[~inside]


def test_a_second_demo_reuses_what_is_there(demo) -> None:
    folder, first = demo

    again = run("demo", "--study", str(folder), "--no-window", "--no-phantom")

    assert again.stdout == first.stdout
    with Store.open(folder) as store:
        jobs = store.jobs()
    assert {job.state for job in jobs} == {"done"}
    half = len(jobs) // 2
    assert sum(job.done for job in jobs[:half]) > 0
    assert sum(job.done for job in jobs[half:]) == 0
    assert all(job.asked == job.done + job.failed + job.skipped for job in jobs)


def test_the_readme_names_every_table_that_the_demo_writes(demo) -> None:
    folder, _ = demo

    written = {path.name for path in (folder / "tables").iterdir()}

    assert {name for name in written if f"`{name}`" not in README} == set()


def test_everything_simulated_says_so_and_goes_in_one_act(demo, tmp_path: Path) -> None:
    import shutil

    folder, done = demo
    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)

    removed = run("simulate", str(copy), "--remove")

    assert "simulated" in done.stdout.splitlines()[0]
    assert removed.returncode == 0
    with Store.open(copy) as store:
        assert not store.has_simulated()
        assert store.annotators() == []


def test_without_a_display_the_demo_says_how_to_open_the_window(demo) -> None:
    folder, _ = demo
    code = (
        "import os, sys;"
        "[os.environ.pop(name, 0) for name in ('DISPLAY', 'WAYLAND_DISPLAY', 'QT_QPA_PLATFORM')];"
        f"import main; sys.exit(main.main(['demo', '--study', {str(folder)!r}, '--no-phantom']))"
    )

    done = subprocess.run(
        [sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True, check=False
    )

    assert done.returncode == 0
    if sys.platform.startswith("linux"):
        assert "There is no display" in done.stderr
        assert "main.py window" in done.stderr


def test_a_study_of_own_pictures_from_new_to_tables(study: Path, tmp_path: Path) -> None:
    assert "108 prompts" not in run("prompts", str(study)).stdout
    assert len(run("prompts", str(study)).stdout.splitlines()) == 108
    assert run("prompts", str(study), "--out", str(tmp_path / "prompts.csv")).returncode == 0
    made = run("generate", str(study), "--generator", "drawn-a", "--limit", "30")
    assert "30 images asked: 30 done, 0 failed, 0 skipped." in made.stdout
    again = run("generate", str(study), "--generator", "drawn-a", "--limit", "30")
    assert "0 done, 0 failed, 30 skipped" in again.stdout
    assert "30 done" in run("extract", str(study), "--extractor", "drawn-truth").stdout

    analysed = run("analyse", str(study), "--bootstrap", "20", "--out", str(tmp_path / "tables"))

    assert analysed.returncode == 0, analysed.stderr
    assert (tmp_path / "tables" / "persistence.csv").exists()
    account = json.loads((tmp_path / "tables" / "run.json").read_text())
    assert account["analyse"]["mode"] == "audit"


def test_pictures_made_elsewhere_are_reported_file_by_file(study: Path, tmp_path: Path) -> None:
    folder = tmp_path / "in" / "Context-free_CF" / "baker" / "a_photo_of_a_baker"
    folder.mkdir(parents=True)
    Image.new("RGB", (32, 32), "teal").save(folder / "image_0_seed_4.jpg")
    (folder / "broken.png").write_bytes(b"\x89PNG\r\n\x1a\n and nothing else")

    done = run("import-images", str(study), str(tmp_path / "in"))

    assert "2 files asked: 1 done, 1 failed, 0 skipped." in done.stdout
    assert "broken.png" in done.stderr
    with Store.open(study) as store:
        (image,) = store.images()
        assert (image.role, image.condition, image.seed) == ("baker", "CF", 4)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("prompts", "nowhere"), "nowhere"),
        (("new", "x", "--roles", "astronaut"), "Not in the bank: astronaut."),
        (("new", "x", "--roles", "6", "--generators", "dall-e"), "There is no generator 'dall-e'"),
        (("new", ""), "needs a folder"),
        (("new", "/proc/nowhere/x", "--roles", "6"), "No study can be made"),
        (("analyse", "x", "--out", "y", "--bootstrap", "1000000000"), "must be a whole number"),
        (("agreement", "--out", "x"), "Name a study or a table of answers"),
        (("analyse", "--out", "x"), "one of the three"),
        (("analyse", "--labels", "missing.csv", "--out", "x"), "missing.csv"),
        (("extract", "nowhere", "--extractor", "none"), "nowhere"),
    ],
)
def test_what_cannot_be_done_gets_one_sentence_and_exit_code_1(
    arguments: tuple[str, ...], sentence: str, tmp_path: Path
) -> None:
    done = run(*arguments, folder=tmp_path)

    assert done.returncode == 1
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_a_missing_package_gets_the_line_that_mends_it(monkeypatch, capsys) -> None:
    def without_pandas(chosen: object) -> int:
        raise ModuleNotFoundError("No module named 'pandas'", name="pandas")

    monkeypatch.setitem(main.COMMANDS, "check", without_pandas)

    assert main.main(["check"]) == 1
    assert "pandas is not installed. Run:" in capsys.readouterr().err


def test_an_old_python_gets_one_sentence(monkeypatch, capsys) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 10, 4))

    assert main.main([]) == 1
    assert "3.11 or newer" in capsys.readouterr().err


def test_main_can_be_read_by_an_older_python() -> None:
    import ast

    ast.parse((PROJECT / "main.py").read_text(encoding="utf-8"), feature_version=(3, 7))


def test_a_fault_of_ours_shows_its_traceback_and_exits_with_2(monkeypatch, capsys) -> None:
    def broken(chosen: object) -> int:
        raise RuntimeError("planted")

    monkeypatch.setitem(main.COMMANDS, "check", broken)

    assert main.main(["check"]) == 2
    assert "RuntimeError: planted" in capsys.readouterr().err


def test_the_doctor_finds_a_missing_image(study: Path) -> None:
    run("generate", str(study), "--generator", "drawn-a", "--limit", "3")
    with Store.open(study) as store:
        (study / store.images()[0].path).unlink()

    done = run("doctor", str(study))

    assert done.returncode == 1
    assert "1 finding in" in done.stdout


def test_the_pipeline_is_compared_once_the_round_is_locked(tmp_path: Path) -> None:
    study = tmp_path / "study"
    run(
        "new", str(study), "--roles", "doctor,nurse,baker,farmer,teacher,mechanic", "--images-per-prompt", "2"
    )
    run("generate", str(study), "--generator", "drawn-a", "--limit", "40")
    run("extract", str(study), "--extractor", "drawn-reader")
    assert run("simulate", str(study)).returncode == 0

    closed = run("agreement", str(study), "--bootstrap", "0", "--out", str(tmp_path / "closed"))
    opened = run(
        "agreement", str(study), "--bootstrap", "0", "--out", str(tmp_path / "opened"), "--before-lock"
    )

    assert "once the round is locked" in closed.stderr
    scopes = [set(pd.read_csv(tmp_path / name / "agreement.csv")["scope"]) for name in ("closed", "opened")]
    assert not {"pipeline", "pipeline image"} & scopes[0]
    assert {"pipeline", "pipeline image", "pipeline minus people image"} <= scopes[1]
    assert (
        json.loads((tmp_path / "opened" / "run.json").read_text())["agreement"]["compared_before_lock"]
        is True
    )
    assert "simulated" in closed.stderr
    assert opened.returncode == 0


def test_a_limit_makes_exactly_so_many_images_and_a_second_run_the_next_ones(study: Path) -> None:
    first = run("generate", str(study), "--generator", "drawn-a", "--limit", "3")
    again = run("generate", str(study), "--generator", "drawn-a", "--limit", "5")

    assert "3 images asked: 3 done, 0 failed, 0 skipped" in first.stdout
    assert "5 images asked: 2 done, 0 failed, 3 skipped" in again.stdout


def test_a_deleted_drawn_image_is_made_again_and_the_doctor_is_content(study: Path) -> None:
    run("generate", str(study), "--generator", "drawn-a", "--limit", "3")
    first = next((study / "images").glob("?/*.*"))
    before = first.read_bytes()
    first.unlink()
    assert run("doctor", str(study)).returncode == 1

    made = run("generate", str(study), "--generator", "drawn-a", "--limit", "3")

    assert "1 done, 0 failed, 2 skipped" in made.stdout
    assert first.read_bytes() == before
    whole = run("doctor", str(study), "--contents")
    assert (whole.returncode, "nothing is wrong" in whole.stdout) == (0, True)


def test_the_demo_never_fills_a_study_of_ones_own(study: Path) -> None:
    before = (study / "study.sqlite").read_bytes()

    done = run("demo", "--study", str(study), "--no-window")

    assert done.returncode == 1
    assert "sample" in done.stderr
    assert (study / "study.sqlite").read_bytes() == before


def test_output_that_the_terminal_cannot_show_stops_nothing(study: Path) -> None:
    command = [sys.executable, str(PROJECT / "main.py"), "prompts", str(study)]
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    environment.pop("PYTHONUTF8", None)

    done = subprocess.run(command, env=environment, capture_output=True, check=False)

    assert done.returncode == 0, done.stderr


def test_a_packet_that_is_not_there_is_told_and_not_waited_for(tmp_path: Path) -> None:
    # As a double-click gives it; with the command `annotate` it is the same.
    command = [sys.executable, str(PROJECT / "main.py"), str(tmp_path / "none.packet")]
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}

    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=60)

    assert done.returncode == 1
    assert done.stderr.startswith(f"There is no file {tmp_path / 'none.packet'}.")
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_no_packet_is_told_in_a_sentence_and_left_alone(tmp_path: Path, monkeypatch, capsys):
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")  # nobody would see a window that says it
    (tmp_path / "mail.packet").write_text("hello")

    assert main.main(["annotate", str(tmp_path / "mail.packet")]) == 1

    assert capsys.readouterr().err.splitlines()[-1].startswith(f"{tmp_path / 'mail.packet'} is no packet.")
    assert [path.read_text() for path in tmp_path.iterdir()] == ["hello"]


def test_interrupted_before_the_command_began(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("core.command_line.parser", interrupted)
    assert main.main(["check"]) == 130
    assert capsys.readouterr().err == "Cancelled; what was done is kept.\n"
