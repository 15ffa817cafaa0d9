"""What tokens cost: against another language, in money, of a context window, in time.

Pure arithmetic on counts. What is assumed is a parameter with a name, and a default only where its
source is stated. Ratios are kept exact; how many digits to show is the page's business.
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil

from engine.metrics import premium

PER_MILLION = 1_000_000
SECONDS_PER_DAY = 86_400


def _check_not_negative(**numbers: float) -> None:
    for name, number in numbers.items():
        if not number >= 0:
            raise ValueError(f"{name} is {number}; it cannot be negative.")


def _check_positive(**numbers: float) -> None:
    for name, number in numbers.items():
        if not number > 0:
            raise ValueError(f"{name} is {number}; it must be more than 0.")


@dataclass(frozen=True, slots=True, kw_only=True)
class PremiumSpread:
    """How many times the tokens of a baseline the same content takes, and how that varies.

    Attributes:
        overall: all tokens over all tokens of the baseline; long paragraphs weigh more.
        mean: the mean of the paragraphs' premiums; each paragraph weighs the same.
        smallest, first_quartile, median, third_quartile, largest: of the paragraphs' premiums.
            Quartiles are interpolated between paragraphs, smallest and largest included, as NumPy
            and spreadsheets do.
        paragraphs: how many paragraphs all this rests on.
    """

    overall: float
    mean: float
    smallest: float
    first_quartile: float
    median: float
    third_quartile: float
    largest: float
    paragraphs: int


def premium_spread(tokens: Sequence[int], baseline_tokens: Sequence[int]) -> PremiumSpread:
    """The premium of a text over a baseline, from the token counts of aligned paragraphs.

    Args:
        tokens: tokens of each paragraph.
        baseline_tokens: tokens of the same paragraphs in the baseline language.

    Raises:
        ValueError: if there are no paragraphs, not equally many, or one of the baseline is empty.
    """
    if not tokens or len(tokens) != len(baseline_tokens):
        raise ValueError(
            f"{len(tokens)} paragraphs cannot be compared with {len(baseline_tokens)}; "
            "there must be equally many, and at least one."
        )
    premiums = sorted(map(premium, tokens, baseline_tokens))
    # `quantiles` wants two values; those of a single one are that one.
    quartiles = statistics.quantiles(premiums * (1 + (len(premiums) == 1)), method="inclusive")
    return PremiumSpread(
        overall=premium(sum(tokens), sum(baseline_tokens)),
        mean=statistics.fmean(premiums),
        smallest=premiums[0],
        first_quartile=quartiles[0],
        median=quartiles[1],
        third_quartile=quartiles[2],
        largest=premiums[-1],
        paragraphs=len(premiums),
    )


def premiums(tokens: Mapping[str, Sequence[int]], baseline: str) -> dict[str, PremiumSpread]:
    """The premium of each language over ``baseline``, which is among them (its own is 1).

    Args:
        tokens: for each language the tokens of each paragraph, counted with one tokenizer.
        baseline: the language to compare with.

    Raises:
        ValueError: as ``premium_spread``, or if the baseline is none of the languages.
    """
    if baseline not in tokens:
        raise ValueError(f"The baseline {baseline!r} is none of {', '.join(tokens)}.")
    return {name: premium_spread(counts, tokens[baseline]) for name, counts in tokens.items()}


def tokens_of_characters(characters: int, characters_per_token: float) -> int:
    """About how many tokens a text of that many characters is; at least one if there is any.

    Raises:
        ValueError: if ``characters`` is negative or the ratio is not positive.
    """
    _check_not_negative(characters=characters)
    _check_positive(characters_per_token=characters_per_token)
    return ceil(characters / characters_per_token)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """A price list entry: US dollars per million tokens.

    ``cached_input_usd`` is None where a provider gives nothing off for a cached prefix.
    """

    input_usd: float
    cached_input_usd: float | None
    output_usd: float

    def __post_init__(self) -> None:
        _check_not_negative(
            input_usd=self.input_usd,
            cached_input_usd=self.cached_input_usd or 0,
            output_usd=self.output_usd,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What is sent and received in some time: so many requests, each of so many tokens.

    ``cached_tokens`` of the ``input_tokens`` are a prefix that the provider has seen before.
    """

    requests: int
    input_tokens: int
    output_tokens: int
    cached_tokens: int = 0

    def __post_init__(self) -> None:
        _check_not_negative(
            requests=self.requests,
            input_tokens=self.input_tokens,
            output_tokens=self.output_tokens,
            cached_tokens=self.cached_tokens,
        )
        if self.cached_tokens > self.input_tokens:
            raise ValueError(
                f"{self.cached_tokens} cached tokens are more than the {self.input_tokens} of the "
                "whole input."
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class Bill:
    """What some usage costs, in US dollars; never rounded.

    ``saved_usd`` is what a cached prefix takes off: already left out of the other sums.
    """

    input_usd: float
    cached_input_usd: float
    output_usd: float
    saved_usd: float

    @property
    def total_usd(self) -> float:
        """All that is to be paid."""
        return self.input_usd + self.cached_input_usd + self.output_usd


def price(tokens: int, usd_per_million: float) -> float:
    """US dollars for that many tokens.

    >>> price(1234, 2.5)
    0.003085
    """
    return tokens * usd_per_million / PER_MILLION


def bill(usage: Usage, rates: Rates) -> Bill:
    """What ``usage`` costs at ``rates``; a cached prefix without a rate costs as other input."""
    cached_tokens = usage.requests * usage.cached_tokens
    cached_rate = rates.input_usd if rates.cached_input_usd is None else rates.cached_input_usd
    cached_usd = price(cached_tokens, cached_rate)
    return Bill(
        input_usd=price(usage.requests * usage.input_tokens - cached_tokens, rates.input_usd),
        cached_input_usd=cached_usd,
        output_usd=price(usage.requests * usage.output_tokens, rates.output_usd),
        saved_usd=price(cached_tokens, rates.input_usd) - cached_usd,
    )


def texts_that_fit(tokens: int, context_tokens: int, reserved_tokens: int = 0) -> int:
    """How many texts of ``tokens`` a context window holds beside what is reserved in it.

    Raises:
        ValueError: if a text has no tokens, or another number is negative.
    """
    _check_positive(tokens=tokens)
    _check_not_negative(context_tokens=context_tokens, reserved_tokens=reserved_tokens)
    return max(0, context_tokens - reserved_tokens) // tokens


def context_share(tokens: int, context_tokens: int) -> float:
    """What part of a context window a text takes; more than 1 if it does not fit.

    Raises:
        ValueError: if the window is not positive, or ``tokens`` negative.
    """
    _check_not_negative(tokens=tokens)
    _check_positive(context_tokens=context_tokens)
    return tokens / context_tokens


def characters_per_second(tokens_per_second: float, characters_per_token: float) -> float:
    """How fast a reader sees text appear from a model that writes so many tokens a second.

    Raises:
        ValueError: if a number is negative.
    """
    _check_not_negative(
        tokens_per_second=tokens_per_second, characters_per_token=characters_per_token
    )
    return tokens_per_second * characters_per_token


@dataclass(frozen=True, slots=True, kw_only=True)
class Accelerator:
    """What reading input takes on one device, by the usual estimate.

    A forward pass takes two operations (a multiplication and an addition) per parameter and token;
    attention is left out. The defaults are those of a published lesson: a model of 7 billion
    parameters on an H100 that does 10**15 operations a second (its list figure for dense BF16 is
    989 * 10**12), half of them useful.

    Attributes:
        parameters: of the model.
        operations_per_parameter: for each token.
        operations_per_second: the device's, by its data sheet.
        utilization: the part of that which is reached, above 0 and up to 1.
    """

    parameters: float = 7e9
    operations_per_parameter: float = 2
    operations_per_second: float = 1e15
    utilization: float = 0.5

    def __post_init__(self) -> None:
        _check_positive(
            parameters=self.parameters,
            operations_per_parameter=self.operations_per_parameter,
            operations_per_second=self.operations_per_second,
            utilization=self.utilization,
        )
        if self.utilization > 1:
            raise ValueError(f"A utilization of {self.utilization} is more than the whole device.")

    def operations(self, tokens: int) -> float:
        """Operations to read that many tokens."""
        return tokens * self.operations_per_parameter * self.parameters

    def seconds(self, tokens: int) -> float:
        """Seconds of one device to read that many tokens."""
        return self.operations(tokens) / (self.operations_per_second * self.utilization)

    def days(self, tokens: int) -> float:
        """Days of one device to read that many tokens."""
        return self.seconds(tokens) / SECONDS_PER_DAY
