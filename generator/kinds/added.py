"""Fields that features add to kinds.

A class in the module `fields` of a feature adds its fields to the class of a kind with the same
name: `Record` has those of all kinds, `Project` those of projects.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from generator.feature import Hook, parts
from generator.kinds.declare import OWN_FIELDS
from generator.kinds.types import PATTERN_FAULTS


def with_added(model: type) -> type:
    """The class of a kind with the fields that features add, after its own.  Raises FeatureError if
    two have one name.
    """
    added: list[type] = []
    owners = dict.fromkeys((*_annotated(model), OWN_FIELDS), "the generator")
    names = [base.__name__ for base in reversed(model.__mro__)]  # those of all kinds first
    for feature, module in parts("fields"):
        classes = (vars(module).get(name) for name in names)
        for found in classes:
            if found is None or found.__module__ != module.__name__:
                continue
            for name in _annotated(found):
                feature.claim(name, f"field {name} of {model.__name__}", owners)
            added.insert(0, found)  # fields are those of the last base first
    if not added:
        return model
    own = {"__module__": model.__module__, "__doc__": model.__doc__}
    return type(model.__name__, (*added, model), own)


def _annotated(model: type) -> set[str]:
    """The attributes that a class and its bases annotate."""
    return {name for base in model.__mro__ for name in vars(base).get("__annotations__", ())}


PATTERNS: Hook[Mapping[str, tuple[str, str, str | None]]] = Hook("fields", "PATTERN_FAULTS")


@cache
def pattern_faults() -> Mapping[str, tuple[str, str, str | None]]:
    """`PATTERN_FAULTS` with those of features."""
    found = dict(PATTERN_FAULTS)
    for more in PATTERNS:
        found |= more
    return found
