"""The dataset card: what the pictures are, how they were made, what they are not for."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from core.figures.wording import counted, thousands
from core.origins import made_words, of_unknown_origin
from core.paths import RESOURCES
from core.report.about import BIBTEX, PAPER
from core.report.blocks import printable
from core.report.design import CONDITION_SENTENCES
from core.report.material import Made, setting_words

SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))


def dataset_card(
    facts: Mapping[str, Any], generators: Sequence[Made], images: int, roles: Sequence[str]
) -> str:
    """The card as Markdown with its YAML head.

    Parameters
    ----------
    facts : mapping
        name, study_key, design, seed, images_per_prompt, application_version.
    generators : sequence of Made
    images : int
        How many pictures the folder holds.
    roles : sequence of str
    """
    licences = known_licences()
    lines = [
        "---",
        f"pretty_name: {json.dumps(_plain(facts.get('name', '')), ensure_ascii=False)}",
        "license: other",
        "license_name: see-licences-of-the-generators",
        "task_categories:\n- image-classification",
        f"size_categories:\n- {_size(images)}",
        "tags:\n- bias\n- text-to-image"
        + ("" if of_unknown_origin(generators) else "\n- synthetic\n- ai-generated"),
        "---",
        "",
        f"# {_plain(facts.get('name', ''))}",
        "",
        f"{counted(images, 'picture')} of people in {counted(len(roles), 'role')}, {made_words(generators)}, "
        "for an audit of bias that depends on context.",
        "",
        _whose(generators),
        "",
        "## Design",
        "",
        *(f"- {_plain(words)}" for words in CONDITION_SENTENCES.values()),
        "",
        f"Roles: {', '.join(_plain(role) for role in roles)}.",
        f"Design {_plain(facts.get('design', ''))}, {facts.get('images_per_prompt', '')} images a prompt, "
        f"seed {facts.get('seed', '')}; study {_plain(facts.get('study_key', ''))}.",
        "",
        "## Generators",
        "",
    ]
    for one in generators:
        said = json.dumps(setting_words(one.settings), ensure_ascii=False, default=str)
        licence = licences.get(one.name, "see the generator")
        lines.append(
            f"- **{_plain(one.name)}** ({_plain(one.kind)}; licence: {_plain(licence)}): {_code(said)}"
        )
    lines += [
        "",
        "The pictures are subject to the licences of the generators that made them.",
        "",
        "## Fields",
        "",
        "`metadata.csv` has a row a picture: file_name, generator, role, condition, prompt, seed, width, "
        "height, "
        "sha256 (of the file here) and sha256_of_original (before the mark was written).",
        "",
        "## Limits",
        "",
        "- Made to study generators, not people: nothing here says how anybody looks or what work they do.",
        "- Not for training systems that recognise, sort or judge people.",
        "- Prompts are English; roles follow occupations of the United States.",
        "- Pictures may hold stereotypes; that is what they were made to measure.",
        "",
        "## Citation",
        "",
        PAPER,
        "",
        "```bibtex",
        BIBTEX,
        "```",
        "",
        f"Written by ContextBias Studio {_plain(facts.get('application_version', ''))}. Checksums: "
        "`SHA256SUMS`.",
        "",
    ]
    return "\n".join(lines)


def _whose(generators: Sequence[Made]) -> str:
    """Whether the people in the pictures exist, as far as the study knows."""
    unknown = [_plain(name) for name in of_unknown_origin(generators)]
    if not unknown:
        return (
            "**All pictures are made by machines. The people in them do not exist.** Each file says so in "
            "its metadata (IPTC digital source type)."
        )
    return (
        f"**The pictures of {', '.join(unknown)} were imported: this study does not know how they were made, "
        "nor whether the people in them exist.** All others are made by machines, and each of their files "
        "says so in its metadata (IPTC digital source type)."
    )


def known_licences() -> dict[str, str]:
    """Licence of each released generator by its name."""
    released = json.loads((RESOURCES / "generators.json").read_text(encoding="utf-8"))["generators"]
    return {str(one["name"]): str(one.get("licence", "")) for one in released}


def _plain(value: object) -> str:
    """Text that Markdown and HTML read as text."""
    text = printable(str(value))
    for sign in "\\`*_[]<>|":
        text = text.replace(sign, f"\\{sign}" if sign != "`" else "'")
    return text


def _code(value: object) -> str:
    """Text as a code span, in which Markdown reads every sign as it stands."""
    text = printable(str(value)).replace("`", "'")
    return f"`{text}`"


def _size(images: int) -> str:
    return next((name for most, name in SIZES if images < most), f">{thousands(1_000_000)}")
