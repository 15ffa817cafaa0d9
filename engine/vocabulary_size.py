"""How large a vocabulary is, and what it takes of a model."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from engine.tokenizer import Tokenizer


@dataclass(frozen=True, slots=True, kw_only=True)
class VocabularySize:
    """The parts of a vocabulary's size.

    ``rows`` is the number of rows of the model's embedding table; None where it is not known.
    """

    table: int
    added: int
    tokens: int
    rows: int | None

    @property
    def unused_rows(self) -> int | None:
        """Rows that no token uses."""
        return None if self.rows is None else self.rows - self.tokens


def vocabulary_size(tokenizer: Tokenizer) -> VocabularySize:
    """The size of a tokenizer's vocabulary.

    Added tokens that also stand in the table are counted with the table.
    """
    table = len(tokenizer.vocabulary)
    return VocabularySize(
        table=table,
        added=tokenizer.size - table,
        tokens=tokenizer.size,
        rows=tokenizer.model_rows,
    )


def largest_power_of_two(rows: int) -> int:
    """The largest power of two that divides ``rows`` (a positive number).

    >>> largest_power_of_two(151_936)
    128
    """
    return rows & -rows


def embedding_parameters(*, rows: int, width: int, tied: bool) -> int:
    """Parameters of the tables that go with a vocabulary.

    One table where output and input share it (``tied``), else two.

    >>> embedding_parameters(rows=151_936, width=1_024, tied=True)
    155582464
    """
    return rows * width * (1 if tied else 2)


def embedding_share(*, rows: int, width: int, tied: bool, parameters: int) -> Fraction:
    """The part of a model's ``parameters`` that are those tables, exactly."""
    return Fraction(embedding_parameters(rows=rows, width=width, tied=tied), parameters)
