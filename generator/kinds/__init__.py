"""What records are: the types of their fields, and what each kind declares, one module a kind.

A module with `KIND` is a kind: everything else follows from it.  `KINDS` has them by collection.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator, Mapping

from generator.kinds.declare import Declared
from generator.kinds.record import WRITTEN as WRITTEN_FIRST

#: The modules of the first kinds, in the order of all lists of collections; others follow.
_FIRST = ("project", "program", "organization", "event")
#: The modules that are no kinds.
_SHARED = ("declare", "marks", "models", "record", "types")


def _kinds() -> Iterator[Declared]:
    found = {module.name for module in pkgutil.iter_modules(__path__)}.difference(_SHARED)
    for name in (*_FIRST, *sorted(found.difference(_FIRST))):
        yield importlib.import_module(f"{__name__}.{name}").KIND


KINDS: Mapping[str, Declared] = {kind.name: kind for kind in _kinds()}
#: collection -> kind, the name of one record in documents, schemas and filters; and the other way.
KIND_OF: Mapping[str, str] = {name: declared.kind for name, declared in KINDS.items()}
COLLECTION_OF: Mapping[str, str] = {kind: name for name, kind in KIND_OF.items()}
#: collection -> field -> the collection that it refers to
REFERENCES: Mapping[str, Mapping[str, str]] = {
    name: declared.references for name, declared in KINDS.items()
}
_WRITTEN = dict.fromkeys(name for kind in KINDS.values() for name in kind.written)
_TAGS = WRITTEN_FIRST.index("tags")
#: The fields of all kinds, in the order in which files have them.
WRITTEN = (
    *WRITTEN_FIRST[:_TAGS],
    *(name for name in _WRITTEN if name not in WRITTEN_FIRST),
    *WRITTEN_FIRST[_TAGS:],
)
#: The fields about the file of a record, which are not published.
UNPUBLISHED = frozenset(
    f.name for kind in KINDS.values() for f in kind.written.values() if not f.published
)


def _referred() -> tuple[str, ...]:
    found: list[str] = []
    for name in KINDS:
        if any(name in fields.values() for other, fields in REFERENCES.items() if other != name):
            refers = [n for n, other in enumerate(found) if other in REFERENCES[name].values()]
            found.insert(min(refers, default=len(found)), name)
    return tuple(found)


#: Collections whose records others refer to, each before those that its own records refer to.  They
#: are read first.  A record has the number of records of the collections before its own that refer
#: to it, and of projects.
REFERRED = _referred()
#: The other collections: a record is read, checked, rendered and written in one go.
STREAMED = tuple(name for name in KINDS if name not in REFERRED)
#: All collections, those that others refer to first.
COLLECTIONS = (*reversed(REFERRED), *reversed(STREAMED))
