"""The tree of merges of a piece as an SVG: tokens at the top, its units at the bottom."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final
from xml.sax.saxutils import escape

import regex

from pages.ui.palette import LIGHT
from pages.ui.replay_player import Lane
from pages.ui.token_rows import visible

MOST_UNITS: Final = 256
"""Of a longer piece the first so many units are drawn, as far as whole tokens fit into them."""
_WIDE, _HIGH, _GAP = 64, 34, 8
_SIGN_WIDTH: Final = 11
_LONGEST_SIGNS: Final = 40
# XML has no such characters, not even escaped.
_NOT_XML = regex.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(slots=True)
class _Node:
    """A tile: the units ``start`` to ``end``, so many levels above the lowest row."""

    start: int
    end: int
    level: int
    signs: str
    rank: int | None = None
    children: list[_Node] = field(default_factory=list)


def _grown(lane: Lane) -> list[_Node]:
    """All tiles, each after those that it was merged from."""
    played = lane.played
    current: dict[int, _Node] = {}
    for place, unit in enumerate(played.units):
        known = None if unit.id is None else lane.token_bytes[unit.id]
        data = lane.shown[unit.start : unit.end] if known is None else known
        current[place] = _Node(place, place + 1, 0, visible(data))
    nodes = list(current.values())
    for merge in played.merges:
        left = current[merge.position]
        right = current.pop(left.end)
        made = _Node(
            left.start,
            right.end,
            max(left.level, right.level) + 1,
            visible(lane.token_bytes[merge.new_id]),
            merge.rank,
            [left, right],
        )
        current[merge.position] = made
        nodes.append(made)
    return nodes


def tree_svg(lane: Lane) -> bytes:
    """The whole tree as it is after the last merge, on a white ground; text as text."""
    grown = _grown(lane)
    tops = [node for node in grown if node.end <= MOST_UNITS]
    high = max((node.level for node in tops), default=0)
    widest = max(
        (len(node.signs[:_LONGEST_SIGNS]) for node in tops if node.rank is None), default=1
    )
    wide = max(_WIDE, widest * _SIGN_WIDTH + 16)
    units = max((node.end for node in tops), default=1)
    width = units * wide + 2 * _GAP
    height = (high + 1) * (_HIGH + _GAP) + 2 * _GAP
    drawn = [_stems(node, high, wide) for node in tops] + [
        _tile(node, high, wide, len(LIGHT.token_grounds)) for node in tops
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="15">'
        f"<title>{_text('The tree of merges: ' + lane.title)}</title>"
        f'<rect width="100%" height="100%" fill="#ffffff"/>{"".join(drawn)}</svg>'
    ).encode()


def _text(text: str) -> str:
    return escape(_NOT_XML.sub("\ufffd", text))


def _top(level: int, high: int) -> int:
    return _GAP + (high - level) * (_HIGH + _GAP)


def _middle(node: _Node, wide: int) -> float:
    return _GAP + (node.start + node.end) / 2 * wide


def _stems(node: _Node, high: int, wide: int) -> str:
    """Lines from a tile down to what it was merged from."""
    bottom = _top(node.level, high) + _HIGH
    return "".join(
        f'<line x1="{_middle(child, wide)}" y1="{bottom}" x2="{_middle(child, wide)}" '
        f'y2="{_top(child.level, high)}" stroke="{LIGHT.muted}"/>'
        for child in node.children
    )


def _tile(node: _Node, high: int, wide: int, hues: int) -> str:
    """A tile with its text, and its rank where it is a merge."""
    x, y = _GAP + node.start * wide + 2, _top(node.level, high)
    width = (node.end - node.start) * wide - 4
    hue = (node.start + node.level) % hues
    ground = LIGHT.plain_ground if node.rank is None else LIGHT.token_grounds[hue]
    edge = LIGHT.plain_edge if node.rank is None else LIGHT.token_edges[hue]
    rank = (
        ""
        if node.rank is None
        else f' <tspan font-size="11" fill="{LIGHT.muted}">{node.rank:,}</tspan>'
    )
    signs = _text(node.signs[:_LONGEST_SIGNS])
    return (
        f'<g><rect x="{x}" y="{y}" width="{width}" height="{_HIGH}" fill="{ground}"/>'
        f'<rect x="{x}" y="{y + _HIGH - 3}" width="{width}" height="3" fill="{edge}"/>'
        f'<text x="{x + width / 2}" y="{y + 21}" text-anchor="middle" fill="{LIGHT.token_ink}">'
        f"{signs}{rank}</text></g>"
    )
