"""Prepares cells as the map says, before they are read as values: texts of several columns, parts
of texts, texts without HTML, shorter texts.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any

from generator.edit.tables.sheet import SheetRow, as_text, value_of
from generator.features.tables.map_model import ValueSource, placeholders

_LOOSE_ENDS = " \t\n,;:/|·–—-"
#: Elements that end a line of text.
_BLOCKS = {"p", "br", "div", "li", "ul", "ol", "tr", "h1", "h2", "h3", "h4", "h5", "h6"}


def raw_value(source: ValueSource, row: SheetRow) -> Any:
    """The value of a field before it is read: of a column, of a text with columns, of the map."""
    if source.text is not None:
        return fill(source.text, lambda name: value_of(row, name))
    value = source.value if source.column is None else value_of(row, source.column)
    if source.join is not None and isinstance(value, list):
        return source.join.join(as_text(item) for item in value if item is not None) or None
    return value


def fill(template: str, value: Callable[[str], Any]) -> str | None:
    """A text with the values of its columns; None if all are empty.  Marks beside an empty value at
    the ends of the text are left out.
    """
    names = placeholders(template)
    texts = {name: as_text(value(name)) for name in names}
    if names and not any(texts.values()):
        return None
    for name, text in texts.items():
        template = template.replace(f"{{{name}}}", text)
    filled = " ".join(template.split(" "))
    return filled if all(texts.values()) else filled.strip(_LOOSE_ENDS)


def cleaned(source: ValueSource, text: str) -> str | None:
    """The part of a text that a field takes; None if its pattern finds none."""
    if source.strip_html:
        text = without_html(text)
    if source.match is not None:
        found = re.search(source.match, text, re.M)
        if found is None:
            return None
        text = next((group for group in found.groups() if group is not None), found[0])
    return text.lower() if source.lower else text


class _Texts(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.hidden = 0

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.parts += ["\n"] * (tag in _BLOCKS)
        self.hidden += tag in ("script", "style")

    def handle_endtag(self, tag: str) -> None:
        self.parts += ["\n"] * (tag in _BLOCKS)
        self.hidden -= tag in ("script", "style") and self.hidden > 0

    def handle_data(self, data: str) -> None:
        if not self.hidden:
            self.parts.append(data)


def without_html(text: str) -> str:
    """The text of a piece of HTML, a line for each block."""
    if "<" not in text and "&" not in text:
        return text
    parser = _Texts()
    parser.feed(text)
    parser.close()
    lines = (" ".join(line.split()) for line in "".join(parser.parts).split("\n"))
    return re.sub("\n{2,}", "\n\n", "\n".join(lines)).strip()


def cut(text: str, length: int) -> tuple[str, str]:
    """A text of at most `length` characters, cut behind a sentence or a word, and its rest."""
    if len(text) <= length:
        return text, ""
    begin = text[: length - 1]
    sentence = max((m.end() for m in re.finditer(r"[.!?。](?=\s)|。", begin)), default=0)
    if sentence * 2 > length:
        return text[:sentence], text[sentence:].strip()
    word = max((m.start() for m in re.finditer(r"\s", begin)), default=0) or len(begin)
    return f"{text[:word].rstrip(',;: ')}…", f"…{text[word:].strip()}"
