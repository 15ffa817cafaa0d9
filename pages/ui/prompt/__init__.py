"""The parts of the Prompt page."""
