"""Reading pictures with a vision-language model behind any server that speaks the OpenAI protocol.

Start with `VlmOptions` (what a person chooses) and `vlm_extractor`. From the outside in: `reader` is the
extractor; `preflight` finds out what the server takes; `run` reads many pictures at once in slices
(`stepped`), so that the job can be paused and cancelled; `conversation` and `recorder` make one record;
`patience` waits and asks again, with `throttle` and `budget`; `client` is the only file that talks to a
server. What is asked: `template`, `json_schema`, `picture`, `request`. What is answered: `reply`, `verdict`,
`reading`, `story`.

Answers are read strictly: what is refused, cut off, filtered or not in the form asked for is a record of that
class and never counts as `unknown`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.extraction.vlm.options import VlmOptions

if TYPE_CHECKING:
    from core.extraction.vlm.reader import VlmExtractor
    from core.schema import Schema

__all__ = ["VlmOptions", "vlm_extractor"]


def vlm_extractor(schema: Schema, options: VlmOptions) -> VlmExtractor:
    """The extractor for a schema; BadInput when address, key or schema cannot work. Nothing is sent yet."""
    from core.extraction.vlm.reader import VlmExtractor

    return VlmExtractor(schema, options)
