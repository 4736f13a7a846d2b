"""From roles and contexts to prompts: 18 a role, in a fixed order, and the seeds that go with them.

    CF              a photo of a doctor
    CA-R, CA-U      a photo of a doctor in a clinic
                    a photo of a doctor checking a patient's pulse in a clinic

Design `paper` (3 CF, 7 CA-R, 8 CA-U; 5 base, 10 paraphrases, 3 substitutions), as published: three wordings
for the role alone and for each of the two templates with the first context; then the second context in
place of the first (location alone in CA-R; location alone, and location with activity, in CA-U).

Design `balanced` (6, 6, 6; 3 base, 9 paraphrases, 6 substitutions): six wordings, the same six in every
condition and each used once in each, so that no comparison of conditions is one of wordings. With a
context, each of the two contexts is used three times and each of the two templates three times, and
CA-R and CA-U have the same layout:

    a photo of                 location             first context     base
    a photograph of            activity, location   first context     paraphrase
    a realistic image of       location             second context    substitution
    a picture of               activity, location   second context    substitution
    a realistic photo of       activity, location   first context     paraphrase
    a realistic photograph of  location             second context    substitution
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, TypeAlias

from core.bank import USED_CONTEXTS, Context, RoleContexts
from core.errors import BadInput
from core.keys import seed_of
from core.records import Condition, Prompt, PromptKind, Role
from core.sentences import ENGLISH, Sentences
from core.sentences import MORE_WORDINGS as MORE_WORDINGS
from core.sentences import WORDINGS as WORDINGS
from core.unrelated import Unrelated, unrelated_contexts

Design: TypeAlias = Literal["paper", "balanced"]

_BASE, _PARAPHRASE, _SUBSTITUTION = PromptKind.BASE, PromptKind.PARAPHRASE, PromptKind.SUBSTITUTION

_BALANCED_LAYOUT = (
    (0, False, _BASE),
    (0, True, _PARAPHRASE),
    (1, False, _SUBSTITUTION),
    (1, True, _SUBSTITUTION),
    (0, True, _PARAPHRASE),
    (1, False, _SUBSTITUTION),
)
"""For each wording: number of the context, whether the activity is named, kind."""


def build_prompts(
    roles: Sequence[Role],
    contexts: Mapping[str, RoleContexts],
    design: Design = "balanced",
    unrelated: Unrelated = "permuted",
    seed: int = 0,
    sentences: Sentences = ENGLISH,
) -> list[Prompt]:
    """The prompts of a study: 18 a role, roles in the order given, CF then CA-R then CA-U.

    Parameters
    ----------
    roles : sequence of Role
        Roles of the study, each once.
    contexts : mapping of role name to RoleContexts
        At least two related contexts a role (and two unrelated ones for the rule `everyday`).
    design : {"balanced", "paper"}
        See the module's docstring.
    unrelated : {"permuted", "everyday"}
        Where CA-U takes its contexts from; see `core.unrelated`.
    seed : int
        The study seed; it decides only how `permuted` deals.
    sentences : Sentences
        Language and patterns; English when left out.

    Raises
    ------
    BadInput
        For no roles, a role given twice, a role without enough contexts, an unknown design or rule, or
        roles too alike for `permuted`.
    """
    _check(roles, contexts, design, unrelated)
    foreign = unrelated_contexts(roles, contexts, unrelated, seed)
    build = _paper if design == "paper" else _balanced
    return [
        prompt
        for role in roles
        for prompt in build(role, contexts[role.name].related[:USED_CONTEXTS], foreign[role.name], sentences)
    ]


def seeds_for(study_seed: int, role: str, n: int) -> tuple[int, ...]:
    """The seeds of a role's images, the same for each of its prompts in every condition and generator.

    Common random numbers: what changes between two conditions is then the prompt alone. The first of
    ten seeds are the first of twenty, so a study can grow.

    >>> seeds_for(7, "baker", 3) == seeds_for(7, "baker", 10)[:3]
    True
    """
    seeds: list[int] = []
    position = 0
    while len(seeds) < n:
        seed = seed_of("image", study_seed, role, position)
        if seed not in seeds:
            seeds.append(seed)
        position += 1
    return tuple(seeds)


def write(role: Role, wording: str, context: Context | None = None, with_activity: bool = False) -> str:
    """The English sentence given to a generator; in another language, see `core.sentences`.

    >>> doctor, clinic = Role("doctor", "doctor", "a", "doctors"), Context("clinic", "a", "reading a chart")
    >>> write(doctor, "a photo of", clinic, with_activity=True)
    'a photo of a doctor reading a chart in a clinic'
    """
    return ENGLISH.write(role, wording, context, with_activity)


def _check(roles: Sequence[Role], contexts: Mapping[str, RoleContexts], design: str, unrelated: str) -> None:
    if design not in ("paper", "balanced"):
        raise BadInput(f"There is no design {design!r}.", "Use paper or balanced.")
    if unrelated not in ("permuted", "everyday"):
        raise BadInput(f"There is no rule {unrelated!r} for unrelated contexts.", "Use permuted or everyday.")
    if not roles:
        raise BadInput("A study needs at least one role.")
    names = [role.name for role in roles]
    for role in roles:
        if names.count(role.name) > 1:
            raise BadInput(f"The role {role.display_name} is in the list twice.", "Keep one of them.")
        if role.name not in contexts:
            raise BadInput(f"The bank has no contexts for {role.display_name}.", "Add them to the bank.")
        if len(contexts[role.name].related) < USED_CONTEXTS:
            raise BadInput(f"The role {role.display_name} needs {USED_CONTEXTS} related contexts.")


def _paper(
    role: Role, own: Sequence[Context], foreign: Sequence[Context], sentences: Sentences
) -> Iterator[Prompt]:
    wordings = sentences.wordings[: len(WORDINGS)]
    for position, wording in enumerate(wordings):
        yield _prompt(sentences, role, Condition.CF, _PARAPHRASE if position else _BASE, wording)
    for condition, (first, second) in ((Condition.CA_R, own), (Condition.CA_U, foreign)):
        for with_activity in (False, True):
            for position, wording in enumerate(wordings):
                kind = _PARAPHRASE if position else _BASE
                yield _prompt(sentences, role, condition, kind, wording, first, with_activity)
        yield _prompt(sentences, role, condition, _SUBSTITUTION, wordings[0], second)
        if condition is Condition.CA_U:
            yield _prompt(sentences, role, condition, _SUBSTITUTION, wordings[0], second, with_activity=True)


def _balanced(
    role: Role, own: Sequence[Context], foreign: Sequence[Context], sentences: Sentences
) -> Iterator[Prompt]:
    for position, wording in enumerate(sentences.wordings):
        yield _prompt(sentences, role, Condition.CF, _PARAPHRASE if position else _BASE, wording)
    for condition, given in ((Condition.CA_R, own), (Condition.CA_U, foreign)):
        for wording, (number, with_activity, kind) in zip(sentences.wordings, _BALANCED_LAYOUT, strict=True):
            yield _prompt(sentences, role, condition, kind, wording, given[number], with_activity)


def _prompt(
    sentences: Sentences,
    role: Role,
    condition: Condition,
    kind: PromptKind,
    wording: str,
    context: Context | None = None,
    with_activity: bool = False,
) -> Prompt:
    return Prompt(
        role=role.name,
        condition=condition,
        kind=kind,
        text=sentences.write(role, wording, context, with_activity),
        wording=wording,
        place=context.place if context else None,
        activity=context.activity if context and with_activity else None,
    )
