"""What a registry's own templates may read, call and print.  Everything else is refused.

Templates come with the content.  A value of a page often leads to more than the page needs: a
module to all that it imports, the settings to the methods of pydantic, a function to an address of
memory.  Templates read

    texts, numbers, dates and collections        with their methods, as Jinja's sandbox allows
    objects with `VISIBLE`                       the names in it
    other dataclasses, named tuples, settings    fields and properties, unless they are functions
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date, time, timedelta
from functools import cached_property
from types import MappingProxyType, ModuleType
from typing import Any

from jinja2 import TemplateRuntimeError, Undefined, environment, runtime, utils
from markupsafe import Markup
from pydantic import BaseModel

_DATA: tuple[type, ...] = (
    *(str, bytes, int, float, complex, bool, type(None), date, time, timedelta, slice, range),
    *(list, tuple, dict, set, frozenset, MappingProxyType),
    *(type({}.keys()), type({}.values()), type({}.items())),
)
_JINJA = (
    *(Undefined, environment.TemplateModule, utils.Cycler, utils.Joiner, utils.Namespace),
    *(runtime.BlockReference, runtime.LoopContext, runtime.Macro, runtime.TemplateReference),
)
#: Classes that templates may call.
_CALLED = (range, dict, utils.Cycler, utils.Joiner, utils.Namespace)
#: How the text of a function ends, and that of other objects without a text of their own.
_ADDRESS = re.compile(r" at 0x[0-9a-f]{6,16}(>|&gt;)", re.IGNORECASE)


class Functions:
    """The functions and constants that a module defines, for templates."""

    def __init__(self, module: ModuleType):
        own = {name: value for name, value in vars(module).items() if _is_own(module, name, value)}
        self.VISIBLE = frozenset(own)
        self.__dict__.update(own)


def _is_own(module: ModuleType, name: str, value: Any) -> bool:
    if name.startswith("_") or isinstance(value, type):
        return False
    is_function = callable(value) and getattr(value, "__module__", "") == module.__name__
    return is_function or (name.isupper() and isinstance(value, _DATA))


def is_readable(owner: Any, name: str, value: Any) -> bool:
    """Whether templates may read the attribute of `owner`, which has this value."""
    owner_class = type(owner)
    if issubclass(owner_class, _JINJA):
        return True
    visible = getattr(owner, "VISIBLE", None)
    if isinstance(visible, frozenset):
        return name in visible
    fields = _fields(owner_class)
    if fields is None:
        return issubclass(owner_class, _DATA)
    computed = getattr(owner_class, name, None)
    is_computed = isinstance(computed, property | cached_property) and not hasattr(BaseModel, name)
    return not callable(value) and (name in fields or is_computed)


def _fields(owner_class: type) -> Iterable[str] | None:
    """The fields of a named tuple, a dataclass or a model; None for other classes."""
    for name in ("_fields", "__dataclass_fields__", "model_fields"):
        fields: Iterable[str] | None = getattr(owner_class, name, None)
        if fields is not None:
            return fields
    return None


def is_callable(called: Any) -> bool:
    """Whether templates may call this; which functions they can read says `is_readable`."""
    return not isinstance(called, type) or called in _CALLED


def printed(value: Any) -> Any:
    """The value itself.  Raises TemplateRuntimeError if its text has an address of memory, as that
    of a function has.
    """
    text = value if isinstance(value, str) else str(value)
    if found := _ADDRESS.search(text):
        what = Markup(text[: found.start()]).unescape().rpartition("<")[2]
        raise TemplateRuntimeError(f"{what} is no text: call it, or print a part of it")
    return value
