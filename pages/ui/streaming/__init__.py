"""The Streaming page: what is played, the controls, the self-check, the files."""
