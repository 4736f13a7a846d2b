"""The embedded generator *drawn*: seeded cartoon pictures of people at work, with known labels.

Two drawn generators ship, `drawn-a` and `drawn-b`. Each plants a stated probability for what it shows,
P(label | role, condition), in `resources/drawn/bias_a.json` and `bias_b.json`; every picture carries the
labels that can really be seen in it as its truth. So whatever an extractor reads and a statistic says about
these pictures can be held against a known right answer (`planted`).

    bias      P(label | role, condition) of each attribute
    network   a small Bayesian network: draws it, and computes its exact marginals
    traits    the nodes of a picture, and what of them can be seen
    planted   the known right answers
    figure    a person as layers of parts           parts, peeps   where the parts come from
    scenery   the place behind the person           raster         parts as masks, kept
    painting  layers and place to a picture         grade          warm and cool, low and high contrast

How a person is shown is a convention of the drawing, not a claim about people: a female presentation is
drawn with lashes, long or gathered hair, sometimes earrings; a male presentation without lashes, with short
hair or none, sometimes a beard. It is the coarse code of cartoons, chosen because it can be read at a glance.
A nonbinary presentation has no such code, so it is never planted.
"""
