"""The compiled part of pydantic's core, loaded without its package.

The package makes 150 types for type checkers on import, which takes as long as reading a small
registry.
"""

from __future__ import annotations

import sys
from importlib.machinery import PathFinder
from importlib.util import find_spec, module_from_spec
from typing import TYPE_CHECKING, Any

_NAME = "pydantic_core._pydantic_core"


def _load() -> Any:
    """The compiled module, or the whole package if the module is not in its usual place."""
    if _NAME in sys.modules:
        return sys.modules[_NAME]
    package = find_spec("pydantic_core")
    folders = package.submodule_search_locations if package is not None else None
    spec = PathFinder.find_spec(_NAME, folders or [])
    if spec is None or spec.loader is None:
        import pydantic_core

        return pydantic_core
    module = module_from_spec(spec)
    sys.modules[_NAME] = module
    spec.loader.exec_module(module)
    return module


if TYPE_CHECKING:
    from pydantic_core import (
        PydanticCustomError,
        PydanticKnownError,
        SchemaError,
        SchemaValidator,
        ValidationError,
    )
else:
    _core = _load()
    PydanticCustomError, PydanticKnownError = _core.PydanticCustomError, _core.PydanticKnownError
    SchemaError, SchemaValidator = _core.SchemaError, _core.SchemaValidator
    ValidationError = _core.ValidationError

__all__ = ["PydanticCustomError", "PydanticKnownError", "SchemaError", "SchemaValidator",
           "ValidationError"]  # fmt: skip
