"""What may be proposed about a label; made by `proposals`, kept by a store, shown to a person."""

from __future__ import annotations

from dataclasses import dataclass

from core.labels.wording import Kind


@dataclass(frozen=True, slots=True)
class Neighbour:
    """Another label of the dimension and how alike the two are, as a cosine."""

    label: str
    likeness: float


@dataclass(frozen=True, slots=True)
class Proposal:
    """What is proposed about one label: to become `canonical`, and why.

    `likeness` is None where no vector was needed. `name` is what a server would call the group, "" for
    nothing. Of kind `none`, nothing is proposed and `canonical` is the label itself.
    """

    dimension: str
    label: str
    canonical: str
    kind: Kind
    likeness: float | None = None
    name: str = ""
    neighbours: tuple[Neighbour, ...] = ()

    @property
    def target(self) -> str:
        """The label that accepting it as it stands gives."""
        return self.name or self.canonical

    @property
    def is_merge(self) -> bool:
        """Whether anything is proposed."""
        return self.kind != "none"
