"""Starts Tokenarium: ``streamlit run app.py``."""

from pages.ui import frame

frame.run()
