"""One question before the run: is the key right, is there such a model, does it see, what does it take?

The question is a real one, about a plain picture of the size that will be sent, so its cost is measured, too.
A parameter that the server does not take is left out and the question asked again (a server charges nothing
for a question that it refuses); one that a person insisted on stops everything instead.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from core.errors import ExtractorError
from core.extraction.vlm.faults import Fault, Trouble
from core.extraction.vlm.options import OUTPUTS, VlmOptions
from core.extraction.vlm.patience import REMEDIES, Patience
from core.extraction.vlm.picture import plain_picture
from core.extraction.vlm.reply import Reply
from core.extraction.vlm.request import Asking, Terms
from core.extraction.vlm.servers import Server
from core.extraction.vlm.story import Story
from core.extraction.vlm.verdict import Verdict, judge
from core.records import Status

MOST_QUESTIONS = 12
"""Questions until terms are found; each leaves one parameter out, so it cannot take more."""

_OPTION_OF = {
    "tokens": "--max-tokens",
    "temperature": "--temperature",
    "reasoning": "--reasoning-effort",
    "output": "--output",
    "detail": "--image-detail",
}


@dataclass(frozen=True, slots=True)
class Found:
    """What the preflight found out: terms that work, the model as it calls itself, and what to know."""

    terms: Terms
    model: str
    notes: tuple[str, ...]


class UnsupportedParameter(ExtractorError):
    """The server does not take something that was insisted on, or cannot do without."""


def wanted_terms(options: VlmOptions, server: Server) -> Terms:
    """The terms to begin with: what the person chose, and the best of the rest."""
    tokens_as = "max_output_tokens" if options.api == "responses" else server.tokens_as[0]
    return Terms(
        api=options.api,
        model=options.model,
        output=options.output or OUTPUTS[0],
        bounds=True,
        tokens_as=tokens_as,
        max_tokens=options.max_tokens,
        temperature=0.0 if options.temperature is None else options.temperature,
        reasoning_effort=options.reasoning_effort,
        image_detail=options.image_detail or server.image_detail,
        keeps_nothing=options.api == "responses",
    )


@dataclass
class Preflight:
    """Finds terms that a server takes.

    Parameters
    ----------
    asking : Asking
        Template, schema, and the terms to begin with.
    options : VlmOptions
        What was insisted on.
    server : Server
        What is known about this kind of server.
    patience : Patience
        What sends the questions.
    """

    asking: Asking
    options: VlmOptions
    server: Server
    patience: Patience
    notes: list[str] = field(default_factory=list)
    tried_tokens: set[str] = field(default_factory=set)

    async def run(self) -> Found:
        """Ask until an answer can be used; UserError when there is no way."""
        picture = plain_picture(self.options.image_size, self.options.image_quality)
        for _ in range(MOST_QUESTIONS):
            story = Story(picture=picture.as_data())
            try:
                reply = await self.patience.ask(self.asking.terms.api, self.asking.body(picture), story)
            except Trouble as trouble:
                fault = trouble.fault
            else:
                verdict = judge(reply, self.asking.schema, self.asking.template.refusal_phrases)
                if self._is_settled(verdict, reply):
                    return Found(self.asking.terms, reply.model, tuple(self.notes))
                continue
            self._give_way(fault)
        raise UnsupportedParameter("No form of the question was found that this server takes.")

    def _give_way(self, fault: Fault) -> None:
        """Leave out what the server does not take, or say that it cannot be done."""
        if fault.kind != "unsupported":
            raise ExtractorError(fault.sentence, REMEDIES.get(fault.kind, ""))
        terms = self._without(fault.parameter)
        if terms is None:
            option = _OPTION_OF.get(fault.parameter, "")
            remedy = f"Leave {option} out, or choose another model." if option else REMEDIES["unsupported"]
            if fault.parameter == "picture":
                remedy = "Choose a model that takes pictures."
            raise UnsupportedParameter(fault.sentence, remedy)
        self.asking = replace(self.asking, terms=terms)

    def _without(self, parameter: str) -> Terms | None:
        """The terms with one thing less; None when that thing was insisted on or is not there."""
        terms, options = self.asking.terms, self.options
        if parameter == "tokens" and terms.tokens_as:
            self.tried_tokens.add(terms.tokens_as)
            left = [name for name in self.server.tokens_as if name not in self.tried_tokens]
            return terms.changed(tokens_as=left[0] if left and terms.api == "chat" else "")
        if parameter == "temperature" and terms.temperature is not None and options.temperature is None:
            self.notes.append("The server takes no temperature of 0; its own is used.")
            return terms.changed(temperature=None)
        if parameter == "detail" and terms.image_detail and not options.image_detail:
            return terms.changed(image_detail="")
        if parameter == "store" and terms.keeps_nothing:
            self.notes.append("The server cannot be told to keep nothing.")
            return terms.changed(keeps_nothing=False)
        if parameter in ("bounds", "output"):
            return self._looser(terms, only_bounds=parameter == "bounds")
        return None

    def _looser(self, terms: Terms, *, only_bounds: bool = False) -> Terms | None:
        """The next less strict way to ask for JSON, if nobody insisted on this one."""
        if terms.output == OUTPUTS[0] and terms.bounds:
            return terms.changed(bounds=False)
        place = OUTPUTS.index(terms.output) + 1
        if only_bounds or self.options.output or place == len(OUTPUTS):
            return None
        self.notes.append(f"The server does not answer by {terms.output}; {OUTPUTS[place]} is used.")
        return terms.changed(output=OUTPUTS[place])

    def _is_settled(self, verdict: Verdict, reply: Reply) -> bool:
        """Whether the answer shows that these terms work; raises when none would."""
        if verdict.status is Status.TRUNCATED:
            raise ExtractorError(
                f"The answer did not fit into {self.options.max_tokens:,} tokens.",
                "Raise the longest answer (--max-tokens).",
            )
        if self.options.budget is not None and reply.usage is None:
            raise ExtractorError(
                "The server does not say how many tokens it used, so a budget in money cannot be held.",
                "Limit the calls instead (--max-calls).",
            )
        if verdict.status is Status.INVALID:
            looser = self._looser(self.asking.terms)
            if looser is None:
                raise ExtractorError(
                    f"The model does not answer in the form that was asked for: {verdict.reason}",
                    "Choose another model.",
                )
            self.asking = replace(self.asking, terms=looser)
            return False
        if verdict.parsed is not None:
            self._look(verdict)
        return True

    def _look(self, verdict: Verdict) -> None:
        """Note it when a plainly green picture is not called green: perhaps the model never saw it."""
        colours = verdict.parsed.readings.get("dominant_colors") if verdict.parsed else None
        if colours is not None and "green" not in colours.labels:
            self.notes.append("Shown a green picture, the model did not say green: does it see pictures?")
