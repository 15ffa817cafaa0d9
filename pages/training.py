"""Training: watch a BPE train, merge by merge."""

from pages.ui import frame
from pages.ui.training import settings
from pages.ui.training.page import show

frame.begin(settings.ALL)
show()
frame.end(settings.ALL, with_text=False)
