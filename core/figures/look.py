"""Colours and signs of figures, light and dark: the roles of the window's palette that figures use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from core.records import Condition, condition_of


@dataclass(frozen=True, slots=True)
class Sign:
    """How a condition or a generator is drawn: its colour and the matplotlib marker."""

    colour: str
    marker: str


@dataclass(frozen=True)
class Look:
    """One set of colours. A figure in a file takes `LIGHT`; the report holds both."""

    name: str
    surface: str
    text: str
    muted: str
    faint: str
    edge: str
    line: str
    sunken: str
    human: str
    pipeline: str
    mark: str
    on_mark: str
    coverage: tuple[str, ...]
    conditions: Mapping[Condition, Sign]
    generators: Mapping[str, Sign]

    def condition(self, name: str) -> Sign:
        """Sign of a condition; anything else is a faint circle."""
        found = condition_of(name)
        return Sign(self.faint, "o") if found is None else self.conditions[found]

    def signs_of(self, generators: Sequence[str]) -> dict[str, Sign]:
        """Sign of each generator: by its family, further ones of a family with a letter.

        Examples
        --------
        >>> [sign.marker for sign in LIGHT.signs_of(["SDXL", "drawn-a", "drawn-b"]).values()]
        ['h', 'x', '$b$']
        """
        found: dict[str, Sign] = {}
        seen: set[str] = set()
        letters = 0
        for name in generators:
            family = family_of(name)
            sign = self.generators[family]
            if family in seen:
                letters += 1
                sign = Sign(sign.colour, f"${chr(ord('a') + letters % 26)}$")
            seen.add(family)
            found[name] = sign
        return found


_FAMILIES = (
    ("sdxl", ("sdxl", "stable-diffusion-xl")),
    ("sd3.5", ("sd3", "sd35", "sd-3", "stable-diffusion-3", "3.5")),
    ("flux", ("flux",)),
    ("qwen", ("qwen",)),
    ("drawn", ("drawn", "phantom")),
)


def family_of(generator: str) -> str:
    """Family of a generator's name: sdxl, sd3.5, flux, qwen, drawn, else own.

    Examples
    --------
    >>> family_of("Qwen-Image"), family_of("SD 3.5"), family_of("bakery-lora")
    ('qwen', 'sd3.5', 'own')
    """
    name = generator.lower().replace(" ", "").replace("_", "-")
    name = name.rpartition("job-description-")[2]  # the published folders are called so
    return next((family for family, starts in _FAMILIES if name.startswith(starts)), "own")


def _conditions(cf: str, ca_r: str, ca_u: str) -> Mapping[Condition, Sign]:
    return MappingProxyType(
        {Condition.CF: Sign(cf, "o"), Condition.CA_R: Sign(ca_r, "s"), Condition.CA_U: Sign(ca_u, "^")}
    )


def _generators(sdxl: str, sd35: str, flux: str, qwen: str, own: str, drawn: str) -> Mapping[str, Sign]:
    return MappingProxyType(
        {
            "sdxl": Sign(sdxl, "h"),
            "sd3.5": Sign(sd35, "v"),
            "flux": Sign(flux, "P"),
            "qwen": Sign(qwen, "*"),
            "own": Sign(own, "d"),
            "drawn": Sign(drawn, "x"),
        }
    )


LIGHT = Look(
    name="light",
    surface="#FFFFFF",
    text="#1B1B1B",
    muted="#595959",
    faint="#696969",
    edge="#7A7A7A",
    line="#D4D4D4",
    sunken="#E9E9E9",
    human="#1B1B1B",
    pipeline="#7B4FA8",
    mark="#1B1B1B",
    on_mark="#FFFFFF",
    coverage=("#FFFFFF", "#E6F1F1", "#D2E6E7", "#BDDADC", "#A8CED1", "#93C2C5"),
    conditions=_conditions("#595959", "#0072B2", "#D55E00"),
    generators=_generators("#2F97C4", "#A8325E", "#A88A2A", "#2B1B82", "#5A1E0C", "#7A8494"),
)

DARK = Look(
    name="dark",
    surface="#252525",
    text="#ECECEC",
    muted="#B4B4B4",
    faint="#979797",
    edge="#858585",
    line="#3C3C3C",
    sunken="#161616",
    human="#ECECEC",
    pipeline="#C39BE8",
    mark="#F2F2F2",
    on_mark="#141414",
    coverage=("#252525", "#233133", "#233D3F", "#24494C", "#255659", "#276468"),
    conditions=_conditions("#BDBDBD", "#56B4E9", "#F0883A"),
    generators=_generators("#5FD6EE", "#E8789A", "#E6D654", "#8F86F5", "#C05A2C", "#6F7680"),
)
