"""What a person chooses about an extraction with a vision-language model. No key is among it."""

from __future__ import annotations

from dataclasses import dataclass

from core.errors import BadInput

APIS = ("chat", "responses")
OUTPUTS = ("json_schema", "json_object", "none")
"""How a server can be made to answer in JSON, the strictest first; "none" is by asking alone."""


@dataclass(frozen=True, slots=True)
class VlmOptions:
    """Choices for one run. An empty or None choice is left to what the server can do.

    A choice that is made is insisted on: a server that does not take it stops the run after one call.

    Parameters
    ----------
    model : str
        As the server calls it.
    base_url, server : str
        Where: an address such as "http://localhost:8000/v1", or the id of a known server, or both.
    api : str
        "chat" (chat completions) or "responses".
    key_variable : str
        Environment variable that holds the key; else the server's own ones, else the system's keyring.
    concurrency : int
        Most requests at once; fewer when the server says that it is too much.
    budget : float, optional
        Most money to spend, in the currency of the prices. Needs both prices.
    most_calls : int, optional
        Most requests to send, those of the preflight and of repairs included.
    price_in, price_out : float, optional
        Price of a million tokens of question and of answer.
    image_size, image_quality : int
        Longest side in pixels and JPEG quality of the picture that is sent.
    image_detail : str
        "low", "high" or "auto" where the server knows it.
    output : str
        One of `OUTPUTS`; empty is the strictest that works.
    temperature : float, optional
        None is 0 where the server takes a temperature, and its default elsewhere.
    reasoning_effort : str
        Such as "minimal" or "low"; empty leaves it to the server.
    max_tokens : int
        Longest answer, hidden reasoning included.
    timeout : float
        Seconds after which a request is given up.
    tries : int
        Requests for the same answer when the server or the network fails.
    first_wait : float
        Seconds before the second try, where the server names none; doubled each time.
    repairs : int
        How often an answer that cannot be used is asked for again, at most 2.
    attempt : int
        0 for the first reading of an image; a higher number reads it again under a key of its own.
    allow_plain_http : bool
        Confirms that pictures and key may travel unencrypted to another machine.
    allow_other_model : bool
        Go on when the server reports another model half-way.
    """

    model: str
    base_url: str = ""
    server: str = ""
    api: str = "chat"
    key_variable: str = ""
    concurrency: int = 8
    budget: float | None = None
    most_calls: int | None = None
    price_in: float | None = None
    price_out: float | None = None
    image_size: int = 768
    image_quality: int = 90
    image_detail: str = ""
    output: str = ""
    temperature: float | None = None
    reasoning_effort: str = ""
    max_tokens: int = 4096
    timeout: float = 120.0
    tries: int = 5
    first_wait: float = 0.5
    repairs: int = 2
    attempt: int = 0
    allow_plain_http: bool = False
    allow_other_model: bool = False

    def __post_init__(self) -> None:
        """Refuse what cannot be meant."""
        if not self.model.strip():
            raise BadInput("No model is named.", "Say which one (--model).")
        _one_of("api", self.api, APIS)
        _one_of("output", self.output, ("", *OUTPUTS))
        _one_of("image detail", self.image_detail, ("", "low", "high", "auto"))
        _within("concurrency", self.concurrency, 1, 512)
        _within("image size", self.image_size, 64, 4096)
        _within("image quality", self.image_quality, 30, 100)
        _within("number of repairs", self.repairs, 0, 2)
        _within("number of tries", self.tries, 1, 20)
        _within("longest answer", self.max_tokens, 64, 200_000)
        _within("time-out", self.timeout, 0.01, 3600)
        _within("number of calls", self.most_calls, 1, 10**9)
        _within("budget", self.budget, 0, 10**9)
        _within("price", self.price_in, 0, 10**6)
        _within("price", self.price_out, 0, 10**6)
        _within("temperature", self.temperature, 0, 2)
        if self.budget is not None and (self.price_in is None or self.price_out is None):
            raise BadInput(
                "A budget in money needs the prices of the model.",
                "Give both prices (--price-in, --price-out), or limit the number of calls (--max-calls).",
            )


def _one_of(what: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise BadInput(f"The {what} cannot be {value!r}.", f"Use one of: {', '.join(filter(None, allowed))}.")


def _within(what: str, value: float | None, low: float, high: float) -> None:
    if value is not None and not low <= value <= high:
        raise BadInput(f"The {what} cannot be {value:g}.", f"Use {low:g} to {high:g}.")
