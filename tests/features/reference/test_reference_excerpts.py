"""Answers on the pages of the API reference are shortened with a mark, and harmless."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from typing import Any

import pytest

from generator.features.reference.excerpt import REST, excerpt


class Read(HTMLParser):
    """The text of a piece of HTML, and its tags."""

    def __init__(self, html: str):
        super().__init__()
        self.text, self.marks = "", []
        self.feed(html)

    def handle_data(self, data: str) -> None:
        self.text += data

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.marks.append((tag, *attrs))


def read(value: Any) -> Read:
    return Read(str(excerpt(json.dumps(value).encode())))


@pytest.mark.parametrize(
    ("value", "shortened"),
    [
        ({"a": None, "b": [1, True]}, {"a": None, "b": [1, True]}),
        ([1, 2, 3, 4, 5], [1, 2, 3, 4, REST]),
        ([{"a": 1}, {"a": 2}], [{"a": 1}, REST]),
        ("x" * 120, "x" * 120),
        ("x" * 121, "x" * 119 + REST),
        (
            {f"k{n}": n for n in range(30)},
            {**{f"k{n}": n for n in range(24)}, REST: REST},
        ),
        ([], []),
        ({}, {}),
    ],
)
def test_a_document_is_shortened_with_a_mark(value: Any, shortened: Any) -> None:
    assert json.loads(read(value).text) == shortened


@pytest.mark.parametrize(
    "text",
    [
        "</code><script>alert(1)</script>",
        '"key": "x',
        'a\\": b\n<b>',
        "&#34;key&#34;: &amp;",
        "[]{}\n[",
        "\u202e\U0001f600",
    ],
)
def test_hostile_texts_stay_texts(text: str) -> None:
    parsed = read({"name": text, text: [text]})
    assert json.loads(parsed.text) == {"name": text, text: [text]}
    assert {mark[0] for mark in parsed.marks} <= {"span"}


def test_another_file_is_shown_by_its_first_lines() -> None:
    lines = [f"<line {number}> & {'x' * 200}" for number in range(20)]
    excerpt_lines = Read(str(excerpt("\r\n".join(lines).encode()))).text.splitlines()
    assert len(excerpt_lines) == 13 and excerpt_lines[-1] == REST
    assert excerpt_lines[0].startswith("<line 0> & x") and len(excerpt_lines[0]) == 120
    assert Read(str(excerpt(b"BEGIN\nEND\n"))).text == "BEGIN\nEND"
