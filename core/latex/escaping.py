"""Any text as LaTeX that prints it and does nothing else."""

from __future__ import annotations

import unicodedata

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "_": r"\_",
    "%": r"\%",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "`": r"\textasciigrave{}",
    "'": r"\textquotesingle{}",
    "−": "$-$",
    "–": "--",
    "—": "---",
    "×": r"$\times$",
    "≤": r"$\le$",
    "≥": r"$\ge$",
    "α": r"$\alpha$",
    "κ": r"$\kappa$",
    "χ": r"$\chi$",
    "Δ": r"$\Delta$",
    "²": r"\textsuperscript{2}",
    "…": r"\ldots{}",
    "\u202f": r"\,",
    "\u00a0": "~",
}


def escaped(text: str) -> str:
    r"""A text in which every sign stands for itself.

    Control characters and line ends become spaces, signs that turn the direction of writing go; letters of
    other scripts stay, for which a document needs LuaLaTeX or XeLaTeX and a font that has them.

    Examples
    --------
    >>> escaped("50 % of R&D_staff \\input{x}")
    '50 \\% of R\\&D\\_staff \\textbackslash{}input\\{x\\}'
    """
    return "".join(_one(sign) for sign in text)


def _one(sign: str) -> str:
    if sign in _SPECIAL:
        return _SPECIAL[sign]
    kind = unicodedata.category(sign)
    if kind == "Cc":
        return " "
    return "" if kind.startswith("C") else sign
