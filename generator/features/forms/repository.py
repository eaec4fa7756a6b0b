"""The issue forms of a repository, and those that no longer ask what the registry has."""

from __future__ import annotations

import os
from collections.abc import Iterator

from generator.edit.changes import read
from generator.edit.starting.files import renewed
from generator.features.forms.github import FOLDER, forms
from generator.model.symbols import Symbols


def files(symbols: Symbols) -> dict[str, bytes]:
    return forms(symbols)


def outdated(repository: str, symbols: Symbols) -> Iterator[str]:
    """A line for each form that is out of date, by us or by hand.  Raises OSError."""
    if not os.path.isdir(os.path.join(repository, FOLDER)):
        return
    written = forms(symbols)
    old = [change.path for change in renewed(repository, written)]
    yield from (f"{path} is out of date: run `registry forms`" for path in old)
    for path, wanted in written.items():
        current = read(repository, path)
        if path not in old and current is not None and current != wanted:
            asked = set(_labels(wanted))
            for label in (label for label in _labels(current) if label not in asked):
                yield (
                    f"{path} asks “{label}”, which the registry does not ask any more. It was "
                    "changed by hand: correct it, or run registry forms --force"
                )


def _labels(form: bytes) -> list[str]:
    from generator.dialect.tree import Unchangeable, parse_or_raise  # loads libyaml

    try:
        return [element["attributes"]["label"] for element in parse_or_raise(form)["body"]]
    except (Unchangeable, LookupError, TypeError):
        return []
