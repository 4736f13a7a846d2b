"""The request for one picture, put as the server takes it.

It is made of the template, the study's schema, the terms of the run and the picture. Nothing that says what
the picture was made for is at hand here, so nothing of it can be sent.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any

from core.extraction.vlm.json_schema import NAME, Json, answer_schema
from core.extraction.vlm.picture import Picture
from core.extraction.vlm.template import Template
from core.keys import key_of
from core.schema import Schema

LONGEST_QUOTE = 8000
"""Characters of an unusable answer that are sent back when it is asked for again."""


@dataclass(frozen=True, slots=True)
class Terms:
    """How requests of a run are put: what the person wants and the server takes.

    Empty or None is not sent. `bounds` says whether the JSON schema limits the length of lists;
    `keeps_nothing` whether the server is told not to store the conversation (responses only).
    """

    api: str
    model: str
    output: str
    bounds: bool
    tokens_as: str
    max_tokens: int
    temperature: float | None
    reasoning_effort: str
    image_detail: str
    keeps_nothing: bool = True

    def as_data(self) -> dict[str, Any]:
        """The terms as JSON-able data; `terms_from` reads it."""
        return asdict(self)

    def changed(self, **changes: Any) -> Terms:
        """The same terms with some of them changed."""
        return replace(self, **changes)


def terms_from(data: Mapping[str, Any]) -> Terms:
    """Terms from their data; TypeError for data of another form."""
    return Terms(**data)


@dataclass(frozen=True, slots=True)
class Turn:
    """An answer that could not be used, and what was said to it."""

    answer: str
    reply: str


@dataclass(frozen=True)
class Asking:
    """Everything in a request that is the same for every picture."""

    terms: Terms
    template: Template
    schema: Schema

    @cached_property
    def system(self) -> str:
        """The instructions."""
        return self.template.system(self.schema)

    @cached_property
    def json_schema(self) -> Json:
        """The JSON schema of an answer."""
        return answer_schema(self.schema, bounds=self.terms.bounds)

    def body(self, picture: Picture, turns: Sequence[Turn] = ()) -> Json:
        """The request about a picture, after any answers that could not be used."""
        data = base64.b64encode(picture.data).decode("ascii")
        return self._body(f"data:{picture.mime};base64,{data}", turns)

    def key(self, picture: Picture) -> str:
        """Hash of the first request about a picture, in which its SHA-256 stands for the picture."""
        return key_of([self._frame_key, picture.mime, picture.sha256])

    @cached_property
    def _frame_key(self) -> str:
        return key_of(self._body("", ()))

    def _body(self, url: str, turns: Sequence[Turn]) -> Json:
        build = self._responses if self.terms.api == "responses" else self._chat
        return build(url, turns)

    def _chat(self, url: str, turns: Sequence[Turn]) -> Json:
        terms = self.terms
        image: Json = {"url": url}
        if terms.image_detail:
            image["detail"] = terms.image_detail
        messages: list[Json] = [
            {"role": "system", "content": self.system},
            {
                "role": "user",
                "content": [
                    {"type": "text", "text": self.template.user},
                    {"type": "image_url", "image_url": image},
                ],
            },
        ]
        for turn in turns:
            if turn.answer:
                messages.append({"role": "assistant", "content": turn.answer[:LONGEST_QUOTE]})
            messages.append({"role": "user", "content": turn.reply})
        body: Json = {"model": terms.model, "messages": messages}
        if terms.output == "json_schema":
            strict = {"name": NAME, "strict": True, "schema": self.json_schema}
            body["response_format"] = {"type": "json_schema", "json_schema": strict}
        elif terms.output == "json_object":
            body["response_format"] = {"type": "json_object"}
        if terms.reasoning_effort:
            body["reasoning_effort"] = terms.reasoning_effort
        return body | self._numbers()

    def _responses(self, url: str, turns: Sequence[Turn]) -> Json:
        terms = self.terms
        image: Json = {"type": "input_image", "image_url": url, "detail": terms.image_detail or "auto"}
        asked: list[Json] = [{"type": "input_text", "text": self.template.user}, image]
        messages: list[Json] = [
            {"role": "system", "content": [{"type": "input_text", "text": self.system}]},
            {"role": "user", "content": asked},
        ]
        for turn in turns:
            if turn.answer:
                said = {"type": "output_text", "text": turn.answer[:LONGEST_QUOTE]}
                messages.append({"role": "assistant", "content": [said]})
            messages.append({"role": "user", "content": [{"type": "input_text", "text": turn.reply}]})
        body: Json = {"model": terms.model, "input": messages}
        if terms.output == "json_schema":
            form = {"type": "json_schema", "name": NAME, "strict": True, "schema": self.json_schema}
            body["text"] = {"format": form}
        elif terms.output == "json_object":
            body["text"] = {"format": {"type": "json_object"}}
        if terms.reasoning_effort:
            body["reasoning"] = {"effort": terms.reasoning_effort}
        if terms.keeps_nothing:
            body["store"] = False
        return body | self._numbers()

    def _numbers(self) -> Json:
        terms = self.terms
        numbers: Json = {}
        if terms.temperature is not None:
            numbers["temperature"] = terms.temperature
        if terms.tokens_as:
            numbers[terms.tokens_as] = terms.max_tokens
        return numbers
