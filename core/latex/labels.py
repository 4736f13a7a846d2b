"""Published tables 2, 3 and 11: single labels under the conditions, and how robust they are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from core.figures.wording import counted, is_number, plain, thousands
from core.latex.escaping import escaped
from core.latex.table import DASH, LatexTable, Row, figures, probability
from core.schema import COHORTS, Schema

ALL = "ALL"
CLOSED_ROWS, OPEN_ROWS = 25, 70
COHORTS_OF_TABLE_3 = ("People", "Objects", "Camera", ALL)


def labels_of_roles(
    tables: Mapping[str, pd.DataFrame], schema: Schema, mode: str, *, is_open: bool = False
) -> LatexTable:
    """Table 2 (closed dimensions) or 11 (open ones): the labels of highest mean CCS, by generator.

    Parameters
    ----------
    tables : mapping
        `persistence` and `ccs_mean`.
    schema : Schema
        Which dimensions are open.
    mode : str
        "audit" or "paper".
    is_open : bool
        Which of the two tables.
    """
    mean = _top(tables["ccs_mean"], schema, is_open)
    persistence = tables["persistence"]
    generators = list(dict.fromkeys(persistence["generator"].astype(str)))
    found = _by_label(persistence, mean)
    p_name, p_words = ("p", "$p$") if mode == "paper" else ("p_adjusted", "$p_{adj}$")
    rows = [
        Row(
            [
                *(
                    escaped(plain(one))
                    for one in (row["role"], _dimensions(str(row["dimension"])), row["label"])
                ),
                *_generator_cells(row, generators, found, p_name),
                figures(row["ccs"], 1),
                _verdict(row, mode, len(generators)),
            ],
            is_apart=bool(number) and number % 5 == 0,
        )
        for number, row in enumerate(mean.to_dict("records"))
    ]
    ns = persistence[["n_cf", "n_car", "n_cau"]].sum(axis=1)
    low, high = (int(ns.min()), int(ns.max())) if len(ns) else (0, 0)
    kind = "open vocabularies" if is_open else "closed vocabularies"
    many = counted(low, "image") if low == high else f"{thousands(low)}–{thousands(high)} images"
    return LatexTable(
        "table_11_open_labels" if is_open else "table_2_closed_labels",
        f"Labels of {kind} with the highest Context Consistency Score: prevalence (%), range over the "
        f"conditions (points) and test of equal prevalence, by generator. {_mode_words(mode)} n: {many} a "
        "generator and role.",
        "lll" + "rrrr" * len(generators) + "rc",
        [
            *("Role", "Dimension", "Label"),
            *["\\%", "$\\Delta$", "$\\chi^2$", p_words] * len(generators),
            *("CCS", "Invariant"),
        ],
        rows,
        [("", 3), *((escaped(name), 4) for name in generators), ("", 2)],
        "CCS: mean over generators, 0 to 100. Invariant: generators for which the label is invariant.",
    )


def robustness_by_cohort(
    tables: Mapping[str, pd.DataFrame], schema: Schema, mode: str, move_pp: float
) -> LatexTable:
    """Table 3: how robust labels are, by generator and cohort.

    In paper mode the published cells: mean prevalence over all labels, context-free; then the share of
    labels whose role does not differ from all others, with the mean p. In audit mode: labels of at least
    5 % prevalence, the share of them that leaving one prompt out moves little, and the median move.
    """
    if mode == "paper":
        return _published_contrast(tables["role_contrast_summary"])
    table, cohort_of = tables["robustness"], {one.id: one.cohort for one in schema.dimensions}
    used = table[table["largest_move"].notna() & (table["value"] >= 0.05)]
    used = used.assign(cohort=used["dimension"].astype(str).map(cohort_of).fillna(""))
    generators = [*dict.fromkeys(used["generator"].astype(str)), ALL]
    rows = []
    for generator in generators:
        mine = used if generator == ALL else used[used["generator"].astype(str) == generator]
        cells = [cell for cohort in (*COHORTS, ALL) for cell in _moves(mine, cohort, move_pp)]
        rows.append(Row([_generator(generator), *cells], is_apart=generator == ALL))
    return LatexTable(
        "table_3_robustness",
        f"Robustness against single prompts: labels of at least 5 % prevalence (n), the share of them that "
        f"leaving any one prompt out moves by at most {move_pp:g} points, and the median of their largest "
        "moves. Audit mode.",
        "l" + "rrr" * (len(COHORTS) + 1),
        ["Generator", *["n", "\\%", "move"] * (len(COHORTS) + 1)],
        rows,
        [("", 1), *((escaped(name) if name != ALL else "All", 3) for name in (*COHORTS, ALL))],
    )


def _moves(table: pd.DataFrame, cohort: str, move_pp: float) -> list[str]:
    mine = table if cohort == ALL else table[table["cohort"] == cohort]
    moves = 100 * mine["largest_move"].abs().to_numpy(dtype=float)
    if not moves.size:
        return ["0", DASH, DASH]
    share = 100 * float((moves <= move_pp).mean())
    return [str(moves.size), figures(share, 1), figures(float(np.median(moves)), 1)]


def _published_contrast(summary: pd.DataFrame) -> LatexTable:
    found = {(str(row["generator"]), str(row["cohort"])): row for row in summary.to_dict("records")}
    generators = list(dict.fromkeys(generator for generator, _ in found))
    rows = [
        Row(
            [
                _generator(generator),
                *(figures(found.get((generator, one), {}).get("mean_pct"), 1) for one in COHORTS_OF_TABLE_3),
                *(_contrast(found.get((generator, one), {})) for one in COHORTS_OF_TABLE_3),
            ],
            is_apart=generator == ALL,
        )
        for generator in generators
    ]
    cohorts = [name if name != ALL else "All" for name in COHORTS_OF_TABLE_3]
    labels = found.get((ALL, ALL), {}).get("labels_context_aware")
    many = thousands(int(labels)) if is_number(labels) else "no"
    return LatexTable(
        "table_3_robustness",
        "Context-free: mean prevalence (%) over all labels of all roles. With context: labels (%) whose "
        "prevalence in a role does not differ from that in all others (p > .05), and the mean p. Published "
        f"formulas (paper mode): this compares roles, not prompts. n = {many} labels with context.",
        "l" + "r" * (2 * len(cohorts)),
        ["Generator", *cohorts, *cohorts],
        rows,
        [("", 1), ("Context-free: prevalence", len(cohorts)), ("With context: \\% / $p$", len(cohorts))],
    )


def _contrast(row: Mapping[Any, Any]) -> str:
    share, p = row.get("pct_invariant"), row.get("mean_p")
    if not is_number(share):
        return DASH
    return f"{figures(share, 1)} / {figures(p).removeprefix('0')}"


def _generator(name: str) -> str:
    return "All" if name == ALL else escaped(name)


def _dimensions(names: str) -> str:
    """A dimension, or how many: paper mode adds a word up over all dimensions that have it."""
    several = [one for one in names.replace(",", "+").split("+") if one.strip()]
    return f"{len(several)} dimensions" if len(several) > 1 else names


def _top(mean: pd.DataFrame, schema: Schema, is_open: bool) -> pd.DataFrame:
    """Defined labels of one kind, highest mean CCS first; of equals, the more frequent one, then by name."""
    names = mean["dimension"].astype(str)
    kind = {one.id: not one.is_closed for one in schema.dimensions}
    # In paper mode a row may stand for several dimensions, "a + b": open when any of them is.
    wanted = [any(kind.get(one.strip(), True) for one in name.replace(",", "+").split("+")) for name in names]
    used = mean[(np.array(wanted, dtype=bool) == is_open) & mean["ccs"].notna().to_numpy()]
    used = used.assign(role=used["role"].astype(str), label=used["label"].astype(str))
    order = ["ccs", "prevalence", "role", "label"]
    ordered: pd.DataFrame = used.sort_values(order, ascending=[False, False, True, True], kind="stable")
    return ordered.head(OPEN_ROWS if is_open else CLOSED_ROWS)


Key = tuple[str, str, str, str]


def _by_label(persistence: pd.DataFrame, mean: pd.DataFrame) -> dict[Key, dict[Any, Any]]:
    roles, labels = set(mean["role"]), set(mean["label"])
    near = persistence[persistence["role"].isin(list(roles)) & persistence["label"].isin(list(labels))]
    names = ("generator", "role", "dimension", "label")
    return {
        (str(row["generator"]), str(row["role"]), str(row["dimension"]), str(row["label"])): row
        for row in near.to_dict("records")
        if all(one in row for one in names)
    }


def _generator_cells(
    row: Mapping[Any, Any], generators: list[str], found: Mapping[Key, Mapping[Any, Any]], p_name: str
) -> list[str]:
    cells: list[str] = []
    for generator in generators:
        one = found.get((generator, str(row["role"]), str(row["dimension"]), str(row["label"])), {})
        share = one.get("prevalence")
        cells.append(figures(100 * float(share) if is_number(share) else None, 1))
        cells += [figures(one.get("range_pp"), 1), figures(one.get("chi2")), probability(one.get(p_name))]
    return cells


def _verdict(row: Mapping[Any, Any], mode: str, generators: int) -> str:
    amount = row.get("invariant_paper" if mode == "paper" else "invariant")
    return f"{int(amount)}/{generators}" if is_number(amount) else DASH


def _mode_words(mode: str) -> str:
    if mode == "paper":
        return "Published formulas (paper mode); invariant: p > .05 and range at most 5 points."
    return "Audit mode; p exact and adjusted (false discovery rate); invariant: within the margin."
