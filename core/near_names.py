"""A name that was probably meant, and columns of a table that were probably misspelt."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from core.errors import BadInput

ALIKE = 0.6
"""Least likeness of two names, 0 to 1: at it, one in three letters differs."""


def near_name(name: str, known: Iterable[str]) -> str | None:
    """The known name that is most like this one, or None.

    >>> near_name("lable", ["label", "cause"]), near_name("cond", ["condition"]), near_name("x", ["role"])
    ('label', 'condition', None)
    """
    from difflib import get_close_matches

    names = list(known)
    longer = [each for each in names if len(name) > 2 and each.startswith(name)]
    found = longer or get_close_matches(name, names, 1, ALIKE)
    return found[0] if found else None


def check_names(names: Iterable[str], known: Collection[str], what: str) -> None:
    """BadInput for the first name that is not known, with the one that is most like it, or all.

    >>> try:
    ...     check_names(["acountent"], ["accountant", "baker"], "role")
    ... except BadInput as error:
    ...     print(error)
    There is no role 'acountent' in this study. Write 'accountant', if that is meant.
    """
    for name in names:
        if name not in known:
            like = near_name(name, known)
            remedy = f"Write {like!r}, if that is meant." if like else f"Use some of: {', '.join(known)}."
            raise BadInput(f"There is no {what} {name!r} in this study.", remedy)


def check_columns(
    found: Sequence[str], known: Sequence[str], required: Collection[str], where: str
) -> list[str]:
    """Columns that nothing is read from.

    Raises
    ------
    BadInput
        A required column is missing, or one that is not known is probably a missing one, misspelt.
    """
    unknown = [name for name in found if name and name not in known]
    missing = [name for name in known if name not in found]
    needed = [name for name in missing if name in required]
    if needed:
        like = near_name(needed[0], unknown)
        said = f" The column `{like}` may be meant: rename it." if like else ""
        has = ", ".join(name for name in found if name) or "none"
        raise BadInput(f"{where} has no column `{needed[0]}`.", f"Its columns are: {has}.{said}")
    for name in unknown:
        meant = near_name(name, missing)
        if meant is not None:
            raise BadInput(
                f"{where} has a column `{name}`, which is not known; `{meant}` may be meant.",
                "Rename the column, or take it out.",
            )
    return unknown
