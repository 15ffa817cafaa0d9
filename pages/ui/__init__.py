"""What the pages are built from: the browser components and the colours."""
