"""Colours that stay apart for colour-blind readers, in print and on both page backgrounds.

The hues are those of Okabe and Ito (2008); each theme takes the shade that has enough contrast on its background.
Lines differ in dash as well, so that colour is never the only sign.
"""

from dataclasses import dataclass
from enum import StrEnum


class Theme(StrEnum):
    LIGHT = "light"
    DARK = "dark"


@dataclass(frozen=True, slots=True)
class Palette:
    """CSS colours. `lines` are used in order; backgrounds stay transparent, so the page's own shows."""

    text: str
    grid: str
    lines: tuple[str, ...]


PALETTES: dict[Theme, Palette] = {
    Theme.LIGHT: Palette("#1f2430", "#d5d9e0", ("#0072b2", "#b34a00", "#00795a", "#a3497f", "#5b5b00")),
    Theme.DARK: Palette("#e6e9ef", "#3a4150", ("#56b4e9", "#e69f00", "#1fc79a", "#d98bbb", "#f0e442")),
}

DASHES = ("solid", "dash", "dot", "solid", "dash")
