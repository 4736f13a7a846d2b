"""A person as layers: which parts lie over which, and in what colours."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from core.generation.drawn.grade import Colour, colour_of, shade
from core.generation.drawn.network import Values
from core.generation.drawn.places import item, outfit
from core.generation.drawn.raster import PartName
from core.generation.drawn.traits import FULL_COVERS, Situation
from core.generation.drawn.truth import HATTED_LONG, held_item

Palette = dict[str, Colour]

SKINS = {
    "light": ("#ffe0c4", "#f7cfa6"),
    "medium": ("#dba172", "#c58a58"),
    "dark": ("#8f5d3c", "#6f4630"),
}
HAIRS = {
    "black": "#37312f",
    "brown": "#7d4b2a",
    "blonde": "#e6bd62",
    "red": "#bb4a2a",
    "gray": "#a7abb2",
    "white": "#f4f2ee",
}
COVERS = ("#b5475a", "#3f6f9d", "#4f8f7a", "#7a5c9a", "#c98a3a", "#46525e")
CUTS = {
    "long": ("long", "longBangs"),
    "bob": ("bangs2", "medium1", "bangs"),
    "bun": ("grayBun",),
    "curly female": ("longCurly",),
    "curly male": ("dreads2", "twists"),
    "afro female": ("longAfro", "afro"),
    "afro male": ("afro",),
    "braids": ("cornrows2",),
    "short": ("short1", "short2", "short4", "short5", "pomp", "flatTop", "shaved2", "grayShort"),
    "none": ("noHair1",),
}
"""Hair style (and presentation, where it matters) -> heads of the library that show it."""

BEARDS = {"beard": ("full", "full3"), "mustache": ("moustache5", "moustache6"), "goatee": ("goatee2",)}
GLASSES = {"eyeglasses": ("glasses3", "glasses5", "glasses4"), "sunglasses": ("sunglasses", "sunglasses2")}
POSES = {
    "standing": ("down", "down"),
    "sitting": ("down", "down"),
    "arms_crossed": ("bent", "bent"),
    "hands_on_hips": ("hip", "hip"),
}
INK: Colour = (32, 28, 28)


@dataclass(frozen=True, slots=True)
class Layer:
    """A part and the colours that its slots take."""

    part: PartName
    palette: Palette


class Figure:
    """The layers of one person; `pick(name, options)` makes the choices that are not planted."""

    def __init__(
        self, values: Values, situation: Situation, pick: Callable[[str, Sequence[str]], str]
    ) -> None:
        self.values = values
        self.situation = situation
        self.pick = pick
        self.clothes = outfit(values["outfit"])
        self.is_female = values["gender_presentation"] == "female"
        held = held_item(values, situation) if values["framing"] != "tight" else None
        self.item = item(held) if held else None
        self.palette = self._palette()

    def layers(self) -> list[Layer]:
        """All layers from back to front."""
        return [*self._body(), *self._garment(), *self._head(), *self._hands()]

    def _palette(self) -> Palette:
        skin = colour_of(self.pick("skin", SKINS[self.values["skin_tone"]]))
        main = colour_of(self.pick("main", self.clothes["main"]))
        return {
            "skin": skin,
            "skin_shade": shade(skin, 0.84),
            "hair": colour_of(HAIRS[self.values["hair_color"]]),
            "main": main,
            "second": colour_of(self.pick("second", self.clothes["second"])),
            "cover": colour_of(self.pick("cover", self.clothes.get("cover", COVERS))),
            "trousers": colour_of(self.clothes["trousers"]),
            "ink": INK,
        }

    def _layer(self, sheet: str, name: str, option: str = "", but: Palette | None = None) -> Layer:
        return Layer((sheet, name, option), self.palette | but if but else self.palette)

    def _arms(self) -> tuple[str, str]:
        if self.item is not None:
            return ("bent", "bent") if self.item.hands == 2 else ("down", "bent")
        return POSES[self.values["pose"]]

    def _body(self) -> Iterator[Layer]:
        sleeve = self.clothes["sleeve"]
        arms = tuple(zip(("left", "right"), self._arms(), strict=True))
        if self.values["pose"] == "sitting":
            yield self._layer("body", "chair")
        yield self._layer("body", "neck")
        yield from (self._layer("body", f"{side} {arm} line") for side, arm in arms)
        yield self._layer("body", "core line")
        bare: Palette = {"main": self.palette["skin"]} if sleeve == "bare" else {}
        yield from (self._layer("body", f"{side} {arm}", but=bare) for side, arm in arms)
        yield self._layer("body", "core")
        yield from (self._layer("body", f"{side} {arm} crease") for side, arm in arms)
        if sleeve == "short":
            bent = ((side, arm) for side, arm in arms if arm != "hip")
            yield from (self._layer("body", f"{side} {arm} bare") for side, arm in bent)
        yield self._layer("body", "trousers")

    def _garment(self) -> Iterator[Layer]:
        parts = list(self.clothes["parts"])
        if self.values["tie"] == "yes":
            parts.insert(1, "tie")
        yield from (self._layer("garments", name) for name in parts)
        for worn in ("badge", "stethoscope"):
            if self.values[worn] == "yes":
                yield self._layer("garments", worn)

    def _head(self) -> Iterator[Layer]:
        yield self._hair()
        is_masked = self.values["mask"] == "yes"
        beard = self.values["facial_hair_style"]
        if beard == "stubble" and not is_masked:
            yield self._layer("face", "stubble")
        elif beard != "none" and not is_masked:
            yield self._layer("facialHair", self.pick("beard", BEARDS[beard]))
        yield from self._face(is_masked)
        yield from self._worn_on_head()

    def _hair(self) -> Layer:
        covering = self.values["head_covering"]
        cover: Palette = {"cover": colour_of(self.pick("headwear", COVERS))}
        if covering in FULL_COVERS:
            return self._layer("head", covering, but=cover)
        if covering == "headband":
            return self._layer("head", "bun", but=cover)
        if covering == "beanie":
            return self._layer("head", "hatBeanie", but=cover)
        style = self.values["hair_style"]
        if covering == "work":
            return self._hair_under_hat(style)
        presentation = "female" if self.is_female else "male"
        cuts = CUTS.get(style) or CUTS[f"{style} {presentation}"]
        return self._layer("head", self.pick("cut", cuts))

    def _hair_under_hat(self, style: str) -> Layer:
        if style == "none":
            return self._layer("head", "noHair1", "hat")
        if not self.is_female:
            return self._layer("head", "short2", "hat")
        if style in HATTED_LONG:
            return self._layer("head", "long", "wide hat")
        return self._layer("head", "grayBun", "hat")

    def _face(self, is_masked: bool) -> Iterator[Layer]:
        expression = self.values["expression"]
        if expression == "smiling" and self.pick("smile", ("closed", "open")) == "open":
            yield from self._mouthless("smile", "mouth laughing", "blush")
        elif expression == "neutral":
            yield from self._mouthless("smile", "mouth neutral")
        elif expression == "serious":
            yield from self._mouthless("driven", "mouth neutral")
        elif expression == "surprised":
            yield from self._mouthless("smile", "mouth surprised", "eyes wide")
        else:
            name = {"smiling": "smile", "tired": "tired", "sad": "solemn"}[expression]
            yield self._layer("expression", name)
        if self.is_female and expression != "surprised":
            yield self._layer("face", "lashes")
        yield from self._age_lines()
        if is_masked:
            yield self._layer("mask", "medicalMask")

    def _mouthless(self, eyes: str, *parts: str) -> Iterator[Layer]:
        yield self._layer("expression", eyes, "mouthless")
        yield from (self._layer("face", part) for part in parts)

    def _age_lines(self) -> Iterator[Layer]:
        age = self.values["age_range"]
        if age == "middle_aged":
            yield self._layer("face", "lines middle")
        elif age == "older_adult":
            is_bare = self.values["head_covering"] == "none"
            shows_forehead = is_bare and self.values["hair_style"] in ("short", "none")
            yield self._layer("face", "lines older" if shows_forehead else "lines older covered")

    def _worn_on_head(self) -> Iterator[Layer]:
        eyewear = self.values["eyewear_type"]
        if eyewear == "safety_goggles":
            yield self._layer("face", "goggles")
        elif eyewear != "none":
            yield self._layer("accessories", self.pick("glasses", GLASSES[eyewear]))
        if self.values["earrings"] == "yes":
            yield self._layer("face", "earring")
        hat = self.situation.work.hat
        if self.values["head_covering"] == "work" and hat is not None:
            colour = colour_of(self.pick("hat", hat.colours))
            yield self._layer("headwear", hat.art, but={"cover": colour})
        if self.values["headphones"] == "yes":
            colour = colour_of(self.pick("headwear", COVERS))
            yield self._layer("headwear", "headphones", but={"cover": colour})

    def _hands(self) -> Iterator[Layer]:
        is_long = self.clothes["sleeve"] == "long"
        sleeve: Palette = {} if is_long else {"main": self.palette["skin"]}
        if self.item is None:
            names = {
                "arms_crossed": ("crossed under", "crossed under hand", "crossed over", "crossed over hand"),
                "hands_on_hips": ("left hip hand", "right hip hand"),
            }.get(self.values["pose"], ())
            yield from (self._layer("body", name, but=sleeve) for name in names)
            return
        sides = ("left", "right") if self.item.hands == 2 else ("right",)
        way = "in" if self.item.hands == 2 else "up"
        yield from (self._layer("body", f"{side} fore {way}", but=sleeve) for side in sides)
        yield self._layer("held", self.item.art)
        yield from (self._layer("body", f"{side} hand {way}") for side in sides)
