"""What a person is looking at, page by page: a few sentences for somebody who sees it for the first time."""

from __future__ import annotations

ABOUT = {
    "study": (
        "The whole study at a glance. A row is a role, a column a condition of a generator; the darker a "
        "cell, the more of it is there. Enter or a double click opens a cell's pictures; "
        "a small square marks a role with image sets in the human study. At the right stands the "
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
    "annotate": (
        "Here people look at image sets and answer one question at a time: which answer most of the images "
        "show, and how many show it. Choose your name or type a new one; everybody has their own order, and "
        "every answer is saved at once. The ? there shows all keys, H the guide to a question. Nothing "
        "about where a picture comes from is shown. Annotators elsewhere get a packet, from the page Team."
    ),
    "team": (
        "The people of the study: packets that left, hand-ins that came back, how far everybody is. A merge "
        "is shown before it is made and can be undone; nothing that a person answered is ever changed."
    ),
    "agreement": (
        "How far people agree with each other and, once the round is locked, the pipeline with them. κ is "
        "agreement beyond chance: 1 is perfect, 0 what guessing would give. The grey band is what one "
        "person reaches with the others, the fair mark for the pipeline (violet diamond), which takes each "
        "person's place in turn. Any number opens its counts, formula and image sets; Image sets shows both"
        " sides picture by picture."
    ),
    "results": (
        "BI = 1 − H / log K: how one-sided labels are, from 0 (all K equally frequent) to 1 (always the "
        "same), not whether that is wrong. CCS = prevalence / (1 + range), 0 to 100: whether a label of a "
        "role stays when the context changes. 100: in every image of every context; low: rare or moving. "
        "Chance lowers it, so hold it against “if stable”. The question marks explain all terms; bars are "
        "95 % intervals."
    ),
}
