"""Reading with a model behind a server: what a person chose, the check before it, and the run."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from core.errors import UserError
from core.jobs import Job, Outcome, Progress
from gui.extract.batches import FOLDER
from gui.widgets.check_rows import FAILED, NOTE, PASSED, Check
from gui.words import counted

if TYPE_CHECKING:
    from core.extraction.vlm import VlmOptions
    from core.schema import Schema
    from storage.store import Store

OUTPUT_WORDS = {
    "json_schema": "answers by the study's strict JSON schema",
    "json_object": "answers as a JSON object; its form is checked here",
    "none": "takes no form; JSON is asked for in words and checked here",
}
API_WORDS = {"chat": "chat completions", "responses": "responses"}


@dataclass(frozen=True, slots=True)
class ServerCheck:
    """What one question to the server has shown: rows of checks, its extractor's name, and a price."""

    checks: tuple[Check, ...]
    extractor: str = ""
    per_image: float | None = None

    @property
    def is_fine(self) -> bool:
        """Whether a run can begin."""
        return not any(check.state == FAILED for check in self.checks)


def checking(options: VlmOptions, schema: Schema, images: int, *, is_batch: bool = False) -> Job[ServerCheck]:
    """Ask the server one question; what is wrong is a row, never an error."""
    from core.extraction.batch.join import HALF_PRICE
    from core.extraction.vlm import vlm_extractor

    yield Progress(0, 1, "asking the server what it can do")
    try:
        extractor = vlm_extractor(schema, options)
        yield from extractor.prepare()
    except UserError as error:
        return ServerCheck((Check("Server", str(error), FAILED),))
    found, cost = extractor.parameters, extractor.budget.expected(1, HALF_PRICE if is_batch else 1.0)
    checks = [
        Check(
            "Server", f"{extractor.server.name} at {extractor.address.base_url} answers as {found['model']}"
        ),
        Check("Schema", f"{len(schema.dimensions)} dimensions, within what the server states"),
        Check("Form of answers", OUTPUT_WORDS[str(found["output"])], _state_of(found)),
        Check("Parameters", _parameters(found)),
        _cost(cost, images, options, "at half price, " if is_batch else ""),
    ]
    checks += [Check("Note", sentence, NOTE) for sentence in extractor.notes]
    return ServerCheck(tuple(checks), extractor.name, cost)


def reading_with_server(store: Store, schema: Schema, options: VlmOptions) -> Job[Outcome]:
    """Read all unread images."""
    from core.running import extract_in

    return (yield from extract_in(store, "vlm", schema, None, options, store.folder / FOLDER))


def as_settings(options: VlmOptions) -> dict[str, Any]:
    """What is remembered for the next time: no limit or confirmation of one run, and no key."""
    kept = asdict(options)
    once = ("attempt", "most_calls", "budget", "allow_plain_http")
    return {name: value for name, value in kept.items() if name not in once}


def _state_of(found: Any) -> str:
    return PASSED if found["output"] == "json_schema" else NOTE


def _parameters(found: Any) -> str:
    temperature = found["temperature"]
    parts = [
        "its own temperature" if temperature is None else f"temperature {temperature:g}",
        f"answers of at most {found['max_tokens']} tokens"
        if found["max_tokens"]
        else "answers of any length",
        f"reasoning effort {found['reasoning_effort']}" if found["reasoning_effort"] else "",
        f"image detail {found['image_detail']}" if found["image_detail"] else "",
        API_WORDS[str(found["api"])],
    ]
    return ", ".join(part for part in parts if part)


def _cost(cost: float | None, images: int, options: VlmOptions, half: str) -> Check:
    if cost is None:
        return Check("Cost", "not known: the prices are not given, or the server was checked before", NOTE)
    total = cost * images
    said = f"{cost:.4f} a picture {half}as measured, about {total:.2f} for {counted(images, 'picture')}"
    if options.budget is not None and total > options.budget:
        return Check(
            "Cost", f"{said}: more than the budget of {options.budget:g}, so it will stop there", NOTE
        )
    return Check("Cost", said)
