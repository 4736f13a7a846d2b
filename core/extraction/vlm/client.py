"""The one place that talks to a server: the openai package, with its own waiting and retrying switched off.

Only here is a key revealed. What comes out is bytes or `Trouble`, and neither holds the key, also when the
server echoes it. Certificates are always checked; a redirect is not followed, because it would carry the
pictures elsewhere.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import ssl
from collections.abc import Awaitable
from functools import cache
from typing import Any, TypeVar

from core.errors import MissingPart
from core.extraction.vlm.faults import Fault, Trouble, fault_of_status
from core.extraction.vlm.json_schema import Json
from core.extraction.vlm.servers import Address
from core.secrets import Secret, scrubbed

T = TypeVar("T")

LONGEST_RESPONSE = 4_000_000
"""Bytes; an answer is some thousand."""

CONNECT_SECONDS = 15.0
NO_KEY = "none"
"""Sent to servers that want no key; the package insists on one."""

_TALKATIVE = ("openai", "httpx2", "httpcore2")

_OPENAI = "https://api.openai.com:443"


class Client:
    """A connection to one server.

    Parameters
    ----------
    address : Address
        Where the server is.
    secret : Secret or None
        The key, if the server wants one.
    timeout : float
        Seconds for a whole request, from the first byte sent to the last byte received.
    """

    def __init__(self, address: Address, secret: Secret | None, timeout: float) -> None:
        try:
            import openai
        except ImportError as error:
            raise MissingPart(
                "The package openai is not installed.", "Run: pip install -r requirements.txt"
            ) from error
        for name in _TALKATIVE:
            # They log every request, and on the level for faults also headers of responses.
            logging.getLogger(name).setLevel(logging.WARNING)
        self._openai = openai
        self._secret = secret
        self._timeout = timeout
        key = secret.reveal() if secret is not None else NO_KEY
        self._client: Any = openai.AsyncOpenAI(
            api_key=key,
            admin_api_key="",
            base_url=address.base_url,
            max_retries=0,
            timeout=openai.Timeout(timeout, connect=min(CONNECT_SECONDS, timeout)),
            default_headers=_foreign_headers(openai, address, key),
            http_client=openai.DefaultAsyncHttpxClient(
                follow_redirects=False,
                verify=certificates(),
                trust_env=not address.is_local,  # a proxy has no business between us and ourselves
            ),
        )

    async def send(self, api: str, body: Json) -> bytes:
        """Send one request; the body of a response with status 200, or Trouble."""
        return await self.guarded(self._send(api, body), self._timeout)

    async def guarded(self, work: Awaitable[T], timeout: float) -> T:
        """What comes of a call through the package, or Trouble in place of any of its errors."""
        fault: Fault | None = None
        try:
            async with asyncio.timeout(timeout):
                return await work
        except TimeoutError:
            fault = _late(timeout)
        except self._openai.APIStatusError as error:
            headers = {name.lower(): value for name, value in error.response.headers.items()}
            fault = fault_of_status(error.status_code, self._clean(error.body), headers)
        except self._openai.APITimeoutError:
            fault = _late(timeout)
        except self._openai.APIConnectionError as error:
            fault = _network(error.__cause__ or error)
        except self._openai.OpenAIError:
            fault = Fault("network", "The connection failed.", is_paid_perhaps=True)
        except RecursionError:  # the package reads what the server sends as JSON, however deep
            fault = Fault("not an answer", "The server sent no usable JSON.", is_paid_perhaps=True)
        except (OSError, ValueError) as error:
            fault = _network(error)
        except Exception as error:
            if not type(error).__module__.startswith(("httpx2", "httpcore2", "h11", "anyio", "zlib")):
                raise
            fault = _network(error)
        # Raised here and not above, so that no request with its headers hangs on the exception.
        raise Trouble(fault)

    @property
    def package(self) -> Any:
        """The client of the openai package, for calls inside `guarded`."""
        return self._client

    def without_key(self, data: bytes) -> bytes:
        """A response without the key, if the server echoed it; before anything is made of it."""
        text = data.decode("utf-8", "replace")
        plain = scrubbed(text, self._secret)
        return data if plain == text else plain.encode()

    async def close(self) -> None:
        """Close all connections."""
        await self._client.close()

    async def _send(self, api: str, body: Json) -> bytes:
        # As `extra_body` the request is sent as it is. As arguments, the package would walk through all of it
        # (the JSON schema, too), which takes longer than everything else here together.
        if api == "responses":
            create = self._client.responses.with_streaming_response.create
            asked = create(model=body["model"], input="", extra_body=body)
        else:
            create = self._client.chat.completions.with_streaming_response.create
            asked = create(model=body["model"], messages=[], extra_body=body)
        async with asked as response:
            parts: list[bytes] = []
            length = 0
            async for part in response.iter_bytes():
                parts.append(part)
                length += len(part)
                if length > LONGEST_RESPONSE:
                    raise Trouble(
                        Fault(
                            "not an answer", "The server sends far more than an answer.", is_paid_perhaps=True
                        )
                    )
        return self.without_key(b"".join(parts))

    def _clean(self, body: Any) -> Any:
        """A decoded error body without the key."""
        if body is None:
            return ""
        text = scrubbed(json.dumps(body, ensure_ascii=False), self._secret)
        try:
            return json.loads(text)
        except ValueError:
            return text


@cache
def certificates() -> ssl.SSLContext:
    """Whom to believe to be who they say: certificates are checked, always. Loading them takes 0.2 s."""
    from httpx2 import create_ssl_context  # what the openai package speaks HTTP with

    return create_ssl_context()


def _late(timeout: float) -> Fault:
    return Fault("time-out", f"There was no answer within {timeout:g} s.", is_paid_perhaps=True)


def _network(error: BaseException) -> Fault:
    """A fault of the connection, known by its class; neither class nor text of such errors is for people."""
    name = type(error).__name__
    never_sent = name in ("ConnectError", "ConnectTimeout", "UnsupportedProtocol", "ProxyError")
    what = "could not be reached" if never_sent else "broke the connection off"
    return Fault("network", f"The server {what}.", is_paid_perhaps=not never_sent)


def _foreign_headers(openai: Any, address: Address, key: str) -> dict[str, Any]:
    """What the package would take from variables meant for OpenAI, and another server must not get."""
    if address.origin == _OPENAI:
        return {}
    lines = os.environ.get("OPENAI_CUSTOM_HEADERS", "").split("\n")
    names = [line.split(":", 1)[0].strip() for line in lines if ":" in line]
    ours = {"authorization": f"Bearer {key}"}
    return {
        name: ours.get(name.lower(), openai.Omit())
        for name in ("OpenAI-Organization", "OpenAI-Project", *names)
    }
