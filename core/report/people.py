"""Section: the human study, how far people agree, and the pipeline with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from core.figures.agreement_grid import COLUMNS, agreement_grid
from core.figures.bland_altman import bland_altman_figure
from core.figures.catalogue import question_names
from core.figures.confusion import confusion
from core.figures.wording import counted, interval, is_number, listed, number, plain, thousands
from core.questions import Question, asked_in
from core.report.blocks import Block, Facts, Paragraph, Picture, Points, Section, Table
from core.report.material import Material, People

GAP = "pipeline minus people"
QUESTIONS = {"ALL": "mean over questions", "POOLED": "pooled into one table"}
PIPELINE_COLUMNS = {"with consensus": "value", "from": "low", "to": "high"}
IN_PLACE = "pipeline κ"
PEOPLE, MACHINE = "people with the rest", "pipeline with the rest"


def people_section(material: Material) -> Section:
    """Who answered what, coefficients with intervals, and the pipeline beside the human ceiling."""
    people = material.people
    if people is None:
        return Section("Human study and agreement", [Paragraph(material.no_people)])
    asked = asked_in(material.questions, people.run.get("questions", []))
    names = question_names(asked, material.schema)
    return Section(
        "Human study and agreement",
        _design_blocks(people),
        [
            Section("People with people", _people_blocks(asked, people, names)),
            Section("People with the pipeline", _pipeline_blocks(asked, people, names)),
        ],
    )


def _design_blocks(people: People) -> list[Block]:
    simulated = people.run.get("simulated") or []
    how = people.run.get("consensus", {})
    asked = len(people.run.get("questions", []))
    total = sum(how.values())
    rows = [
        (
            "Round",
            f"{people.round_name}, {'locked' if people.is_locked else 'open: numbers may still change'}",
        ),
        (
            "Annotators",
            f"{len(people.names)}"
            + (f", of whom {len(simulated)} are simulated" if simulated else "")
            + "; named by letters here",
        ),
        (
            "Answers",
            f"{thousands(people.answers)} on {counted(people.image_sets, 'image set')} of ten images",
        ),
        ("Questions", f"{asked}; the role was {'shown' if people.shows_role else 'not shown'}"),
        ("Count", people.count_mode),
        (
            "Consensus",
            f"{listed([f'{thousands(n)} {word}' for word, n in how.items()])} of {thousands(total)}",
        ),
    ]
    for one in people.run.get("exclusions", []):
        if not one["withdrawn_at"]:
            rows.append(("Left out", f"an annotator, {one['question'] or 'all questions'}: {one['reason']}"))
    return [Facts(rows)]


def _people_blocks(asked: Sequence[Question], people: People, names: Mapping[str, str]) -> list[Block]:
    table = people.tables["agreement"]
    cohorts = dict.fromkeys(one.cohort for one in asked if one.cohort)
    groups = [(name, [one.id for one in asked if one.cohort == name]) for name in cohorts]
    drawing = agreement_grid(table, groups=groups, names=names, draws=int(people.run.get("bootstrap", 0)))
    blocks: list[Block] = [Paragraph(_sentence_of_people(table)), Picture(drawing)]
    blocks.append(_coefficient_table(table, names, str(people.run.get("extractor") or "")))
    odd = [*_paradoxes(table, names), *_undefined(table, names)]
    if odd:
        blocks += [Paragraph("Where a label is nearly everywhere, chance alone agrees as well:"), Points(odd)]
    blocks.append(Paragraph(str(people.run.get("note", ""))))
    return blocks


def _sentence_of_people(table: pd.DataFrame) -> str:
    raw, alpha = (_row(table, "ALL", "annotators", one) for one in ("raw_agreement", "krippendorff_alpha"))
    same = raw.get("value")
    if not is_number(same):
        return "Agreement of people is not defined: fewer than two answered the same image set."
    return (
        "Averaged over questions, two people gave the same label in "
        f"{number(100 * same, 0)} % "
        f"of cases; beyond chance (Krippendorff's α) this is {number(alpha.get('value'))} "
        f"({interval(alpha.get('low'), alpha.get('high')) or 'no interval'}), where 1 is perfect and 0 "
        "chance."
    )


def _row(table: pd.DataFrame, question: str, scope: str, statistic: str) -> dict[str, object]:
    found = table[
        (table["question"] == question)
        & (table["scope"] == scope)
        & (table["statistic"] == statistic)
        & (table["level"] == "nominal")
    ]
    return {} if found.empty else {str(name): value for name, value in found.iloc[0].items()}


def _coefficient_table(table: pd.DataFrame, names: Mapping[str, str], extractor: str) -> Table:
    """A row a question: the coefficients, and α and the pipeline's κ with their intervals."""
    rows = []
    for question in dict.fromkeys(table.loc[table["scope"] == "annotators", "question"].astype(str)):
        found = {one: _row(table, question, "annotators", one) for one in COLUMNS}
        alpha, machine = found["krippendorff_alpha"], _row(table, question, "pipeline", "cohen_kappa")
        row: dict[str, object] = {"question": QUESTIONS.get(question, plain(question, names))}
        row["image sets"] = found["raw_agreement"].get("units")
        row |= {name: found[one].get("value") for one, name in COLUMNS.items()}
        row |= {"α from": alpha.get("low"), "α to": alpha.get("high")}
        if machine:
            row[IN_PLACE] = _row(table, question, MACHINE, "cohen_kappa_mean").get("value")
            row |= {word: machine.get(key) for word, key in PIPELINE_COLUMNS.items()}
        rows.append(row)
    data = pd.DataFrame(rows)
    measured = [name for name in data.columns if name not in ("question", "image sets")]
    data = data.astype(dict.fromkeys(measured, "float64"))
    return Table(
        "agreement",
        f"Agreement by question{f', pipeline {extractor}' if extractor else ''}",
        data,
        note="Pipeline κ: its mean κ with the others in the place of each person in turn, to be held "
        "against people; with consensus, from, to: its κ with the label that people agreed on, "
        "usually higher since single people err more often. All intervals are in agreement.csv.",
    )


