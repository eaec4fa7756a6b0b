"""What records are: the types of their fields, and what each kind declares, one module a kind.

A module with `KIND` is a kind: everything else follows from it.  `KINDS` has them by collection,
with the fields that features add.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator, Mapping
from dataclasses import replace

from generator.kinds.added import with_added
from generator.kinds.declare import Declared

#: The modules of the first kinds, in the order of all lists of collections; others follow.
_FIRST = ("project", "program", "organization", "event")
#: The modules that are no kinds.
_SHARED = ("added", "continents", "declare", "every", "marks", "models", "record", "types")


def _kinds() -> Iterator[Declared]:
    found = {module.name for module in pkgutil.iter_modules(__path__)}.difference(_SHARED)
    for name in (*_FIRST, *sorted(found.difference(_FIRST))):
        kind: Declared = importlib.import_module(f"{__name__}.{name}").KIND
        yield replace(kind, model=with_added(kind.model))


KINDS: Mapping[str, Declared] = {kind.name: kind for kind in _kinds()}
#: collection -> kind, the name of one record in documents, schemas and filters; and the other way.
KIND_OF: Mapping[str, str] = {name: declared.kind for name, declared in KINDS.items()}
COLLECTION_OF: Mapping[str, str] = {kind: name for name, kind in KIND_OF.items()}
