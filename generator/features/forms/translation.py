"""The texts of forms, and of answers to them, in the language of the registry; texts without a
translation are English.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache, partial, reduce
from pathlib import Path
from typing import Any

from generator.problems.codes import read_toml


@cache
def _texts(language: str) -> Mapping[str, Any]:
    path = Path(__file__).with_name(f"{language}.toml")
    return read_toml(path) if language == "de" and path.is_file() else {}


class Phrase(str):
    """An English text made of a template and values, which `translated` can translate."""

    template: str
    values: tuple[str, ...]

    def __new__(cls, template: str, *values: str) -> Phrase:
        phrase = super().__new__(cls, template.format(*values) if values else template)
        phrase.template, phrase.values = template, values
        return phrase


def any_of(texts: Iterable[str]) -> str:
    """Texts as alternatives."""
    return reduce(partial(Phrase, "{} or {}"), texts)


def translated(text: str, language: str, *values: str) -> str:
    """A text of the generator in a language, with values for its placeholders."""
    if isinstance(text, Phrase):
        values = tuple(translated(v, language) if isinstance(v, Phrase) else v for v in text.values)
        text = text.template
    found = str(_texts(language.partition("-")[0].casefold()).get(text, text))
    return found.format(*values) if values else found
