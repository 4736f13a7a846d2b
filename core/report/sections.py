"""The report in order."""

from __future__ import annotations

from core.report.about import citing_section, versions_section
from core.report.blocks import Section
from core.report.checks import validation_section
from core.report.design import design_section, flow_section, models_section
from core.report.material import Material
from core.report.people import people_section
from core.report.results import limits_section, results_section, summary_section


def sections_of(material: Material) -> list[Section]:
    """All sections of a report, in the order in which they are read."""
    return [
        summary_section(material),
        design_section(material),
        models_section(material),
        flow_section(material),
        people_section(material),
        validation_section(material),
        results_section(material),
        limits_section(material),
        citing_section(material),
        versions_section(material),
    ]


def title_of(material: Material) -> str:
    """Title of the report."""
    return f"Bias across contexts: {material.facts.get('name', 'a study')}"
