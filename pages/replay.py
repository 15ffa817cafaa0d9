"""Replay: a text on its way from characters to ids, step by step."""

from pages.ui import frame
from pages.ui.replay import settings
from pages.ui.replay.page import show

frame.begin(settings.ALL)
show()
frame.end(settings.ALL, with_text=True)
