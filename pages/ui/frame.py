"""The frame of every page: navigation, sidebar, projector mode, sharing, keyboard help."""

from __future__ import annotations

import io
import runpy
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import streamlit as st

from pages.ui import state, tokenizers
from pages.ui.notices import notice
from pages.ui.own_panel import show_own
from pages.ui.settings import MOST_TOKENIZERS, PROJECTOR, TOKENIZERS, AnySetting
from pages.ui.text_box import take_edits
from pages.ui.turns import Turns, Urgency

ROOT: Final = Path(__file__).parents[2]
# When forty people open a page at once, the first see it while the last still wait.
_OPENING: Final = Turns(1)
COMMON: Final[tuple[AnySetting, ...]] = (TOKENIZERS, PROJECTOR)


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A page of the app; it is listed only once its file exists."""

    file: str
    title: str
    icon: str


PAGES: Final = (
    Page(file="tokens.py", title="Tokens", icon=":material/segment:"),
    Page(file="training.py", title="Training", icon=":material/model_training:"),
    Page(file="replay.py", title="Replay", icon=":material/replay:"),
    Page(file="cost.py", title="Cost", icon=":material/payments:"),
    Page(file="prompt.py", title="Prompt", icon=":material/chat:"),
    Page(file="streaming.py", title="Streaming", icon=":material/stream:"),
)


def existing_pages() -> list[Page]:
    """The pages whose files are here."""
    return [page for page in PAGES if (ROOT / "pages" / page.file).is_file()]


def run() -> None:
    """Find the page that the address asks for, and run it."""
    _configure()
    chosen = st.navigation([_start(), *map(_listed, existing_pages())], position="hidden")
    chosen.run()


def _configure() -> None:
    """Title, icon and width.

    Twice in a run: before the navigation, which would take its own icon from a server elsewhere,
    and in the page, since a server whose first address is that of a page runs its file alone.
    """
    st.set_page_config(
        page_title="Tokenarium",
        page_icon=ROOT / "pages" / "ui" / "icon.svg",
        layout="wide",
        menu_items={"About": "Tokenarium shows how language models cut text into tokens."},
    )


def _listed(page: Page) -> st.Page:
    """A page at the address of its name."""
    return st.Page(
        f"pages/{page.file}",
        title=page.title,
        icon=page.icon,
        url_path=page.file.removesuffix(".py"),
    )


def _start() -> st.Page:
    """The address without a path: the first page, which also has an address of its own."""
    first = existing_pages()[0]

    def start() -> None:
        runpy.run_path(str(ROOT / "pages" / first.file))

    return st.Page(start, title=first.title, icon=first.icon, default=True, visibility="hidden")


def begin(settings: Iterable[AnySetting]) -> None:
    """What every page calls first: reads the link, draws the sidebar.

    ``settings`` are those of the page; the common ones are added.
    """
    with _OPENING.turn(lambda _: state.get(PROJECTOR), Urgency.DRAWING):
        _begin(settings)


def _begin(settings: Iterable[AnySetting]) -> None:
    _configure()
    take_edits()
    found = state.read_link((*COMMON, *settings)) + tokenizers.leave_out_missing()
    st.html(f"<style>{_css()}</style>")
    with st.container(key="frame_script"):
        st.html(f"<script>{_read('frame.js')}</script>", unsafe_allow_javascript=True)
    if state.get(PROJECTOR) == "off":
        _sidebar()
    for place, problem in enumerate(state.keep_problems(found)):
        notice(problem, kind="warning", key=f"link_{place}")


def end(settings: Iterable[AnySetting], *, with_text: bool) -> None:
    """What every page calls last: writes the permalink and offers it."""
    link = state.write_link((*COMMON, *settings), with_text=with_text)
    if state.get(PROJECTOR) == "off":
        with st.sidebar:
            _share(link)
    else:
        _leave_projector()


def _css() -> str:
    shade = state.get(PROJECTOR)
    css = _read("frame.css")
    return css if shade == "off" else css + _read("projector.css") + _read(f"projector-{shade}.css")


def _read(name: str) -> str:
    return (ROOT / "pages" / "ui" / name).read_text(encoding="utf-8")


def _sidebar() -> None:
    with st.sidebar:
        st.markdown("### Tokenarium")
        _links()
        st.multiselect(
            "Tokenizers",
            tokenizers.offered(),
            format_func=tokenizers.title,
            max_selections=MOST_TOKENIZERS,
            help="One to four, shown side by side. All are on this machine; no text leaves it.",
            **state.bound(TOKENIZERS, to_widget=list),
        )
        show_own()
        st.segmented_control(
            "Projector",
            ("off", "light", "dark"),
            format_func=str.capitalize,
            required=True,
            help="Large type and nothing but the picture. Esc leaves it.",
            **state.bound(PROJECTOR),
        )


def _links() -> None:
    """The pages; Streamlit marks the one whose address is shown, so we mark the start."""
    first, *others = existing_pages()
    path = urlsplit(st.context.url or "").path.rstrip("/")
    at_start = path.rpartition("/")[2] not in {page.file.removesuffix(".py") for page in PAGES}
    with st.container(key="shown_page" if at_start else "first_page"):
        _link(first)
    for page in others:
        _link(page)


def _link(page: Page) -> None:
    st.page_link(f"pages/{page.file}", label=page.title, icon=page.icon)


def _share(link: state.Link) -> None:
    with st.popover("Share", icon=":material/link:", width="stretch"):
        st.caption(
            "This address shows what you see now. Only in this session: files of your own, a "
            "training text, prices, and texts to compare on the Cost page."
        )
        if not link.complete:
            st.caption("The text is too long for an address: the link carries the settings only.")
        st.code(link.url, language=None, wrap_lines=True)
        st.image(_qr_code(link.url), caption="For the projector", width=220)


@st.cache_data(max_entries=200, show_spinner=False)
def _qr_code(url: str) -> str:
    """An SVG of the address, black on white in both themes so that phones read it."""
    import segno

    output = io.BytesIO()
    segno.make(url, error="l").save(output, kind="svg", scale=4, border=3, light="#fff")
    return output.getvalue().decode()


def _leave_projector() -> None:
    def leave() -> None:
        state.put(PROJECTOR, "off")

    with st.container(key="leave_projector"):
        st.button("Leave projector mode", on_click=leave, type="tertiary", shortcut="Escape")
