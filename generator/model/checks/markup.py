"""Warns about HTML in a text, about Markdown in a name or summary, and about garbled characters:
texts are plain, and readers see them as typed.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any

from generator.kinds.declare import Declared
from generator.model.kind import Kind
from generator.model.settings import own_fields
from generator.model.symbols import Symbols
from generator.problems.diagnostic import Fix
from generator.problems.faults import Fault, Loc, describe_field, shorten
from generator.text.characters import find_garbled, ungarbled

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


def check_record(kind: Kind, record: Any, symbols: Symbols) -> Iterable[Fault]:
    declared = kind.declared
    texts = [record.description or ""]
    texts += [text for field in declared.lines if (text := getattr(record, field))]
    for field in declared.names:
        texts += getattr(record, field) or ()
    joined = "".join(texts)
    found: list[Fault] = []
    if "*" in joined or "`" in joined or "](" in joined or "~~" in joined:
        found += _check_markdown(declared, record)
    own = record.fields is not None
    if own or "<" in joined or "&" in joined:
        found += _check_texts(declared, record, check_html)
    if own or find_garbled(joined):
        found += _check_texts(declared, record, _check_garbled)
    return found


def _lines(declared: Declared, record: Any) -> Iterator[tuple[Loc, Any]]:
    """The place and the text of each line of a record."""
    yield from (((field,), getattr(record, field)) for field in declared.lines)


def _names(declared: Declared, record: Any) -> Iterator[tuple[Loc, Any]]:
    """The place and the text of each line in a list."""
    for field in declared.names:
        yield from (((field, i), name) for i, name in enumerate(getattr(record, field) or ()))


def _check_markdown(declared: Declared, record: Any) -> Iterator[Fault]:
    """Warnings about Markdown in names and summaries; a description may have some."""
    for loc, text in chain(_lines(declared, record), _names(declared, record)):
        match = re.search(_MARKDOWN, text or "")
        if match is None:
            continue
        markup, field = match[0], describe_field(loc)
        message = f'{field} contains Markdown, "{shorten(markup)}", which readers see as typed'
        hint = f"write {markup.strip('*`~')}, without the marks"
        if markup[-1] == ")":
            label, _, address = markup.lstrip("![").rstrip(")").partition("](")
            hint = f"write {label or 'plain text'}, and put {address} into links"
        start = match.start()
        sought = text[max(0, start - 8) : start + 1]
        yield Fault("markdown-in-text", message, loc, hint, severity="warning", search_text=sought)


def _check_texts(
    declared: Declared, record: Any, check: Callable[[str, Loc], Iterator[Fault]]
) -> Iterator[Fault]:
    for loc, text in chain(
        [(("description",), record.description)],
        _lines(declared, record),
        _names(declared, record),
        _own_texts(record),
    ):
        if isinstance(text, str):
            yield from check(text, loc)


def _own_texts(record: Any) -> Iterator[tuple[Loc, Any]]:
    """The place and the value of each own field, or of each item in it."""
    for key, value in own_fields.own_values(record):
        if isinstance(value, list):
            yield from ((("fields", key, i), text) for i, text in enumerate(value))
        else:
            yield ("fields", key), value


def _check_garbled(text: str, loc: Loc) -> Iterator[Fault]:
    match = find_garbled(text)
    if match is None:
        return
    found, start, field = match[0], match.start(), describe_field(loc)
    sought = text[max(0, start - 8) : start + 1]
    fix = None
    if found[0] in "\u00ad\u200b\u2060":
        message = f"{field} has an invisible character, U+{ord(found[0]):04X}, in a word"
        hint, fix = "remove it", Fix("here", (len(found), ""))
    else:
        message = f'{field} has "{found}", which another encoding has garbled'
        plain = ungarbled(text if len(text) <= 80 else found)
        hint = f'write "{plain.strip()}"' if plain else "write the character that is meant"
        hint += f' instead of "{found}"' if plain and len(text) > 80 else ""
    yield Fault("garbled-text", message, loc, hint, severity="warning", search_text=sought, fix=fix)


def check_html(text: str, loc: Loc) -> Iterator[Fault]:
    """A warning about the first HTML in a text."""
    if not ("<" in text or "&" in text):
        return
    match = re.search(_MARKUP, text, re.I)
    if match is None:
        return
    from html import unescape

    markup, start = match[0], match.start()
    message = f'{describe_field(loc)} contains HTML, "{markup[:40]}", which readers see as typed'
    hint = "write plain text" if markup[0] == "<" else "write the character itself"
    plain = unescape(markup)
    # A bare "<" or ">" could form a new tag with the text around it.
    fix = Fix("here", (len(markup), plain)) if plain not in (markup, "<", ">") else None
    sought = text[max(0, start - 8) : start + 1]
    yield Fault("html-in-text", message, loc, hint, severity="warning", search_text=sought, fix=fix)
