"""Logos in SVG: what is refused, and what is published of the others."""

from __future__ import annotations

import time
from xml.etree import ElementTree

import pytest

from generator.features.logos import svg as rules
from generator.features.logos.logo import MAX_BYTES, read_logo
from generator.problems.faults import RefusedFile
from support import malicious_svg
from support.escapes import visible
from support.malicious_svg import CASES, GOOD, svg


def published(raw: bytes) -> bytes:
    return read_logo("acme.svg", raw).data


def test_an_svg_that_is_no_plain_picture_is_refused(regenerate: bool) -> None:
    """The refusals are as recorded, and none takes long."""
    text = ""
    for name, section in malicious_svg.sections().items():
        began = time.process_time()
        with pytest.raises(RefusedFile) as caught:
            published(CASES[name])
        assert time.process_time() - began < 5, name
        text += section
        for refused in (caught.value, *caught.value.others):
            place = f"{refused.code} at {refused.line}:{refused.column}"
            text += f"! {place}: {visible(refused.message)}\n! {visible(refused.hint)}\n"
    if regenerate:
        malicious_svg.RECORDED.write_text(text, "utf-8")
    assert text == malicious_svg.RECORDED.read_text("utf-8")


@pytest.mark.parametrize("name", GOOD)
def test_a_plain_picture_is_published_with_listed_elements_and_attributes_only(name: str) -> None:
    data = published(GOOD[name])
    assert not any(mark in data for mark in (b"<!", b"<?", b"xlink", b"\r"))
    names = f"{{{rules.NAMESPACE}}}"
    for element in ElementTree.fromstring(data).iter():
        allowed = rules.ATTRIBUTES[element.tag.removeprefix(names)]
        assert element.attrib.keys() <= allowed.keys()
        for attribute, value in element.attrib.items():
            assert rules.is_valid(allowed[attribute], value)


@pytest.mark.parametrize("name", GOOD)
def test_the_published_bytes_are_published_unchanged(name: str) -> None:
    data = published(GOOD[name])
    assert published(data) == data


def test_the_same_picture_written_differently_has_the_same_bytes() -> None:
    one = svg('<path fill="red" d="M0 0h8"/>')
    other = svg("\n  <!-- a line -->\n  <path d='M0\n0h8'\tfill='&#114;ed'></path>\n")
    assert read_logo("one.svg", one) == read_logo("other.svg", other)


def test_texts_stay_texts() -> None:
    data = published(svg("<title>&lt;script&gt; &amp;amp; ]]&gt;</title>"))
    assert b"<title>&lt;script&gt; &amp;amp; ]]&gt;</title>" in data


def test_a_refusal_names_the_line_and_the_column() -> None:
    with pytest.raises(RefusedFile) as refused:
        published(svg('\n<path d="M0 0"/>\n  <script/>'))
    assert (refused.value.line, refused.value.column) == (3, 3)


def test_a_reference_to_nothing_is_placed_at_the_element_that_has_it() -> None:
    with pytest.raises(RefusedFile) as refused:
        published(svg('\n<path d="M0 0" fill="url(#gone)"/>\n'))
    assert refused.value.line == 2


def test_an_svg_of_64_kib_is_published_and_a_byte_more_is_not() -> None:
    padding = MAX_BYTES - len(svg(""))
    assert published(svg(" " * padding))
    with pytest.raises(RefusedFile, match="64 KiB"):
        published(svg(" " * (padding + 1)))


def test_the_name_is_the_digest_of_the_published_bytes() -> None:
    name, _, ending = read_logo("acme.svg", svg()).name.partition(".")
    assert ending == "svg" and len(name) == 32 and int(name, 16)
    assert read_logo("acme.svg", svg("")).name != read_logo("acme.svg", svg()).name
