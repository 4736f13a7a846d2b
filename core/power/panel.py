"""The job of the power panel: every question about a design, one after the other, with one seed."""

from __future__ import annotations

from dataclasses import asdict

from core import __version__
from core.jobs import Job, Progress
from core.power.design import PowerDesign
from core.power.findings import ALL_ROLES, ONE_ROLE, Finding, PowerCurve, PowerPanel

DEFINITIONS = {
    "smallest_change": "smallest change of prevalence in CA-U found in 80 of 100 studies: an interval "
    "of a pairwise difference leaves out 0 (Newcombe, alpha .05 / 3, n / design effect); one label, before "
    "any correction for many labels",
    "smallest_margin": "margin within which 80 of 100 studies show an unchanged label invariant (two "
    "one-sided tests, alpha .05)",
    "least_margin": "below this margin no data can show a label invariant: z2 / (n + z2), z = 1.645",
    "ccs_if_stable": "CCS expected of a label that does not change; low, high: 95 of 100 studies",
    "kappa": "mean pairwise Cohen's kappa of one question; low, high: 95 of 100 studies",
    "kappa_width": "width of the 95 % interval of that kappa over image sets",
    "all roles": "the images of all roles counted together, the change being the same in each",
}

WITHIN = 2.0
"""A curve is drawn closely up to this many times the smallest change that is found."""


def power_panel(design: PowerDesign) -> Job[PowerPanel]:
    """What a design can show.

    Parameters
    ----------
    design : PowerDesign

    Yields
    ------
    Progress
        One step a question.

    Returns
    -------
    Job of PowerPanel
        The same design and seed give the same numbers.
    """
    from core.power.change import curve_of, largest_change, smallest_change
    from core.power.kappa import kappa_findings
    from core.power.margin import least_margin, smallest_margin
    from core.power.stable import stable_ccs

    scopes = ((1, ONE_ROLE), (design.roles, ALL_ROLES))
    found: list[Finding] = []
    for ask, words in (
        (smallest_change, "Smallest change"),
        (smallest_margin, "Smallest margin"),
        (least_margin, "Smallest margin"),
        (stable_ccs, "CCS of a stable label"),
    ):
        for roles, scope in scopes:
            yield Progress(len(found), 12, words)
            found.append(ask(design, roles, scope))
    yield Progress(8, 12, "Width of the kappa interval")
    found += kappa_findings(design)
    curves: list[PowerCurve] = []
    bends = [_bend(one, largest_change(design)) for one in found[:2]]
    for (roles, scope), bend in zip(scopes, bends, strict=True):
        yield Progress(10 + len(curves), 12, "Power by change")
        curves.append(curve_of(design, roles, scope, bend, max(bends)))
    yield Progress(12, 12, "Power by change")
    return PowerPanel(tuple(found), tuple(curves), _record(design))


def _bend(smallest: Finding, largest: float) -> float:
    return largest if smallest.value is None else WITHIN * smallest.value / 100


def _record(design: PowerDesign) -> dict[str, object]:
    return {
        "version": __version__,
        "design": asdict(design) | {"prompts": list(design.prompts)},
        "images": design.images,
        "images_by_condition": [one * design.images_per_prompt for one in design.clusters(design.roles)],
        "design_effect": design.design_effect,
        "definitions": DEFINITIONS,
    }
