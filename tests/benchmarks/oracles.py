"""How far our numbers are from those of others: statistic, outside oracle, largest difference.

    python -m tests.benchmarks.oracles [tests …]

Runs the tests that hold a worked example of the literature, an output of the published code or another
library against ours, and notes every difference that they compare. A published number is printed to a few
digits, so its largest difference is at most half of its last digit.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
LIBRARIES = ("krippendorff", "statsmodels", "sklearn", "scipy", "crowdkit", "pingouin")
TESTS = (
    "tests/core/statistics",
    "tests/core/paper/test_published_outputs.py",
    "tests/core/audit/test_persistence_tables.py",
)


class Differences:
    """A pytest plugin: which files of others a test reads, which libraries it calls, how far they are."""

    def __init__(self) -> None:
        self.largest: dict[str, float] = defaultdict(float)
        self.compared: dict[str, int] = defaultdict(int)
        self.sources: dict[str, set[str]] = defaultdict(set)
        self._now, self._within = "", False

    def pytest_configure(self) -> None:
        """Listen to every comparison and to every worked example that is read."""
        for kind in {type(pytest.approx(one)) for one in (1.0, [1.0], np.ones(1), {"a": 1.0})}:
            self._listen(kind)
        close, read = np.allclose, Path.read_text

        def allclose(a: Any, b: Any, *more: Any, **options: Any) -> bool:
            self._note(b, a)
            return bool(close(a, b, *more, **options))

        def read_text(path: Path, *more: Any, **options: Any) -> str:
            if path.parent.name == "published":
                self.sources[self._now].add(path.stem)
            return read(path, *more, **options)

        np.allclose, Path.read_text = allclose, read_text  # type: ignore[assignment, method-assign]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Any:
        """Know which test is running, and what it calls."""
        self._now = item.nodeid.split("[")[0].split("::")[-1]
        function = getattr(item, "function", None)
        function = getattr(getattr(function, "hypothesis", None), "inner_test", function)
        names = function.__code__.co_names if function is not None else ()
        for name in names:
            thing = function.__globals__.get(name)  # type: ignore[union-attr]
            module = str(getattr(thing, "__module__", None) or getattr(thing, "__name__", ""))
            if module.split(".")[0] in LIBRARIES:
                self.sources[self._now].add(module.split(".")[0])
        if "published_outputs" in item.nodeid:
            self.sources[self._now].add("published code")
        return (yield)

    def _listen(self, kind: Any) -> None:
        compare = kind.__eq__

        def listening(approx: Any, actual: Any) -> bool:
            inner, self._within = self._within, True  # a sequence asks its members
            try:
                is_close = bool(compare(approx, actual))
            finally:
                self._within = inner
            if is_close and not inner:  # some tests show that two numbers differ
                self._note(approx.expected, actual)
            return is_close

        kind.__eq__ = listening

    def _note(self, right: Any, ours: Any) -> None:
        if isinstance(right, dict):
            right, ours = list(right.values()), [ours[key] for key in right]
        try:
            difference = np.abs(np.asarray(ours, dtype=np.float64) - np.asarray(right, dtype=np.float64))
        except (TypeError, ValueError):
            return
        known = difference[np.isfinite(difference)]
        self.compared[self._now] += known.size
        self.largest[self._now] = max(self.largest[self._now], float(known.max(initial=0.0)))

    def rows(self) -> list[tuple[str, str, float, int]]:
        """Claim, oracle, largest difference and numbers compared; only claims that have an oracle."""
        rows = []
        for claim, found in sorted(self.sources.items(), key=lambda pair: sorted(pair[1])):
            if found and self.compared[claim]:
                words = claim.removeprefix("test_").replace("_", " ")
                rows.append((words, ", ".join(sorted(found)), self.largest[claim], self.compared[claim]))
        return rows


def main() -> int:
    """Run the tests and print the table."""
    differences = Differences()
    tests = sys.argv[1:] or [str(ROOT / one) for one in TESTS]
    code = pytest.main(["-q", "-p", "no:cacheprovider", "--no-header", *tests], plugins=[differences])
    print(f"\n{'outside oracle':52} {'largest':>9} {'numbers':>8}  claim")
    for claim, oracle, largest, size in differences.rows():
        print(f"{oracle:52} {largest:9.1e} {size:8}  {claim}")
    print(f"{len({name for found in differences.sources.values() for name in found})} oracles")
    return int(code)


if __name__ == "__main__":
    sys.exit(main())
