"""HTML as a browser parses it: elements with their attributes and texts."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

_VOID = {"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"}


@dataclass
class Element:
    """An element; `text` is its full text, `within` the tags around it."""

    tag: str
    attributes: dict[str, str]
    within: tuple[str, ...]
    text: str = ""


@dataclass
class Page:
    """The elements of a page, in order."""

    elements: list[Element] = field(default_factory=list)

    @property
    def skeleton(self) -> list[tuple[str, tuple[str, ...], tuple[str, ...]]]:
        """The structure without values and texts: tags, their parents, attribute names."""
        return [(e.tag, e.within, tuple(e.attributes)) for e in self.elements]

    def all(self, tag: str, **attributes: str) -> list[Element]:
        """The elements of a tag with these attribute values; `_` in a name stands for `-`."""
        wanted = {name.replace("_", "-").strip("-"): text for name, text in attributes.items()}
        return [
            one
            for one in self.elements
            if one.tag == tag and all(one.attributes.get(k) == v for k, v in wanted.items())
        ]

    def one(self, tag: str, **attributes: str) -> Element:
        (element,) = self.all(tag, **attributes)
        return element

    def meta(self, name: str) -> str | None:
        """The content of a `meta`, by its name or property."""
        every = [
            one.attributes["content"]
            for one in self.all("meta")
            if name in (one.attributes.get("name"), one.attributes.get("property"))
        ]
        assert len(every) < 2, every
        return every[0] if every else None

    @property
    def things(self) -> dict[str, dict[str, Any]]:
        """JSON-LD objects, by type."""
        scripts = self.all("script", type="application/ld+json")
        whole = [json.loads(script.text) for script in scripts]
        assert all(list(one) == ["@context", "@graph"] for one in whole)
        return {thing["@type"]: thing for one in whole for thing in one["@graph"]}


class _Parser(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.page, self.open = Page(), list[Element]()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(set(names)) == len(names), f"{tag} has an attribute twice: {names}"
        within = tuple(one.tag for one in self.open)
        element = Element(tag, {name: value or "" for name, value in attrs}, within)
        self.page.elements.append(element)
        if tag not in _VOID:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in _VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open[-1].tag == tag, (
            f"</{tag}> in {[one.tag for one in self.open]}"
        )
        self.open.pop()

    def handle_data(self, data: str) -> None:
        for one in self.open:
            one.text += data


def parse(html: bytes) -> Page:
    """Fails if elements are not nested or an attribute repeats."""
    parser = _Parser()
    parser.feed(html.decode())
    parser.close()
    assert not parser.open, [one.tag for one in parser.open]
    return parser.page
