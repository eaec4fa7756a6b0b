"""The texts of forms in the language of the registry; texts without a translation are English."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from generator.problems.catalogue import read_toml


@cache
def _texts(language: str) -> Mapping[str, Any]:
    path = Path(__file__).with_name(f"{language}.toml")
    return read_toml(path) if language == "de" and path.is_file() else {}


def translated(text: str, language: str, *values: str) -> str:
    """A text of the generator in a language, with values for its placeholders."""
    found = str(_texts(language.partition("-")[0].casefold()).get(text, text))
    return found.format(*values) if values else found
