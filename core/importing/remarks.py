"""What is worth a look in an import although nothing hinders it: told before and after, on every way in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from core.amounts import are_counted
from core.importing.job import role_of
from core.importing.plan import UNSORTED, ImportPlan
from core.near_names import near_name

MOST_NAMED = 5


def remarks(plan: ImportPlan, known: Collection[str]) -> list[str]:
    """Sentences about pictures without a role or a condition, and about roles that are new here.

    Parameters
    ----------
    plan : ImportPlan
    known : collection of str
        Names of the roles of the bank and of the study.
    """
    roles = Counter(role_of(picture) for picture in plan.pictures)
    without = sum(picture.stated.condition is None for picture in plan.pictures)
    new = sorted(roles.keys() - set(known) - {UNSORTED})
    found = []
    if roles[UNSORTED]:
        found.append(f"Pictures whose role nothing states: {roles[UNSORTED]}; they go in as {UNSORTED}.")
    if new:
        named = ", ".join(new[:MOST_NAMED]) + (", …" if len(new) > MOST_NAMED else "")
        number = sum(roles[name] for name in new)
        found.append(f"Roles that neither the bank nor the study knows: {named}; pictures: {number}.")
        meant = {name: near_name(name, sorted(known)) for name in new[:MOST_NAMED]}
        found += [f"For {name}, the role {near} may be meant." for name, near in meant.items() if near]
    if without:
        found.append(
            f"Pictures whose condition nothing states: {without}; analyses leave them out. "
            "Say it with --condition or a map."
        )
    if plan.passed_over:
        columns = ", ".join(plan.passed_over)
        found.append(f"Columns of the map from which nothing is taken: {columns}.")
    if plan.companions:
        found.append(f"Files that belong to a released folder, not pictures: {len(plan.companions)}.")
    if plan.studies_left_out:
        found.append(f"{left_out(plan)}.")
    return found


def left_out(plan: ImportPlan) -> str:
    """How many folders of studies an import does not look into."""
    return f"{are_counted(plan.studies_left_out, 'study folder', were=True)} left out"
