"""What leaves the machine: the picture and the same words for every one of them, and nothing else."""

from __future__ import annotations

import base64
import io
import json
from dataclasses import replace
from typing import Any

import pytest
from PIL import ExifTags, Image
from PIL.PngImagePlugin import PngInfo

from core.jobs import run_here
from core.records import Condition
from tests.core.extraction.vlm.shelf import Shelf, images, make_extractor

TELLING = "a photo of a plumber in a bathtub"


def telling_png() -> bytes:
    """A picture whose file says what it was made for, in every way that a PNG has."""
    image = Image.new("RGB", (40, 30), (1, 2, 3))
    words = PngInfo()
    words.add_text("parameters", TELLING)
    words.add_itxt("prompt", TELLING)
    exif = Image.Exif()
    exif[ExifTags.Base.ImageDescription] = TELLING
    out = io.BytesIO()
    image.save(out, "PNG", pnginfo=words, exif=exif)
    return out.getvalue()


def telling_jpeg() -> bytes:
    """The same for a JPEG."""
    exif = Image.Exif()
    exif[ExifTags.Base.ImageDescription] = TELLING
    out = io.BytesIO()
    Image.new("RGB", (40, 30), (9, 2, 3)).save(out, "JPEG", exif=exif, comment=TELLING.encode())
    return out.getvalue()


@pytest.mark.parametrize("api", ["chat", "responses"])
@pytest.mark.parametrize("make", [telling_png, telling_jpeg])
def test_no_word_of_what_the_picture_was_made_for_is_sent(
    serve: Any, monkeypatch: pytest.MonkeyPatch, api: str, make: Any
) -> None:
    server = serve()
    shelf = Shelf()
    monkeypatch.setattr(shelf, "image_bytes", lambda image: make())
    image = replace(
        images(1)[0],
        role="plumber",
        condition=Condition.CA_U,
        prompt=TELLING,
        generator="famous-generator",
        path="images/famous-generator/plumber_0001.png",
    )

    run_here(make_extractor(server, api=api).read_many([image], shelf, shelf))

    call = server.calls[-1]
    words = (TELLING, "plumber", "bathtub", "CA-U", "famous", "0001", image.sha256, "context")
    text = json.dumps(call.body).replace(base64.b64encode(call.picture).decode(), "")
    everything = text + call.picture.decode("latin-1") + json.dumps(dict(call.headers))
    assert not [word for word in words if word.casefold() in everything.casefold()]


@pytest.mark.parametrize("api", ["chat", "responses"])
def test_requests_differ_in_the_picture_alone(serve: Any, api: str) -> None:
    server = serve()
    shelf = Shelf()
    some = [
        replace(
            image,
            role=f"role {number}",
            condition=condition,
            prompt=f"prompt {number}",
            generator=f"g{number}",
        )
        for number, (image, condition) in enumerate(zip(images(6), [*Condition, *Condition], strict=True))
    ]

    run_here(make_extractor(server, api=api).read_many(some, shelf, shelf))

    frames = {
        json.dumps(call.body).replace(base64.b64encode(call.picture).decode(), "") for call in server.calls
    }
    assert len(server.calls) == 7
    assert len(frames) == 1
    heads = [{k: v for k, v in call.headers.items() if k != "content-length"} for call in server.calls]
    assert all(head == heads[0] for head in heads)


def test_the_instructions_speak_of_no_role(serve: Any) -> None:
    server = serve()
    run_here(make_extractor(server).prepare())
    system, user = (message["content"] for message in server.calls[0].body["messages"])
    assert "role" not in (system + user[0]["text"]).casefold()
    assert "the main person" in system


def test_the_picture_stands_after_all_that_is_the_same(serve: Any) -> None:
    server = serve()
    run_here(make_extractor(server).prepare())
    messages = server.calls[0].body["messages"]
    assert messages[0]["role"] == "system"
    assert messages[1]["content"][-1]["type"] == "image_url"


def test_the_picture_is_the_jpeg_that_its_type_says(serve: Any) -> None:
    server = serve()
    run_here(make_extractor(server).prepare())
    url = server.calls[0].body["messages"][1]["content"][1]["image_url"]["url"]
    assert url.startswith("data:image/jpeg;base64,")
    with Image.open(io.BytesIO(server.calls[0].picture)) as image:
        assert (image.format, max(image.size), image.info.get("exif")) == ("JPEG", 64, None)


def test_the_server_is_not_told_about_accounts_that_belong_to_another(
    serve: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_ORG_ID", "org-secret")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "proj-secret")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-for-openai-only")
    monkeypatch.setenv("OPENAI_ADMIN_KEY", "sk-admin-for-openai")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "X-Team: secret-team\nAuthorization: Bearer sk-custom")
    server = serve()

    run_here(make_extractor(server).prepare())

    sent = json.dumps(dict(server.calls[0].headers))
    assert "secret" not in sent
    assert "sk-" not in sent