def _undefined(table: pd.DataFrame, names: Mapping[str, str]) -> list[str]:
    """Questions without a κ, and why."""
    mine = table[(table["scope"] == "annotators") & (table["statistic"] == "fleiss_kappa")]
    mine = mine[mine["value"].isna()]
    return [
        f"{plain(str(question), names)}: κ is undefined: {reason}."
        for question, reason in zip(mine["question"], mine["reason"], strict=True)
    ]


def _paradoxes(table: pd.DataFrame, names: Mapping[str, str]) -> list[str]:
    """Questions with high raw agreement and little beyond chance."""
    said = []
    for question in dict.fromkeys(table["question"].astype(str)):
        if question in ("ALL", "POOLED"):
            continue
        raw, fleiss = (_row(table, question, "annotators", one) for one in ("raw_agreement", "fleiss_kappa"))
        value, beyond = raw.get("value"), fleiss.get("value")
        if is_number(value) and is_number(beyond) and float(value) > 0.8 and float(beyond) < 0.4:
            said.append(
                f"{plain(question, names)}: the same label in {number(100 * float(value), 0)} % of pairs, "
                f"Fleiss κ {number(beyond)}."
            )
    return said


def _pipeline_blocks(asked: Sequence[Question], people: People, names: Mapping[str, str]) -> list[Block]:
    table = people.tables["agreement"]
    if not (table["scope"] == "pipeline").any():
        why = "the round is still open" if not people.is_locked else "no extractor has read these images"
        return [Paragraph(f"The pipeline is not compared with people here: {why}.")]
    blocks: list[Block] = [Paragraph(_sentence_of_gap(table, str(people.run.get("extractor") or "")))]
    drawn = [one.id for one in asked]
    blocks.append(Picture(confusion(people.tables["confusion"], drawn, names=names)))
    counts = people.tables.get("counts")
    if counts is not None and (counts["scope"] == "pipeline").any():
        blocks.append(Picture(bland_altman_figure(counts, "pipeline", names=names)))
    return blocks


def _sentence_of_gap(table: pd.DataFrame, extractor: str) -> str:
    ceiling, machine, gap = (_row(table, "ALL", one, "cohen_kappa_mean") for one in (PEOPLE, MACHINE, GAP))
    if not is_number(gap.get("value")):
        both = _row(table, "ALL", "pipeline", "cohen_kappa")
        return (
            f"Cohen's κ of the pipeline ({extractor}) with the people's consensus, mean over questions: "
            f"{number(both.get('value'))} ({interval(both.get('low'), both.get('high')) or 'no interval'}). "
            "With fewer than two people there is no human ceiling to compare it with."
        )
    low, high = gap.get("low"), gap.get("high")
    verdict = "the interval holds 0: neither can be said to be closer to the others"
    if is_number(low) and float(low) > 0:
        verdict = "the pipeline agrees with the others more than a person does"
    elif is_number(high) and float(high) < 0:
        verdict = "the pipeline agrees with the others less than a person does"
    return (
        f"One person agrees with the others with a mean κ of {number(ceiling.get('value'))} (the human "
        f"ceiling); the pipeline ({extractor}), put in that person's place, with "
        f"{number(machine.get('value'))}. "
        f"The difference is {number(gap.get('value'))} ({interval(low, high) or 'no interval'}): {verdict}."
    )
