"""A study before there is one: which roles, which prompts, which generators, how many images, which seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from core.bank import RoleContexts, load_contexts, load_roles
from core.errors import BadInput
from core.prompts import Design, build_prompts
from core.records import Prompt, Role
from core.seeds import SEED_RULES, SETTING, SeedRule
from core.sentences import ENGLISH, Sentences, sentences_as_data
from core.unrelated import Unrelated

DESIGNS: tuple[Design, ...] = ("balanced", "paper")
UNRELATED_RULES: tuple[Unrelated, ...] = ("permuted", "everyday")


Word = TypeVar("Word", bound=str)


@dataclass(frozen=True, slots=True)
class StudyPlan:
    """Everything decided about a study before its first image, checked and complete."""

    name: str
    seed: int
    design: str
    unrelated: str
    images_per_prompt: int
    roles: tuple[Role, ...]
    prompts: tuple[Prompt, ...]
    generators: tuple[str, ...] = ()
    is_sample: bool = False
    seeds: SeedRule = "per-role"
    sentences: Sentences = ENGLISH

    @property
    def settings(self) -> dict[str, Any]:
        """What the study keeps of the plan beside its columns: what is not as usual."""
        found: dict[str, Any] = {}
        if self.seeds != "per-role":
            found[SETTING] = self.seeds
        if self.sentences != ENGLISH:
            found["sentences"] = sentences_as_data(self.sentences)
        return found

    @property
    def images(self) -> int:
        """Number of images that all generators together will make."""
        return len(self.prompts) * self.images_per_prompt * len(self.generators)


def plan_study(
    name: str,
    roles: Sequence[Role],
    *,
    seed: int = 0,
    design: str = "balanced",
    unrelated: str = "permuted",
    images_per_prompt: int = 10,
    generators: Sequence[str] = (),
    is_sample: bool = False,
    contexts: Mapping[str, RoleContexts] | None = None,
    seeds: str = "per-role",
    sentences: Sentences = ENGLISH,
) -> StudyPlan:
    """Build the prompts for the roles and return the plan; an impossible one raises BadInput.

    `contexts` are those of the bank unless others are given; `seeds` is a rule of `core.seeds`, `sentences`
    says in which language and by which patterns prompts are written.
    """
    if not name.strip():
        raise BadInput("A study needs a name.", "Type one.")
    if not roles:
        raise BadInput("A study needs at least one role.", "Choose roles from the bank.")
    if images_per_prompt < 1:
        raise BadInput("A prompt needs at least one image.", "Give a number from 1 on.")
    chosen_design = _one_of(DESIGNS, design, "design")
    rule = _one_of(UNRELATED_RULES, unrelated, "rule for unrelated contexts")
    prompts = build_prompts(
        roles,
        contexts or load_contexts(),
        design=chosen_design,
        unrelated=rule,
        seed=seed,
        sentences=sentences,
    )
    return StudyPlan(
        name.strip(),
        seed,
        design,
        unrelated,
        images_per_prompt,
        tuple(roles),
        tuple(prompts),
        tuple(dict.fromkeys(generators)),
        is_sample,
        _one_of(SEED_RULES, seeds, "rule for seeds"),
        sentences,
    )


def _one_of(known: tuple[Word, ...], wanted: str, what: str) -> Word:
    for word in known:
        if word == wanted:
            return word
    raise BadInput(f"There is no {what} {wanted!r}.", f"Choose one of {', '.join(map(str, known))}.")


def choose_roles(wanted: str, further: Sequence[Role] = ()) -> tuple[Role, ...]:
    """The roles that a word names: "all", a number of them, names with commas, or a file.

    Names are ids (`bus_driver`) or display names ("bus driver"); an unknown one raises BadInput.
    A number takes that many roles spread evenly over the bank's alphabetical order. `further` are roles
    beside those of the bank.
    """
    bank = (*load_roles(), *further)
    text = wanted.strip()
    if text == "all":
        return bank
    if text.isdecimal():
        return _spread(bank, int(text))
    path = Path(text)
    if path.suffix and path.is_file():
        lines = _lines(path)
        names = [line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")]
    else:
        names = [name.strip() for name in text.split(",") if name.strip()]
    return _named(bank, names)


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"The list of roles {path} is not UTF-8 text.", "Save it as UTF-8.") from error


def _spread(bank: tuple[Role, ...], number: int) -> tuple[Role, ...]:
    if not 1 <= number <= len(bank):
        raise BadInput(f"The bank has {len(bank)} roles, not {number}.", f"Choose 1 to {len(bank)}.")
    return tuple(bank[position * len(bank) // number] for position in range(number))


def _named(bank: tuple[Role, ...], names: Sequence[str]) -> tuple[Role, ...]:
    known = {role.name: role for role in bank} | {role.display_name.lower(): role for role in bank}
    missing = [name for name in names if name.lower() not in known]
    if missing:
        raise BadInput(
            f"Not in the bank: {', '.join(missing)}.",
            "`main.py new --roles all` takes every role of the bank; for other roles build contexts "
            "(`main.py bank`) and name their file with --contexts.",
        )
    return tuple(dict.fromkeys(known[name.lower()] for name in names))
