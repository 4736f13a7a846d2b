"""A power panel in words: what each number is, and the table that the command line prints."""

from __future__ import annotations

from core.explained import Term
from core.power.design import PowerDesign
from core.power.findings import Finding, PowerPanel

NAMES = {
    "smallest_change": "smallest change found",
    "smallest_margin": "margin for “invariant”",
    "least_margin": "no margin below",
    "ccs_if_stable": "CCS of a stable label",
    "kappa": "kappa to expect",
    "kappa_width": "width of its interval",
}

TERMS = {
    "smallest_change": Term(
        "Smallest change found",
        "The smallest true change of a prevalence between two conditions, in percentage points, that 80 of "
        "100 such studies find; smaller ones are missed more often. One label, before correction for many.",
    ),
    "smallest_margin": Term(
        "Margin for “invariant”",
        "How large the margin has to be so that 80 of 100 such studies can call a label that does not change "
        "invariant, that is show each difference between two conditions to be smaller than the margin.",
    ),
    "least_margin": Term(
        "No margin below",
        "With a smaller margin no label can be shown invariant with so many images, not even one that every "
        "image shows: the verdict would always be “not enough data”.",
    ),
    "ccs_if_stable": Term(
        "CCS of a stable label",
        "CCS = P / (1 + R), P the prevalence in percent and R its range over conditions. Chance makes R "
        "larger than 0, so even a label that does not change at all gets this CCS on average, far below P; "
        "below it, where 95 of 100 such studies would find it.",
    ),
    "kappa": Term(
        "Kappa to expect",
        "Cohen's κ of one question, mean over pairs of people with the accuracy that is stated: agreement "
        "beyond chance, 1 perfect, 0 what guessing gives; below it, where 95 of 100 such studies find it.",
    ),
    "kappa_width": Term(
        "Width of its interval",
        "From the lower to the upper end of the 95 % interval of that κ, over image sets.",
    ),
    "one role": Term(
        "One role, all roles",
        "One role: a label of a single role. All roles: the images of all roles counted together, the change "
        "being the same in each.",
    ),
}
"""What each number means, in the order in which they stand."""


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
