"""Tokenarium: ``python app.py`` starts the server, ``streamlit run app.py`` does too.

The first also makes ready what the first visitor would wait for.
"""

import sys

from streamlit import runtime

if runtime.exists():
    from pages.ui import frame

    frame.run()
else:
    from pages.ui.serve import serve

    serve(sys.argv[1:])
