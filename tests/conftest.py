"""What every test starts from: Qt offscreen, whatever the machine has, and no log."""

from __future__ import annotations

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["CONTEXTBIAS_LOGS"] = ""  # no test writes into the log of whoever runs it
