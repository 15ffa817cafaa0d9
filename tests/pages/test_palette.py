"""The colours keep their promises: contrast, and difference for every kind of eye."""

from __future__ import annotations

from math import dist

import pytest

from pages.ui.palette import (
    DARK,
    LIGHT,
    TOKENIZER_HUES_DARK,
    TOKENIZER_HUES_LIGHT,
    Theme,
    contrast,
    css_variables,
    lightness,
    tokenizer_hue,
)

THEMES = pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])

# Machado, Oliveira and Fernandes (2009), "A Physiologically-based Model for Simulation
# of Color Vision Deficiency", severity 1.0, applied to linear RGB.
DEFICIENCIES = {
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}


def linear(colour: str) -> list[float]:
    values = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    return [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in values]


def lab(rgb: list[float]) -> tuple[float, float, float]:
    r, g, b = (min(1.0, max(0.0, v)) for v in rgb)
    xyz = (
        (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047,
        0.2126 * r + 0.7152 * g + 0.0722 * b,
        (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883,
    )
    fx, fy, fz = (v ** (1 / 3) if v > 216 / 24389 else v * 841 / 108 + 4 / 29 for v in xyz)
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def distance(one: str, other: str, matrix: tuple[tuple[float, ...], ...]) -> float:
    seen = []
    for colour in (one, other):
        rgb = linear(colour)
        seen.append(lab([sum(m * c for m, c in zip(row, rgb, strict=True)) for row in matrix]))
    return dist(*seen)


def neighbours(colours: tuple[str, ...]) -> list[tuple[str, str]]:
    return list(zip(colours, colours[1:] + colours[:1], strict=True))


def test_contrast_of_known_pairs() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)
    assert contrast("#ffffff", "#ffffff") == 1


@pytest.mark.parametrize("wrong", ["fff", "#fff", "white", ""])
def test_a_colour_of_another_form_is_refused(wrong: str) -> None:
    with pytest.raises(ValueError, match="#rrggbb"):
        contrast(wrong, "#000000")


@THEMES
def test_text_on_a_token_reads_at_seven_to_one(theme: Theme) -> None:
    for ground in (*theme.token_grounds, *theme.scale_grounds, theme.plain_ground):
        assert contrast(theme.token_ink, ground) >= 7, ground


@THEMES
def test_other_text_reads_at_four_and_a_half(theme: Theme) -> None:
    for ink in (theme.ink, theme.muted, theme.good, theme.bad, theme.focus):
        assert contrast(ink, theme.page) >= 4.5, ink


@THEMES
def test_edges_stand_out_from_the_page(theme: Theme) -> None:
    for edge in (*theme.token_edges, *theme.scale_edges, theme.plain_edge):
        assert contrast(edge, theme.page) >= 3, edge


@THEMES
def test_neighbouring_tokens_differ_in_lightness(theme: Theme) -> None:
    for one, other in neighbours(theme.token_grounds):
        assert abs(lightness(one) - lightness(other)) >= 8, (one, other)


@THEMES
@pytest.mark.parametrize("deficiency", DEFICIENCIES)
def test_neighbouring_tokens_differ_for_the_colour_blind(theme: Theme, deficiency: str) -> None:
    for one, other in neighbours(theme.token_grounds):
        assert distance(one, other, DEFICIENCIES[deficiency]) >= 10, (one, other)


@THEMES
def test_the_scale_runs_one_way(theme: Theme) -> None:
    steps = [lightness(ground) for ground in theme.scale_grounds]
    assert steps == sorted(steps) or steps == sorted(steps, reverse=True)


def test_tokenizer_hues_read_as_text_and_are_distinct() -> None:
    for hues, page in ((TOKENIZER_HUES_LIGHT, LIGHT.page), (TOKENIZER_HUES_DARK, DARK.page)):
        assert len(set(hues)) == len(hues) == 8
        assert all(contrast(hue, page) >= 4.5 for hue in hues)


def test_a_ninth_tokenizer_starts_the_hues_again() -> None:
    assert tokenizer_hue(8, dark=False) == tokenizer_hue(0, dark=False)
    assert tokenizer_hue(0, dark=True) != tokenizer_hue(0, dark=False)


def test_style_sheet_defines_each_colour_for_both_themes() -> None:
    css = css_variables()
    assert "--tk-ground-0: light-dark(" in css
    assert css.count("light-dark(") == 9 + 24 + 8
