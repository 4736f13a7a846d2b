"""What a vision-language model is told: a template with a version, filled from the study's schema."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from core.errors import BadInput
from core.extraction.vlm.json_schema import PERSONS
from core.keys import key_of
from core.paths import RESOURCES
from core.schema import Dimension, Schema


@dataclass(frozen=True)
class Template:
    """The words of a request. Nothing in them depends on the picture."""

    data: Mapping[str, Any]

    @cached_property
    def version(self) -> str:
        """Version and content, so that an edited template is another one."""
        return f"{self.data['version']}+{key_of(dict(self.data))[:8]}"

    @property
    def refusal_phrases(self) -> tuple[str, ...]:
        """Words with which models decline, in lower case."""
        return tuple(self.data["refusal_phrases"])

    def system(self, schema: Schema) -> str:
        """The instructions: rules, then every dimension with its labels and what they mean."""
        lines = [*self.data["system"], *(line for each in schema.dimensions for line in self._lines(each))]
        keys = ", ".join([PERSONS, *schema.dimension_ids])
        text = "\n".join([*lines, "", self.data["keys"].format(keys=keys)])
        for ours, theirs in self.data["wording"].items():
            text = text.replace(ours, theirs)
        return text

    @property
    def user(self) -> str:
        """What stands beside the picture."""
        return str(self.data["user"])

    def repair(self, problem: str) -> str:
        """What is said when an answer could not be used."""
        return str(self.data["repair"]).format(problem=problem)

    def _lines(self, dimension: Dimension) -> Iterator[str]:
        words = self.data["dimension"]
        most = words["most"].format(number=dimension.max_labels) if dimension.max_labels else ""
        yield words[dimension.kind].format(id=dimension.id, definition=dimension.definition, most=most)
        for label in dimension.labels:
            yield words["label"].format(id=label.id, definition=label.definition)
        if dimension.labels:
            yield words["unknown"]


def load_template(path: Path | None = None) -> Template:
    """The template of this release, or another file of the same form."""
    path = path or RESOURCES / "extractors" / "vlm_prompt.json"
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, ValueError) as error:
        raise BadInput(f"The prompt template {path.name} cannot be read: {error}.") from error
    needed = {"version", "wording", "system", "dimension", "user", "keys", "repair", "refusal_phrases"}
    missing = sorted(needed - set(data)) if isinstance(data, dict) else sorted(needed)
    if missing:
        raise BadInput(f"The prompt template {path.name} has no {', '.join(missing)}.")
    return Template(data)
