"""The nodes of one picture: what is drawn at random, what depends on what.

The planted tables come from `bias`; here stands only what must hold in any picture: no beard on a female
presentation, no chef's hat without the chef's clothes, nobody sits with something in the hand, and so on.
What a constraint forbids gives its share to the plain label (none, standing), so the marginals stay exact.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from core.generation.drawn.bias import Bias, load_bias
from core.generation.drawn.network import Network, Node, Table, Values
from core.generation.drawn.places import PLAIN, Item, Scene, Work, item_for, outfit, scene, scene_at, work_of
from core.records import Condition, Prompt

GIVEN, HOME = "given", "home"
"""Settings: the place of the prompt, the role's place of work (the third is `plain`)."""

FEMALE_ONLY = ("hijab", "headband")
MALE_ONLY = ("turban",)
FULL_COVERS = ("hijab", "turban")
"""Head coverings that leave no hair to see."""


@dataclass(frozen=True, slots=True)
class Situation:
    """What a prompt fixes: role and condition, the scene if it names a place, the item of its activity."""

    bias: str
    role: str
    condition: Condition
    given: Scene | None
    item: Item | None

    @classmethod
    def of(cls, bias: str, prompt: Prompt) -> Situation:
        """The situation of a prompt; a prompt without a condition is drawn as context-free."""
        given = scene_at(prompt.place) if prompt.place else None
        item = item_for(prompt.activity) if prompt.activity else None
        return cls(bias, prompt.role, prompt.condition or Condition.CF, given, item)

    @property
    def work(self) -> Work:
        """What the role's work looks like."""
        return work_of(self.role)

    def scene(self, setting: str) -> Scene:
        """The scene of a setting."""
        if setting == GIVEN and self.given is not None:
            return self.given
        return scene(self.work.scene) if setting == HOME else scene(PLAIN)


@lru_cache(maxsize=4096)
def network_of(situation: Situation) -> Network:
    """The network of a picture in a situation."""
    return Network(_Nodes(situation, load_bias(situation.bias)).all())


class _Nodes:
    def __init__(self, situation: Situation, bias: Bias) -> None:
        self.situation = situation
        self.bias = bias

    def planted(self, attribute: str) -> dict[str, float]:
        return self.bias.table(attribute, self.situation.role, self.situation.condition)

    def all(self) -> list[Node]:
        roots = ("gender_presentation", "skin_tone", "age_range", "dress", "eyewear_type", "expression")
        lens = ("framing", "depth_of_field", "color_temperature", "contrast_level", "weather")
        return [
            *(self._root(name) for name in (*roots, *lens)),
            *self._clothes(),
            *self._head(),
            *self._place_and_hands(),
        ]

    def _root(self, name: str) -> Node:
        table = self.planted(name)
        return Node(name, (), lambda values: table)

    def _clothes(self) -> list[Node]:
        def with_clothes(name: str, feature: str) -> Node:
            return Node(name, ("outfit",), lambda v: self._worn(name, outfit(v["outfit"]).get(feature)))

        return [
            Node("outfit", ("dress",), self._outfit),
            with_clothes("mask", "medical"),
            with_clothes("badge", "badge"),
            with_clothes("stethoscope", "medical"),
            Node("tie", ("outfit", "gender_presentation"), self._tie),
        ]

    def _head(self) -> list[Node]:
        return [
            Node("head_covering", ("gender_presentation", "dress"), self._head_covering),
            Node("hair_style", ("gender_presentation",), self._hair_style),
            Node("hair_color", ("age_range", "skin_tone"), self._hair_color),
            Node("facial_hair_style", ("gender_presentation",), self._facial_hair),
            Node(
                "earrings",
                ("gender_presentation", "head_covering"),
                lambda v: self._worn(
                    "earrings", v["gender_presentation"] == "female" and v["head_covering"] != "hijab"
                ),
            ),
            Node(
                "headphones",
                ("head_covering",),
                lambda v: self._worn("headphones", v["head_covering"] == "none"),
            ),
        ]

    def _place_and_hands(self) -> list[Node]:
        tools = self.situation.work.tools
        even = {tool: 1 / len(tools) for tool in tools} if tools else {"": 1.0}
        return [
            Node("setting", (), lambda values: self._setting()),
            Node("held", (), lambda values: self._held()),
            Node("tool", (), lambda values: even),
            Node("pose", ("held", "framing", "setting"), self._pose),
        ]

    def _worn(self, name: str, is_possible: object) -> Table:
        return self.planted(name) if is_possible else {"yes": 0.0, "no": 1.0}

    def _tie(self, values: Values) -> Table:
        is_possible = outfit(values["outfit"]).get("tie") and values["gender_presentation"] == "male"
        return self._worn("tie", is_possible)

    def _outfit(self, values: Values) -> Table:
        if values["dress"] == "work":
            return dict(self.situation.work.outfits)
        return self.planted("own_clothes")

    def _head_covering(self, values: Values) -> Table:
        table = dict(self.planted("head_covering"))
        forbidden = list(MALE_ONLY if values["gender_presentation"] == "female" else FEMALE_ONLY)
        if values["dress"] != "work" or self.situation.work.hat is None:
            forbidden.append("work")
        return _without(table, forbidden, "none")

    def _hair_style(self, values: Values) -> Table:
        return self.planted(f"hair_style_{values['gender_presentation']}")

    def _hair_color(self, values: Values) -> Table:
        table = dict(self.planted("hair_color"))
        if values["skin_tone"] != "light":
            table = _without(table, ("blonde", "red"), "black")
        grey = self.bias.grey_share(values["age_range"])
        white = self.bias.white_of_grey
        kept = {color: share * (1 - grey) for color, share in table.items()}
        return kept | {"gray": grey * (1 - white), "white": grey * white}

    def _facial_hair(self, values: Values) -> Table:
        table = dict(self.planted("facial_hair_style"))
        if values["gender_presentation"] == "female":
            return _without(table, [label for label in table if label != "none"], "none")
        return table

    def _setting(self) -> Table:
        if self.situation.given is not None:
            return {GIVEN: 1.0}
        return self.planted("setting")

    def _held(self) -> Table:
        table = dict(self.planted("held"))
        if self.situation.item is None:
            table = _without(table, ("activity",), "tool")
        return table if self.situation.work.tools else _without(table, ("tool",), "nothing")

    def _pose(self, values: Values) -> Table:
        table = dict(self.planted("pose"))
        forbidden = []
        if values["held"] != "nothing":
            forbidden = ["sitting", "arms_crossed", "hands_on_hips"]
        if values["framing"] != "wide":
            forbidden.append("hands_on_hips")
        if not self.situation.scene(values["setting"]).seat:
            forbidden.append("sitting")
        return _without(table, forbidden, "standing")


def _without(table: Mapping[str, float], labels: Sequence[str], to: str) -> dict[str, float]:
    """The table with the shares of some labels given to another; the order of labels stays."""
    moved = sum(table[label] for label in set(labels))
    kept = {label: 0.0 if label in labels else share for label, share in table.items()}
    kept[to] += moved
    return kept
