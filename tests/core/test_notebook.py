"""`core` from a notebook: an audit of a plain DataFrame, without Qt, without a store, without a file."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]

NOTEBOOK = """
import pandas as pd
from core.analysis import analyse
from core.jobs import run_here
from core.schema import load_schema
from core.power.design import PowerDesign
from core.power.panel import power_panel
from core.statistics.cohen_kappa import cohen_kappa

rows = [
    ("mine", f"role {role}", condition, f"{role} {condition} {prompt}",
     f"{role} {condition} {prompt} {image}", "age_range",
     "Young adult" if image or condition == "CF" else "Middle-aged")
    for role in range(6) for condition in ("CF", "CA-R", "CA-U") for prompt in range(5) for image in range(2)
]
columns = ["generator", "role", "condition", "prompt", "image", "dimension", "label"]
frame = pd.DataFrame(rows, columns=columns)
before = frame.copy()
result = run_here(analyse(frame, load_schema(), bootstrap=50))
persistence = result.tables["persistence"].set_index(["role", "label"])
row = persistence.loc[("role 0", "middle_aged")]
print(int(row["x_cf"]), int(row["x_car"]), int(row["n_cf"]), row["range_pp"])
print(len(result.tables["joined_labels"]), frame.equals(before))
print(round(cohen_kappa([[0, 0], [0, 1], [1, 1], [1, 1]], 2).value, 3))
panel = run_here(power_panel(PowerDesign(roles=2, replicates=100, image_sets=5)))
print(len(panel.findings))
import sys
loaded = {name.split(".")[0] for name in sys.modules}
others = {"PySide6", "shiboken6", "storage", "annotation", "gui", "sqlite3", "matplotlib", "torch"}
print(sorted(loaded & others))
"""


def test_an_audit_from_a_frame_needs_neither_qt_nor_a_store(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", NOTEBOOK],
        cwd=tmp_path,
        env={"PYTHONPATH": str(PROJECT), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["0 5 10 50.0", "2 True", "0.5", "10", "[]"]
    assert not list(tmp_path.iterdir())
