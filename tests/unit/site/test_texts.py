"""Texts on pages: Markdown, initials, descriptions and addresses; and the inline script, with the
policy that allows it.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re

import pytest

from generator.grammar import headers
from generator.site import meta
from generator.site.fields import external_link
from generator.site.labels import initials
from generator.site.markdown import html
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


# --- the inline script ---


def test_the_policy_allows_the_inline_script() -> None:
    digest = hashlib.sha256(Theme("en").early.encode()).digest()
    # After `make bundle` EARLY_SCRIPT may need another value: this one.
    assert base64.b64encode(digest).decode() == headers.EARLY_SCRIPT
    assert f"script-src 'self' 'sha256-{headers.EARLY_SCRIPT}';" in headers.BASE_POLICY
