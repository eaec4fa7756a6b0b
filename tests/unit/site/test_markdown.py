"""A registry's Markdown is text of its page: no HTML, no script, no other host."""

from __future__ import annotations

import re

import pytest

from generator.site.templating.markdown import html


def test_headings_are_below_the_heading_of_the_page() -> None:
    assert html("# One\n\n###### Six") == "<h2>One</h2>\n<h6>Six</h6>\n"
    assert html("## Two\n\n### Three") == "<h2>Two</h2>\n<h3>Three</h3>\n"


def test_links_within_the_site_have_its_prefix() -> None:
    rendered = html("*[a](/projects/)* [b](https://example.org/)", "/data")
    assert 'href="/data/projects/"' in rendered
    assert 'href="https://example.org/"' in rendered


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


def test_images_of_other_hosts_are_not_loaded() -> None:
    assert "<img" not in html("![logo](https://other.example/logo.png)")


def test_links_lead_to_other_sites_to_pages_and_to_mail() -> None:
    rendered = html("[a](https://example.org/) [b](/projects/) [c](#d) <mailto:x@example.org>")
    assert [part.split('"')[0] for part in rendered.split('href="')[1:]] == [
        "https://example.org/",
        "/projects/",
        "#d",
        "mailto:x@example.org",
    ]


def test_a_table_has_no_inline_style() -> None:
    rendered = html("|a|b|\n|-|-:|\n|1|2|")
    assert "style" not in rendered
    assert '<td class="num">2</td>' in rendered
