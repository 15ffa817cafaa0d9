"""Requirements are exact, settings are known to Streamlit, both themes can be read."""

import re
import tomllib
from collections.abc import Iterator
from importlib.metadata import version
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from streamlit import config

ROOT = Path(__file__).parents[1]
SETTINGS = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
PIN = re.compile(r"([A-Za-z0-9-]+)==(\S+)")
HUES = ("red", "orange", "yellow", "blue", "green", "violet", "gray")
TEXT = ("textColor", "linkColor", "codeTextColor", *(f"{hue}TextColor" for hue in HUES))
GROUNDS = ("backgroundColor", "secondaryBackgroundColor")


def requirements(name: str) -> list[str]:
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    return [line.partition("#")[0].strip() for line in lines if line.partition("#")[0].strip()]


def flat(settings: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in settings.items():
        if isinstance(value, dict):
            yield from flat(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


def luminance(colour: str) -> float:
    """Relative luminance, as WCAG 2.2 defines it."""
    red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    linear = [
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (red, green, blue)
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def over(colour: str, ground: str, alpha: float) -> str:
    pairs = [(int(colour[i : i + 2], 16), int(ground[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(alpha * c + (1 - alpha) * g):02x}" for c, g in pairs)


@pytest.mark.parametrize("name", ["requirements.txt", "tests/requirements.txt"])
def test_every_requirement_is_pinned_and_installed(name: str) -> None:
    for line in requirements(name):
        pin = PIN.fullmatch(line)
        assert pin, line
        assert version(pin[1]) == pin[2], line


@pytest.mark.parametrize("name", [name for name, _ in flat(SETTINGS)])
def test_streamlit_knows_the_setting(name: str) -> None:
    assert name in config.get_config_options(force_reparse=False)


@pytest.mark.parametrize(("theme", "text"), list(product(("light", "dark"), TEXT)))
def test_text_can_be_read_on_every_ground(theme: str, text: str) -> None:
    colours = SETTINGS["theme"][theme]
    grounds = [area[ground] for area in (colours, colours["sidebar"]) for ground in GROUNDS]
    for ground in grounds:
        assert contrast(colours[text], ground) >= 4.5, ground


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_captions_can_be_read(theme: str) -> None:
    """Streamlit draws a caption in the text colour at 60 per cent."""
    colours = SETTINGS["theme"][theme]
    for area in (colours, colours["sidebar"]):
        ground = area["backgroundColor"]
        assert contrast(over(colours["textColor"], ground, 0.6), ground) >= 4.5


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_marks_of_charts_stand_out(theme: str) -> None:
    colours = SETTINGS["theme"][theme]
    for colour in colours["chartCategoricalColors"]:
        assert contrast(colour, colours["backgroundColor"]) >= 3
