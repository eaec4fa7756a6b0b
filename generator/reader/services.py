"""Answers at the addresses of the query tier that features add (grammar/routes.py)."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from generator.feature import hooks
from generator.grammar.grammar import Grammar
from generator.grammar.headers import MEDIA_TYPES
from generator.search.engine import Engine


class Asked(NamedTuple):
    """A request for `path`, without the prefix, and what answers may use.

    `raw` is the query string, or a form if `is_form`; both are percent-encoded.  `read` gives a
    published file.  `origin` is that of the request.
    """

    path: str
    raw: str
    grammar: Grammar
    engine: Engine
    read: Callable[[str], bytes | None]
    origin: str = ""
    is_form: bool = False


class Reply(NamedTuple):
    """The body of an answer with status 200."""

    body: bytes
    media_type: str = MEDIA_TYPES["json"]


class TooLarge(Exception):
    """A request with too much in it (status 413); the text says what the limit is."""


def answer_service(asked: Asked) -> Reply | None:
    """The answer of a feature; None if none has this address.

    Raises QueryError, TooLarge and Unavailable.
    """
    answers = (answer(asked) for answer in hooks("routes", "answer"))
    return next((reply for reply in answers if reply is not None), None)
