"""Sections: the study in short, its design, its models and settings, and what became of every item."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from core.figures.bias_intensity import CONDITIONS
from core.figures.wording import counted, plain, thousands
from core.report.blocks import Block, Facts, Paragraph, Points, Section, Table
from core.report.material import Made, Material, setting_words

CONDITION_SENTENCES = {
    "CF": "context-free (CF): the role alone, “a photo of a baker”",
    "CA-R": "context-aware related (CA-R): the role where and with what it usually works",
    "CA-U": "context-aware unrelated (CA-U): the role somewhere else, with something that is not its work",
}


def design_section(material: Material) -> Section:
    """What was asked of the generators."""
    facts = material.facts
    roles = sorted({prompt.role for prompt in material.prompts})
    amounts = Counter((str(prompt.condition or "none"), str(prompt.kind)) for prompt in material.prompts)
    rows = [(condition, kind, amount) for (condition, kind), amount in sorted(amounts.items())]
    table = in_order(pd.DataFrame(rows, columns=["condition", "kind", "prompts"]))
    return Section(
        "Design",
        [
            Paragraph(
                f"Generators were asked for pictures of people in {counted(len(roles), 'role')} under three "
                "conditions, which differ only in the context that the prompt states:"
            ),
            Points([CONDITION_SENTENCES[name] for name in CONDITIONS]),
            Facts(
                [
                    ("Roles", ", ".join(plain(role) for role in roles)),
                    (
                        "Design",
                        f"{facts.get('design', '')}; unrelated contexts: {facts.get('unrelated', '')}",
                    ),
                    ("Images a prompt", str(facts.get("images_per_prompt", ""))),
                    ("Seed of the study", str(facts.get("seed", ""))),
                    ("Seeds of images", _seeds_words(material)),
                ]
            ),
            Table("prompts", "Prompts by condition and kind", table),
        ],
    )


def _seeds_words(material: Material) -> str:
    """Whether prompts share seeds, and what that does to the numbers."""
    drawn = material.run.get("resampled", {})
    if not drawn:
        return "not known to the analysis"
    if not drawn.get("prompts_share_seeds"):
        return str(drawn["words"])
    return (
        "Prompts were drawn with the same seeds. One seed draws much the same person for every prompt, so "
        "images of one seed resemble each other and say less than as many independent ones; between "
        f"conditions most of that cancels. {drawn['words']}"
    )


def in_order(table: pd.DataFrame) -> pd.DataFrame:
    """A table with a column `condition` in the order CF, CA-R, CA-U, otherwise as it was; others last."""
    place = {name: number for number, name in enumerate(CONDITIONS)}
    keys = list(table.columns[: list(table.columns).index("condition")])
    ranks = table["condition"].astype(object).map(lambda name: place.get(name, len(place)))
    ordered = table.assign(_rank=ranks).sort_values([*keys, "_rank"], kind="stable")
    return ordered.drop(columns="_rank").reset_index(drop=True)


def models_section(material: Material) -> Section:
    """Generators and extractors with all settings."""
    return Section(
        "Models and settings",
        [],
        [
            Section("Generators", _settings_blocks(material.generators)),
            Section(
                "Extractors",
                [
                    Paragraph(f"The results below are of the records of {material.extractor}."),
                    *_settings_blocks(material.extractors),
                ],
            ),
        ],
    )


def _settings_blocks(made: Sequence[Made]) -> list[Block]:
    if not made:
        return [Paragraph("None.")]
    rows = []
    for one in made:
        kind = f"{one.kind}; simulated" if one.is_simulated else one.kind
        said = "; ".join(
            f"{name}: {_plain_value(value)}" for name, value in setting_words(one.settings).items()
        )
        rows.append((one.name, f"{kind}. {said}".strip() if said else kind))
    return [Facts(rows)]


def _plain_value(value: Any, most: int = 300) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= most else text[: most - 1] + "…"


def flow_section(material: Material) -> Section:
    """Counts at every stage, and everything that was left out, by reason."""
    return Section(
        "Data flow",
        [
            Paragraph(
                "Nothing is dropped silently: at each stage, what went in is what was used and what was "
                "left out."
            )
        ],
        [
            Section("From prompts to images", _image_blocks(material)),
            Section("From images to records", _record_blocks(material)),
            Section("From records to numbers", _stage_blocks(material)),
            Section("Jobs", _job_blocks(material)),
        ],
    )


def _image_blocks(material: Material) -> list[Block]:
    wanted = len(material.prompts) * int(material.facts.get("images_per_prompt") or 0)
    total = int(material.images["images"].sum()) if len(material.images) else 0
    usable = int(material.images.loc[material.images["status"] == "ok", "images"].sum()) if total else 0
    each = f"{thousands(wanted)} a generator, {thousands(wanted * len(material.generators))} in all"
    sentence = (
        f"{counted(len(material.prompts), 'prompt')}: the design asks for {each}. There are "
        f"{counted(total, 'image')}, of which {thousands(usable)} can be used"
        f"{'' if usable == total else f' and {thousands(total - usable)} are left out, by status'}."
    )
    return [
        Paragraph(sentence),
        Table("images", "Images by generator, condition and status", in_order(material.images)),
    ]


def _record_blocks(material: Material) -> list[Block]:
    if not len(material.records):
        return [Paragraph("No extractor has read the images.")]
    mine = material.records[material.records["extractor"] == material.extractor]
    read = int(mine["images"].sum())
    fine = int(mine.loc[mine["status"] == "ok", "images"].sum())
    left = read - fine
    sentence = f"{material.extractor} was given {counted(read, 'image')}: {thousands(fine)} were read"
    sentence += f", {thousands(left)} were not, by status below." if left else "; none failed."
    blocks: list[Block] = [
        Paragraph(sentence),
        Table("records", "Newest record of each image, by extractor and status", material.records),
    ]
    coverage = material.tables.get("coverage")
    if coverage is not None and len(coverage):
        blocks.append(_coverage_table(coverage, material))
    return blocks


def _coverage_table(coverage: pd.DataFrame, material: Material) -> Table:
    """Images without a label, by dimension and condition: they can be a bias of their own."""
    plain_columns = coverage.astype(dict.fromkeys(("generator", "condition", "dimension"), object))
    numbers = ["images", "unknown", "left_out"]
    whole = plain_columns.groupby(["dimension", "condition"], sort=False)[numbers].sum()
    rows = []
    for dimension in dict.fromkeys(whole.index.get_level_values("dimension")):
        row: dict[str, Any] = {"dimension": plain(str(dimension), material.names)}
        for condition in CONDITIONS:
            there = (dimension, condition) in whole.index
            counts = whole.loc[(dimension, condition)] if there else dict.fromkeys(numbers, 0)
            row |= {f"{name} {condition}": int(counts[name]) for name in numbers}
        rows.append(row)
    header = {f"left_out {condition}": f"left out {condition}" for condition in CONDITIONS}
    return Table(
        "coverage",
        "Images without a label, by dimension and condition, all generators together",
        pd.DataFrame(rows),
        header,
        note="Unknown: not visible or not enough evidence. Neither counts in any share, image by image.",
    )


def _stage_blocks(material: Material) -> list[Block]:
    rows: list[tuple[Any, ...]] = []
    before: Mapping[str, int] = material.run.get("left_out_before", {})
    for reason, number in before.items():
        rows.append(("before the analysis", None, None, reason, number))
    for stage in material.run.get("stages", []):
        rows.append((stage["stage"], stage["in"], stage["used"], "", None))
        rows += [("", None, None, reason, number) for reason, number in stage["left_out"].items()]
    table = pd.DataFrame(rows, columns=["stage", "in", "used", "left out because", "number"])
    table = table.astype({"in": "Int64", "used": "Int64", "number": "Int64"})
    return [
        Table("run", "Rows at each stage of the analysis", table, note="The same counts are in run.json.")
    ]


def _job_blocks(material: Material) -> list[Block]:
    if not len(material.jobs):
        return [Paragraph("No job is recorded.")]
    grouped = material.jobs.groupby("kind", sort=False)[["asked", "done", "failed", "skipped"]].sum()
    return [
        Paragraph(
            "Of every job: asked = done + failed + skipped (skipped: it was there already, or the job "
            "was stopped)."
        ),
        Table("jobs", "Jobs of this study by kind", grouped.reset_index()),
    ]
