"""What every test starts from: Qt offscreen, whatever the machine has."""

from __future__ import annotations

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
