"""All 1,656 prompts of each design under both rules for the unrelated condition, and their seeds."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from functools import cache
from itertools import pairwise

import pytest

from core.bank import Context, RoleContexts, load_contexts, load_roles
from core.bank_check import words_kept_out
from core.errors import BadInput
from core.grammar import article_for, echoes, is_ing_form, words_of
from core.plan import choose_roles, plan_study
from core.prompts import MORE_WORDINGS, WORDINGS, Design, build_prompts, seeds_for
from core.records import Condition, Prompt, PromptKind, Role
from core.seeds import seeds_of
from core.sentences import ENGLISH, Sentences, sentences_as_data, sentences_from
from core.unrelated import Unrelated, unrelated_contexts

ROLES = load_roles()
CONTEXTS = load_contexts()
BY_NAME = {role.name: role for role in ROLES}
CF, CA_R, CA_U = Condition

WAYS = pytest.mark.parametrize(
    ("design", "unrelated"),
    [(design, rule) for design in ("paper", "balanced") for rule in ("permuted", "everyday")],
)


def named(names: list[str]) -> list[Role]:
    return [BY_NAME[name] for name in names]


@cache
def prompts(design: Design, unrelated: Unrelated) -> list[Prompt]:
    return build_prompts(ROLES, CONTEXTS, design, unrelated, seed=1)


def of_role(design: Design, unrelated: Unrelated) -> dict[str, list[Prompt]]:
    groups: dict[str, list[Prompt]] = defaultdict(list)
    for prompt in prompts(design, unrelated):
        groups[prompt.role].append(prompt)
    return groups


@WAYS
def test_there_are_1656_different_prompts_in_the_order_of_the_roles(
    design: Design, unrelated: Unrelated
) -> None:
    all_of_them = prompts(design, unrelated)
    assert len(all_of_them) == 1656
    assert len({(prompt.role, prompt.text) for prompt in all_of_them}) == 1656
    assert list(of_role(design, unrelated)) == [role.name for role in ROLES]


@WAYS
def test_each_role_has_the_conditions_and_kinds_of_the_design(design: Design, unrelated: Unrelated) -> None:
    sizes = {"paper": [3, 7, 8], "balanced": [6, 6, 6]}[design]
    kinds = {"paper": [5, 10, 3], "balanced": [3, 9, 6]}[design]
    for some in of_role(design, unrelated).values():
        conditions = Counter(prompt.condition for prompt in some)
        assert [conditions[condition] for condition in Condition] == sizes
        assert [Counter(prompt.kind for prompt in some)[kind] for kind in PromptKind] == kinds
        assert list(dict.fromkeys(prompt.condition for prompt in some)) == list(Condition)


@WAYS
def test_every_prompt_reads_as_its_template_says(design: Design, unrelated: Unrelated) -> None:
    for prompt in prompts(design, unrelated):
        role = BY_NAME[prompt.role]
        words = f"{prompt.wording} {role.article} {role.display_name}"
        if prompt.condition is CF:
            assert (prompt.place, prompt.activity) == (None, None)
            assert prompt.text == words
        elif prompt.activity is None:
            assert prompt.text == f"{words} in {prompt.place}"
        else:
            assert prompt.text == f"{words} {prompt.activity} in {prompt.place}"


@WAYS
def test_articles_are_right_everywhere_in_a_prompt(design: Design, unrelated: Unrelated) -> None:
    for prompt in prompts(design, unrelated):
        for article, word in re.findall(r"\b(an?) (\S+)", prompt.text):
            assert article == article_for(word), prompt.text


@WAYS
def test_activities_are_in_ing_form_and_nothing_is_doubled(design: Design, unrelated: Unrelated) -> None:
    for prompt in prompts(design, unrelated):
        assert prompt.activity is None or is_ing_form(prompt.activity)
        words = prompt.text.split(" ")
        assert all(words)
        assert not any(one == other for one, other in pairwise(words)), prompt.text


@WAYS
def test_no_context_echoes_the_role_or_holds_a_word_kept_out(design: Design, unrelated: Unrelated) -> None:
    names = [name.casefold() for role in ROLES for name in (role.display_name, role.plural)]
    for prompt in prompts(design, unrelated):
        context = f"{prompt.place or ''} {prompt.activity or ''}"
        assert echoes(BY_NAME[prompt.role].display_name, context) == [], prompt.text
        assert not set(words_of(context)) & set(words_kept_out()), prompt.text
        padded = f" {' '.join(words_of(context))} "
        assert not any(f" {name} " in padded for name in names), prompt.text


@WAYS
def test_related_and_unrelated_places_of_a_role_are_apart(design: Design, unrelated: Unrelated) -> None:
    for some in of_role(design, unrelated).values():
        related = {prompt.place for prompt in some if prompt.condition is CA_R}
        foreign = {prompt.place for prompt in some if prompt.condition is CA_U}
        assert len(related) == len(foreign) == 2
        assert not related & foreign


@WAYS
def test_the_same_call_gives_the_same_prompts(design: Design, unrelated: Unrelated) -> None:
    assert build_prompts(ROLES, CONTEXTS, design, unrelated, seed=1) == prompts(design, unrelated)


def test_balanced_uses_the_same_six_wordings_once_in_each_condition() -> None:
    for some in of_role("balanced", "permuted").values():
        for condition in Condition:
            wordings = [prompt.wording for prompt in some if prompt.condition is condition]
            assert sorted(wordings) == sorted(WORDINGS + MORE_WORDINGS)


def test_balanced_uses_each_context_and_each_template_three_times() -> None:
    for some in of_role("balanced", "permuted").values():
        for condition in (CA_R, CA_U):
            here = [prompt for prompt in some if prompt.condition is condition]
            assert set(Counter(prompt.place for prompt in here).values()) == {3}
            assert sum(prompt.activity is not None for prompt in here) == 3


def test_paper_has_two_bases_in_three_wordings_and_then_the_second_context() -> None:
    some = of_role("paper", "everyday")["doctor"]
    related = [prompt.text for prompt in some if prompt.condition is CA_R]
    assert related == [
        "a photo of a doctor in a clinic",
        "a photograph of a doctor in a clinic",
        "a realistic image of a doctor in a clinic",
        "a photo of a doctor checking a patient's pulse in a clinic",
        "a photograph of a doctor checking a patient's pulse in a clinic",
        "a realistic image of a doctor checking a patient's pulse in a clinic",
        "a photo of a doctor in a hospital ward",
    ]


@pytest.mark.parametrize("seed", range(5))
def test_permuted_deals_every_related_context_exactly_once(seed: int) -> None:
    dealt = unrelated_contexts(ROLES, CONTEXTS, "permuted", seed)
    for row in range(2):
        given = Counter(context[row] for context in dealt.values())
        assert given == Counter(CONTEXTS[role.name].related[row] for role in ROLES)


@pytest.mark.parametrize("seed", range(5))
def test_permuted_never_deals_a_role_a_context_like_its_own(seed: int) -> None:
    for role, dealt in unrelated_contexts(ROLES, CONTEXTS, "permuted", seed).items():
        assert not any(own.is_like(given) for own in CONTEXTS[role].related[:2] for given in dealt)
        assert not dealt[0].is_like(dealt[1])


@pytest.mark.parametrize("number", [5, 6, 8, 10, 12, 20, 46])
def test_permuted_holds_within_a_small_study(number: int) -> None:
    some = [ROLES[position * 92 // number] for position in range(number)]
    everything = build_prompts(some, CONTEXTS, "balanced", "permuted", seed=3)
    pairs = {
        condition: Counter((p.wording, p.place, p.activity) for p in everything if p.condition is condition)
        for condition in (CA_R, CA_U)
    }
    assert pairs[CA_R] == pairs[CA_U]


def test_balanced_prompts_hold_the_same_contexts_in_related_and_unrelated() -> None:
    everything = prompts("balanced", "permuted")
    pairs = {
        condition: Counter((p.wording, p.place, p.activity) for p in everything if p.condition is condition)
        for condition in (CA_R, CA_U)
    }
    assert pairs[CA_R] == pairs[CA_U]
    assert sum(pairs[CA_R].values()) == 552


def test_permuted_moves_with_the_seed_and_not_with_the_order_of_the_roles() -> None:
    one = unrelated_contexts(ROLES, CONTEXTS, "permuted", 1)
    assert unrelated_contexts(ROLES[::-1], CONTEXTS, "permuted", 1) == one
    assert unrelated_contexts(ROLES, CONTEXTS, "permuted", 2) != one


def test_two_roles_of_other_fields_swap_their_contexts() -> None:
    some = named(["doctor", "carpenter"])
    dealt = unrelated_contexts(some, CONTEXTS)
    assert dealt["doctor"] == CONTEXTS["carpenter"].related
    assert dealt["carpenter"] == CONTEXTS["doctor"].related


def test_roles_too_alike_are_refused_by_name_and_everyday_still_works() -> None:
    alike = named(["doctor", "nurse", "surgeon", "baker"])
    with pytest.raises(BadInput, match="too alike") as caught:
        build_prompts(alike, CONTEXTS)
    assert "nurse" in caught.value.sentence
    assert "everyday" in caught.value.remedy
    assert len(build_prompts(alike, CONTEXTS, unrelated="everyday")) == 72


def test_one_role_alone_cannot_be_permuted() -> None:
    with pytest.raises(BadInput, match="one role"):
        build_prompts(ROLES[:1], CONTEXTS)
    assert len(build_prompts(ROLES[:1], CONTEXTS, unrelated="everyday")) == 18


def test_everyday_takes_the_unrelated_contexts_of_the_bank_whatever_the_seed() -> None:
    dealt = unrelated_contexts(ROLES, CONTEXTS, "everyday", 5)
    assert dealt == {role.name: CONTEXTS[role.name].unrelated for role in ROLES}


def test_contexts_without_fields_are_kept_apart_by_location() -> None:
    some = named(["doctor", "nurse"])
    plain = {
        "doctor": RoleContexts((Context("clinic", "a", "reading"), Context("ward", "a", "writing")), ()),
        "nurse": RoleContexts((Context("clinic", "a", "sitting"), Context("hall", "a", "standing")), ()),
    }
    with pytest.raises(BadInput, match="too alike"):
        build_prompts(some, plain)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"roles": ()}, "at least one role"),
        ({"roles": ROLES[:1] * 2}, "in the list twice"),
        ({"contexts": {}}, "no contexts for accountant"),
        ({"contexts": {"accountant": RoleContexts((), ())}}, "accountant needs 2 related"),
        (
            {"contexts": {"accountant": RoleContexts(CONTEXTS["actor"].related, ())}},
            "accountant needs 2 unrelated",
        ),
        ({"design": "square"}, "no design 'square'"),
        ({"unrelated": "random"}, "no rule 'random'"),
    ],
)
def test_a_call_that_cannot_be_met_is_refused_with_a_sentence(
    change: dict[str, object], sentence: str
) -> None:
    call: dict[str, object] = {"roles": ROLES[:1], "contexts": CONTEXTS, "unrelated": "everyday"} | change
    with pytest.raises(BadInput, match=sentence):
        build_prompts(**call)  # type: ignore[arg-type]


def test_seeds_belong_to_the_role_and_the_study_and_grow_without_change() -> None:
    ten = seeds_for(1, "baker", 10)
    assert len(set(ten)) == 10
    assert all(0 <= seed < 2**32 for seed in ten)
    assert seeds_for(1, "baker", 20)[:10] == ten
    assert not set(ten) & set(seeds_for(1, "editor", 10))
    assert not set(ten) & set(seeds_for(2, "baker", 10))


def test_seeds_per_prompt_are_its_own_and_those_per_role_are_the_roles() -> None:
    plan = plan_study("x", choose_roles("2"), seeds="per-prompt")
    lists = [seeds_of(plan.seeds, 1, prompt, 10) for prompt in plan.prompts]

    assert len({seed for one in lists for seed in one}) == 36 * 10
    assert lists[0][:3] == seeds_of("per-prompt", 1, plan.prompts[0], 3)
    assert {seeds_of("per-role", 1, prompt, 4) for prompt in plan.prompts} == {
        seeds_for(1, prompt.role, 4) for prompt in plan.prompts
    }
    assert plan.settings == {"seeds": "per-prompt"}
    assert not plan_study("x", choose_roles("2")).settings


@pytest.mark.parametrize("design", ["balanced", "paper"])
def test_in_another_language_the_same_layout_has_other_words(design: Design) -> None:
    roles = [BY_NAME["baker"], BY_NAME["nurse"]]
    german = Sentences(
        *(
            "German",
            "{wording}: {role}",
            "{wording}: {role} ({place})",
            "{wording}: {role}, {activity}, {place}",
        ),
        ("Foto", "Fotografie", "wirklichkeitsnahes Bild", "Bild", "echtes Foto", "echte Fotografie"),
    )

    prompts = build_prompts(roles, CONTEXTS, design, "everyday", sentences=german)
    usual = build_prompts(roles, CONTEXTS, design, "everyday")

    assert prompts[0].text == "Foto: baker"
    assert [(one.condition, one.kind, one.place) for one in prompts] == [
        (one.condition, one.kind, one.place) for one in usual
    ]
    assert len({one.text for one in prompts}) == len(prompts)
    assert sentences_from(sentences_as_data(german)) == german


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"placed": "{wording} {role}"}, "has no {place}"),
        ({"alone": "{wording} {role} {place}"}, "has {place}, which means nothing here"),
        ({"alone": "{wording} {role.__class__}"}, "has no {role}"),
        ({"alone": "{wording} {role:>999999999}"}, "has no {role}"),
        ({"alone": "{wording} {role"}, "cannot be read"),
        ({"language": " "}, "have no 'language'"),
        ({"wordings": ["a", "a", "b", "c", "d", "e"]}, "There are 5 wordings"),
        ({"wordings": "abcdef"}, "There are 0 wordings"),
    ],
)
def test_sentences_that_make_no_prompts_are_told(change: dict[str, object], said: str) -> None:
    with pytest.raises(BadInput, match=re.escape(said)):
        sentences_from(sentences_as_data(ENGLISH) | change)
