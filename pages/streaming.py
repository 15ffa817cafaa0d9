"""Streaming: tokens come one by one, and are not characters."""

from pages.ui import frame, state
from pages.ui.streaming import settings
from pages.ui.streaming.page import show

frame.begin(settings.ALL)
show()
frame.end(settings.ALL, with_text=state.get(settings.SOURCE) == "text")
