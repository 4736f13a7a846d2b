"""What comes out of a power panel: numbers with a reason where there is none, and the curve to draw."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

ONE_ROLE = "one role"
ALL_ROLES = "all roles"
ONE_QUESTION = "one question"

COLUMNS = ("quantity", "scope", "value", "low", "high", "unit", "reason")


@dataclass(frozen=True, slots=True)
class Finding:
    """One number that a design leads to.

    `low` and `high` are where it lies in 95 of 100 studies, for a number that a study would measure.
    Undefined is None with a reason.
    """

    quantity: str
    scope: str
    value: float | None
    unit: str
    low: float | None = None
    high: float | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class PowerCurve:
    """Chance that a change of so many points is found, 0..1: one value for each of `changes`."""

    scope: str
    changes: tuple[float, ...]
    power: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class PowerPanel:
    """Everything a panel shows: findings in a fixed order, curves, and the account of the run."""

    findings: tuple[Finding, ...]
    curves: tuple[PowerCurve, ...]
    run: Mapping[str, Any] = field(default_factory=dict)

    def of(self, quantity: str, scope: str) -> Finding:
        """One finding; KeyError when there is none."""
        for finding in self.findings:
            if (finding.quantity, finding.scope) == (quantity, scope):
                return finding
        raise KeyError(f"{quantity} of {scope}")

    def rows(self) -> list[dict[str, Any]]:
        """The findings as rows of a table."""
        return [{name: getattr(one, name) for name in COLUMNS} for one in self.findings]
