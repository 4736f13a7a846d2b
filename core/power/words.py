"""A power panel in words: what each number is, and the table that the command line prints."""

from __future__ import annotations

from core.power.design import PowerDesign
from core.power.findings import Finding, PowerPanel

NAMES = {
    "smallest_change": "smallest change found",
    "smallest_margin": "smallest margin shown",
    "least_margin": "no margin below",
    "ccs_if_stable": "CCS of a stable label",
    "kappa": "kappa to expect",
    "kappa_width": "width of its interval",
}


def value_words(finding: Finding) -> str:
    """The number of a finding with its unit; a dash where there is none.

    >>> value_words(Finding("smallest_change", "one role", 29.88, "points"))
    '29.9 points'
    >>> value_words(Finding("kappa", "one question", None, "", reason="one annotator"))
    '–'
    """
    if finding.value is None:
        return "–"
    if finding.unit:
        return f"{finding.value:.1f} {finding.unit}"
    return f"{finding.value:.2f}" if finding.quantity.startswith("kappa") else f"{finding.value:.1f}"


def range_words(finding: Finding) -> str:
    """Where the number lies in 95 of 100 studies; empty where that is not said.

    >>> range_words(Finding("kappa", "one question", 0.7, "", 0.6, 0.8))
    '0.60–0.80'
    """
    if finding.low is None or finding.high is None:
        return ""
    places = 2 if finding.quantity.startswith("kappa") else 1
    return f"{finding.low:.{places}f}–{finding.high:.{places}f}"


def design_words(design: PowerDesign) -> str:
    """The design in two lines.

    >>> print(design_words(PowerDesign(roles=92, generators=4)))
    92 roles × 6 + 6 + 6 prompts × 10 images × 4 generators: 66240 images
    label in 90 % of the images, images of a prompt correlated by 0.1: 1.9 images are worth one
    """
    cf, related, unrelated = design.prompts
    size = " × ".join(
        (
            _counted(design.roles, "role"),
            f"{cf} + {related} + {unrelated} prompts",
            _counted(design.images_per_prompt, "image"),
            _counted(design.generators, "generator"),
        )
    )
    return (
        f"{size}: {design.images} images\n"
        f"label in {100 * design.prevalence:g} % of the images, images of a prompt correlated by "
        f"{design.correlation:g}: {design.design_effect:.3g} images are worth one"
    )


def people_words(design: PowerDesign) -> str:
    """The human half of the design in a line.

    >>> people_words(PowerDesign())
    '3 annotators × 120 image sets, 4 labels, each named rightly in 90 %, the most common in 60 % of the sets'
    """
    return (
        f"{_counted(design.annotators, 'annotator')} × {_counted(design.image_sets, 'image set')}, "
        f"{design.labels} labels, each named rightly in {100 * design.accuracy:g} %, "
        f"the most common in {100 * design.most_common:g} % of the sets"
    )


def printed_rows(panel: PowerPanel) -> list[dict[str, str]]:
    """The findings as a table to print."""
    return [
        {
            "what": NAMES[one.quantity],
            "of": one.scope,
            "value": value_words(one),
            "95 of 100 studies": range_words(one),
            "reason": one.reason,
        }
        for one in panel.findings
    ]


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
