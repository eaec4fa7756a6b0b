"""Whatever an SVG says, what is published of it parses and has only what is listed."""

from __future__ import annotations

import time
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from generator.features.logos import svg as rules
from generator.features.logos.logo import read_logo
from generator.problems.faults import RefusedFile
from support.malicious_svg import CASES, GOOD, svg

NAMES = st.sampled_from(
    (*rules.ATTRIBUTES, "script", "use", "image", "a", "style", "text", "set", "x:g")
)
ATTRIBUTES = st.sampled_from(
    [
        *sorted({name for own in rules.ATTRIBUTES.values() for name in own}),
        *("onload", "href", "xlink:href", "style", "xmlns:x", "xml:base", "filter"),
    ]
)
VALUES = st.one_of(
    st.sampled_from(
        ("0", "1.5", "50%", "-3px", "red", "#fff", "url(#a)", "url(//x)", "a", "none", "M0 0h8")
    ),
    st.text("0123456789.,-+eE ()#%urlMmhzascle", max_size=20),
    st.text(max_size=8),
)


def written(value: str) -> str:
    return "".join(f"&#{ord(c)};" if c in "<>&\"'" else c for c in value)


@st.composite
def elements(draw: st.DrawFn, depth: int = 3) -> str:
    name = draw(NAMES)
    given_names = draw(st.lists(ATTRIBUTES, max_size=3, unique=True))
    attributes = "".join(f' {a}="{written(draw(VALUES))}"' for a in given_names)
    inside = draw(st.lists(elements(depth - 1), max_size=3)) if depth else []
    text = written(draw(st.text(max_size=4))) if name in rules.TEXTS else ""
    return f"<{name}{attributes}>{text}{''.join(inside)}</{name}>"


def check(raw: bytes) -> bool:
    """Check what is published of an SVG; returns whether anything is."""
    try:
        data = read_logo("a.svg", raw).data
    except RefusedFile as refused:
        assert refused.message and refused.hint
        return False
    for element in ElementTree.fromstring(data).iter():
        name = element.tag.removeprefix(f"{{{rules.NAMESPACE}}}")
        assert element.attrib.keys() <= rules.ATTRIBUTES[name].keys()
        assert not (element.text or "").strip() or name in rules.TEXTS
        for value in element.attrib.values():
            assert "url(" not in value.lower() or value.startswith("url(#")
    assert read_logo("a.svg", data).data == data
    return True


@given(st.lists(elements(), max_size=4))
def test_what_is_published_of_any_tree_is_listed(parts: list[str]) -> None:
    check(svg("".join(parts)))


@given(st.sampled_from([*GOOD.values(), *CASES.values()]), st.data())
def test_what_is_published_of_a_damaged_file_is_listed(raw: bytes, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(raw)))
    cut = data.draw(st.integers(0, 6))
    put = data.draw(st.binary(max_size=6))
    check(raw[:place] + put + raw[place + cut :])


@given(st.binary(max_size=200))
def test_any_bytes_are_published_or_refused(raw: bytes) -> None:
    check(raw)


@given(
    st.sampled_from(sorted({kind for own in rules.ATTRIBUTES.values() for kind in own.values()})),
    st.lists(st.sampled_from([*"0123456789.,-+eE ()%", "scale(1)", "rgb(", "1 ", "M"]), max_size=4),
    st.sampled_from(("x", ")", "", ",", " 1e")),
)
def test_no_value_takes_long(kind: str, unit: list[str], end: str) -> None:
    value = rules.tidy("".join(unit) * 4000 + end)
    began = time.process_time()
    rules.is_valid(kind, value)
    assert time.process_time() - began < 1
