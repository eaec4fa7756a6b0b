"""Warns about texts that readers would see as typed: HTML, Markdown in a name or summary, garbled
characters, and words that stand for a missing value, such as "N/A".
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from generator.model.kind import Kind
from generator.model.symbols import Symbols
from generator.problems.diagnostic import Fix
from generator.problems.faults import Fault, Loc, describe_field, shorten
from generator.text.characters import find_garbled, ungarbled
from generator.text.numbers import is_placeholder

_TAGS = (
    "a|abbr|article|audio|b|blockquote|br|button|center|code|dd|del|div|dl|dt|em|figure|font|footer|form|h[1-6]|hr|i|iframe|img|"
    "input|ins|li|nav|ol|p|pre|s|script|section|small|span|strong|style|sub|sup|svg|table|tbody|td|th|thead|tr|u|ul|video"
)
_ENTITIES = (
    "amp|apos|bull|copy|deg|euro|gt|hellip|laquo|lt|middot|nbsp|pound|quot|raquo|reg|shy|szlig|trade|[lr][ds]quo|[mn]dash|"
    "[a-z](?:acute|caron|cedil|circ|grave|ring|slash|tilde|uml)|(?:ae|oe)lig|#x?[0-9a-f]+"
)
#: Pairs of marks around words, and links.
_MARKDOWN = (
    r"(?<![\w*])(\*\*?)(?=[^\s*])[^*]*[^\s*]?(?<!\s)\1(?![\w*])|(`+)[^`]+\2|~~[^\s~][^~]*~~"
    r"|!?\[[^\[\]]*\]\([^()\s]+\)"
)
_MARKUP = rf"</?(?:{_TAGS})(?:\s[^<>]*)?/?>|<!--|&(?:{_ENTITIES});"


def check_record(kind: Kind, record: Any, symbols: Symbols) -> Iterator[Fault]:
    for loc, text in _texts(kind, record):
        if is_placeholder(text):
            yield _placeholder(loc, text)
        if not text.isascii():
            yield from _check_garbled(text, loc)
        if "<" in text or "&" in text:
            yield from check_html(text, loc)
        # A description and an own field may have some.
        if loc[0] != "description" and loc[0] not in kind.declared.own_keys:
            yield from _check_markdown(text, loc)
    for loc, text in _words(record, symbols):
        if is_placeholder(text):
            yield _placeholder(loc, text)


def _texts(kind: Kind, record: Any) -> Iterator[tuple[Loc, str]]:
    """The place and the text of what authors write in their own words."""
    for field in kind.declared.texts:
        value = getattr(record, field.name)
        if isinstance(value, list):
            yield from _items(field.place, value)
        elif value:
            yield field.place, value


def _words(record: Any, symbols: Symbols) -> Iterator[tuple[Loc, str]]:
    """The place and the text of each tag of an open family, and of each region and city."""
    for family, tags in (record.tags or {}).items():
        if family not in symbols.closed_families:
            yield from _items(("tags", family), tags)
    for i, place in enumerate(record.locations or ()):
        if place.city:
            yield ("locations", i, "city"), place.city
        region = place.region
        # Karnataka and Naples have codes that are like such words.
        if region and not (len(region) == 2 and region.isascii() and region.isupper()):
            yield ("locations", i, "region"), region


def _items(loc: Loc, texts: Iterable[Any]) -> Iterator[tuple[Loc, str]]:
    return (((*loc, i), text) for i, text in enumerate(texts) if isinstance(text, str))


def _placeholder(loc: Loc, text: str) -> Fault:
    message = f'{describe_field(loc)}: "{text}" says that there is no value'
    hint = "write the name" if loc == ("name",) else "leave it out"
    hint = f"{hint}; if this is a real name, write accept: [placeholder]"
    return Fault("placeholder", message, loc, hint, severity="warning")


def _warning(
    code: str, message: str, loc: Loc, hint: str, text: str, start: int, fix: Fix | None = None
) -> Fault:
    """A warning about the part of a text that begins at `start`."""
    sought = text[max(0, start - 8) : start + 1]
    return Fault(code, message, loc, hint, severity="warning", search_text=sought, fix=fix)


def _check_markdown(text: str, loc: Loc) -> Iterator[Fault]:
    if not ("*" in text or "`" in text or "](" in text or "~~" in text):
        return
    match = re.search(_MARKDOWN, text)
    if match is None:
        return
    markup, field = match[0], describe_field(loc)
    message = f'{field} contains Markdown, "{shorten(markup)}", which readers see as typed'
    hint = f"write {markup.strip('*`~')}, without the marks"
    if markup[-1] == ")":
        label, _, address = markup.lstrip("![").rstrip(")").partition("](")
        hint = f"write {label or 'plain text'}, and put {address} into links"
    yield _warning("markdown-in-text", message, loc, hint, text, match.start())


def _check_garbled(text: str, loc: Loc) -> Iterator[Fault]:
    match = find_garbled(text)
    if match is None:
        return
    found, field, fix = match[0], describe_field(loc), None
    if found[0] in "\u00ad\u200b\u2060":
        message = f"{field} has an invisible character, U+{ord(found[0]):04X}, in a word"
        hint, fix = "remove it", Fix("here", (len(found), ""))
    else:
        message = f'{field} has "{found}", which another encoding has garbled'
        plain = ungarbled(text if len(text) <= 80 else found)
        hint = f'write "{plain.strip()}"' if plain else "write the character that is meant"
        hint += f' instead of "{found}"' if plain and len(text) > 80 else ""
    yield _warning("garbled-text", message, loc, hint, text, match.start(), fix)


def check_html(text: str, loc: Loc) -> Iterator[Fault]:
    """A warning about the first HTML in a text."""
    match = re.search(_MARKUP, text, re.I) if "<" in text or "&" in text else None
    if match is None:
        return
    from html import unescape

    markup = match[0]
    message = f'{describe_field(loc)} contains HTML, "{markup[:40]}", which readers see as typed'
    hint = "write plain text" if markup[0] == "<" else "write the character itself"
    plain = unescape(markup)
    # A bare "<" or ">" could form a new tag with the text around it.
    fix = Fix("here", (len(markup), plain)) if plain not in (markup, "<", ">") else None
    yield _warning("html-in-text", message, loc, hint, text, match.start(), fix)
