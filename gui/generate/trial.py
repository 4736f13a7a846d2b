"""Whether a generator makes the same picture again: tried on two that are there, and nothing is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.errors import UserError
from core.keys import content_hash
from core.records import Condition, StoredImage
from gui.generate.facts import Maker
from gui.widgets.check_rows import FAILED, NOTE, Check

if TYPE_CHECKING:
    from storage.store import Store

TRIED = 2
SLOWEST_SECONDS = 2.0
"""A generator that takes longer for an image is not tried: nobody asked it to work."""


def may_try(maker: Maker) -> bool:
    """Whether a trial is quick and possible; a model is not loaded because its page is looked at."""
    if maker.kind == "diffusers":
        return False
    is_quick = maker.pace is not None and 1 / maker.pace <= SLOWEST_SECONDS
    return maker.is_here and not maker.trouble and bool(maker.images) and is_quick


def try_again(store: Store, name: str) -> Check:
    """Make the newest images of a generator once more and compare the files."""
    from core.generation import registry
    from storage.listing import newest_images

    prompts = {(one.role, one.condition, one.text): one for one in store.prompts() if one.wording}
    found = [one for one in newest_images(store, name, TRIED) if _key(one) in prompts]
    if not found:
        return Check("Repeatable", "No image of the study's own prompts to try it on", NOTE)
    try:
        generator = registry.by_name(name)
        made = [generator.make(prompts[_key(one)], one.seed) for one in found]
    except UserError as error:
        return Check("Repeatable", f"Could not be tried: {error.sentence}", NOTE)
    same = sum(content_hash(new.data) == old.sha256 for new, old in zip(made, found, strict=True))
    if same < len(found):
        said = f"Same seed, another picture: {len(found) - same} of {len(found)} tried differ"
        return Check("Repeatable", said, FAILED)
    return Check("Repeatable", f"Same seed, same picture; tried on {len(found)}")


def _key(image: StoredImage) -> tuple[str, Condition | None, str]:
    return image.role, image.condition, image.prompt
