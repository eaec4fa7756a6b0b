"""Texts on pages: Markdown, shortened JSON, initials, descriptions and addresses; and the inline
script, with the policy that allows it.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from typing import Any

import pytest

from generator.grammar import headers
from generator.site import meta
from generator.site.fields import external_link
from generator.site.labels import initials
from generator.site.reference.excerpt import REST, excerpt
from generator.site.templating.markdown import html
from generator.site.theme import Theme

# --- Markdown is text of its page: no HTML, no script, no other host ---


@pytest.mark.parametrize(
    ("text", "part"),
    [
        # Headings are below the heading of the page.
        ("# One\n\n###### Six", "<h2>One</h2>\n<h6>Six</h6>\n"),
        ("## Two\n\n### Three", "<h2>Two</h2>\n<h3>Three</h3>\n"),
        # Links within the site have its prefix.
        ("*[a](/projects/)*", 'href="/data/projects/"'),
        ("[a](https://example.org/)", 'href="https://example.org/"'),
        ("[a](#d)", 'href="#d"'),
        ("<mailto:x@example.org>", 'href="mailto:x@example.org"'),
        # Images of other hosts are not loaded.
        ("![a](https://other.example/)", '!<a href="https://other.example/"'),
        ("|a|b|\n|-|-:|\n|1|2|", '<td class="num">2</td>'),
    ],
)
def test_markdown_becomes_elements_without_styles(text: str, part: str) -> None:
    assert part in html(text, "/data")
    assert "style" not in html(text, "/data")


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "a <img src=x onerror=alert(1)> b",
        "[a](javascript:alert(1))",
        "[a](JaVaScRiPt:alert(1))",
        "[a](&#106;avascript:alert(1))",
        "[a](data:text/html,x)",
        "[a](//other.example/)",
        "<javascript:alert(1)>",
    ],
)
def test_dangerous_markup_is_text(text: str) -> None:
    rendered = html(text)
    assert "<p>" in rendered
    assert not re.search("<(script|img|a) ?", rendered)


# --- JSON documents are shortened with a mark, and harmless ---


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


def test_short_flat_values_are_on_one_line() -> None:
    lines = read({"values": [{"value": "ai", "count": 3}, {"value": "b"}], "tags": []}).text
    assert lines.splitlines() == [
        "{",
        '  "values": [',
        '    {"value": "ai", "count": 3},',
        f'    "{REST}"',
        "  ],",
        '  "tags": []',
        "}",
    ]


def test_a_list_that_is_long_has_a_line_for_each_item() -> None:
    texts = ["y" * 60, "z" * 60]
    assert len(read({"texts": texts}).text.splitlines()) == 6


def test_keys_and_omissions_are_marked() -> None:
    parsed = read({"a": [{"b": "c"}, {}]})
    assert parsed.marks == [("span", ("class", "key"))] * 2 + [("span", ("class", "rest"))]


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


# --- short texts ---


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Airbnb", "A"),
        ("Aurora Grid", "AG"),
        ("The Long Name of It", "TL"),
        ("500 Global", "5G"),
        ("(re)start – again", "RA"),
        ("élan vital", "ÉV"),
        ("東京 スカイツリー", "東ス"),
        ("ßtraße", "SS"),
        ("🤖 !", ""),
        ("37signals", "3"),
        ("&AI", "A"),
        ("straße ßeta", "SSS"),
        ("a – b", "AB"),
    ],
)
def test_initials_are_of_the_first_two_words_with_a_letter(name: str, expected: str) -> None:
    assert initials(name) == expected


@pytest.mark.parametrize(
    "address",
    ["javascript:alert(1)", "JaVaScRiPt://x.example/%0aalert(1)", "data:text/html,<b>",
     "//x.example", "https://x.example/ x", "https://x.example/\u202e", "ftp://x.example",
     " https://x.example"],
)  # fmt: skip
def test_an_address_of_another_scheme_is_only_text(address: str) -> None:
    html = external_link(address)
    assert (html.elsewhere, html.href) == ("", "")


def test_nothing_in_a_text_ends_a_script() -> None:
    hostile = "</script><!-- <script>\u2028\u2029&amp;"
    data = str(meta.json_ld([{"name": hostile}]))
    assert not set("<>&\u2028\u2029") & set(data)
    assert json.loads(data)["@graph"] == [{"name": hostile}]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One\n two", "One two"),
        ("word " * 60, "word " * 39 + "word…"),
        ("x" * 300, "x" * 199 + "…"),
        ("", ""),
    ],
)
def test_a_description_is_a_short_line(text: str, expected: str) -> None:
    assert meta.clip_text(text) == expected
    assert len(expected) <= meta.MAX_DESCRIPTION


# --- the inline script ---


def test_the_policy_allows_the_inline_script() -> None:
    digest = hashlib.sha256(Theme("en").early.encode()).digest()
    # After `make bundle` EARLY_SCRIPT may need another value: this one.
    assert base64.b64encode(digest).decode() == headers.EARLY_SCRIPT
    assert f"script-src 'self' 'sha256-{headers.EARLY_SCRIPT}';" in headers.BASE_POLICY


def test_the_inline_script_ends_with_its_element() -> None:
    assert "</" not in Theme("en").early and "<!--" not in Theme("en").early
