"""Prompt: what the model receives of a conversation, and who said which token of it."""

from pages.ui import frame
from pages.ui.prompt import settings
from pages.ui.prompt.page import show

frame.begin(settings.ALL)
show()
frame.end(settings.ALL, with_text=False)
