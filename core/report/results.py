"""Sections: what was found, in short and in full, and what may not be concluded from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from core.explained import OF_INTENSITY, OF_PERSISTENCE
from core.figures.bias_intensity import ALL
from core.figures.catalogue import analysis_drawings
from core.figures.persistence import CHANGED, INVARIANT, UNDECIDED
from core.figures.wording import counted, interval, is_number, number, thousands
from core.origins import made_words
from core.report.bias import WORDS, bi_table, change_table, estimator_of, rows_of
from core.report.blocks import Block, Facts, Paragraph, Picture, Points, Section
from core.report.material import Material
from core.report.persisting import persistence_blocks


def summary_section(material: Material) -> Section:
    """A page for a reader who has five minutes."""
    counted_things: Mapping[str, Any] = material.run.get("counted", {})
    roles, names = int(counted_things.get("roles", 0)), set(counted_things.get("generators", []))
    generators = [one for one in material.generators if one.name in names]
    images = (
        int(material.images.loc[material.images["status"] == "ok", "images"].sum())
        if len(material.images)
        else 0
    )
    blocks: list[Block] = []
    if material.is_simulated:
        blocks.append(
            Paragraph(
                "This study contains simulated answers or records. Its numbers show how the method "
                "works; they "
                "say nothing about any real generator or person.",
                "warning",
            )
        )
    blocks.append(
        Paragraph(
            f"{counted(images, 'image')} of people in {counted(roles, 'role')}, "
            f"{made_words(generators)}, were described on "
            f"{counted(int(counted_things.get('dimensions', 0)), 'dimension')} (from mood and framing to "
            "gender "
            "presentation and clothing). The question is how one-sided the pictures of a role are, and "
            "whether "
            "that changes when the same role is put into another context. "
            f"Labels were read by {material.extractor}; Bias Intensity is the "
            f"{WORDS[estimator_of(material)]} estimate (see “What the numbers mean”)."
        )
    )
    said = [*_level_points(material), *_change_points(material), *_verdict_points(material)]
    return Section("In short", [*blocks, Points(said)] if said else blocks)


def _whole(table: pd.DataFrame, estimator: str) -> pd.DataFrame:
    """Cohort rows of the mean over generators (or the only one), one estimator, roles pooled."""
    name = (
        ALL if (table["generator"] == ALL).any() else str(table["generator"].iloc[0]) if len(table) else ALL
    )
    used = table[(table["generator"] == name) & (table["dimension"] == ALL)]
    used = rows_of(used, estimator)
    coded = [column for column in used.columns if isinstance(used[column].dtype, pd.CategoricalDtype)]
    return used.astype(dict.fromkeys(coded, object))


def _level_points(material: Material) -> list[str]:
    table = _whole(material.tables["bi"], estimator_of(material))
    mine = table[(table["condition"] == "CF") & (table["cohort"] != ALL) & table["value"].notna()]
    if mine.empty:
        return []
    top = mine.sort_values("value", ascending=False, kind="stable").iloc[0]
    return [
        f"Without context, labels are most concentrated in {top['cohort']}: Bias Intensity "
        f"{number(top['value'])} ({interval(top['low'], top['high']) or 'no interval'}), where 0 is evenly "
        "spread and 1 is one label alone."
    ]


def _change_points(material: Material) -> list[str]:
    table = _whole(material.tables["bi_change"], estimator_of(material))
    mine = table[(table["comparison"] == "CA-U - CF") & table["value"].notna()]
    said = []
    for row in mine[mine["cohort"] == ALL].to_dict("records"):
        said.append(f"With an unrelated context, Bias Intensity over all cohorts {_moved(row)}.")
    for row in mine[mine["cohort"] == "People"].to_dict("records"):
        said.append(f"For attributes of people it {_moved(row)}.")
    return said


def _moved(row: Mapping[Any, Any]) -> str:
    ends = interval(row["low"], row["high"], 3)
    if not ends:
        return f"moved by {number(row['value'], 3)} (no interval, so nothing can be said about chance)"
    if row["low"] <= 0 <= row["high"]:
        return f"shows no change that could be told from none: {number(row['value'], 3)} ({ends})"
    word = "rose" if row["value"] > 0 else "fell"
    return f"{word} by {number(abs(row['value']), 3)} (change {ends})"


def _verdict_points(material: Material) -> list[str]:
    table = material.tables["persistence"]
    amounts = table["verdict"].astype(object).value_counts()
    if not set(amounts.index) & {INVARIANT, CHANGED, UNDECIDED}:
        return []
    some = {word: int(amounts.get(word, 0)) for word in (INVARIANT, CHANGED, UNDECIDED)}
    margin = material.run.get("options", {}).get("margin_pp")
    within = "" if margin is None else f" (every difference shown to be within {margin:g} points)"
    return [
        f"Of {thousands(len(table))} combinations of generator, role and label, {thousands(some[INVARIANT])} "
        f"stay the same across contexts{within}, {thousands(some[CHANGED])} change, and for "
        f"{thousands(some[UNDECIDED])} there are not enough images to tell."
    ]


def results_section(material: Material) -> Section:
    """Figures and tables with intervals."""
    estimator = estimator_of(material)
    figures = analysis_drawings(material.tables, material.run, material.schema, estimator=estimator)
    drawn = {one.name: one for one in figures}
    parts = [
        Section("Bias Intensity", [*_pictures(drawn, "bi_by_cohort", "bi_by_dimension"), bi_table(material)]),
        Section("Change between conditions", [*_pictures(drawn, "bi_change"), change_table(material)]),
        Section("Persistence of labels", [*_pictures(drawn, "persistence"), *persistence_blocks(material)]),
    ]
    if "robustness" in drawn:
        parts.append(Section("Robustness against single prompts", _pictures(drawn, "robustness")))
    parts.append(Section("What the numbers mean", _definitions(material)))
    mode = (
        "Audit mode"
        if material.run.get("mode") != "paper"
        else "Paper mode: the published formulas, for replication"
    )
    said = f"{mode}, labels read by {material.extractor}. Intervals are 95 %."
    return Section("Results", [Paragraph(said)], parts)


def _definitions(material: Material) -> list[Block]:
    """Every term that a table or figure uses, with its formula; exactly as computed in the record."""
    if material.run.get("mode") == "paper":
        definitions = material.run.get("definitions", {})
        return [Points([f"{name}: {words}." for name, words in definitions.items()])]
    terms = dict.fromkeys((*OF_INTENSITY, *OF_PERSISTENCE))
    return [
        Facts([(term.name, term.in_a_line) for term in terms]),
        Paragraph("The same in the terms of the tables stands under “definitions” in run.json."),
    ]


def _pictures(drawn: Mapping[str, Any], *names: str) -> list[Block]:
    return [Picture(drawn[name]) for name in names if name in drawn]


def limits_section(material: Material) -> Section:
    """What may not be concluded."""
    options = material.run.get("options", {})
    roles = int(material.run.get("counted", {}).get("roles", 0))
    seeds = material.run.get("resampled", {}).get("words", "")
    seeds = f"{seeds} " if seeds else ""
    points = [
        "Bias Intensity is not harm. It says how one-sided labels are, not whether that is wrong, wanted or "
        "true to the world; it has no target and knows no population figures.",
        f"{counted(roles, 'role')} and their contexts were asked for, in English; the role bank follows "
        "occupations of the United States. Other roles, languages and wordings may behave differently.",
        "Labels describe how somebody is depicted. Gender presentation, skin tone and age range are readings "
        "of pictures of people who do not exist, not identities.",
        "“Not enough data” is no finding: neither change nor its absence could be shown with this many images"
        + (f" at a margin of {options['margin_pp']:g} points." if "margin_pp" in options else "."),
        f"Intervals are over roles or prompts (and, for agreement, over image sets). {seeds}They hold the "
        "errors of the extractor fixed: what it misreads in all conditions alike is in the numbers, not in "
        "the intervals.",
        "An extractor may answer from what is usual for a role instead of from the picture. Agreement with "
        "people, and validation with counter-stereotypical prompts, say how far to trust it.",
        *_size_points(material),
    ]
    return Section("Limits of what may be concluded", [Points(points)])


def _size_points(material: Material) -> Sequence[str]:
    table = material.tables["persistence"]
    ns = table[["n_cf", "n_car", "n_cau"]]
    if not len(ns) or not is_number(float(ns.min().min())):
        return []
    low, high = int(ns.min().min()), int(ns.max().max())
    step = 100 / max(high, 1)
    said = [
        f"A label's prevalence in a role and one condition rests on {thousands(low)} to {thousands(high)} "
        "images: one "
        f"image moves it by at least {number(step, 1)} points."
    ]
    if "p_min" in table and table["p_min"].notna().any():
        blind = int((table["p_min"] > 0.05).sum())
        if blind:
            said.append(
                f"For {thousands(blind)} of {thousands(len(table))} combinations no outcome whatever "
                "could have "
                "reached p < .05; they are named as such and left out of the families of tests."
            )
    return said
