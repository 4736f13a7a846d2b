"""What a person is looking at, page by page: a few sentences for somebody who sees it for the first time."""

from __future__ import annotations

ABOUT = {
    "study": (
        "The whole study at a glance. A row is a role, a column a condition of a generator; the darker a "
        "cell, the more of it is there. Enter or a click opens a cell's pictures. At the right stands the "
        "next sensible act, and why; Runs and failures says when what ran, and whether some roles "
        "lost more than others."
    ),
    "prompts": (
        "Every sentence that generators are given: the role alone (CF), where it usually works (CA-R), and "
        "somewhere else (CA-U). The card at the right shows how evenly places are spread over roles, because "
        "a place that only one role has would be mistaken for a bias of that role."
    ),
    "generate": (
        "Here pictures are made, or brought from a folder. Choose a generator, look at the preflight, start; "
        "closing the window loses nothing, the next run goes on where this one stopped."
    ),
    "extract": (
        "Here a reader looks at each picture and writes down its labels as a record. Costs and time are "
        "measured on a few pictures first. What failed stays listed by class; the label map merges words "
        "that mean the same, and every merge can be taken back."
    ),
    "team": (
        "The people of the study: packets that left, hand-ins that came back, how far everybody is. A merge "
        "is shown before it is made and can be undone; nothing that a person answered is ever changed."
    ),
    "agreement": (
        "How far people agree with each other, and, once the round is locked, how far the pipeline agrees "
        "with them. κ is agreement beyond chance: 1 is perfect, 0 what guessing would give. The grey band is "
        "what one person reaches with the others, the fair mark for the pipeline. Any number opens its "
        "counts, its formula and the image sets behind it; Image sets shows both sides picture by picture."
    ),
    "results": (
        "Above, Bias Intensity: how one-sided the labels are, from 0 (all equally frequent) to 1 (always the "
        "same), by context. Below, whether each label of a role stays as frequent when the context changes. "
        "CCS beside “if stable” says how much of it is noise. Bars are 95 % intervals; any number opens its "
        "pictures. Bias Intensity is not harm: it says how one-sided, not whether that is wrong."
    ),
}
