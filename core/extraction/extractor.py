"""What an extractor is, and the key under which its record of an image is kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeAlias, runtime_checkable

from core.errors import ExtractorError
from core.jobs import Outcome
from core.keys import key_of
from core.records import NewRecord, StoredImage

Truth: TypeAlias = Mapping[str, tuple[str, ...]]
"""What is on a drawn picture: dimension -> labels."""


class RefusedPicture(ExtractorError):
    """The extractor cannot read this kind of picture, now or later; asking again is of no use."""


class RunStopped(ExtractorError):
    """A run ended before all images were read: no other image would fare better, or a limit is reached.

    What was read is kept, and `outcome` counts it; images that were not asked about count as skipped.
    """

    outcome: Outcome | None = None


class Extractor(Protocol):
    """What reads labels off one image.

    `parameters` is JSON-able and holds all that shapes a reading, the schema's hash included; changed
    parameters give changed record keys. `is_simulated` says that no reading comes from pixels.
    """

    @property
    def name(self) -> str:
        """The extractor's name, as in the registry."""

    @property
    def parameters(self) -> Mapping[str, Any]:
        """All that shapes a reading."""

    @property
    def schema_version(self) -> str:
        """Which schema it reads for: version and content."""

    @property
    def is_simulated(self) -> bool:
        """Whether it only pretends to look at pixels."""

    def read(self, image: StoredImage, truth: Truth | None, image_bytes: Callable[[], bytes]) -> NewRecord:
        """Read one image.

        Parameters
        ----------
        image : StoredImage
            The image; its status is ok.
        truth : mapping of dimension to labels, optional
            What is known to be on it; None for every picture that was not drawn here.
        image_bytes : callable
            Gives the encoded file when it is needed.

        Returns
        -------
        NewRecord
            With the key `key_for(image, self)`. Refusals and invalid output of a service are records with
            that status, not exceptions.

        Raises
        ------
        RefusedPicture
            For a picture this extractor can never read.
        ExtractorError
            When it could not read the image this time.
        """


@runtime_checkable
class KnowsOrigins(Protocol):
    """An extractor of pictures made here only: it is told under which names others were imported."""

    imported: frozenset[str]


def record_key(image: Any, schema_version: str, extractor: str, parameters: Mapping[str, Any]) -> str:
    """Content key of a record: what was read, with which schema, by whom and how.

    `image` is a SHA-256 or any JSON-able value that identifies the image.
    """
    return key_of(["record", image, schema_version, extractor, dict(parameters)])


def key_for(image: StoredImage, extractor: Extractor) -> str:
    """The key of an extractor's record of an image.

    Besides the picture's hash it holds where the picture stands in the study: two prompts may give the
    same pixels (two wordings drawn with the same seed), and each of the two images has its own record.
    """
    identity = [image.sha256, image.generator, image.role, image.condition, image.prompt, image.seed]
    return record_key(identity, extractor.schema_version, extractor.name, extractor.parameters)
