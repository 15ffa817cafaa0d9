"""Tokens: paste text, see its tokens."""

from pages.ui import frame, state
from pages.ui.tokens import settings, show

frame.begin(settings.ALL)
show()
frame.end(settings.ALL, with_text=state.get(settings.PART) == "text")
