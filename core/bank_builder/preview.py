"""The prompts that would come of the contexts accepted so far, and what stands in the way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.bank import USED_CONTEXTS, Context
from core.bank_builder.candidate import KINDS, Candidate, accepted
from core.bank_builder.rules import problems
from core.records import Role
from core.sentences import ENGLISH, Sentences


@dataclass(frozen=True, slots=True)
class Preview:
    """Sentences by condition, and warnings."""

    prompts: tuple[tuple[str, str], ...]
    warnings: tuple[str, ...]


def preview(role: Role, candidates: Sequence[Candidate], sentences: Sentences = ENGLISH) -> Preview:
    """What the accepted contexts of a role would give.

    Parameters
    ----------
    role : Role
        How it is written.
    candidates : sequence of Candidate
        Of all roles or of this one; only accepted ones make prompts.
    sentences : Sentences
        Language and patterns of the prompts.

    Returns
    -------
    Preview
        One sentence for the role alone, and two for each context that a study would use.
    """
    own = accepted(candidates, role.name)
    first = sentences.wordings[0]
    prompts = [("CF", sentences.write(role, first))]
    for condition, some in (("CA-R", own.related), ("CA-U", own.unrelated)):
        for context in some[:USED_CONTEXTS]:
            prompts += [
                (condition, sentences.write(role, first, context, with_activity=it)) for it in (False, True)
            ]
    warnings = [
        f"{lacking} more {kind} context{' is' if lacking == 1 else 's are'} needed."
        for kind, some in zip(KINDS, (own.related, own.unrelated), strict=True)
        if (lacking := USED_CONTEXTS - len(some)) > 0
    ]
    for each in candidates:
        if each.role == role.name and each.state == "accepted":
            found = problems(each, role, sentences.is_english)
            warnings += [f"{_shown(each.context)}: {said}" for said in found]
    return Preview(tuple(prompts), tuple(warnings))


def _shown(context: Context) -> str:
    return f"{context.activity} in {context.place}"
