"""The extractor `reader`: a small network of this project that looks at drawn and phantom pictures.

It was trained on pictures drawn here and knows nothing else: of a photograph its answers would mean nothing,
so it refuses every picture that is neither drawn nor the phantom's. It
truly looks at pixels, gives each label a confidence, and says unknown below a threshold. Its error rates on
pictures it was not trained on are in `resources/phantom/reader.json`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any

from core.errors import ExtractorError
from core.extraction.extractor import RefusedPicture, Truth, key_for
from core.generation.registry import DRAWN
from core.origins import Named, imported
from core.phantom import NAME as PHANTOM
from core.phantom.network import LABELS, SURE, SURE_IN_LIST, WEIGHTS, Network, Sure, small
from core.questions import NONE
from core.records import UNKNOWN, DimensionReading, NewRecord, Status, StoredImage
from core.schema import Dimension, Schema

MEASURED_ON = (*DRAWN, PHANTOM)
"""Generators on whose pictures its errors are known."""

_DERIVED = {
    "eyewear_present": "eyewear_type",
    "head_covering_present": "head_covering_type",
    "facial_hair_present": "facial_hair_style",
}
"""Dimensions that ask whether there is any, read from which kind there is."""

_UNKNOWN = DimensionReading(status=Status.UNKNOWN)


def dimensions_known() -> frozenset[str]:
    """The dimensions that the network has labels for, and those that follow from them."""
    known = json.loads(LABELS.read_text(encoding="utf-8"))["labels"]
    return frozenset((*known, *_DERIVED))


class Reader:
    """Reads drawn and phantom pictures.

    Parameters
    ----------
    schema : Schema
        The study's schema; dimensions that the network does not know are read as unknown.
    sure : float
        Least confidence of a label; below it the dimension is unknown.
    """

    name = "reader"
    is_simulated = False

    def __init__(self, schema: Schema, sure: float = SURE) -> None:
        self._schema = schema
        self._sure = sure
        self.imported: frozenset[str] = frozenset()
        self.schema_version = f"{schema.version}+{schema.hash[:12]}"

    @cached_property
    def network(self) -> Network:
        """The network, loaded when the first picture is read."""
        return Network(WEIGHTS, LABELS)

    @cached_property
    def parameters(self) -> Mapping[str, Any]:
        """Schema, version of the network, threshold."""
        version = json.loads(LABELS.read_text(encoding="utf-8"))["version"]
        return {"schema": self.schema_version, "network": version, "sure": self._sure}

    def read(self, image: StoredImage, truth: Truth | None, image_bytes: Callable[[], bytes]) -> NewRecord:
        """The record of one picture, whose truth is not looked at; RefusedPicture for one of strange kind."""
        is_strange = image.generator not in MEASURED_ON or image.generator in self.imported
        if truth is None and is_strange:
            came = "was imported as" if image.generator in self.imported else "is of"
            raise RefusedPicture(
                f"{self.name} reads drawn and phantom pictures only, and image {image.image_id} {came} "
                f"{image.generator}: its errors on such pictures are not known.",
                "Choose pixels, pixels-faces or vlm.",
            )
        data = image_bytes()
        try:
            picture = small(data)
        except OSError as error:
            raise RefusedPicture(f"Image {image.image_id} cannot be decoded: {error}.") from error
        try:
            seen = self.network.read(picture[None])[0]
        except (RuntimeError, MemoryError) as error:
            raise ExtractorError(f"The reader failed on image {image.image_id}: {error}.") from error
        return NewRecord(
            image_id=image.image_id,
            extractor=self.name,
            record_key=key_for(image, self),
            status=Status.OK,
            readings=dict(self._readings(seen)),
            n_persons=1,
            raw=json.dumps({name: _rounded(each) for name, each in seen.items()}, ensure_ascii=False),
        )

    def _readings(self, seen: Mapping[str, Sure]) -> Iterator[tuple[str, DimensionReading]]:
        for dimension in self._schema.dimensions:
            if dimension.id in _DERIVED:
                yield dimension.id, self._present(dimension, seen[_DERIVED[dimension.id]])
            elif dimension.id in seen:
                yield dimension.id, self._reading(dimension, seen[dimension.id])
            else:
                yield dimension.id, _UNKNOWN

    def _present(self, dimension: Dimension, kinds: Sure) -> DimensionReading:
        hidden = kinds.shares.get(UNKNOWN, 0.0)
        none = kinds.shares.get(NONE, 0.0)
        shares = {"yes": 1 - none - hidden, "no": none, UNKNOWN: hidden}
        return self._reading(dimension, Sure(shares, False))

    def _reading(self, dimension: Dimension, sure: Sure) -> DimensionReading:
        if sure.is_list:
            labels = [label for label, share in sure.shares.items() if share >= SURE_IN_LIST]
            labels = [label for label in labels if label != NONE] or labels
        else:
            best, share = max(sure.shares.items(), key=lambda pair: pair[1])
            labels = [best] if share >= self._sure and best != UNKNOWN else []
        known = [self._schema.canonical(dimension.id, label) for label in labels]
        kept = tuple(dict.fromkeys(label for label in known if label is not None))
        return DimensionReading(kept) if kept else _UNKNOWN


def reader_remarks(name: str, generators: Iterable[Named]) -> list[str]:
    """What is worth knowing before the reader is run over pictures of these generators; nothing of others.

    A folder that was imported as `phantom` is not the phantom's: nobody knows what is in it.

    >>> from types import SimpleNamespace as Of
    >>> known = [Of(name="drawn-a", kind="drawn"), Of(name="phantom", kind="imported")]
    >>> reader_remarks("reader", known)[0][:79]
    'reader reads drawn and phantom pictures only; it refuses those of phantom, on w'
    """
    known = list(generators)
    strange = sorted({one.name for one in known} - set(MEASURED_ON) | imported(known))
    strange = strange if name == Reader.name else []
    if not strange:
        return []
    told = "reads drawn and phantom pictures only; it refuses those of"
    return [f"{name} {told} {', '.join(strange)}, on which it was not measured."]


def _rounded(sure: Sure) -> dict[str, float]:
    """Confidences worth keeping."""
    return {label: round(share, 3) for label, share in sure.shares.items() if share >= 0.05}
