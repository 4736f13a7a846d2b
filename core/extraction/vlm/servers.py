"""Servers that speak the OpenAI protocol: the known ones, and the address of any other."""

from __future__ import annotations

import ipaddress
import json
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import SplitResult, urlsplit

from core.errors import BadInput
from core.extraction.vlm.json_schema import Limits
from core.paths import RESOURCES

OWN = "own"
"""Id of the server about which nothing is known but its address."""

FIRST = "openai"
"""The server meant when neither a server nor an address is named."""

_ENDPOINTS = ("/chat/completions", "/responses", "/completions")


@dataclass(frozen=True, slots=True)
class Server:
    """What is known about a kind of server before it is asked.

    `tokens_as` names the parameter for the longest answer, the likelier one first; `image_detail` is what
    is asked for unless a person says otherwise, empty for nothing.
    """

    id: str
    name: str
    base_url: str
    key_variables: tuple[str, ...]
    needs_key: bool
    tokens_as: tuple[str, ...]
    image_detail: str
    has_batch: bool
    limits: Limits | None


@dataclass(frozen=True, slots=True)
class Address:
    """A base URL that has been checked: `origin` is scheme, host and port, to which a key belongs."""

    base_url: str
    origin: str
    is_local: bool


@lru_cache(maxsize=1)
def servers() -> tuple[Server, ...]:
    """The known servers in the order in which they are offered."""
    data = json.loads((RESOURCES / "extractors" / "servers.json").read_text(encoding="utf-8"))
    return tuple(
        Server(
            id=item["id"],
            name=item["name"],
            base_url=item["base_url"],
            key_variables=tuple(item["key_variables"]),
            needs_key=item["needs_key"],
            tokens_as=tuple(item["tokens_as"]),
            image_detail=item["image_detail"],
            has_batch=item["batch"],
            limits=Limits(**item["limits"]) if item["limits"] else None,
        )
        for item in data["servers"]
    )


def choose_server(server_id: str, base_url: str) -> Server:
    """The server with this id, else the one that lives at this address, else an unknown one.

    >>> choose_server("", "http://localhost:11434/v1").name, choose_server("", "https://example.org/v1").id
    ('Ollama', 'own')
    """
    by_id = {server.id: server for server in servers()}
    if server_id:
        if server_id not in by_id:
            raise BadInput(f"There is no server {server_id!r}.", f"Use one of: {', '.join(by_id)}.")
        return by_id[server_id]
    if not base_url:
        return by_id[FIRST]
    origin = _origin(urlsplit(base_url.strip()))
    for server in servers():
        if server.base_url and _origin(urlsplit(server.base_url)) == origin:
            return server
    return by_id[OWN]


def check_address(base_url: str, *, plain_http_is_fine: bool = False) -> Address:
    """A base URL as it will be used; BadInput says what is wrong with it.

    Parameters
    ----------
    base_url : str
        Up to and without the name of an endpoint, such as "http://localhost:8000/v1".
    plain_http_is_fine : bool
        Whether somebody has confirmed that pictures and the key may travel unencrypted to another machine.

    Examples
    --------
    >>> check_address("http://127.0.0.1:8000/v1/").base_url
    'http://127.0.0.1:8000/v1'
    """
    text = base_url.strip().rstrip("/")
    try:
        parts = urlsplit(text)
        host = parts.hostname or ""
        origin = _origin(parts)
    except ValueError as error:
        raise BadInput("The base URL is no address.", "Write it as https://host/v1.") from error
    if parts.scheme not in ("http", "https") or not host:
        raise BadInput(f"The base URL {_shown(parts)!r} is no web address.", "Write it as https://host/v1.")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise BadInput(
            "The base URL holds more than an address.",
            "Leave out names, passwords and everything after ?; a key goes into an environment variable.",
        )
    for endpoint in _ENDPOINTS:
        if parts.path.endswith(endpoint):
            raise BadInput(
                f"The base URL ends in {endpoint}.", f"Leave that out: {text.removesuffix(endpoint)}"
            )
    is_local = _is_local(host)
    if parts.scheme == "http" and not is_local and not plain_http_is_fine:
        raise BadInput(
            f"{origin} is another machine and http is not encrypted: the key could be read on the way.",
            "Use https, or confirm it (--allow-plain-http).",
        )
    return Address(text, origin, is_local)


def _is_local(host: str) -> bool:
    """Whether a host is this machine; a name counts only if it can mean nothing else."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _origin(parts: SplitResult) -> str:
    port = parts.port or {"http": 80, "https": 443}.get(parts.scheme, 0)
    host = parts.hostname or ""
    return f"{parts.scheme}://{f'[{host}]' if ':' in host else host}:{port}"


def _shown(parts: SplitResult) -> str:
    """An address as it may be shown: without what could be a password."""
    return f"{parts.scheme}://{parts.hostname or ''}{parts.path}"
