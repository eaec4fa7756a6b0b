"""What follows from all kinds together: their order, and which refer to which."""

from __future__ import annotations

from collections.abc import Mapping

from generator.kinds import KINDS, record
from generator.kinds.declare import placed

#: collection -> field -> the collection that it refers to
REFERENCES: Mapping[str, Mapping[str, str]] = {
    name: declared.references for name, declared in KINDS.items()
}
_FIELDS = {name: f for kind in KINDS.values() for name, f in kind.written.items()}
_TAGS = record.WRITTEN.index("tags")
_ORDER = (
    *record.WRITTEN[:_TAGS],
    *(name for name in _FIELDS if name not in record.WRITTEN),
    *record.WRITTEN[_TAGS:],
)
#: The fields of all kinds, in the order in which files have them.
WRITTEN = tuple(placed(_ORDER, _FIELDS))
#: The fields whose values have parts by key, and those among them that a feature adds.
KEYED = tuple(name for name, f in _FIELDS.items() if f.is_keyed)
ADDED_KEYED = {name: f.added for name, f in _FIELDS.items() if f.is_keyed and f.added}
#: The fields about the file of a record, which are not published.
UNPUBLISHED = frozenset(
    f.name for kind in KINDS.values() for f in kind.written.values() if not f.published
)
#: collection -> what reads the files that its records name
FILE_READERS = {
    name: f.added.read
    for name, kind in KINDS.items()
    for f in kind.written.values()
    if f.added and f.added.read
}


def _referred() -> tuple[str, ...]:
    found: list[str] = []
    for name in KINDS:
        if any(name in fields.values() for other, fields in REFERENCES.items() if other != name):
            refers = [n for n, other in enumerate(found) if other in REFERENCES[name].values()]
            found.insert(min(refers, default=len(found)), name)
    return tuple(found)


#: Collections whose records others refer to, each before those that its own records refer to.  They
#: are read first.
REFERRED = _referred()
#: The collections among them whose records have computed counts of the records that refer to them,
#: in the same order.
COUNTING = tuple(
    name
    for name in REFERRED
    if any(f.type == "breakdown" and f.computed for f in KINDS[name].fields.values())
)
#: The other collections: a record is read, checked, rendered and written in one go.
STREAMED = tuple(name for name in KINDS if name not in REFERRED)
#: All collections, those that others refer to first.
COLLECTIONS = (*reversed(REFERRED), *reversed(STREAMED))
