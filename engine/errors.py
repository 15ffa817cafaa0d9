"""One tree of named errors. Each message is one sentence that a person can act on.

``EngineError`` is the root: catching it catches all that this package raises on purpose.
"""

from __future__ import annotations


class EngineError(Exception):
    """Root of every error that the engine raises on purpose."""


class UnknownTokenizer(EngineError):
    """No bundled tokenizer has that name."""


class TextError(EngineError):
    """The text itself cannot be tokenized."""


class LoneSurrogate(TextError):
    """The text holds half of a surrogate pair, which no UTF-8 text can hold.

    ``position`` is the code point offset of the first one.
    """

    def __init__(self, text: str, position: int) -> None:
        self.position = position
        super().__init__(
            f"The text has a lone surrogate U+{ord(text[position]):04X} at code point {position}; "
            "replace it, since no tokenizer can encode it."
        )


class TooLong(TextError):
    """A text or file is larger than a stated limit (see ``engine.limits``)."""


class SpecialTokenFound(TextError):
    """``special="error"`` was asked for and the text spells a special token."""

    def __init__(self, content: str, position: int) -> None:
        self.content = content
        self.position = position
        super().__init__(
            f"The text spells the special token {content!r} at code point {position}; "
            'encode with special="text" to keep it as text or special="parse" to obey it.'
        )


class PatternError(EngineError):
    """A split pattern cannot be used."""


class PatternTimeout(PatternError):
    """A split pattern took longer than the time limit on this text."""


class UnknownId(EngineError):
    """An id stands for no token of this tokenizer."""

    def __init__(self, token_id: object, position: int, tokenizer: str) -> None:
        self.token_id = token_id
        self.position = position
        super().__init__(
            f"Id {token_id} at position {position} stands for no token of {tokenizer}."
        )


class UnknownCharacter(EngineError):
    """A token without an id (a character never seen in training) cannot be decoded."""


class FormatError(EngineError):
    """A tokenizer file cannot be read; the message names the place."""


class UnsupportedModel(FormatError):
    """The file is well formed, but its model or a component is not one this engine runs."""
