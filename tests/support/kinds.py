"""The kinds and the models of settings of a registry without kinds of its own, and other kinds."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

from generator.kinds import Kinds, built_in, kinds_of
from generator.kinds.declare import Declared
from generator.model.kinds import kind_for
from generator.model.settings.guards import guards_model
from generator.model.settings.list_files import removals_model
from generator.model.settings.registry import settings_model

KINDS = built_in()
KIND_OF, COLLECTION_OF, COLLECTIONS = KINDS.kind_of, KINDS.collection_of, KINDS.referred_first
#: Collection -> what is computed of its records.
COMPUTED = {name: kind_for(declared) for name, declared in KINDS.items()}
Settings, Guards, Removals = settings_model(KINDS), guards_model(KINDS), removals_model(KINDS)


def kinds_with(*declared: Declared, first: tuple[str, ...] | None = None) -> Kinds:
    """The kinds of these modules, by default of those that are built in, with others after them."""
    names = tuple(f"declared_{of.kind}" for of in declared)
    for name, of in zip(names, declared, strict=True):
        module: Any = ModuleType(f"generator.kinds.{name}")
        module.KIND = of
        sys.modules[module.__name__] = module
    built = next(iter(KINDS.values())).among[0]
    return kinds_of((*(built if first is None else first), *names), "")
