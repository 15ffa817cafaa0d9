"""The engine on the command line: ``python -m engine COMMAND [--tokenizer NAME] [FILE]``.

Reads a file, or standard input, as UTF-8 or in the encoding that is named; prints plain text, and
ids as a JSON list.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import engine
from engine.explain import explain
from engine.ids import parse_ids
from engine.text_files import decode_text


def _read(path: str | None) -> bytes:
    return Path(path).read_bytes() if path and path != "-" else sys.stdin.buffer.read()


def _text(arguments: argparse.Namespace) -> str:
    return decode_text(_read(arguments.file), arguments.encoding).text


def _encode(arguments: argparse.Namespace) -> str:
    tokenizer = engine.load(arguments.tokenizer)
    return json.dumps(tokenizer.encode(_text(arguments), special=arguments.special).ids)


def _count(arguments: argparse.Namespace) -> str:
    tokenizer = engine.load(arguments.tokenizer)
    return str(tokenizer.count(_text(arguments), special=arguments.special))


def _decode(arguments: argparse.Namespace) -> str:
    ids = parse_ids(_read(arguments.file).decode("utf-8-sig"))
    return engine.load(arguments.tokenizer).decode(ids)


def _explain(arguments: argparse.Namespace) -> str:
    tokenizer = engine.load(arguments.tokenizer)
    return explain(tokenizer, _text(arguments), special=arguments.special)


def _list(_: argparse.Namespace) -> str:
    return "\n".join(
        f"{entry.name:<14}{entry.used_by:<36}{entry.origin}" for entry in engine.BUNDLED.values()
    )


_COMMANDS: dict[str, tuple[Callable[[argparse.Namespace], str], str]] = {
    "encode": (_encode, "print the ids of a text as a JSON list"),
    "decode": (_decode, "print the text of ids (JSON list, or separated by blanks or commas)"),
    "count": (_count, "print the number of tokens of a text"),
    "explain": (_explain, "print the four stages of a text, from characters to ids"),
    "list": (_list, "print the bundled tokenizers"),
}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m engine", description=engine.__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    commands = parser.add_subparsers(dest="command", required=True)
    for name, (_, help_text) in _COMMANDS.items():
        command = commands.add_parser(name, help=help_text, description=help_text)
        if name == "list":
            continue
        command.add_argument("file", nargs="?", help="a file; standard input without one")
        command.add_argument("--tokenizer", default="o200k_base", help="default: %(default)s")
        if name != "decode":
            command.add_argument(
                "--encoding",
                help="of the text, for example windows-1258; default: UTF-8, or as marked",
            )
            command.add_argument(
                "--special",
                choices=("text", "parse", "error"),
                default="text",
                help="special tokens in the text: keep as text (default), obey, or refuse",
            )
    return parser


def main(words: Sequence[str] | None = None) -> int:
    """Run one command; return the exit status (1 after an error, which is said on stderr)."""
    arguments = _parser().parse_args(words)
    try:
        output = _COMMANDS[arguments.command][0](arguments)
    except (engine.EngineError, OSError, UnicodeDecodeError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    # Text that came in as UTF-8 goes out as UTF-8, whatever the terminal's locale says.
    sys.stdout.buffer.write(output.encode() + b"\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
