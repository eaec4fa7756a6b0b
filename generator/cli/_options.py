"""How options of commands are declared."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

_Command = TypeVar("_Command", bound=Callable[..., Any])


def option(
    form: str, help: str, type: Any = None, *, name: str | None = None, **more: Any
) -> Callable[[_Command], _Command]:
    """An option as its help shows it: `--strict` is a flag, `--keep N` has a value, and so has an
    option with a type.  `name` is that of its parameter, if not the option's own; a default and a
    variable of the environment are shown.
    """
    flag, _, metavar = form.partition(" ")
    names = (flag, name) if name else (flag,)
    if not metavar and type is None:
        return click.option(*names, is_flag=True, help=help, **more)
    return click.option(
        *names,
        type=type,
        metavar=metavar or None,
        help=help,
        **{"show_default": "default" in more, "show_envvar": "envvar" in more, **more},
    )
