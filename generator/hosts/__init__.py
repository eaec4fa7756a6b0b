"""Static hosts, one a module, all fed by the grammar's routes.

A module has `LIMITS` and `render(frame, settings, ...)`, which yields the artifacts that belong into the output.
"""

from __future__ import annotations

import importlib
import pkgutil
from typing import NamedTuple

from generator.emit import Output


class Limits(NamedTuple):
    """What a host is known to take: number of files, bytes of one file, number of rules; None where it is not known."""

    files: int | None = None
    file_bytes: int | None = None
    rules: int | None = None


def names() -> list[str]:
    return sorted(info.name for info in pkgutil.iter_modules(__path__))


def host(name: str) -> Output:
    """The output of one host.  Raises KeyError for one there is no module for."""
    if name not in names():
        raise KeyError(name)
    render = importlib.import_module(f"{__name__}.{name}").render
    return Output(name, render.__code__.co_varnames[: render.__code__.co_argcount], render)
