"""A raw, still encoded query string split into parameters.  Empty, unknown and repeated parameters
are errors.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import unquote_to_bytes

from generator.grammar.nearest import near_values_or_few
from generator.grammar.refusals import QueryError
from generator.text.words import split_runs

MAX_QUERY_WORDS, MAX_QUERY_CHARACTERS = 8, 200
#: Characters of a query that a problem repeats.
_MAX_SHOWN = 80


def parse_parameters(raw: str, known: Mapping[str, str]) -> dict[str, str]:
    """The value of each parameter; `known` maps all valid parameters to their labels.  Raises
    QueryError: first for the form of a token, then for unknown keys, then for repeated keys.
    """
    values: dict[str, str] = {}
    pairs = [token.partition("=") for token in raw.split("&")]
    for key, equals, value in pairs:
        if not key or not equals or not value:
            message = "The query has an empty parameter."
            if key:
                message = f'The parameter "{cut_for_message(key)}" has no value.'
            raise QueryError("invalid-parameter", message, tuple(known))
    for key, _, _ in pairs:
        if key not in known:
            message = f'There is no parameter "{cut_for_message(key)}" here.'
            raise QueryError("unknown-parameter", message, suggest_words(key, known))
    for key, _, value in pairs:
        if key in values:
            message = f'The parameter "{key}" is given more than once.'
            raise QueryError("repeated-parameter", message)
        values[key] = value
    return values


def suggest_words(text: str, known: Mapping[str, str]) -> tuple[str, ...]:
    """The keys of `known` (word -> label) that are near to `text`; all keys if none is near."""
    return near_values_or_few(text, known.items()) or tuple(known)


def split_values(raw: str) -> list[str]:
    """The parts of a value, which are separated by commas."""
    return decode_separators(raw).split(",")


def decode_separators(raw: str) -> str:
    """A value with `,` (between values), `:` (after "all" and "not") and `+` (of a number) decoded.
    Programs encode these characters, and no others in values of filters.
    """
    return re.sub("%(?:2[BbCc]|3[Aa])", lambda match: chr(int(match[0][1:], 16)), raw)


def search_words(raw: str, name: str = "q") -> str:
    """The decoded text of `q`, or of the parameter `name`.  Raises QueryError if it is not UTF-8,
    too long, or has no or too many words.
    """
    # Some hosts replace invalid UTF-8 before the query arrives, so this does the same.
    text = unquote_to_bytes(raw.replace("+", " ")).decode(errors="replace")
    if "\N{REPLACEMENT CHARACTER}" in text:
        raise QueryError("invalid-parameter", f"{name} must be percent-encoded UTF-8.")
    if re.search(r"%(?![0-9A-Fa-f]{2})", raw) or len(text) > MAX_QUERY_CHARACTERS:
        raise QueryError(
            "invalid-parameter",
            f"{name} must be percent-encoded text of at most {MAX_QUERY_CHARACTERS} characters.",
        )
    if not 1 <= len(split_runs(text)) <= MAX_QUERY_WORDS:
        raise QueryError(
            "invalid-parameter", f"{name} takes 1 to {MAX_QUERY_WORDS} words of letters and digits."
        )
    return text


def cut_for_message(text: str) -> str:
    """A part of a query for a message, cut if it is long."""
    return text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}…"
