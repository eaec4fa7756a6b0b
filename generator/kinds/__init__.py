"""What records are: the types of their fields, and what each kind declares, one module a kind.

A module with `KIND` is a kind: everything else follows from it.  `Kinds` are those of one registry,
with the fields that features add.
"""

from __future__ import annotations

import importlib
import json
import pkgutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property
from typing import Any, NamedTuple

from generator.kinds import record
from generator.kinds.added import with_added
from generator.kinds.declare import (
    OWN_FIELDS,
    OWN_SETTINGS,
    Declared,
    Field,
    ValueType,
    Vocabulary,
    own_field,
    placed,
)

#: What reads a file beside a record: see `ValueType.read`.
Reader = Callable[[str, bytes], tuple[str, bytes]]
#: The modules of the first kinds, in the order of all lists of collections; others follow.
_FIRST = ("project", "program", "organization", "event")
#: The modules that are no kinds.
_SHARED = ("added", "continents", "declare", "marks", "models", "record", "types")


class Relation(NamedTuple):
    """The other side of a reference: records of `collection` are found by `filter`, and are below
    `key` in the links of the record that they refer to.
    """

    key: str
    collection: str
    filter: str


class Kinds(Mapping[str, Declared]):
    """The kinds of one registry by collection, in the order of all lists of collections.

    A registry has the kinds of some `modules`, and own fields: `own` is collection -> key ->
    settings (`OWN_SETTINGS`).  Only these cross processes: a copy in another process is made by
    `kinds_of`, which returns the same kinds for the same names and settings.
    """

    def __init__(self, modules: tuple[str, ...], own: str):
        """`own` is JSON, "" without own fields."""
        self._modules, self._json = modules, own
        self.own: Mapping[str, Mapping[str, Mapping[str, Any]]] = json.loads(own or "{}")
        declared = self.bare.values() if own else map(_read, modules)
        self._declared: Mapping[str, Declared] = {
            of.name: replace(of, own=self._own_fields(of.name), among=(modules, own))
            for of in declared
        }

    def _own_fields(self, collection: str) -> tuple[Field, ...]:
        return tuple(own_field(*item) for item in self.own.get(collection, {}).items())

    @property
    def bare(self) -> Kinds:
        """These kinds without own fields."""
        return kinds_of(self._modules, "")

    def having(self, own: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> Kinds:
        """These kinds with other own fields; settings that are empty have their defaults."""
        settings = {
            name: {
                key: {setting: of.get(setting) or least for setting, least in OWN_SETTINGS.items()}
                for key, of in fields.items()
            }
            for name, fields in own.items()
            if fields
        }
        return kinds_of(self._modules, json.dumps(settings) if settings else "")

    def __getitem__(self, collection: str) -> Declared:
        return self._declared[collection]

    def __iter__(self) -> Iterator[str]:
        return iter(self._declared)

    def __len__(self) -> int:
        return len(self._declared)

    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other

    def __reduce__(self) -> tuple[Any, ...]:
        return kinds_of, (self._modules, self._json)

    # --- names ---

    @cached_property
    def kind_of(self) -> Mapping[str, str]:
        """Collection -> kind, the name of one record in documents, schemas and filters."""
        return {name: declared.kind for name, declared in self.items()}

    @cached_property
    def collection_of(self) -> Mapping[str, str]:
        """Kind -> collection."""
        return {declared.kind: name for name, declared in self.items()}

    # --- roles ---

    @cached_property
    def counted(self) -> str:
        """The collection that the dashboard, the start page and comparisons are about, and whose
        records those that they refer to count; "" if the registry has none.
        """
        return self._having("counted")

    @cached_property
    def owner(self) -> str:
        """The collection whose records run or own others; "" if the registry has none."""
        return self._having("owner")

    @cached_property
    def series(self) -> str:
        """The collection whose records have cohorts; "" if the registry has none."""
        return self._having("series")

    @cached_property
    def timed(self) -> str:
        """The collection of the calendar; "" if the registry has none."""
        return self._having("timed")

    def _having(self, role: str) -> str:
        return next((name for name, declared in self.items() if getattr(declared, role)), "")

    # --- fields ---

    @cached_property
    def _fields(self) -> Mapping[str, Field]:
        """Those that files of every registry may have."""
        common = (f for kind in self.values() for f in kind.common.values())
        return {f.name: f for f in common if not f.computed}

    @cached_property
    def written(self) -> tuple[str, ...]:
        """The fields of all kinds, in the order in which files have them."""
        tags = record.WRITTEN.index("tags")
        own = (name for name in self._fields if name not in record.WRITTEN)
        order = (*record.WRITTEN[:tags], *own, *record.WRITTEN[tags:])
        return tuple(placed(order, self._fields))

    @cached_property
    def keyed(self) -> Mapping[str, ValueType | None]:
        """The fields whose values have parts by key -> their type, if a feature adds that."""
        keyed = {name: f.added for name, f in self._fields.items() if f.is_keyed}
        return {**keyed, OWN_FIELDS: None}

    @cached_property
    def added_keyed(self) -> Mapping[str, ValueType]:
        """Those of `keyed` that features add."""
        return {name: added for name, added in self.keyed.items() if added}

    @cached_property
    def unpublished(self) -> frozenset[str]:
        """The fields about the file of a record, which are not published."""
        fields = (f for kind in self.values() for f in kind.written.values())
        return frozenset(f.name for f in fields if not f.published)

    @cached_property
    def file_readers(self) -> Mapping[str, Reader]:
        """Collection -> what reads the files that its records name."""
        fields = {name: kind.written.values() for name, kind in self.items()}
        added = {name: [f.added for f in of if f.added] for name, of in fields.items()}
        readers = {name: [of.read for of in values if of.read] for name, values in added.items()}
        return {name: read[-1] for name, read in readers.items() if read}

    # --- relations ---

    @cached_property
    def references(self) -> Mapping[str, Mapping[str, str]]:
        """Collection -> field -> the collection that it refers to."""
        return {name: declared.references for name, declared in self.items()}

    @cached_property
    def relations(self) -> Mapping[str, Sequence[Relation]]:
        """Collection -> the filters whose values are its records.  A filter with the name of their
        kind has the name of its collection as its key, others have their own name in it, too.
        """
        found: dict[str, list[Relation]] = {name: [] for name in self}
        for name, kind in self.items():
            for f in kind.filtered:
                if f.refers in found:
                    key = name if self.has_noun(f) else f"{name}_{f.filter}"
                    found[f.refers].append(Relation(key, name, f.filter))
        return found

    def has_noun(self, f: Field) -> bool:
        """Whether the filter of a field has the name of the kind of its values; its label is then
        the noun of the kind.
        """
        return bool(f.filter) and f.filter == self.kind_of.get(f.refers)

    def owner_field(self, collection: str) -> str:
        """The field with the only owner of a record; "" if the kind has none."""
        fields = self[collection].parents if collection != self.owner else ()
        return next((f.name for f in fields if f.refers == self.owner), "")

    def targets_of(self, field: str) -> tuple[str, ...]:
        """The collections that a field refers to, in any kind."""
        found = {fields.get(field) for fields in self.references.values()}
        return tuple(name for name in self.referred if name in found)

    @cached_property
    def vocabularies(self) -> Mapping[str, Vocabulary]:
        """Field -> its vocabulary, in any kind."""
        return {field: of for kind in self.values() for field, of in kind.vocabularies.items()}

    @cached_property
    def referred(self) -> tuple[str, ...]:
        """Collections whose records others refer to.  Symbols have their slugs and names."""
        targets = {to for fields in self.references.values() for to in fields.values()}
        return tuple(name for name in self if name in targets)

    @cached_property
    def contexts(self) -> tuple[str, ...]:
        """The collections whose records have contexts."""
        return tuple(name for name, kind in self.items() if kind.contexts)

    @cached_property
    def counts(self) -> Mapping[str, Mapping[str, Relation]]:
        """Collection -> computed field -> the relation with this key, whose records it counts; a
        breakdown is of those with the role `counted`.
        """
        return {
            name: {
                f.name: relation
                for f in kind.tallies
                for relation in self.relations[name]
                if relation.key == (self.counted if f.type == "breakdown" else f.name)
            }
            for name, kind in self.items()
        }

    @cached_property
    def counting(self) -> tuple[str, ...]:
        """Those of `referred` whose records have a breakdown of those that are counted."""
        return tuple(name for name in self.referred if "breakdown" in self.counts[name])

    @cached_property
    def kept(self) -> tuple[str, ...]:
        """Those of `referred` whose records are read before all others and kept as models: others
        need more than their names (their parents, and what `Kind.target` has of these), or they are
        rendered last, with their counts.
        """
        parents = {name: self.references[name].get("parent") for name in self.referred}
        return tuple(n for n in self.referred if self.counts[n] or parents[n] == n)

    @cached_property
    def streamed(self) -> tuple[str, ...]:
        """The collections that are not `kept`: a record is read, checked, rendered and written in
        one go.  The names of those that are `referred` are read before.
        """
        return tuple(name for name in self if name not in self.kept)

    @cached_property
    def referred_first(self) -> tuple[str, ...]:
        """All collections, those that others refer to first."""
        return (*dict.fromkeys((*reversed(self.referred), *reversed(tuple(self)))),)


@cache
def kinds_of(modules: tuple[str, ...], own: str) -> Kinds:
    """The kinds that these modules declare, with own fields, as JSON (`Kinds.having`)."""
    return Kinds(modules, own)


def declared_in(among: tuple[Any, ...], collection: str) -> Declared:
    """One of some kinds."""
    return kinds_of(*among)[collection]


def _read(module: str) -> Declared:
    declared: Declared = importlib.import_module(f"{__name__}.{module}").KIND
    return replace(declared, model=with_added(declared.model))


@cache
def built_in() -> Kinds:
    """The kinds of a registry that declares none: of all modules of this package."""
    found = {module.name for module in pkgutil.iter_modules(__path__)}.difference(_SHARED)
    return kinds_of((*_FIRST, *sorted(found.difference(_FIRST))), "")
