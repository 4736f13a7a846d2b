"""One question before the run finds out what a server takes, and remembers it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from core.errors import BadInput, ExtractorError, UserError
from core.extraction.vlm import VlmOptions, vlm_extractor
from core.extraction.vlm.preflight import UnsupportedParameter
from core.extraction.vlm.reader import VlmExtractor
from core.jobs import run_here
from core.schema import schema_from
from tests.core.extraction.vlm.shelf import SCHEMA, make_extractor, read
from tests.fake_server import Call, FakeServer, Mischief, error, true_reading

NO = "Unsupported parameter: '{}' is not supported with this model."


def keys_in(value: Any) -> set[str]:
    """All keys at any depth."""
    if isinstance(value, dict):
        return set(value) | {key for each in value.values() for key in keys_in(each)}
    return {key for each in value for key in keys_in(each)} if isinstance(value, list) else set()


def refuse(*names: str) -> Any:
    """A server that takes everything but some parameters, and says so like OpenAI."""

    def misbehave(call: Call) -> Mischief | None:
        for name in names:
            if name in keys_in(call.body):
                return error(400, NO.format(name), "unsupported_parameter", name)
        return None

    return misbehave


def prepared(fake: FakeServer, /, **changes: Any) -> VlmExtractor:
    extractor = make_extractor(fake, **changes)
    run_here(extractor.prepare())
    return extractor


def last_body(server: FakeServer) -> dict[str, Any]:
    return server.calls[-1].body


def test_a_server_that_takes_everything_is_asked_once(serve: Any) -> None:
    server = serve()

    extractor = prepared(server)

    body = last_body(server)
    assert len(server.calls) == 1
    assert body["response_format"]["json_schema"]["strict"] is True
    assert body["temperature"] == 0
    assert body["max_tokens"] == 4096
    assert extractor.parameters["model"] == server.model
    assert extractor.parameters["model_asked"] == "fake-vision"


def test_what_a_newer_model_refuses_is_left_out_or_renamed(serve: Any) -> None:
    server = serve(refuse("temperature", "max_tokens"))

    extractor = prepared(server)

    body = last_body(server)
    assert "temperature" not in body
    assert body["max_completion_tokens"] == 4096
    assert extractor.parameters["temperature"] is None
    assert any("temperature" in note for note in extractor.notes)


def test_what_was_found_is_remembered_so_that_the_next_run_asks_once(serve: Any) -> None:
    server = serve(refuse("temperature", "max_tokens", "maxItems"))
    first = prepared(server)
    before = len(server.calls)

    second = prepared(server)

    assert len(server.calls) == before + 1
    assert first.name == second.name


def test_another_model_is_asked_anew(serve: Any) -> None:
    server = serve(refuse("temperature"))
    prepared(server)
    before = len(server.calls)
    prepared(server, model="another")
    assert len(server.calls) == before + 2


@pytest.mark.parametrize(
    ("answer", "output"),
    [
        (error(400, "Invalid schema for response_format: 'maxItems' is not permitted"), "json_schema"),
        (
            Mischief(400, envelope={"error": "'response_format.type' must be 'json_object' or 'text'"}),
            "json_object",
        ),
        (error(422, "Extra inputs are not permitted: response_format"), "none"),
    ],
)
def test_a_server_without_strict_schemas_is_asked_less_strictly(
    serve: Any, answer: Mischief, output: str
) -> None:
    def misbehave(call: Call) -> Mischief | None:
        form = call.body.get("response_format", {}).get("type", "none")
        if form == "json_schema" and (output != "json_schema" or "maxItems" in keys_in(call.body)):
            return answer
        return answer if form == "json_object" and output == "none" else None

    server = serve(misbehave)

    extractor = prepared(server)

    assert extractor.parameters["output"] == output
    assert not extractor.parameters["bounds"]
    outcome, _ = read(server, 3)
    assert outcome.done == 3


def test_a_server_that_takes_a_schema_and_ignores_it_is_asked_less_strictly(serve: Any) -> None:
    def misbehave(call: Call) -> Mischief | None:
        is_schema = call.body.get("response_format", {}).get("type") == "json_schema"
        return Mischief(content="A green square.") if is_schema else None

    extractor = prepared(serve(misbehave))

    assert extractor.parameters["output"] == "json_object"


INSISTED = {
    "temperature": ({"temperature": 0.2}, "temperature", "--temperature"),
    "reasoning effort": ({"reasoning_effort": "low"}, "reasoning_effort", "--reasoning-effort"),
    "image detail": ({"image_detail": "high"}, "detail", "--image-detail"),
    "output": ({"output": "json_object"}, "response_format", "--output"),
}


@pytest.mark.parametrize("name", INSISTED)
def test_what_a_person_insisted_on_stops_everything_after_one_call(serve: Any, name: str) -> None:
    changes, parameter, option = INSISTED[name]
    server = serve(refuse(parameter))

    with pytest.raises(UnsupportedParameter) as caught:
        read(server, 50, **changes)

    assert len(server.calls) == 1
    assert option in caught.value.remedy


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (error(401, "Incorrect API key"), "does not accept the key"),
        (error(404, "The model does not exist", "model_not_found"), "does not exist"),
        (error(404, "Not Found"), "404"),
        (error(429, "You exceeded your current quota", "insufficient_quota"), "used up"),
        (error(400, "max_tokens is too large: 4096. This model supports at most 2048"), "too large"),
        (error(500, "image input is not supported - hint: you may need to provide the mmproj"), "mmproj"),
        (error(400, "This model does not support image inputs"), "image inputs"),
        (Mischief(raw=b"<html>"), "no JSON object"),
        (Mischief(content='{"mood"', finish="length"), "did not fit"),
    ],
)
def test_what_cannot_work_is_said_after_few_calls_and_before_any_image(
    serve: Any, answer: Mischief, sentence: str
) -> None:
    server = serve(lambda call: answer)

    with pytest.raises(ExtractorError, match=sentence) as caught:
        read(server, 50)

    assert len(server.calls) <= 3
    assert isinstance(caught.value, UserError)


def test_a_server_that_is_not_there_is_an_error_in_words(serve: Any) -> None:
    extractor = vlm_extractor(SCHEMA, VlmOptions("m", "http://127.0.0.1:9/v1", first_wait=0.001))
    with pytest.raises(ExtractorError, match="could not be reached"):
        run_here(extractor.prepare())


def test_a_busy_server_is_waited_for(serve: Any) -> None:
    server = serve(lambda call: error(503, "Loading model") if call.number < 4 else None)
    assert prepared(server).parameters["model"] == server.model


def test_a_model_that_does_not_see_green_is_noted(serve: Any) -> None:
    def misbehave(call: Call) -> Mischief:
        return Mischief(content=json.dumps(true_reading(call.picture, SCHEMA) | {"dominant_colors": colours}))

    server = serve(misbehave)
    colours = ["pink"]
    assert any("does it see" in note for note in prepared(server).notes)
    colours = ["green"]
    assert prepared(server).notes == ()


def test_a_budget_in_money_needs_prices_and_a_server_that_counts(serve: Any) -> None:
    server = serve(lambda call: Mischief(usage=None))
    with pytest.raises(BadInput, match="prices"):
        make_extractor(server, budget=1.0)
    with pytest.raises(ExtractorError, match="how many tokens"):
        prepared(server, budget=1.0, price_in=1, price_out=1)
    assert read(server, 3)[0].done == 3


def test_a_budget_smaller_than_one_call_sends_nothing(serve: Any) -> None:
    server = serve()
    with pytest.raises(ExtractorError, match="budget"):
        prepared(server, budget=0.001, price_in=2.0, price_out=8.0)
    assert server.calls == []


def test_a_schema_that_the_server_cannot_hold_is_said_before_any_call(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-12345678")
    data = SCHEMA.as_data()
    data["dimensions"].append(
        {
            "id": "dish", "name": "dish", "cohort": "Objects", "kind": "closed", "definition": "Food.",
            "labels": [{"id": f"dish_{n}", "name": f"dish {n}", "definition": "Food."} for n in range(1200)],
        }
    )  # fmt: skip
    schema = schema_from(data)

    with pytest.raises(BadInput, match=r"lists 1,432 labels, and the server takes 1,000") as caught:
        vlm_extractor(schema, VlmOptions("gpt-x"))

    assert "--output json_object" in caught.value.remedy
    vlm_extractor(schema, VlmOptions("gpt-x", output="json_object"))
    vlm_extractor(schema, VlmOptions("m", server="vllm"))


def test_everything_that_shapes_a_reading_is_in_the_parameters_and_changes_the_name(serve: Any) -> None:
    server = serve()
    names = {
        prepared(server, **changes).name
        for changes in (
            {},
            {"image_size": 128},
            {"image_quality": 80},
            {"image_detail": "low"},
            {"temperature": 0.5},
            {"max_tokens": 2048},
            {"repairs": 1},
            {"api": "responses"},
            {"output": "json_object"},
            {"reasoning_effort": "low"},
            {"server": "vllm"},
        )
    }
    assert len(names) == 11
    same = {
        prepared(server, **changes).name
        for changes in ({}, {"concurrency": 2}, {"timeout": 5.0}, {"tries": 2})
    }
    assert len(same) == 1


def test_a_model_that_is_a_file_is_named_without_its_folder(serve: Any) -> None:
    server = serve()
    server.model = "/srv/someone/models/llava.gguf"
    extractor = prepared(server, model="/srv/someone/models/llava.gguf")
    assert extractor.parameters["model"] == extractor.parameters["model_asked"] == "llava.gguf"
    assert "someone" not in extractor.name
    assert extractor.name.startswith("vlm-llava.gguf-")
