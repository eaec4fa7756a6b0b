"""The compiled part of pydantic's core.

Its package makes a hundred and fifty types for type checkers when it is imported, which takes as
long as to read a small registry: so what is compiled is loaded by itself.
"""

from __future__ import annotations

import sys
from importlib.machinery import PathFinder
from importlib.util import find_spec, module_from_spec
from typing import TYPE_CHECKING

_NAME = "pydantic_core._pydantic_core"


def _load() -> None:
    """Load what is compiled, where it lies as its package has it today."""
    package = find_spec("pydantic_core") if _NAME not in sys.modules else None
    where = package.submodule_search_locations if package is not None else None
    spec = PathFinder.find_spec(_NAME, where) if where is not None else None
    if spec is not None and spec.loader is not None:
        sys.modules[_NAME] = module = module_from_spec(spec)
        spec.loader.exec_module(module)


if TYPE_CHECKING:
    from pydantic_core import (
        PydanticCustomError,
        PydanticKnownError,
        SchemaValidator,
        ValidationError,
    )
else:
    _load()
    if _NAME in sys.modules:
        core = sys.modules[_NAME]
    else:
        import pydantic_core as core
    PydanticCustomError, PydanticKnownError = core.PydanticCustomError, core.PydanticKnownError
    SchemaValidator, ValidationError = core.SchemaValidator, core.ValidationError

__all__ = ["PydanticCustomError", "PydanticKnownError", "SchemaValidator", "ValidationError"]
