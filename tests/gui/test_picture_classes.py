"""Pictures read in many threads at once."""

import os
import subprocess
import sys
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).resolve().parents[2]

MANY_READERS = """
import os, sys, threading
from pathlib import Path
from PySide6.QtGui import QGuiApplication

app = QGuiApplication([])
from gui.widgets import thumbnails

sys.setswitchinterval(1e-5)
path, start, threads, seen = Path(sys.argv[1]), threading.Barrier(8), [], []

def read():
    start.wait()
    thumbnails.decoded(path, 64)
    seen.append(not thumbnails.decoded(path, 64).isNull())


for _ in range(8):
    threads.append(threading.Thread(target=read))
    threads[-1].start()
for thread in threads:
    thread.join()
print(sum(seen), flush=True)
os._exit(0)
"""


def test_threads_that_read_their_first_pictures_together_do_not_end_the_program(tmp_path: Path) -> None:
    """Before `gui.picture_classes` was, this ended in a segmentation fault every other time."""
    picture = tmp_path / "small.png"
    Image.new("RGB", (64, 64), (200, 10, 10)).save(picture)
    done = subprocess.run(
        [sys.executable, "-c", MANY_READERS, str(picture)],
        cwd=ROOT,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout.strip()) == (0, "8"), done.stderr
