"""The issue forms of a repository, and those that no longer ask what the registry has."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

from generator.dialect.tree import Unchangeable, parse_or_raise
from generator.edit.changes import read
from generator.edit.starting.files import renewed
from generator.features.forms.github import FOLDER, forms
from generator.model.symbols import Symbols


def files(symbols: Symbols) -> dict[str, bytes]:
    return forms(symbols)


def outdated(repository: str, symbols: Callable[[], Symbols]) -> Iterator[str]:
    """A line for each form that `registry forms` would write otherwise, and for each form that a
    person changed and whose questions `registry submit` does not know.

    `symbols` is called only if there are forms.  Raises what it raises, and OSError.
    """
    if not os.path.isdir(os.path.join(repository, FOLDER)):
        return
    written = forms(symbols())
    old = {change.path for change in renewed(repository, written)}
    for path, wanted in written.items():
        if path in old:
            yield f"{path} is out of date: run `registry forms`"
            continue
        current = read(repository, path)
        for label in _labels(current) if current is not None else ():
            if label not in _labels(wanted):
                yield (
                    f"{path} asks “{label}”, which the registry does not ask any more. It was "
                    "changed by hand: correct it, or run registry forms --force"
                )


def _labels(form: bytes) -> list[str]:
    """The questions of a form; none if it is not one."""
    try:
        return [element["attributes"]["label"] for element in parse_or_raise(form)["body"]]
    except (Unchangeable, LookupError, TypeError):
        return []
