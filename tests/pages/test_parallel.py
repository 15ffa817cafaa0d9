"""The parallel texts say the same paragraph by paragraph, as far as a test can see."""

import re
import unicodedata
from collections import Counter

import pytest

from pages.ui import parallel
from pages.ui.parallel import BASELINE, kind_of_paragraph, kinds, languages, paragraphs
from pages.ui.samples import FOLDER

TAGS = list(languages())
WANTED = "en vi zh-Hans zh-Hant ja ko th hi ar ru es fr de".split()
# A letter of its script, which English lacks: a file under the wrong name would be noticed.
OWN_LETTERS = {
    "vi": "ữ",
    "zh-Hans": "时",
    "zh-Hant": "兩",
    "ja": "の",
    "ko": "는",
    "th": "ที่",
    "hi": "है",
    "ar": "في",
    "ru": "ы",
    "es": "ñ",
    "fr": "è",
    "de": "ß",
}
# Simplified forms whose traditional one is another character, and the other way round.
ONLY_SIMPLIFIED = "这们说个来时为国会对发过学还没见关"
ONLY_TRADITIONAL = "這們說個來時為國會對發過學還沒見關"
# Words that the mainland and Taiwan have for the same thing.
MAINLAND_TAIWAN = {"土豆": "馬鈴薯", "地铁": "捷運", "通货膨胀": "通膨", "厘米": "公分"}


def numbers(text: str) -> Counter[str]:
    """Numbers written in digits, without the separators that languages put into them."""
    joined = re.sub(r"(?<=\d)[.,\u00a0](?=\d)", "", text)
    return Counter(
        "".join(str(unicodedata.digit(c)) for c in n) for n in re.findall(r"\d+", joined)
    )


def test_the_languages_and_kinds_that_were_promised() -> None:
    assert TAGS == WANTED
    assert list(kinds()) == ["conversation", "instructions", "news", "contract", "story"]
    assert all(kind.paragraphs >= 6 for kind in kinds().values())
    assert BASELINE in TAGS


def test_every_file_is_listed_and_every_listed_file_is_there() -> None:
    assert {path.stem for path in (FOLDER / "parallel").glob("*.txt")} == set(TAGS)


@pytest.mark.parametrize("tag", TAGS)
def test_the_file_is_plain(tag: str) -> None:
    text = (FOLDER / "parallel" / f"{tag}.txt").read_bytes().decode("utf-8")
    assert unicodedata.is_normalized("NFC", text)
    assert text == "\n\n".join(paragraphs(tag)) + "\n"
    assert not re.search(r"[\r\t\ufeff\u200b-\u200f]|  | $", text, re.MULTILINE)


@pytest.mark.parametrize("tag", TAGS)
def test_as_many_paragraphs_as_announced_and_none_empty(tag: str) -> None:
    assert len(paragraphs(tag)) == len(kind_of_paragraph()) >= 30
    assert all(text.strip() == text != "" and "\n" not in text for text in paragraphs(tag))
    assert len(set(paragraphs(tag))) == len(paragraphs(tag))


@pytest.mark.parametrize("tag", TAGS)
def test_kinds_cover_the_text_in_order(tag: str) -> None:
    assert sum((paragraphs(tag, kind) for kind in kinds()), ()) == paragraphs(tag)
    for kind in kinds():
        assert len(paragraphs(tag, kind)) == kinds()[kind].paragraphs


@pytest.mark.parametrize("tag", TAGS)
def test_numbers_and_dates_of_the_english_are_there(tag: str) -> None:
    for english, text in zip(paragraphs("en"), paragraphs(tag), strict=True):
        assert not numbers(english) - numbers(text), text


def test_numbers_are_found_in_every_notation() -> None:
    expected = Counter(["8500", "275"])
    for text in ("8,500 and 2.75", "8.500 und 2,75", "8\u00a0500 et 2,75", "٨٥٠٠ و٢٫٧٥"):
        assert numbers(text.replace("٫", ",")) == expected


@pytest.mark.parametrize(("tag", "letter"), OWN_LETTERS.items())
def test_each_kind_is_in_the_language_of_its_file(tag: str, letter: str) -> None:
    for kind in kinds():
        assert letter in "".join(paragraphs(tag, kind)), kind
    assert letter not in "".join(paragraphs("en"))


@pytest.mark.parametrize("tag", TAGS)
def test_paragraphs_are_of_similar_length(tag: str) -> None:
    """A paragraph that went missing or was doubled would leave the band around the mean ratio."""
    ratios = [len(b) / len(a) for a, b in zip(paragraphs("en"), paragraphs(tag), strict=True)]
    mean = sum(ratios) / len(ratios)
    assert all(0.6 * mean < ratio < 1.6 * mean for ratio in ratios)


def test_the_two_chinese_texts_are_not_one_in_two_scripts() -> None:
    simplified, traditional = ("".join(paragraphs(tag)) for tag in ("zh-Hans", "zh-Hant"))
    assert not set(simplified) & set(ONLY_TRADITIONAL)
    assert not set(traditional) & set(ONLY_SIMPLIFIED)
    for mainland, taiwan in MAINLAND_TAIWAN.items():
        assert mainland in simplified
        assert taiwan in traditional


def test_arabic_alone_runs_from_right_to_left() -> None:
    for tag, language in languages().items():
        letters = [c for c in "".join(paragraphs(tag)) if c.isalpha()]
        rightward = sum(unicodedata.bidirectional(c) in ("R", "AL") for c in letters)
        assert (rightward > len(letters) / 2) == language.right_to_left


def test_what_is_shown_beside_a_text_is_filled_in() -> None:
    assert all(language.title and language.name for language in languages().values())
    assert all(kind.title and kind.subject.endswith(".") for kind in kinds().values())
    assert len({language.name for language in languages().values()}) == len(TAGS)


def test_unknown_names_are_refused() -> None:
    with pytest.raises(KeyError, match="no parallel text is in 'xx'; there are: en, vi"):
        paragraphs("xx")
    with pytest.raises(KeyError, match="no kind is called 'poem'; there are: conversation"):
        paragraphs("en", "poem")


def test_a_text_is_read_once() -> None:
    assert parallel.paragraphs("en") is parallel.paragraphs("en")
