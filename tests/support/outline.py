"""A page as text that can be read and compared: one element a line, without what changes with every
build.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser

#: Elements that stay on the line of the text around them.
_INLINE = {"a", "abbr", "b", "bdi", "code", "del", "em", "i", "ins", "mark", "small", "span",
           "strong", "sub", "time"}  # fmt: skip
_VOID = {"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"}
#: The digest in the name of an asset.
_HASH = re.compile(r"(/assets/[\w.-]+?|/tiles)-[0-9a-f]{8,}\.")
#: Parts that are on every page, and are kept on the home page alone: classes of
#: elements, and values of meta and link.
_COMMON = {"masthead", "colophon", "skip", "viewport", "color-scheme", "twitter:card",
           "Content-Security-Policy", "stylesheet", "icon", "utf-8", "og:image", "og:image:width",
           "og:image:height", "og:image:alt", "og:site_name", "og:type"}  # fmt: skip


class _Lines(HTMLParser):
    def __init__(self, whole: bool):
        super().__init__(convert_charrefs=False)
        self.lines: list[tuple[int, str]] = []
        self.whole, self.depth, self.left_out = whole, 0, 0
        self.script = ""

    def _new(self, text: str) -> None:
        self.lines.append((self.depth, text))

    def _more(self, text: str) -> None:
        if self.lines:
            self.lines[-1] = (self.lines[-1][0], self.lines[-1][1] + text)
        else:
            self._new(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        common = not _COMMON.isdisjoint((given.get("class") or "").split(" ")) or (
            tag in ("meta", "link") and not _COMMON.isdisjoint(given.values())
        )
        if self.left_out or (common and not self.whole):
            self.left_out += tag not in _VOID
            return
        text = self.get_starttag_text() or ""
        text = re.sub(r"\s+", " ", _HASH.sub(r"\1-….", text))
        # The shape of a country is not text that anybody reads.
        text = re.sub(r'( d="[^"]{12})[^"]{20,}"', r'\1…"', text)
        (self._more if tag in _INLINE else self._new)(text)
        if tag not in _VOID:
            self.depth += tag not in _INLINE
        self.script = given.get("type") or "script" if tag == "script" else ""

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        before = self.depth
        self.handle_starttag(tag, attrs)
        self.depth = before

    def handle_endtag(self, tag: str) -> None:
        if self.left_out:
            self.left_out -= 1
        elif tag in _INLINE:
            self._more(f"</{tag}>")
        else:
            self.depth -= 1
        self.script = ""

    def handle_data(self, data: str) -> None:
        if self.left_out or not data.strip():
            return
        if self.script.startswith("application/"):
            document = json.loads(_HASH.sub(r"\1-….", data))
            if "texts" in document:  # they are in the templates
                document["texts"] = f"{len(document['texts'])} texts"
            text = json.dumps(document, indent=1, ensure_ascii=False)
            for line in re.sub(r"\n +(?=[^{}\[\]]*[}\]])", " ", text).splitlines():
                self._new(line)
        elif self.script:
            self._more(f" {len(data)} characters")
        else:
            self._more(re.sub(r"\s+", " ", data))

    def handle_entityref(self, name: str) -> None:
        self.handle_data(f"&{name};")

    def handle_charref(self, name: str) -> None:
        self.handle_data(f"&#{name};")


def outline(html: str, whole: bool = False) -> str:
    """The elements and texts of a page; `whole` with the parts that are on every page."""

    def written() -> Iterator[str]:
        reader = _Lines(whole)
        reader.feed(html)
        reader.close()
        for depth, text in reader.lines:
            yield " " * depth + text.rstrip()

    return "\n".join(written()) + "\n"
