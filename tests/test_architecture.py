"""Imports run one way: app, pages, pages/ui and pages/reference, engine."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import engine
from tests.shared import ROOT

# What a file may import of this project, by where it is; the first match counts.
ALLOWED = {
    "engine/": ("engine",),
    "pages/reference/": ("engine", "pages.reference"),
    "pages/ui/": ("engine", "pages.reference", "pages.ui"),
    "pages/": ("engine", "pages.reference", "pages.ui"),
    "app.py": ("pages",),
}
OWN = ("engine", "pages", "app", "tests")
# The engine runs on the standard library and `regex`.
ENGINE_OUTSIDE = {"regex"}
OUTSIDE = ("streamlit", "plotly", "pandas", "numpy", "tiktoken", "tokenizers", "transformers")
SLOW = ("tiktoken", "tiktoken_ext", "tokenizers", "transformers", "huggingface_hub", "httpx2")


def source_files() -> list[str]:
    found = [*ROOT.glob("engine/**/*.py"), *ROOT.glob("pages/**/*.py"), *ROOT.glob("app.py")]
    return sorted(path.relative_to(ROOT).as_posix() for path in found)


def imports(path: Path) -> Iterator[str]:
    """Full names of what a file imports; ``from pages import ui`` gives pages and pages.ui."""
    folders = path.relative_to(ROOT).parts[:-1]
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = folders[: len(folders) - node.level + 1] if node.level else ()
            module = ".".join([*base, *filter(None, [node.module])])
            yield module
            yield from (f"{module}.{alias.name}" for alias in node.names)


def within(name: str, packages: tuple[str, ...]) -> bool:
    return any(name == package or name.startswith(f"{package}.") for package in packages)


@pytest.mark.parametrize("file", source_files())
def test_imports_run_one_way(file: str) -> None:
    allowed = next(names for start, names in ALLOWED.items() if file.startswith(start))
    parents = {".".join(name.split(".")[:i]) for name in allowed for i in range(1, 3)}
    wrong = [
        name
        for name in imports(ROOT / file)
        if within(name, OWN) and not within(name, allowed) and name not in parents
    ]
    assert not wrong


@pytest.mark.parametrize("file", [f for f in source_files() if f.startswith("engine/")])
def test_engine_needs_only_the_standard_library_and_regex(file: str) -> None:
    roots = {name.split(".")[0] for name in imports(ROOT / file)}
    assert roots <= {*sys.stdlib_module_names, *ENGINE_OUTSIDE, "engine"}


@pytest.mark.parametrize("file", [f for f in source_files() if f.startswith("pages/reference/")])
def test_reference_libraries_are_imported_inside_functions(file: str) -> None:
    tree = ast.parse((ROOT / file).read_text("utf-8"))
    at_import = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    names = [
        node.module or "" if isinstance(node, ast.ImportFrom) else node.names[0].name
        for node in at_import
    ]
    assert not [name for name in names if within(name, SLOW)]
    assert not [name for name in imports(ROOT / file) if within(name, ("streamlit",))]


def run(code: str) -> str:
    result = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout.strip()


def test_engine_works_where_nothing_else_is_installed() -> None:
    blocked = f"import sys; sys.modules.update(dict.fromkeys({OUTSIDE!r}))\n"
    code = """
import engine
t = engine.load("gpt2").encode("Tiếng Việt", special="text")
assert engine.load("gpt2").decode(t.ids) == "Tiếng Việt"
print(len(list(engine.segments(t))), engine.counts(t).tokens)
"""
    assert run(blocked + code)


def test_importing_the_engine_reads_no_vocabulary() -> None:
    code = """
import sys
opened = []
sys.addaudithook(lambda event, args: event == "open" and opened.append(str(args[0])))
import engine
engine.names()
assert not [name for name in opened if "vocabularies" in name], opened
print(sorted(name for name in sys.modules if name in ("streamlit", "tokenizers", "tiktoken")))
"""
    assert run(code) == "[]"


def test_importing_the_references_imports_no_library() -> None:
    code = f"""
import sys
from pages.reference import check, hf_reference, hub, tiktoken_reference
print(sorted(set({(*SLOW, "streamlit")!r}) & set(sys.modules)))
"""
    assert run(code) == "[]"


def test_what_the_readme_runs_needs_no_test_tools() -> None:
    """The environment of the app alone has none; the soak and the benchmarks run there too."""
    blocked = "import sys; sys.modules.update(dict.fromkeys(('pytest', 'hypothesis')))\n"
    assert run(blocked + "import tests.soak, tests.benchmarks.__main__\nprint(1)") == "1"


# Names that the outside may rely on. One that disappears is a change that must be meant; one that
# is new is added here.
PUBLIC = """
    BUNDLED FORMS PRESETS WAYS WORD_SEGMENTER AddedToken Change Counts Difference Differences
    EngineError Form FormatError LoneSurrogate Merge MergeStep PatternError PatternTimeout
    PieceReplay Replay ReplayedPiece Rewritten Segment SpecialPolicy SpecialTokenFound
    Moment NotStreamable StreamDecoder stream TextCounts TextError Token Tokenization Tokenizer
    TooLong TrainingRun TrainingSettings
    UnknownCharacter UnknownId UnknownTokenizer UnsupportedModel Vocabulary closes
    count_graphemes counts differences limits load names normalize premium read replay rewritten
    segments spread text_counts train train_steps work_curve write_tiktoken write_tokenizer_json
    WrittenForm written_form
""".split()


def test_public_names_are_the_written_ones() -> None:
    assert set(PUBLIC) <= set(engine.__all__), "a public name has gone"
    assert all(hasattr(engine, name) for name in engine.__all__)
    assert not set(engine.__all__) - set(PUBLIC), "write new public names into PUBLIC"
