"""The colours of every page, in one place.

The style sheets take them as variables from :func:`css_variables`; the charts read
the tuples. ``tests/pages/test_palette.py`` holds what is promised of them: text on a
token reads at 7:1 or better, neighbouring tokens differ in lightness, and they still
differ for people with a colour-vision deficiency.

>>> round(contrast("#000000", "#ffffff"), 1)
21.0
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

__all__ = [
    "DARK",
    "LIGHT",
    "TOKENIZER_HUES_DARK",
    "TOKENIZER_HUES_LIGHT",
    "Theme",
    "contrast",
    "css_variables",
    "lightness",
    "luminance",
    "tokenizer_hue",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme:
    """One theme's colours, as ``#rrggbb``.

    ``token_grounds[i]`` is the tint behind a token and ``token_edges[i]`` the firm
    line under it. ``scale_grounds`` runs from common to rare (or short to long).
    """

    page: str
    ink: str
    muted: str
    token_ink: str
    token_grounds: tuple[str, ...]
    token_edges: tuple[str, ...]
    scale_grounds: tuple[str, ...]
    scale_edges: tuple[str, ...]
    plain_ground: str
    plain_edge: str
    good: str
    bad: str
    focus: str


# Lightness alternates (CIE L* 93/81 and 20/33) so that a neighbour differs in grey too;
# the hues are those of LCh at 265, 150, 320, 75, 25 and 205 degrees.
LIGHT: Final = Theme(
    page="#fcfcfa",
    ink="#16181d",
    muted="#565b66",
    token_ink="#16181d",
    token_grounds=("#d6edff", "#a8d4b2", "#fbe3ff", "#e5c49e", "#ffe0de", "#8bd6db"),
    token_edges=("#0073b8", "#247c45", "#8e589e", "#916420", "#b14d4f", "#007f8c"),
    scale_grounds=("#ecf5fa", "#d7eaf3", "#c1e0ec", "#aad5e6", "#92cae0", "#77bfd9"),
    scale_edges=("#6498ad", "#4d8ca4", "#32809a", "#007491", "#006888", "#005d80"),
    plain_ground="#eceef1",
    plain_edge="#6b7280",
    good="#17683a",
    bad="#b3141f",
    focus="#0b5fb0",
)

DARK: Final = Theme(
    page="#16181b",
    ink="#f4f5f7",
    muted="#a9b0bc",
    token_ink="#f8f9fa",
    token_grounds=("#003353", "#285737", "#402747", "#644822", "#502222", "#005960"),
    token_edges=("#52acf6", "#62b77c", "#cb91da", "#d09c57", "#f38786", "#00bac7"),
    scale_grounds=("#242b2e", "#21343c", "#1a3c49", "#0b4557", "#004e65", "#005874"),
    scale_edges=("#658998", "#6797ab", "#69a6bf", "#69b5d2", "#69c4e6", "#67d4fb"),
    plain_ground="#2a2e37",
    plain_edge="#9aa1ad",
    good="#6fd39a",
    bad="#ff8a8a",
    focus="#8cc4ff",
)

TOKENIZER_HUES_LIGHT: Final = (
    "#0b5fb0", "#a34a00", "#00704a", "#a8327d", "#6a46c2", "#6b5a00", "#00697a", "#4d5561",
)  # fmt: skip
TOKENIZER_HUES_DARK: Final = (
    "#7db7ff", "#ffab6b", "#5fd3a2", "#f48fc8", "#b7a1ff", "#d9c24e", "#5fcfe0", "#c3c9d2",
)  # fmt: skip


def _channels(colour: str) -> tuple[float, float, float]:
    """Return the linear-light channels of ``#rrggbb``."""
    if len(colour) != 7 or not colour.startswith("#"):
        raise ValueError(f"a colour is written #rrggbb, not {colour!r}")
    values = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in values)
    return red, green, blue


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour (WCAG 2.2), from 0 to 1."""
    red, green, blue = _channels(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def lightness(colour: str) -> float:
    """Return CIE L* of a colour, from 0 (black) to 100 (white)."""
    y = luminance(colour)
    return 116 * y ** (1 / 3) - 16 if y > 216 / 24389 else y * 24389 / 27


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours (WCAG 2.2), from 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def tokenizer_hue(position: int, *, dark: bool) -> str:
    """Return the chart colour of the tokenizer at ``position``, the same on every page."""
    hues = TOKENIZER_HUES_DARK if dark else TOKENIZER_HUES_LIGHT
    return hues[position % len(hues)]


def css_variables(selector: str = ":host") -> str:
    """Return a style rule that defines every colour as a variable, for both themes.

    ``light-dark()`` follows the ``color-scheme`` that Streamlit sets with the theme, so
    a change of theme needs no script and never flashes.
    """
    pairs: list[tuple[str, str, str]] = [
        (name.replace("_", "-"), getattr(LIGHT, name), getattr(DARK, name))
        for name in (
            "page", "ink", "muted", "token_ink", "plain_ground", "plain_edge",
            "good", "bad", "focus",
        )
    ]  # fmt: skip
    for prefix, field in (
        ("ground", "token_grounds"),
        ("edge", "token_edges"),
        ("scale-ground", "scale_grounds"),
        ("scale-edge", "scale_edges"),
    ):
        values = zip(getattr(LIGHT, field), getattr(DARK, field), strict=True)
        pairs += [(f"{prefix}-{i}", light, dark) for i, (light, dark) in enumerate(values)]
    hues = zip(TOKENIZER_HUES_LIGHT, TOKENIZER_HUES_DARK, strict=True)
    pairs += [(f"tokenizer-{i}", light, dark) for i, (light, dark) in enumerate(hues)]
    lines = [f"  --tk-{name}: light-dark({light}, {dark});" for name, light, dark in pairs]
    return "\n".join([f"{selector} {{", *lines, "}", ""])
