"""Descriptions in CommonMark: their HTML and their plain words, from texts that nobody checked."""

from __future__ import annotations

import re

import pytest

from generator.site import markdown
from generator.site.markdown import plain_text

WRITTEN = """# Method

We **measure** [wind](https://wind.example/a?b=1 "title") and ![a *tidal* map](https://x.example/m.png).

- one
- two & three
  1. deep

### Result
`code` R&amp;D
"""
OUTSIDE = 'class="outside" rel="noopener nofollow ugc"'


def description_html(text: str) -> str:
    return markdown.description_html(text, markdown.parse(text))


def test_a_description_has_lists_links_and_headings_below_that_of_its_part() -> None:
    html = description_html(WRITTEN)
    assert f'<a href="https://wind.example/a?b=1" {OUTSIDE}>wind</a>' in html
    assert re.findall(r"<(h\d|[uo]l|li|strong|code)\b", html) == [
        "h3", "strong", "ul", "li", "li", "ol", "li", "h4", "code",
    ]  # fmt: skip
    assert "a <em>tidal</em> map" in html and "title" not in html
    assert "<img" not in html and "x.example" not in html


def test_wide_code_can_be_scrolled_with_the_keyboard() -> None:
    assert '<pre tabindex="0"><code>' in description_html("```\na = 1\n```")
    assert "&lt;pre&gt;" in description_html("`<pre>`")


def test_its_plain_words_are_without_marks_and_addresses() -> None:
    assert plain_text(WRITTEN).split("\n") == [
        "Method", "We measure wind and a tidal map.", "one", "two & three", "deep", "Result",
        "code R&D",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "One <b onclick=x>two</b>.",
        "<script>alert(1)</script>",
        "[a](javascript:alert(1))",
        "[a](data:text/html,x)",
        "[a](//host.example/)",
        "[a](/projects/)",
        "[a](https://user:password@host.example/)",
        "<javascript:alert(1)>",
        "![a](https://host.example/x.png)",
        "[a]: https://host.example/\n\nb",
    ],
)
def test_html_and_other_addresses_make_no_element(text: str) -> None:
    assert set(re.findall(r"<([^ >]*)[^>]*>", description_html(text))) == {"p", "/p"}


@pytest.mark.parametrize("text", ["One\ntwo.", "One.\n\nTwo: a < b & c, 3-4, x@y.example"])
def test_a_text_without_marks_is_as_written(text: str) -> None:
    assert plain_text(text) == text
    assert re.sub("</?p[^>]*>|\n", "", description_html(text)).replace("&lt;", "<").replace(
        "&amp;", "&"
    ) == text.replace("\n", "")


@pytest.mark.parametrize("mark", ["- ", "> ", "1. ", "- > "])
def test_a_text_nested_without_end_is_read_as_paragraphs(mark: str) -> None:
    text = f"{mark * (9_000 // len(mark))}Granite *stays*."
    assert plain_text(text) == text
    assert "Granite *stays*." in description_html(text)


@pytest.mark.parametrize(
    "piece", ["[", "![", "[a](", "*a **b ", "`a ``", "- a\n", "> a\n- b\n", "a\n===\n", "[a]: b\n"]
)
def test_no_text_of_10_000_characters_becomes_long(piece: str) -> None:
    text = (piece * 10_000)[:10_000]
    assert len(description_html(text)) < 20 * len(text)
    assert len(plain_text(text)) <= len(text)
