"""The bank of this release keeps its own rules, and an edited one is told what is wrong."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.bank import (
    Context,
    RoleContexts,
    bank_hash,
    contexts_as_data,
    load_contexts,
    load_roles,
)
from core.bank_check import findings, place_counts, words_kept_out
from core.errors import BadInput
from core.records import Role

ROLES = load_roles()
CONTEXTS = load_contexts()


def named(names: list[str]) -> tuple[Role, ...]:
    return tuple(role for role in ROLES if role.name in names)


def every_context() -> list[tuple[str, str, Context]]:
    return [
        (role, kind, context)
        for role, own in CONTEXTS.items()
        for kind, some in (("related", own.related), ("unrelated", own.unrelated))
        for context in some
    ]


def test_there_are_ninety_two_roles_in_alphabetical_order_and_each_has_contexts() -> None:
    names = [role.name for role in ROLES]
    assert len(names) == 92
    assert names == sorted(names)
    assert set(names) == set(CONTEXTS)


def test_a_role_is_written_with_spaces_its_article_and_a_plural() -> None:
    by_name = {role.name: role for role in ROLES}
    assert by_name["bus_driver"].display_name == "bus driver"
    assert by_name["ceo"].display_name == "CEO"
    assert (by_name["accountant"].article, by_name["ceo"].article) == ("an", "a")
    assert by_name["salesperson"].plural == "salespeople"
    assert by_name["secretary"].plural == "secretaries"
    assert not any("_" in role.display_name + role.plural for role in ROLES)


def test_occupation_codes_have_the_form_of_the_standard_and_come_with_their_title() -> None:
    titles: dict[str, set[str]] = {}
    for role in ROLES:
        assert (role.soc_code is None) == (role.soc_title is None)
        if role.soc_code is not None and role.soc_title is not None:
            assert re.fullmatch(r"\d\d-\d{4}", role.soc_code)
            titles.setdefault(role.soc_code, set()).add(role.soc_title)
    assert all(len(names) == 1 for names in titles.values())
    assert sum(role.soc_code is not None for role in ROLES) > 70


def test_the_bank_has_no_findings() -> None:
    assert findings(ROLES, CONTEXTS) == ()


def test_every_role_has_two_related_and_two_unrelated_contexts() -> None:
    for own in CONTEXTS.values():
        assert len(own.related) >= 2
        assert len(own.unrelated) >= 2


def test_no_context_is_used_twice_and_no_related_place_serves_two_roles() -> None:
    pairs = Counter((context.location, context.activity) for _, _, context in every_context())
    assert max(pairs.values()) == 1
    places = Counter(context.location for _, kind, context in every_context() if kind == "related")
    assert max(places.values()) == 1


def test_a_location_is_always_written_with_the_same_article_and_fields() -> None:
    ways: dict[str, set[tuple[str, tuple[str, ...]]]] = {}
    for _, _, context in every_context():
        ways.setdefault(context.location, set()).add((context.article, context.fields))
    assert all(len(each) == 1 for each in ways.values())
    assert all(fields for each in ways.values() for _, fields in each)


def test_no_everyday_place_serves_more_than_one_role_in_twenty() -> None:
    counts = place_counts(ROLES, CONTEXTS)
    assert max(counts.values()) / len(ROLES) <= 0.05
    assert len(counts) >= 55


def test_everyday_contexts_have_nothing_in_common_with_the_related_ones() -> None:
    for own in CONTEXTS.values():
        assert not any(one.is_like(other) for one in own.related for other in own.unrelated)
        assert not own.unrelated[0].is_like(own.unrelated[1])


def baker(**changes: Any) -> dict[str, RoleContexts]:
    context = replace(Context("clinic", "a", "reading a chart", ("law",)), **changes)
    own = CONTEXTS["baker"]
    return {"baker": RoleContexts((context, own.related[1]), own.unrelated)}


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"article": "an"}, "It should be a clinic."),
        ({"activity": "read a chart"}, "'read a chart' does not begin with a verb in -ing form."),
        ({"activity": "reading  a chart"}, "There is a space too many."),
        ({"location": "bakery"}, "'bakery' gives the role away."),
        ({"activity": "helping a police officer"}, "'police officer' names a role."),
        ({"activity": "helping waitresses"}, "'waitresses' names a role."),
        ({"activity": "tying an apron"}, "'apron' suggests clothing."),
        ({"activity": "helping an elderly patient"}, "'elderly' suggests age."),
        ({"activity": "helping ladies"}, "'ladies' suggests gender."),
    ],
)
def test_a_fault_of_a_context_is_found(changes: dict[str, Any], sentence: str) -> None:
    role = named(["baker", "police_officer", "waitress"])
    some = CONTEXTS | baker(**changes)

    found = findings(role, some)

    assert [finding.sentence for finding in found] == [sentence]
    assert found[0].role == "baker"


def test_unrelated_contexts_of_the_roles_own_field_are_found() -> None:
    own = CONTEXTS["baker"]
    bad = RoleContexts(own.related, (Context("diner", "a", "eating soup", ("food",)), own.unrelated[1]))
    sentences = [finding.sentence for finding in findings(named(["baker"]), {"baker": bad})]
    assert sentences == ["'diner' is too close to 'pastry kitchen' to be unrelated."]


def test_too_few_contexts_no_contexts_and_a_wrong_article_are_found() -> None:
    editor = Role("editor", "editor", "a", "editors")
    own = CONTEXTS["baker"]
    few = {"baker": RoleContexts(own.related[:1], own.unrelated)}
    sentences = [finding.sentence for finding in findings((*named(["baker"]), editor), few)]
    assert sentences == [
        "The role needs 2 related contexts and has 1.",
        "It should be an editor, not a editor.",
        "The role has no contexts.",
    ]


def test_a_crowded_place_is_found_and_one_role_is_never_a_crowd() -> None:
    park = Context("park", "a", "feeding ducks", ("nature",))
    crowded = {
        role.name: RoleContexts(CONTEXTS[role.name].related, (park, CONTEXTS[role.name].unrelated[1]))
        for role in ROLES
    }
    sentences = [finding.sentence for finding in findings(ROLES, crowded)]
    assert "'park' serves 92 of 92 roles, at most 4." in sentences
    assert findings(ROLES[:1], CONTEXTS) == ()


def test_the_kept_out_words_name_what_they_suggest() -> None:
    kept_out = words_kept_out()
    assert kept_out["uniform"] == "clothing"
    assert kept_out["ladies"] == "gender"
    assert all(word == word.casefold() for word in kept_out)


def test_contexts_survive_json(tmp_path: Path) -> None:
    path = tmp_path / "contexts.json"
    path.write_text(json.dumps(contexts_as_data(CONTEXTS)), encoding="utf-8")
    assert load_contexts(path) == CONTEXTS


def test_the_hash_of_a_bank_follows_its_content_and_not_its_order() -> None:
    some = named(["baker", "editor"])
    assert bank_hash(some, CONTEXTS) == bank_hash(some[::-1], CONTEXTS)
    assert bank_hash(some, CONTEXTS) != bank_hash(some[:1], CONTEXTS)
    assert bank_hash(some, CONTEXTS) != bank_hash(some, CONTEXTS | baker())


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("{", "is not JSON"),
        ("{}", "no list of roles"),
        ('{"roles": [{"name": "baker"}]}', "a role needs name"),
        ('{"roles": [%s, %s]}', "has the role baker twice"),
    ],
)
def test_a_broken_roles_file_is_refused_with_a_sentence(tmp_path: Path, text: str, sentence: str) -> None:
    path = tmp_path / "roles.json"
    path.write_text(
        text.replace("%s", '{"name": "baker", "display_name": "baker", "article": "a", "plural": "bakers"}')
    )
    with pytest.raises(BadInput, match=sentence):
        load_roles(path)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("{}", "has no contexts"),
        ('{"contexts": {"baker": {"related": []}}}', "needs a list of related"),
        (
            '{"contexts": {"baker": {"related": [{}], "unrelated": []}}}',
            "needs location, article and activity",
        ),
    ],
)
def test_a_broken_contexts_file_is_refused_with_a_sentence(tmp_path: Path, text: str, sentence: str) -> None:
    path = tmp_path / "contexts.json"
    path.write_text(text)
    with pytest.raises(BadInput, match=sentence):
        load_contexts(path)
    with pytest.raises(BadInput, match="cannot be read"):
        load_contexts(tmp_path / "nowhere.json")
