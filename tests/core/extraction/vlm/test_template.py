"""The words of a request: versioned, complete, and the same for every picture, whatever it is for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.errors import BadInput
from core.extraction.vlm.memory import Memory
from core.extraction.vlm.options import VlmOptions
from core.extraction.vlm.picture import plain_picture
from core.extraction.vlm.preflight import wanted_terms
from core.extraction.vlm.request import Asking
from core.extraction.vlm.servers import choose_server
from core.extraction.vlm.template import Template, load_template
from core.schema import load_schema

SCHEMA = load_schema()
TEMPLATE = load_template()
TERMS = wanted_terms(VlmOptions("m"), choose_server("vllm", ""))


def test_every_dimension_and_label_is_explained() -> None:
    text = TEMPLATE.system(SCHEMA)
    for dimension in SCHEMA.dimensions:
        assert f"\n{dimension.id}: " in text
        for label in dimension.labels:
            assert f"\n  {label.id}: {label.definition}" in text.replace(
                "the main person", "the person in the role"
            )
    assert f"A list of at most 3:\n  {SCHEMA.dimension('dominant_colors').label_ids[0]}:" in text


def test_it_speaks_of_no_role_prompt_or_generator() -> None:
    words = (TEMPLATE.system(SCHEMA) + TEMPLATE.user + TEMPLATE.repair("it is empty.")).casefold()
    for word in ("role", "prompt", "generator", "generated", "occupation", "profession", "condition", "bias"):
        assert word not in words, word


def test_the_version_follows_the_content() -> None:
    changed = Template({**TEMPLATE.data, "user": "Look."})
    assert TEMPLATE.version.startswith("1.0+")
    assert changed.version != TEMPLATE.version


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"version": "1"}'])
def test_a_template_that_lacks_something_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "words.json"
    path.write_text(text)
    with pytest.raises(BadInput):
        load_template(path)


def test_a_request_is_known_by_its_hash() -> None:
    asking = Asking(TERMS, TEMPLATE, SCHEMA)
    one, other = plain_picture(64, 90), plain_picture(80, 90)
    assert asking.key(one) == Asking(TERMS, TEMPLATE, SCHEMA).key(one) != asking.key(other)
    assert asking.key(one) != Asking(TERMS.changed(temperature=None), TEMPLATE, SCHEMA).key(one)


def test_terms_are_remembered_by_server_and_model(tmp_path: Path) -> None:
    taken = TERMS.changed(temperature=None, tokens_as="max_completion_tokens")
    Memory(tmp_path).keep("http://localhost:1/v1", TERMS, taken)
    assert Memory(tmp_path).recall("http://localhost:1/v1", TERMS) == taken
    assert Memory(tmp_path).recall("http://localhost:2/v1", TERMS) is None
    assert Memory(tmp_path).recall("http://localhost:1/v1", TERMS.changed(model="n")) is None
    assert "localhost" not in (tmp_path / "servers.json").read_text()


@pytest.mark.parametrize("text", ["", "[]", '{"x": 1}', json.dumps({"a": {"api": "chat"}})])
def test_a_memory_that_cannot_be_read_is_no_memory(tmp_path: Path, text: str) -> None:
    (tmp_path / "servers.json").write_text(text)
    memory = Memory(tmp_path)
    assert memory.recall("http://localhost:1/v1", TERMS) is None
    memory.keep("http://localhost:1/v1", TERMS, TERMS)
    assert memory.recall("http://localhost:1/v1", TERMS) == TERMS


def test_a_disk_that_takes_nothing_does_no_harm(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    memory = Memory(tmp_path / "file")
    memory.keep("http://localhost:1/v1", TERMS, TERMS)
    assert memory.recall("http://localhost:1/v1", TERMS) is None
