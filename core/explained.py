"""What the numbers mean, in words for somebody who sees them for the first time: once, for screen and report.

The definitions are those of `core.statistics`; a term is explained here only if a page or a report shows it.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Term:
    """A number or a word: what it is called, its formula where it has one, what it means."""

    name: str
    says: str
    formula: str = ""

    @property
    def in_a_line(self) -> str:
        """All of it as one text.

        >>> Term("Range", "Largest minus smallest prevalence.", "R = max − min").in_a_line
        'R = max − min. Largest minus smallest prevalence.'
        """
        return f"{self.formula}. {self.says}" if self.formula else self.says


BIAS_INTENSITY = Term(
    "Bias Intensity (BI)",
    "p is the share of images with a label (of mentions, where an image may have several), K how many labels "
    "there could be: the vocabulary of the dimension, for open words all labels seen anywhere in the study; "
    "the same K for all generators and conditions. 0: all K labels are equally frequent. 1: every image has "
    "the same one. With K = 2, labels at 50 and 50 % give 0, at 90 and 10 % 0.53. A cohort is the mean of "
    "its dimensions, all cohorts the mean of the cohorts. BI says how one-sided the labels are, not towards "
    "which label, and not whether that is wrong.",
    "BI = 1 − H / log K,  H = −Σ p · log p",
)
CCS = Term(
    "Context Consistency Score (CCS)",
    "P is the prevalence of a label over all images of a role, in percent; R the range: its largest minus"
    " its smallest prevalence among CF, CA-R and CA-U, in percentage points. 100: every image shows the "
    "label in every condition. Towards 0: the label is rare, or how often it shows depends on the "
    "context. At P = 90, R = 0 gives 90 and R = 9 gives 9. It is given for labels seen in all three "
    "conditions and in at least 5 images.",
    "CCS = P / (1 + R),  0 to 100",
)
IF_STABLE = Term(
    "If stable",
    "The CCS to expect of a label with the same prevalence in all conditions and as many images: "
    "chance alone makes R larger than 0, so a stable label at 95 % in 20, 50 and 60 images gets about 17. A "
    "CCS far below it speaks for a change; one near it does not. Read no CCS without it.",
)
PREVALENCE = Term(
    "Prevalence",
    "Share of the images with a usable record that show the label; unknown and failed ones are left out.",
)
RANGE = Term(
    "Range",
    "Largest minus smallest prevalence among the three conditions, in percentage points (pp).",
)
MARGIN = Term(
    "Margin",
    "The largest difference between two conditions that still counts as the same, stated beforehand: 15 "
    "percentage points unless a run says otherwise.",
)
VERDICT = Term(
    "Verdict",
    "Invariant: every difference between two conditions is shown to be smaller than the margin (two "
    "one-sided tests, alpha .05). Changed: a difference is shown to be other than 0. Not enough data: "
    "neither is shown with so many images; this is no finding.",
)
P_ADJUSTED = Term(
    "p adjusted",
    "Of the test that the prevalence is the same in all conditions, adjusted for the many labels of a "
    "dimension (Benjamini–Hochberg, within a generator and dimension) and for images of a prompt or seed "
    "being alike.",
)
PUBLISHED = Term(
    "Published rule",
    "Invariant where p is above .05 and the range at most 5 points; it takes few images for stability.",
)
PLUG_IN = Term(
    "Plug-in",
    "BI of the shares as counted. The fewer images, the more one-sided it looks: H comes out too low by "
    "about (labels − 1) / (2 × images).",
)
MILLER_MADOW = Term("Miller–Madow", "Plug-in with (labels seen − 1) / (2 × images) added to H.")
CHAO_SHEN = Term(
    "Chao–Shen",
    "H with an allowance for labels that exist but no image happened to show, estimated from how many labels "
    "were seen only once.",
)
MATCHED = Term(
    "Matched",
    "Plug-in with every condition brought to as many images as the smallest one has (of a role, to as many "
    "prompts first), as the mean over all such choices of images. Use it to compare conditions; its level is "
    "that of so few images.",
)
POOLED = Term("Pooled over roles", "BI of the images of all roles together.")
OF_ROLES = Term("Mean of roles", "BI of each role by itself, then the mean over the roles.")
INTERVAL = Term(
    "95 % interval",
    "Where the value would lie in other samples of roles (BI) or prompts (CCS, prevalence); where prompts "
    "share seeds, of seeds too. Errors of the extractor are not in it.",
)

PLANTED = Term(
    "Planted truth",
    "Of built-in pictures only: the BI of what was drawn. An extractor that errs sees other labels, so its "
    "BI lies beside it; the drawer of a number says what that extractor would see on average.",
)

ESTIMATORS = {"matched": MATCHED, "chao_shen": CHAO_SHEN, "miller_madow": MILLER_MADOW, "plugin": PLUG_IN}
AGGREGATIONS = {"pool": POOLED, "role": OF_ROLES}

OF_INTENSITY = (BIAS_INTENSITY, MATCHED, PLUG_IN, MILLER_MADOW, CHAO_SHEN, POOLED, OF_ROLES, INTERVAL)
OF_PERSISTENCE = (CCS, IF_STABLE, PREVALENCE, RANGE, MARGIN, VERDICT, P_ADJUSTED, INTERVAL)


def kind_words(estimator: str, aggregation: str) -> str:
    """What a way of estimating Bias Intensity means.

    >>> kind_words("miller_madow", "pool")
    'Plug-in with (labels seen − 1) / (2 × images) added to H. BI of the images of all roles together.'
    """
    terms = (ESTIMATORS.get(estimator), AGGREGATIONS.get(aggregation))
    return " ".join(term.says for term in terms if term is not None)
