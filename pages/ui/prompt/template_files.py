"""Chat templates in files, as models are published with them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from pages.reference.chat import ChatError

_DEFAULT: Final = "default"


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateFile:
    """The templates of a file by name, and the tokens that it names; empty where it names none."""

    templates: Mapping[str, str]
    bos: str = ""
    eos: str = ""


def read_template_file(data: bytes) -> TemplateFile:
    """The templates of a tokenizer_config.json, or of a Jinja file.

    Raises:
        ChatError: if there is none; the sentence says where else it may be.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ChatError("The file is not UTF-8, so it is no chat template.") from None
    if "\0" in text or not text.strip():
        raise ChatError("The file has no text in it, so it is no chat template.")
    if not text.lstrip().startswith("{") or text.lstrip().startswith(("{{", "{%", "{#")):
        return TemplateFile(templates={_DEFAULT: text})
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ChatError(f"The file begins like JSON but is none: {error}.") from None
    return TemplateFile(
        templates=_templates(document.get("chat_template")),
        bos=_token(document.get("bos_token")),
        eos=_token(document.get("eos_token")),
    )


def _templates(found: Any) -> dict[str, str]:
    """One template as a text, or several with their names."""
    if isinstance(found, str) and found.strip():
        return {_DEFAULT: found}
    if isinstance(found, list):
        found = {one.get("name"): one.get("template") for one in found if isinstance(one, Mapping)}
    if isinstance(found, Mapping):
        named = {
            name: text
            for name, text in found.items()
            if isinstance(name, str) and isinstance(text, str) and text.strip()
        }
        if named:
            return named
    raise ChatError(
        "The file has no chat_template. Newer models have it in a file of its own beside it, "
        "chat_template.jinja: upload that one."
    )


def _token(found: Any) -> str:
    """A token as a text, or as an object with its content."""
    if isinstance(found, Mapping):
        found = found.get("content")
    return found if isinstance(found, str) else ""
