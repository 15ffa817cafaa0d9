"""Numbers and texts as people read them."""

from __future__ import annotations

import re
from math import floor, log10

_MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+\-.!|~$:<>&^=])")


def escaped(text: str) -> str:
    """``text`` so that Markdown shows it as it is, for the few labels that Streamlit parses.

    Line ends become blanks: a label is one line.
    """
    return _MARKDOWN.sub(r"\\\1", " ".join(text.split()))


def money(dollars: float) -> str:
    """US dollars with at least three significant digits, never rounded to zero.

    >>> money(0.003085), money(12.5), money(0.5), money(0)
    ('$0.003085', '$12.50', '$0.50', '$0')
    """
    if dollars == 0:
        return "$0"
    if abs(dollars) >= 1:
        return f"${dollars:,.2f}"
    places = 3 - floor(log10(abs(dollars)))
    digits = f"{dollars:.{places}f}".rstrip("0")
    # At least cents, as people write them.
    return "$" + digits.ljust(digits.index(".") + 3, "0")


def percent(fraction: float) -> str:
    """A fraction as a percentage with two significant digits below 1 %.

    >>> percent(0.5), percent(0.00123)
    ('50.0 %', '0.12 %')
    """
    value = fraction * 100
    if value == 0:
        return "0 %"
    if abs(value) >= 1:
        return f"{value:,.1f} %"
    return f"{value:.{1 - floor(log10(abs(value)))}f} %"


def size(count: int) -> str:
    """A number of bytes in the unit that people say.

    >>> size(999), size(1_500_000)
    ('999 bytes', '1.50 MB')
    """
    if count < 1_000:
        return f"{count} bytes"
    if count < 1_000_000:
        return f"{count / 1_000:.1f} kB"
    return f"{count / 1_000_000:.2f} MB"


def counted(count: int, one: str, many: str = "") -> str:
    """A number with its noun.

    >>> counted(1, "word"), counted(2_000, "word"), counted(0, "entry", "entries")
    ('1 word', '2,000 words', '0 entries')
    """
    return f"{count:,} {one if count == 1 else many or one + 's'}"
