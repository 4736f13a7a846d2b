"""What the report says in words is no more than the numbers hold."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import pytest

from core.report.blocks import Facts, Paragraph, Points, Section, Table
from core.report.checks import validation_section
from core.report.design import design_section, flow_section
from core.report.material import Made, Material, open_settings, setting_words
from core.report.people import people_section
from core.report.persisting import persistence_blocks
from core.report.results import limits_section, summary_section


def words_of(section: Section) -> str:
    said = [block.text for block in section.blocks if isinstance(block, Paragraph)]
    said += [item for block in section.blocks if isinstance(block, Points) for item in block.items]
    return " ".join([*said, *(words_of(part) for part in section.parts)])


def with_change(material: Material, value: float, low: float | None, high: float | None) -> Material:
    change = material.tables["bi_change"].copy()
    is_whole = (change.generator == "ALL") & (change.cohort == "ALL") & (change.comparison == "CA-U - CF")
    change.loc[is_whole, ["value", "low", "high"]] = [value, low, high]
    return replace(material, tables={**material.tables, "bi_change": change})


@pytest.mark.parametrize(
    ("ends", "said"),
    [
        ((-0.01, 0.09), "shows no change that could be told from none: 0.040 (−0.010 to 0.090)"),
        ((0.01, 0.09), "rose by 0.040 (change 0.010 to 0.090)"),
        ((None, None), "moved by 0.040 (no interval, so nothing can be said about chance)"),
    ],
)
def test_a_change_is_called_one_only_when_its_interval_leaves_none_out(
    material: Material, ends: tuple[float | None, float | None], said: str
):
    assert said in words_of(summary_section(with_change(material, 0.04, *ends)))


def test_a_fall_is_called_a_fall(material: Material):
    assert "fell by 0.040" in words_of(summary_section(with_change(material, -0.04, -0.07, -0.01)))


def test_verdicts_add_up_to_all_combinations(material: Material):
    table = material.tables["persistence"]
    amounts = table["verdict"].value_counts()
    said = words_of(summary_section(material))

    assert f"Of {len(table)} combinations" in said
    for verdict in ("invariant", "changed", "not enough data"):
        assert f"{amounts.get(verdict, 0)} " in said


def test_a_simulated_extractor_is_said_first(material: Material):
    simulated = replace(material, extractors=[Made("qwen-vl", "extractor", {}, is_simulated=True)])

    first = summary_section(simulated).blocks[0]
    assert isinstance(first, Paragraph)
    assert first.kind == "warning"
    assert not any(getattr(block, "kind", "") for block in summary_section(material).blocks)


def test_the_flow_counts_what_is_left_out(material: Material):
    said = words_of(flow_section(material))

    assert "There are 876 images, of which 864 can be used and 12 are left out" in said
    assert "qwen-vl was given 864 images: 860 were read, 4 were not" in said


def test_stages_hold_rows_in_used_and_left_out(material: Material):
    (table,) = [
        b
        for part in flow_section(material).parts
        for b in part.blocks
        if isinstance(b, Table) and b.name == "run"
    ]
    stages = table.data[table.data["stage"] != ""]
    left = table.data["number"].sum()

    assert (stages["in"] - stages["used"]).sum() == left > 0


def test_the_pipeline_is_called_better_only_when_the_interval_says_so(material: Material):
    assert "more than a person does" in words_of(people_section(material))
    people = material.people
    assert people is not None
    table = people.tables["agreement"].copy()
    table.loc[table["scope"] == "pipeline minus people", "low"] = -0.125
    weaker = replace(material, people=replace(people, tables={**people.tables, "agreement": table}))

    assert "neither can be said to be closer" in words_of(people_section(weaker))


def test_an_open_round_has_no_pipeline(material: Material):
    people = material.people
    assert people is not None
    table = people.tables["agreement"]
    only = replace(
        people, is_locked=False, tables={**people.tables, "agreement": table[table.scope == "annotators"]}
    )

    assert "the round is still open" in words_of(people_section(replace(material, people=only)))


def test_limits_say_what_one_image_is_worth(material: Material):
    said = words_of(limits_section(material))

    assert "24 images: one image moves it by at least 4.2 points" in said
    assert "Bias Intensity is not harm" in said


def test_seeds_that_prompts_share_are_said_with_what_that_means(material: Material):
    drawn = {"prompts_share_seeds": ["gen-0"], "words": "Prompts share seeds (gen-0): allowed for."}
    shared = replace(material, run={**material.run, "resampled": drawn})

    (facts,) = [block for block in design_section(shared).blocks if isinstance(block, Facts)]

    said = dict(facts.rows)["Seeds of images"]
    assert "images of one seed resemble each other" in said
    assert said.endswith("Prompts share seeds (gen-0): allowed for.")


def test_conditions_stand_in_the_order_of_the_audit(material: Material):
    tables = [block for block in design_section(material).blocks if isinstance(block, Table)]
    shown = list(dict.fromkeys(tables[0].data["condition"]))

    assert [name for name in shown if name != "none"] == ["CF", "CA-R", "CA-U"]


def test_only_scores_that_vary_and_are_known_well_are_put_into_an_order(material: Material):
    mean = (
        material.tables["ccs_mean"]
        .head(3)
        .assign(ccs=[100.0, 60.0, 20.0], ccs_low=[9.0, 5.0, 10.0], ccs_high=[100.0, 97.0, 30.0])
    )
    for rows, shown in ((mean, [20.0]), (mean.head(2), [])):
        blocks = persistence_blocks(replace(material, tables={**material.tables, "ccs_mean": rows}))
        found = [one for one in blocks if isinstance(one, Table) and one.name == "ccs_mean"]
        assert [value for table in found for value in table.data["ccs"]] == shown
    assert isinstance(blocks[-1], Paragraph)
    assert "not enough data" in blocks[-1].text


def test_labels_that_change_show_each_condition_with_its_images(material: Material):
    table = next(one for one in persistence_blocks(material) if isinstance(one, Table))
    first = table.data.iloc[0]
    csv = material.tables["persistence"]
    keys = ["generator", "role", "dimension", "label"]
    source = csv[(csv[keys].astype(object) == first[keys].astype(object)).all(axis=1)].iloc[0]

    share = f"{100 * source.x_cau / source.n_cau:.0f} % ({source.x_cau}/{source.n_cau})"
    assert first["CA-U"] == share.replace(" ", "\u00a0")


def test_settings_that_may_be_secret_are_left_out():
    named = setting_words({"art_hash": "ab", "bias_hash": "cd", "num_images": 3})
    assert named == {"checksum of the drawings": "ab", "checksum of the planted bias": "cd", "num images": 3}
    kept = open_settings({"API-Key": 1, "hf_token": 2, "password": 3, "run_key": 4, "max_tokens": 5})

    assert kept == {"run_key": 4, "max_tokens": 5}


def test_both_sides_of_the_stereotype_are_told_apart(material: Material):
    rows = [
        {
            "generator": "ALL",
            "side": side,
            "images": 40,
            "failed": 0,
            "accuracy": value,
            "low": 0.5,
            "high": 0.99,
        }
        for side, value in (("ALL", 0.8), ("stereotypical", 0.9), ("counter-stereotypical", 0.7))
    ]
    validated = replace(material, validation={"validation": pd.DataFrame(rows)})

    said = words_of(validation_section(validated))

    assert "qwen-vl said it in 80 % (50 to 99 %)" in said
    assert "usual for the role: 90 %; where it is the contrary: 70 %" in said
    assert "was not validated" in words_of(validation_section(material))
