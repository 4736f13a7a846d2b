from __future__ import annotations

import json

from core.extraction.vlm import VlmOptions
from core.jobs import run_here
from core.labels.names import name_groups
from core.labels.proposal import Proposal
from core.schema import Schema
from tests.fake_server import Call, Mischief, fake_server

PROPOSALS = [
    Proposal("items", "tee", "t-shirt", "alias"),
    Proposal("items", "t-shirt", "t-shirt", "none"),
    Proposal("items", "no beards", "no beard", "spelling"),
    Proposal("clothing_garment", "lab coat", "coat", "modifier", 0.8),
]
COUNTS = {
    ("items", "tee"): 1,
    ("items", "t-shirt"): 5,
    ("items", "no beard"): 2,
    ("clothing_garment", "coat"): 9,
}


def named(call: Call) -> Mischief:
    """Names shirts well, drops a negation, and for coats writes no JSON."""
    text = json.dumps(call.body["messages"])
    assert "image" not in call.body["messages"][1]
    if "t-shirt" in text:
        return Mischief(content=json.dumps({"name": "T-Shirts"}))
    return Mischief(content=json.dumps({"name": "beard"}) if "beard" in text else "coats, I would say")


def test_a_server_names_groups_and_what_the_map_would_not_hold_is_left_out(schema: Schema) -> None:
    with fake_server(named) as server:
        found = run_here(name_groups(PROPOSALS, COUNTS, schema, VlmOptions("fake", base_url=server.base_url)))
        asked = len(server.calls)

    names = {(each.dimension, each.label): each.name for each in found}
    assert names[("items", "tee")] == "t-shirts"
    assert names[("items", "t-shirt")] == ""  # nothing is proposed for it
    assert names[("items", "no beards")] == ""  # a name over a negation
    assert names[("clothing_garment", "lab coat")] == ""  # no usable answer
    assert asked == 3
    assert [each.canonical for each in found] == [each.canonical for each in PROPOSALS]
