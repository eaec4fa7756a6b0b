"""Finds the registry that a command works on: in the working folder or a folder above it, as git
finds a repository.
"""

from __future__ import annotations

import os
import shlex
from itertools import islice

import click

_CONTENT, BUILD = "content", "build"
#: The parameters of commands that name a folder of the registry, with their defaults.
_DEFAULTS = {"content": _CONTENT, "out": BUILD, "where": BUILD, "folder": "."}
_MOST = 1000  # sub-folders that are looked into


def defaults_above(command: click.Command) -> dict[str, str]:
    """The defaults of a command's parameters if the registry is in a folder above the working
    folder; else none. Only defaults: what the user writes is relative to the working folder.
    """
    named = [p.name for p in command.params if p.name and _DEFAULTS.get(p.name) == p.default]
    above = _registry_above() if named else None
    if above is None:
        return {}
    return {name: os.path.normpath(os.path.join(above, _DEFAULTS[name])) for name in named}


def _registry_above() -> str | None:
    """The nearest folder above with a registry. None if there is none, or if the working folder has
    a content folder or a build itself.
    """
    if os.path.lexists(_CONTENT) or os.path.lexists(BUILD):
        return None
    above = ""
    for _ in os.getcwd().strip(os.sep).split(os.sep):
        above = os.path.join(above, os.pardir)
        if _has_registry(above):
            return above
    return None


def hint_below() -> str | None:
    """What to do if the registry is not in the working folder but in a folder of it, or if its
    content is the working folder; None if neither is so.
    """
    from generator.dialect.folder import REGISTRY_FILE
    from generator.problems.diagnostic import printable

    if os.path.isfile(REGISTRY_FILE):
        return f"{REGISTRY_FILE} is in this folder: add --content ."
    with os.scandir() as entries:
        names = sorted(entry.name for entry in islice(entries, _MOST))
    found = [name for name in names if _has_registry(name)]
    if not found:
        return None
    more = f" ({len(found) - 1:,} other folders have one, too.)" if len(found) > 1 else ""
    return f"There is one in {printable(found[0])}: cd {printable(shlex.quote(found[0]))}{more}"


def _has_registry(folder: str) -> bool:
    from generator.dialect.folder import REGISTRY_FILE  # imported here to keep start-up fast

    return os.path.isfile(os.path.join(folder, _CONTENT, REGISTRY_FILE))
