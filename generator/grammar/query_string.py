"""A raw, still encoded query string taken apart: what is empty, unknown or repeated is refused,
never guessed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import unquote_to_bytes

from generator.grammar.nearest import nearest
from generator.grammar.refusals import QueryError
from generator.grammar.text import runs

MAX_QUERY_WORDS, MAX_QUERY_CHARACTERS = 8, 200
#: Characters of what was asked that a problem repeats.
_LONGEST_SHOWN = 80


def parameters(raw: str, known: Mapping[str, str]) -> dict[str, str]:
    """The value of each parameter; `known` has those there are, each with its label.  Raises
    QueryError: first for the form of a token, then for unknown keys, then for repeated.
    """
    values: dict[str, str] = {}
    pairs = [token.partition("=") for token in raw.split("&")]
    for key, equals, value in pairs:
        if not key or not equals or not value:
            what = (
                f'The parameter "{shown(key)}" has no value.'
                if key
                else "The query has an empty parameter."
            )
            raise QueryError("invalid-parameter", what, tuple(known))
    for key, _, _ in pairs:
        if key not in known:
            raise QueryError(
                "unknown-parameter",
                f'There is no parameter "{shown(key)}" here.',
                near_or_all(key, known),
            )
    for key, _, value in pairs:
        if key in values:
            raise QueryError(
                "repeated-parameter", f'The parameter "{key}" is given more than once.'
            )
        values[key] = value
    return values


def near_or_all(text: str, known: Mapping[str, str]) -> tuple[str, ...]:
    """The known words that are near to one, each given with its label; all where none is."""
    return nearest(text, known.items()) or tuple(known)


def listed(raw: str) -> list[str]:
    """The parts of a value that are joined with commas."""
    return plain_marks(raw).split(",")


def plain_marks(raw: str) -> str:
    """A value with the marks as they are that join several (`,`), say how (`:`) or belong to a
    number (`+`).  Programs encode these, and nothing else that a filter takes.
    """
    return re.sub("%(?:2[BbCc]|3[Aa])", lambda mark: chr(int(mark[0][1:], 16)), raw)


def search_words(raw: str, name: str = "q") -> str:
    """The decoded text of `q`, or of `like`.  Raises QueryError when it is no UTF-8, too long, or
    has no or too many words.
    """
    try:
        text = unquote_to_bytes(raw.replace("+", " ")).decode()
    except UnicodeDecodeError:
        text = "\N{REPLACEMENT CHARACTER}"
    # It stands for bytes that are no text, which some hosts replace before they are asked.
    if "\N{REPLACEMENT CHARACTER}" in text:
        raise QueryError("invalid-parameter", f"{name} must be percent-encoded UTF-8.")
    if re.search(r"%(?![0-9A-Fa-f]{2})", raw) or len(text) > MAX_QUERY_CHARACTERS:
        raise QueryError(
            "invalid-parameter",
            f"{name} must be percent-encoded text of at most {MAX_QUERY_CHARACTERS} characters.",
        )
    if not 1 <= len(runs(text)) <= MAX_QUERY_WORDS:
        raise QueryError(
            "invalid-parameter", f"{name} takes 1 to {MAX_QUERY_WORDS} words of letters and digits."
        )
    return text


def shown(text: str) -> str:
    """What was asked, as a problem repeats it."""
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…"
