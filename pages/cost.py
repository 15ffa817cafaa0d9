"""Cost: what the same content costs in each language, in tokens, money and time."""

from pages.ui import frame
from pages.ui.cost import settings
from pages.ui.cost.page import show

frame.begin(settings.ALL)
show()
frame.end(settings.ALL, with_text=False)
