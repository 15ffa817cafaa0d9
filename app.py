"""Tokenarium: ``python app.py`` starts the server, ``streamlit run app.py`` does too.

The first also makes ready what the first visitor would wait for. A process that the standard
library spawns reads this file under another name, and must not become a second server.
"""

import sys

from streamlit import runtime

if runtime.exists():
    from pages.ui import frame

    frame.run()
elif __name__ == "__main__":
    from pages.ui.serve import serve

    serve(sys.argv[1:])
