"""The excerpt of a problem: its line, with a marker under the place of the problem."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.cli._report import excerpts
from generator.cli._rows import width
from generator.problems.diagnostic import Diagnostic


def excerpt_lines(raw: bytes, line: int, column: int) -> list[str]:
    problem = Diagnostic("a.yaml", line, column, "some-code", "wrong")
    return excerpts(lambda path: raw)(problem).split("\n")


@pytest.mark.parametrize(
    ("text", "column", "meant"),
    [
        ("programs: [lunch, x]", 12, "lunch"),
        ("yaer: 2020  # not", 1, "yaer"),
        ('name: "a, \\" b" # c', 7, '"a, \\" b"'),
        ("name: 'it''s'", 7, "'it''s'"),
        ("summary: two words: more", 10, "two words"),
        ("website: https://a.example/x", 10, "https://a.example/x"),
        ("- {country: ZZ}", 13, "ZZ"),
        ("team_size: 1,200  # about", 12, "1,200"),
        ("website: https://a.example/x,y#top", 10, "https://a.example/x,y#top"),
        ("  climate, health,", 3, "climate"),
        ("  climate, health]", 3, "climate"),
        ("- Oslo, Norway", 3, "Oslo, Norway"),
    ],
)
def test_the_marker_is_under_the_place(text: str, column: int, meant: str) -> None:
    line, mark = excerpt_lines(f"name: A\n{text}\n".encode(), 2, column)
    assert line == f"2 | {text}"
    assert mark == "  | " + " " * (column - 1) + "^" * len(meant)
    assert text[column - 1 :].startswith(meant)


def test_wide_letters_and_long_lines_do_not_move_the_marker() -> None:
    line, mark = excerpt_lines("aliases: [日本語, x]\n".encode() * 12, 12, 11)
    assert mark == "   | " + " " * 10 + "^" * 6 and line.startswith("12 | aliases: [日")
    long = f"a: [{'x' * 300}, zzz, {'y' * 300}]\n".encode()
    line, mark = excerpt_lines(long * 2, 2, long.index(b"zzz") + 1)
    assert width(line) <= 100 and line[mark.index("^") : mark.rindex("^") + 1] == "zzz"


def test_missing_files_and_problems_of_whole_files_have_no_excerpt() -> None:
    problem = Diagnostic("no/such/file.yaml", 3, 1, "some-code", "wrong")
    assert excerpts()(problem) == ""
    assert excerpt_lines(b"name: A\n", 1, 1) == [""] and excerpt_lines(b"name: A\n", 9, 1) == [""]
    assert excerpt_lines(b"\xff\xfe", 2, 1) == [""]


@given(st.text(), st.integers(1, 40), st.integers(1, 40))
def test_an_excerpt_has_no_control_characters(text: str, line: int, column: int) -> None:
    raw = text.encode("utf-8", "replace")
    assert all(part.isprintable() for part in excerpt_lines(raw, line, column))
    if len(given := excerpt_lines(raw, line, column)) == 2:
        assert "^" in given[1] and width(given[1]) <= 110
