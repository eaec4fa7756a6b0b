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
from generator.kinds.declare import OWN_FIELDS, Declared, Field, ValueType, Vocabulary, placed
from generator.kinds.own import (
    OwnRecord,
    counter,
    field_settings,
    kind_settings,
    narrowed,
    own_field,
    own_kind,
)

#: What reads a file beside a record: see `ValueType.read`.
Reader = Callable[[str, bytes], tuple[str, bytes]]
#: The modules of the first kinds, in the order of all lists of collections; others follow.
_FIRST = ("project", "program", "organization", "event")
#: How many choices texts for agents name.
_MAX_CHOICES = 6
#: The modules that are no kinds.
_SHARED = (
    "added", "continents", "declare", "marks", "models", "own", "promised", "record", "rules",
    "told", "types",
)  # fmt: skip


class Relation(NamedTuple):
    """The other side of a reference: records of `collection` are found by `filter`, and are below
    `key` in the links of the record that they refer to.  An own relation (`own`) counts these below
    `key`, and has no list where there are none.
    """

    key: str
    collection: str
    filter: str
    own: Field | None = None


class Kinds(Mapping[str, Declared]):
    """The kinds of one registry by collection, in the order of all lists of collections.

    A registry has the kinds of some `modules`, without those that it leaves out, and those that it
    declares itself; and own fields.  Only names of modules and what a registry says cross
    processes: a copy in another process is made by `kinds_of`, which returns the same kinds for the
    same names and settings.
    """

    def __init__(self, modules: tuple[str, ...], told: str):
        """`told` is JSON, "" if the registry declares nothing (`having`)."""
        self._modules, self._told = modules, told
        data: dict[str, Any] = json.loads(told or "{}")
        #: Collection -> key -> settings (`field_settings`), of the kinds of modules.
        self.own: Mapping[str, Mapping[str, Mapping[str, Any]]] = data.get("fields", {})
        #: Collection -> settings (`kind_settings`) of own kinds.
        self.own_kinds: Mapping[str, Mapping[str, Any]] = data.get("kinds", {})
        #: The collections that the registry leaves out.
        self.left_out: tuple[str, ...] = tuple(data.get("without", ()))
        self._declared = self._linked([*self._first(), *self._own()])

    def _first(self) -> Iterator[Declared]:
        first = kinds_of(self._modules, "").values() if self._told else map(_read, self._modules)
        every = list(first)
        gone = [of for of in every if of.name in self.left_out]
        return (narrowed(of, gone) for of in every if of not in gone)

    def _own(self) -> Iterator[Declared]:
        for name, settings in self.own_kinds.items():
            yield own_kind(name, settings, _own_record())

    def _linked(self, found: Sequence[Declared]) -> Mapping[str, Declared]:
        """The kinds with their own fields, and the numbers of the records that refer to theirs."""
        kind_of = {of.name: of.kind for of in found}
        own = {
            of.name: tuple(
                own_field(key, settings, kind_of, top=of.is_own)
                for key, settings in self.settings_of(of.name).items()
            )
            for of in found
        }
        counters: dict[str, list[Field]] = {name: [] for name in own}
        for name, fields in own.items():
            for f in (f for f in fields if f.refers in counters and f.filter):
                key = name if f.filter == kind_of[f.refers] else f"{name}_{f.filter}"
                counters[f.refers].append(counter(key, f.reverse or name))
        among = self._modules, self._told
        keys = {name: [f.path[-1] for f in of] for name, of in counters.items()}
        return {
            of.name: replace(
                of,
                own=own[of.name],
                counters=tuple(counters[of.name]),
                counts=of.counts or tuple(key for key in keys[of.name] if key in own)[:2],
                among=among,
            )
            for of in found
        }

    def settings_of(self, collection: str) -> Mapping[str, Mapping[str, Any]]:
        """Key -> settings of the own fields of a kind."""
        if collection not in self.own_kinds:
            return self.own.get(collection, {})
        fields: Mapping[str, Mapping[str, Any]] = self.own_kinds[collection]["fields"]
        return fields

    @property
    def declares(self) -> bool:
        """Whether the registry has own kinds or relations, or leaves kinds out."""
        relations = (f for of in self.values() for f in of.own if f.refers)
        return bool(self.own_kinds or self.left_out or any(relations))

    @property
    def bare(self) -> Kinds:
        """These kinds without own fields: what is the same for all of these has their names."""
        kinds = {name: {"one": of["one"]} for name, of in self.own_kinds.items()}
        return self.having({}, kinds, self.left_out)

    def having(
        self,
        fields: Mapping[str, Mapping[str, Mapping[str, Any]]],
        kinds: Mapping[str, Mapping[str, Any]] | None = None,
        left_out: Sequence[str] | None = None,
    ) -> Kinds:
        """These kinds with other own fields, and with other own kinds and without others, if they
        are given; settings that are empty have their defaults.
        """
        kinds = self.own_kinds if kinds is None else kinds
        left_out = self.left_out if left_out is None else left_out
        own = {
            name: {key: field_settings(of) for key, of in declared.items()}
            for name, declared in fields.items()
            if declared
        }
        declared = {name: kind_settings(of) for name, of in kinds.items()}
        told = {"fields": own, "kinds": declared, "without": [*left_out]}
        told = {name: value for name, value in told.items() if value}
        return kinds_of(self._modules, json.dumps(told) if told else "")

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
        return kinds_of, (self._modules, self._told)

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

    def order_of(self, collection: str) -> tuple[str, ...]:
        """The fields at the top of the files of a kind, in order: those that registry.yaml declares
        come before tags.
        """
        own = [f.place[0] for f in self[collection].own if len(f.place) == 1]
        shared = [name for name in self.written if name not in own]
        tags = shared.index("tags")
        return (*shared[:tags], *own, *shared[tags:])

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

    @cached_property
    def searched(self) -> tuple[str, ...]:
        """What words find records by, in any kind, beside names, texts and other records: `tags`,
        `places`, and the first choices, by their names.
        """
        found = [f for kind in self.values() for f in kind.searched]
        shared = [type_ for type_ in ("tags", "places") if any(f.type == type_ for f in found)]
        choices = dict.fromkeys(f.name for f in found if f.type == "choice")
        return (*shared, *list(choices)[:_MAX_CHOICES])

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
                    found[f.refers].append(Relation(key, name, f.filter, f if f.is_own else None))
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

    def targets_of(self, place: Sequence[str]) -> tuple[str, ...]:
        """The collections that the field at a place of files refers to, in any kind."""
        written = (f for kind in self.values() for f in kind.written.values())
        found = {f.refers for f in written if f.refers and f.place == tuple(place)}
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
                if relation.key == (self.counted if f.type == "breakdown" else f.path[-1])
                and (relation.own is not None) == (f in kind.counters)
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
        return tuple(n for n in self.referred if self.counts[n] or self[n].has_parents)

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
def kinds_of(modules: tuple[str, ...], told: str) -> Kinds:
    """The kinds that these modules declare, and what a registry declares, as JSON
    (`Kinds.having`).
    """
    return Kinds(modules, told)


def declared_in(among: tuple[Any, ...], collection: str) -> Declared:
    """One of some kinds."""
    return kinds_of(*among)[collection]


@cache
def _own_record() -> type:
    return with_added(OwnRecord)


def _read(module: str) -> Declared:
    declared: Declared = importlib.import_module(f"{__name__}.{module}").KIND
    return replace(declared, model=with_added(declared.model))


@cache
def built_in() -> Kinds:
    """The kinds of a registry that declares none: of all modules of this package."""
    found = {module.name for module in pkgutil.iter_modules(__path__)}.difference(_SHARED)
    return kinds_of((*_FIRST, *sorted(found.difference(_FIRST))), "")
