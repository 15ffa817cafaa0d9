"""Own texts from files on the Cost page: names, tables, encodings, refusals."""

from __future__ import annotations

import csv
import io
from itertools import product

import pytest

import engine
from engine.text_files import OFFERED, decode_text
from pages.ui import parallel
from pages.ui.cost.bring import NotText, readings, refuse_other_files, said_of
from pages.ui.cost.names import known_language, name_of_file
from pages.ui.cost.own_texts import MOST
from pages.ui.cost.table_files import DELIMITERS, TableError, aligned_columns, read_table
from pages.ui.token_rows import as_csv

ROWS = [
    ["en", "vi", "ja"],
    ["Yes, please; thank you", 'Nói "vâng"', "はい\nどうぞ"],
    ["No | never", "Không,\tcảm ơn", "いいえ"],
]


def written(rows: list[list[str]], delimiter: str = ",", end: str = "\r\n") -> str:
    output = io.StringIO()
    csv.writer(output, delimiter=delimiter, lineterminator=end).writerows(rows)
    return output.getvalue()


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("vi.txt", "Vietnamese"),
        ("zh-Hant.txt", "Chinese (traditional)"),
        ("zh_TW.csv", "Chinese (traditional)"),
        ("story.de-AT.txt", "German"),
        ("C:\\texts\\contract_en.txt", "English"),
        ("日本語.txt", "Japanese"),
        ("it.txt", "Italian"),
        ("my_document.txt", "my_document"),
        ("Vertrag.txt", "Vertrag"),
        (".txt", ".txt"),
        ("<b>x</b>", "b>"),
    ],
)
def test_a_file_is_called_by_its_language(file: str, name: str) -> None:
    assert name_of_file(file) == name


def test_every_language_is_known_by_tag_and_name() -> None:
    for tag, language in parallel.languages().items():
        assert {known_language(word) for word in (tag, language.title, language.name)} == {
            language.title
        }


@pytest.mark.parametrize(("delimiter", "end"), list(product(DELIMITERS, ("\n", "\r\n"))))
def test_delimiter_header_and_quotes_are_recognised(delimiter: str, end: str) -> None:
    table = read_table(written(ROWS, delimiter, end))
    assert (table.delimiter, table.header, table.uneven) == (delimiter, True, 0)
    assert table.names == ("en", "vi", "ja")
    assert [list(cells) for cells in zip(*table.columns, strict=True)] == ROWS[1:]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_the_same_table_in_every_unicode_encoding(encoding: str) -> None:
    text = decode_text(written(ROWS, ";").encode(encoding)).text
    assert read_table(text) == read_table(written(ROWS, ";"))


def test_a_first_row_of_sentences_is_no_header() -> None:
    table = read_table(written([["Good morning to you", "Chào buổi sáng"], ["Thanks", "Cảm ơn"]]))
    assert (table.header, table.names) == (False, ("Column 1", "Column 2"))
    assert table.columns[0] == ("Good morning to you", "Thanks")
    named = read_table(written([["a", "b"], ["x", "y"]]), header=True)
    assert (named.names, named.columns) == (("a", "b"), (("x",), ("y",)))


def test_empty_columns_and_cells_are_left_out_and_said() -> None:
    table = read_table("en,vi,\r\none,một,\r\ntwo,,\r\n\r\nthree,ba,,more\r\n")
    assert table.filled == [0, 1, 3]
    columns, left_out = aligned_columns(table, [0, 1])
    assert (columns, left_out) == ([("one", "three"), ("một", "ba")], 1)
    said = said_of(table, 2, left_out)
    assert said[0] == "4 columns parted by comma, names in the first row, 2 rows compared."
    assert said[1].startswith("1 column without a text")
    assert said[2].startswith("1 row left out")
    assert said[3].startswith("1 row with more or fewer cells")


def test_a_long_cell_is_read() -> None:
    cell = "x" * 1_000_000
    assert read_table(f'en,vi\n"{cell}",y\n').columns[0] == (cell,)


def test_three_hundred_columns() -> None:
    table = read_table(written([[f"c{i}" for i in range(300)], ["a text"] * 300]))
    assert len(table.filled) == 300 > MOST


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "empty"),
        (" \n,,\n", "empty"),
        ('en,vi\n"hello,xin\nb,c\n', "Line 3"),
        ('a,b\n"x"y,z\n', "Line 2"),
        ("," * 1_001, "empty"),
        ("x," * 1_001, "1,002 columns"),
    ],
)
def test_what_is_no_table_is_refused_with_a_sentence(text: str, words: str) -> None:
    with pytest.raises(TableError, match=words):
        read_table(text)


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("windows-1258", "Chào bạn"),
        ("gb18030", "今天天气很好"),
        ("shift_jis", "今日は良い天気"),
        ("cp1251", "Добрый день"),
    ],
)
def test_each_old_encoding_shows_how_it_reads(encoding: str, text: str) -> None:
    if encoding == "windows-1258":
        text = engine.normalize(text, "mixed")  # the only form that the code page can write
    data = f"ascii first\n{text}\n".encode(encoding)
    assert readings(data, OFFERED)[encoding] == text


@pytest.mark.parametrize("data", [b"PK\x03\x04rest", b"%PDF-1.7", b"\x1f\x8b\x08", b"\xff\xd8\xff"])
def test_archives_and_pictures_are_named(data: bytes) -> None:
    with pytest.raises(NotText, match=r"^table.csv is a"):
        refuse_other_files("table.csv", data)


def test_bytes_of_a_program_read_in_no_encoding() -> None:
    assert not readings(bytes(range(256)) * 4, OFFERED)


def test_languages_that_come_twice_are_names_and_are_told_apart() -> None:
    table = read_table("en,en,,en\nhello,hi,yo,hey\nbye,ciao,so long,see you\n")
    assert table.header
    assert table.names == ("en", "en (2)", "Column 3", "en (3)")
    assert not read_table("yes,yes\nno,no\n").header


def test_no_cell_of_a_file_is_a_formula_its_names_included() -> None:
    name = "=cmd|' /C calc'!A0"
    (head, row) = csv.reader(io.StringIO(as_csv([{name: name, "+84": 1}]).decode("utf-8-sig")))
    assert head == [f"'{name}", "'+84"]
    assert row == [f"'{name}", "1"]
