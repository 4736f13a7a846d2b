"""A small Bayesian network over named attributes: drawn with common random numbers, summed exactly."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

Table: TypeAlias = Mapping[str, float]
"""Label -> probability; sums to 1."""

Values: TypeAlias = Mapping[str, str]
"""Node -> label."""

Outcome = TypeVar("Outcome")


@dataclass(frozen=True, slots=True)
class Node:
    """One attribute: its table is a function of the labels of its parents."""

    name: str
    parents: tuple[str, ...]
    table: Callable[[Values], Table]


class Network:
    """Nodes in an order in which parents come first."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        self.nodes = tuple(nodes)
        self._by_name = {node.name: node for node in nodes}

    def draw(self, uniform: Callable[[str], float]) -> dict[str, str]:
        """One label a node; `uniform(name)` is the random number in [0, 1) that belongs to a node.

        The label is the one whose interval holds the number, labels in the order of the table: with the
        same number the label changes only when the probabilities do.
        """
        values: dict[str, str] = {}
        for node in self.nodes:
            values[node.name] = _label_at(node.table(values), uniform(node.name))
        return values

    def distribution(self, needs: Sequence[str], read: Callable[[Values], Outcome]) -> dict[Outcome, float]:
        """Exact probabilities of `read(values)`, which may look only at the nodes in `needs`.

        Summed over every combination of the nodes needed and their ancestors; combinations without
        probability are not followed.
        """
        total: dict[Outcome, float] = {}
        for values, probability in self._combinations(self.closure(needs)):
            outcome = read({name: values[name] for name in needs})
            total[outcome] = total.get(outcome, 0.0) + probability
        return total

    def closure(self, needs: Sequence[str]) -> tuple[Node, ...]:
        """The nodes needed and all their ancestors, parents first."""
        wanted = set(needs)
        for node in reversed(self.nodes):
            if node.name in wanted:
                wanted.update(node.parents)
        return tuple(node for node in self.nodes if node.name in wanted)

    def _combinations(self, nodes: tuple[Node, ...]) -> Iterator[tuple[Values, float]]:
        values: dict[str, str] = {}

        def follow(position: int, probability: float) -> Iterator[tuple[Values, float]]:
            if position == len(nodes):
                yield values, probability
                return
            node = nodes[position]
            for label, share in node.table(values).items():
                if share > 0:
                    values[node.name] = label
                    yield from follow(position + 1, probability * share)

        return follow(0, 1.0)


def _label_at(table: Table, number: float) -> str:
    reached = 0.0
    last = ""
    for label, probability in table.items():
        if probability <= 0:
            continue
        reached += probability
        last = label
        if number < reached:
            return label
    return last
