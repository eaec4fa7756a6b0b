"""What a field and a kind of records declare, from which everything else follows.

A kind is a class with an annotated attribute for each field: `Annotated` has the type of the value
and the marks below.  An attribute of the class as a whole (`ClassVar`) is a field that nobody
writes: its kind computes it.

    year: Annotated[Year | None, Filtered(), Sorted(("-year",)), Listed(), Words("…")] = None
    projects: ClassVar[Annotated[Count, Sorted(("-projects",)), Listed(), Words("…")]]

Modules with such classes have no `from __future__ import annotations`: an annotation that is a text
is evaluated whenever the fields are read, by `read_fields` and by pydantic.

`Field` is a declared field, no matter whether a kind declares it here or registry.yaml for one
registry.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import (
    Annotated,
    Any,
    ClassVar,
    Literal,
    NamedTuple,
    get_args,
    get_origin,
    get_type_hints,
)

from generator.kinds.marks import UNIONS

#: What a value is: a line of `text` or several lines (`prose`), the name of a record or of a word
#: of a vocabulary (`slug`), a word that the schema defines (`choice`), of a type that a feature
#: adds (`added`), and so on.
Type = Literal[
    "text", "prose", "slug", "choice", "number", "integer", "year", "boolean", "date", "time",
    "zone", "url", "month", "instant", "places", "tags", "links", "codes", "breakdown", "added",
]  # fmt: skip
#: Types of single values that rows and tables can have.
_PLAIN = ("text", "slug", "choice", "number", "integer", "year", "boolean", "date", "time", "zone",
    "instant", "url",
)  # fmt: skip
#: The key of a registry's own fields in files and documents; the name of such a field is the prefix
#: and its own key.
OWN_FIELDS, OWN_FIELD_PREFIX = "fields", "field_"
#: The key in documents of the numbers of records that refer to one by own fields.
COUNTS = "counts"


# --- marks ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ValueType:
    """What the core asks of a type of values that a feature adds.

    `takes` says in docs/authoring.md what authors write.  `document` is the value in documents, of
    what an author wrote (None: nothing) and the symbols; `published` returns its annotation in
    published models.

    A value may have one or several texts by key, like `wikidata: Q95`.  Then `key` is what people
    call a key, `pattern` the form of keys, and `members` the keys of the objects that documents
    have, with that of the key itself first; `shown` returns (label of the key, text, URL) of each
    text, from the value in a document and the symbols.  `limit` narrows the schema of what authors
    write to what a registry knows.

    A value may also be the name of a file beside the record.  Then `read` returns the name and the
    bytes of the published file, from those of the file, or raises RefusedFile.
    """

    takes: str
    document: Callable[[Any, Any], Any]
    published: Callable[[], Any]
    key: str = ""
    pattern: str = ""
    members: tuple[str, ...] = ()
    shown: Callable[[Any, Any], Iterable[tuple[str, str, str]]] = lambda value, symbols: ()
    limit: Callable[[dict[str, Any], Any], None] = lambda schema, symbols: None
    read: Callable[[str, bytes], tuple[str, bytes]] | None = None


class Typed(NamedTuple):
    """What the values of a type are; all types of `kinds.types` have it."""

    type: Type
    added: ValueType | None = None


@dataclass(frozen=True, eq=False, slots=True)
class Words:
    """What a field means, for authors and for consumers, with an example for authors."""

    text: str
    example: Any = None


class Label(NamedTuple):
    """The label of a field in English; the noun of a collection replaces its name in braces.

    `key` is the place of its translations in the texts of the site.
    """

    text: str
    key: str = ""


class Listed(NamedTuple):
    """Lists show the field.  `words` say what they show, if it differs from what a record has.
    Without `in_rows` queries with mode=rows cannot ask for it; without `drawn` the lists of the
    site do not have it.
    """

    words: str = ""
    in_rows: bool = True
    drawn: bool = True


class Filtered(NamedTuple):
    """Queries filter by the field; `name` is the name of the filter if it is not the field's.

    `also` are other words for it, by which a refusal of an unknown name proposes it.  If not
    `prepared`, its values have no pages.
    """

    name: str = ""
    also: str = ""
    prepared: bool = True


class Ranged(NamedTuple):
    """Queries filter by the field, also with ranges; its values have no pages.  `also` is as in
    `Filtered`.  If not `counted`, queries do not count them either.
    """

    also: str = ""
    counted: bool = True


class Sorted(NamedTuple):
    """Orders by the field, separated by spaces: those with prepared pages, and those that only the
    query tier answers.  A leading hyphen means descending order.
    """

    pages: str = ""
    queries: str = ""


class Searched(NamedTuple):
    """Words find the record by the field, with this weight (`search.terms`)."""

    weight: int


class Refers(NamedTuple):
    """The values are the slugs of records of a collection, whose names find the record, too."""

    collection: str


class Vocabulary(NamedTuple):
    """The values are those of a setting of registry.yaml.  `name` is that of the vocabulary in
    `grammar.filters.Filter`, `noun` what a value is called, and `code` that of the problem of
    another value.
    """

    name: str
    setting: str
    noun: str
    code: str


@dataclass(frozen=True, eq=False, slots=True)
class Labels:
    """Value -> label of a choice.  `key` is the place below `words` in the texts of the site where
    these are translated.  `also` has other words for values, by which a refused query is mended.
    """

    labels: Mapping[str, str]
    key: str = ""
    also: Mapping[str, str] = field(default_factory=dict)


class Default(NamedTuple):
    """The value in documents of records that do not have the field."""

    value: str


class Apart(NamedTuple):
    """The page of a record shows the field apart from its facts, or not at all."""


class Follows(NamedTuple):
    """The field of a feature comes after this one, wherever both are."""

    field: str


class Unpublished(NamedTuple):
    """No document has the field."""


#: The weight of the words of a reference.
_REFERENCE = 2
#: The types of fields whose words find a record, in the order of these words.
_SEARCHED = ("places", "choice", "slug", "tags", "text")
#: Facts that all records may have come last on a page.
_LAST_FACTS = ("fields", "website", "links", "verified")
_UNSORTED, _NO_WORDS = Sorted(), Words("")


# --- fields ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Field:
    """A field of the records of one collection.

    `many`: a record has a list of values.  `unit`: shown after a number.  `listed`: lists show it.
    `filter` is the name of its filter, or "", `filter_also` are other words for it; `prepared` and
    `counted` say whether the values of the filter have pages, and whether queries count them.
    `values` has the labels of a choice, empty if any slug is valid, `values_also` other words for
    some of them.  `path` has the keys that lead to its value in documents.  `added` is the type of
    its values, if a feature adds that.  Other attributes are what the marks say.
    """

    name: str
    type: Type
    label: str = ""
    many: bool = False
    unit: str = ""
    listed: bool = False
    filter: str = ""
    filter_also: str = ""
    prepared: bool = True
    counted: bool = True
    ranged: bool = False
    sorts: Sorted = _UNSORTED
    required: bool = False
    values: Mapping[str, str] = field(default_factory=dict, hash=False)
    default: str | None = None
    searched: int = 0
    refers: str = ""
    vocabulary: Vocabulary | None = None
    words: Words = _NO_WORDS
    listed_words: str = ""
    in_rows: bool = True
    drawn: bool = True
    label_key: str = ""
    values_key: str = ""
    values_also: Mapping[str, str] = field(default_factory=dict, hash=False)
    computed: bool = False
    apart: bool = False
    published: bool = True
    optional: bool = False
    #: The least and the greatest number or length of one value, and the most values of a list.
    least: int | None = None
    greatest: int | None = None
    most: int | None = None
    added: ValueType | None = None
    follows: str = ""
    path: tuple[str, ...] = ()
    #: The keys that lead to its value in files, if not those in documents.
    place: tuple[str, ...] = ()
    #: Of an own field: the currency of its numbers (ISO 4217), what the other side of a relation is
    #: called, the filters of the records that it refers to which its own records have, too, and the
    #: month in which it will be gone.
    currency: str = ""
    reverse: str = ""
    through: tuple[str, ...] = ()
    retired: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "path", self.path or (self.name,))
        object.__setattr__(self, "place", self.place or self.path)

    @property
    def is_own(self) -> bool:
        """Whether registry.yaml declares it."""
        return self.path[0] == OWN_FIELDS

    @property
    def is_keyed(self) -> bool:
        """Whether a value has parts by key."""
        return self.type in ("tags", "links") or bool(self.added and self.added.key)

    @property
    def is_file(self) -> bool:
        """Whether a value is the name of a file beside the record."""
        return bool(self.added and self.added.read)

    @property
    def is_plain(self) -> bool:
        """Whether a value is a text, a number or a boolean."""
        return self.type in _PLAIN

    def value_text(self, value: Any) -> str:
        """One value in words."""
        if isinstance(value, bool):
            return "yes" if value else "no"
        word = self.values.get(value, str(value)) if isinstance(value, str) else str(value)
        return f"{word} {self.unit}" if self.unit else word

    def value_in(self, document: Any) -> Any:
        """The value in a document."""
        for key in self.path:
            document = document[key]
        return document

    def values_in(self, document: Any) -> list[Any]:
        """The values that a document has."""
        value = self.value_in(document)
        values = value if isinstance(value, list) else [value]
        return [value for value in values if value is not None]


def _parts(annotation: Any) -> tuple[Any, bool, bool, list[Any]]:
    """The type of one value without marks, whether there are several, whether there may be none,
    and all marks.
    """
    marks: list[Any] = []
    many = optional = False
    while True:
        origin, args = get_origin(annotation), get_args(annotation)
        if origin is Annotated:
            annotation, marks = args[0], [*args[1:], *marks]
        elif origin in UNIONS and type(None) in args:
            (annotation,), optional = (part for part in args if part is not type(None)), True
        elif origin is ClassVar:
            annotation = args[0]
        elif origin is list:
            annotation, many = args[0], True
        else:
            return annotation, many, optional, marks


def field_of_annotation(name: str, annotation: Any, default: Any) -> Field:
    """The field that an attribute of a class declares."""
    plain, many, optional, marks = _parts(annotation)
    found: dict[type, Any] = {type(mark): mark for mark in marks}  # the outermost of each
    label: Label = found.get(Label, Label(name.replace("_", " ").capitalize()))
    listed: Listed | None = found.get(Listed)
    filtered: Filtered | None = found.get(Filtered)
    range_: Ranged | None = found.get(Ranged)
    labels: Labels = found.get(Labels, Labels({}))
    is_choice = get_origin(plain) is Literal
    values = {word: labels.labels.get(word, word) for word in get_args(plain) if is_choice}
    typed = Typed("choice") if is_choice else found[Typed]
    return Field(
        name,
        typed.type,
        label.text,
        many,
        "",
        listed is not None,
        (filtered.name or name) if filtered else name if range_ else "",
        filter_also=(filtered or range_ or Ranged()).also,
        prepared=filtered.prepared if filtered else not range_,
        counted=range_.counted if range_ else True,
        ranged=range_ is not None,
        sorts=found.get(Sorted, _UNSORTED),
        required=default is _NONE and not optional,
        values=values,
        default=found[Default].value if Default in found else None,
        searched=found[Searched].weight if Searched in found else _REFERENCE * (Refers in found),
        refers=found[Refers].collection if Refers in found else "",
        vocabulary=found.get(Vocabulary),
        words=found.get(Words, _NO_WORDS),
        listed_words=listed.words if listed else "",
        in_rows=listed is not None and listed.in_rows,
        drawn=listed is not None and listed.drawn,
        label_key=label.key,
        values_key=labels.key,
        values_also=labels.also,
        computed=get_origin(annotation) is ClassVar,
        apart=Apart in found,
        published=Unpublished not in found,
        optional=optional,
        least=_limit(marks, "ge", "min_length"),
        greatest=_limit(marks, "le", "max_length"),
        most=_limit(reversed(marks), "max_length"),
        added=typed.added,
        follows=found[Follows].field if Follows in found else "",
    )


_NONE = object()


def _limit(marks: Iterable[Any], *names: str) -> int | None:
    """The first limit with one of these names."""
    limits = (getattr(mark, name, None) for mark in marks for name in names)
    return next((limit for limit in limits if limit is not None), None)


@cache
def read_fields(model: type) -> Mapping[str, Field]:
    """The fields that a class declares, with those of its bases first; not that of own fields."""
    return {
        name: field_of_annotation(name, annotation, getattr(model, name, _NONE))
        for name, annotation in get_type_hints(model, include_extras=True).items()
        if Annotated in (get_origin(annotation), *map(get_origin, get_args(annotation)))
        and name != OWN_FIELDS
    }


def placed(names: Iterable[str], fields: Mapping[str, Field]) -> list[str]:
    """Names in an order, with each field after the one that it follows."""
    order = list(names)
    for name, f in fields.items():
        if f.follows in order and name in order:
            order.remove(name)
            order.insert(order.index(f.follows) + 1, name)
    return order


# --- kinds ----------------------------------------------------------------------------------------

#: What one kind of a registry may be (`Declared`).
ROLES = ("counted", "owner", "series", "timed")


@dataclass(frozen=True, eq=False)
class Declared:
    """A kind of records.

    `name` is that of its collection, `kind` that of one record; `nouns` has both for people, by
    language, where they are not the same.  `address` is the folder of its lists in the API, `pages`
    that of its pages on the site, if they are not its name.

    Orders say where fields come that had their place when others joined them; fields that an order
    does not name follow.
    """

    model: type
    name: str
    kind: str
    address: str = ""
    pages: str = ""
    nouns: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    #: What documentation calls one record and several, if that is not its name.
    words: tuple[str, str] = ("", "")
    #: Other words for one record, by which a refused address is mended.
    also: str = ""
    #: The default order of lists.
    sort: str = "name"
    #: Orders of the fields: of summaries, of filters, of rows, and of the facts on a page.
    summaries: tuple[str, ...] = ()
    filters: tuple[str, ...] = ()
    rows: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    #: The fields of a table in a terminal, if not the first of summaries.
    table: tuple[str, ...] = ()
    #: In the rows of lists on the site: the field of the badge, and the numbers of related records;
    #: everywhere: status -> the tone of its badge, bar or tile (generator.site.colours.TONES), with
    #: `usual` if rows do not say it.
    badge: str = ""
    tones: Mapping[str, str] = field(default_factory=dict)
    counts: tuple[str, ...] = ()
    #: Filters with values of related records too, which summaries do not have.
    inherited: tuple[str, ...] = ()
    #: Whether its records have a context, a text to paste into a prompt.
    contexts: bool = False
    #: Whether the lists of the records that refer to one of its records have a page without any, so
    #: that it always links to them: not of a kind with many records that few refer to.
    empty_lists: bool = False
    #: Its roles, which one kind of a registry has each: whether its records are what is counted,
    #: run or own others, may be a series of others, their cohorts, or have a start and an end,
    #: which they are sorted by.
    counted: bool = False
    owner: bool = False
    series: bool = False
    timed: bool = False
    #: The type of its records at schema.org.
    schema_org: str = "Thing"
    #: The filters whose values have calendar feeds in every registry.
    feeds: tuple[str, ...] = ()

    #: Whether registry.yaml declares it, and the last month in which it is published, if it will be
    #: gone.
    is_own: bool = False
    retired: str = ""
    #: The own fields of its registry, and the numbers of records that refer to one of its records
    #: by own fields.
    own: tuple[Field, ...] = ()
    counters: tuple[Field, ...] = ()
    #: What the kinds that it belongs to are made from (`kinds_of`).
    among: tuple[Any, ...] = ((), "")

    def __reduce__(self) -> tuple[Any, ...]:
        # Its model is made at run time: another process has its own.
        from generator.kinds import declared_in

        return declared_in, (self.among, self.name)

    def __post_init__(self) -> None:
        for name in ("address", "pages"):
            object.__setattr__(self, name, getattr(self, name) or self.name)

    @property
    def has_own(self) -> bool:
        """Whether any kind of its registry has own fields."""
        return bool(self.among[1])

    @property
    def called(self) -> tuple[str, str]:
        """What documentation calls one record and several."""
        return self.words if self.words[0] else (self.kind, self.name)

    @property
    def noun(self) -> str:
        """The kind in a sentence: "event"."""
        return self.kind.replace("_", " ")

    @property
    def with_article(self) -> str:
        """The kind with its article: "an event"."""
        return f"{'an' if self.kind[0] in 'aeiou' else 'a'} {self.noun}"

    @cached_property
    def common(self) -> Mapping[str, Field]:
        """Its fields in every registry, those of all records first."""
        fields = read_fields(self.model)
        return {name: fields[name] for name in placed(fields, fields)}

    @cached_property
    def fields(self) -> Mapping[str, Field]:
        """Its fields, the own fields of the registry last."""
        return {**self.common, **{f.name: f for f in (*self.counters, *self.own)}}

    @cached_property
    def written(self) -> Mapping[str, Field]:
        """The fields that authors write."""
        return {name: f for name, f in self.fields.items() if not f.computed}

    @cached_property
    def tallies(self) -> tuple[Field, ...]:
        """The computed fields that count records which refer to one of its records."""
        fields = self.fields.values()
        return tuple(f for f in fields if f.computed and f.type in ("integer", "breakdown"))

    @cached_property
    def texts(self) -> tuple[Field, ...]:
        """The fields with words of authors: texts, and choices without declared values."""
        found = (f for f in self.written.values() if not f.values)
        return tuple(f for f in found if f.type in ("text", "prose", "choice"))

    @cached_property
    def sets(self) -> tuple[Field, ...]:
        """The fields with a list in which no value is twice."""
        types = ("text", "slug", "choice", "url", "codes")
        return tuple(f for f in self.written.values() if f.many and f.type in types)

    @cached_property
    def vocabularies(self) -> Mapping[str, Vocabulary]:
        """Field -> the vocabulary of its values."""
        return {n: f.vocabulary for n, f in self.written.items() if f.vocabulary is not None}

    @cached_property
    def own_keys(self) -> frozenset[str]:
        """The keys at the top of files that have own fields."""
        return frozenset(f.place[0] for f in self.own)

    @cached_property
    def places(self) -> Mapping[tuple[str, ...], Field]:
        """Place in files -> the field that authors write there."""
        return {f.place: f for f in self.written.values()}

    @cached_property
    def references(self) -> Mapping[str, str]:
        """Field -> the collection that it refers to."""
        return {name: f.refers for name, f in self.fields.items() if f.refers and not f.computed}

    @cached_property
    def searched(self) -> tuple[Field, ...]:
        """The fields whose words find a record beside its name and its description."""
        found = (f for f in self.written.values() if f.searched and f.refers != self.name)
        return tuple(sorted(found, key=lambda f: _SEARCHED.index(f.type)))

    def in_order(self, names: Iterable[str], order: Iterable[str]) -> list[str]:
        """The names of fields, those of an order first; it may have the first key of a path."""
        names = list(names)
        first = [name for key in order for name in names if self.fields[name].path[0] == key]
        return placed(dict.fromkeys((*first, *names)), self.fields)

    @cached_property
    def listed(self) -> tuple[Field, ...]:
        """The fields of summaries, in order, without own fields and `counters`."""
        names = (name for name, f in self.common.items() if f.listed)
        return tuple(self.fields[name] for name in self.in_order(names, self.summaries))

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The fields of a table in a terminal: of an own kind first those that lists show."""
        own = [f.name for f in self.own if f.listed and self.is_own]
        drawn = (f for f in self.listed if f.drawn or not self.is_own)
        plain = [*own, *(f.name for f in drawn if f.is_plain)]
        known = ("slug", *self.fields)
        table = tuple(name for name in self.table if name in known)
        return table or ("slug", "name", *plain[: 6 if own else 4], "summary")

    @cached_property
    def fixed_labels(self) -> Mapping[str, Mapping[str, str]]:
        """Filter -> value -> label, for filters whose values are part of the schema."""
        return {f.filter or f.name: f.values for f in self.common.values() if f.values}

    @cached_property
    def shown(self) -> tuple[Field, ...]:
        """The facts on the page of a record, in order."""
        names = [n for n, f in self.fields.items() if f.published and not f.apart and n != "tags"]
        first = [*self.facts, *(name for name in names if name not in _LAST_FACTS), *_LAST_FACTS]
        return tuple(self.fields[name] for name in self.in_order(names, first))

    @cached_property
    def worded(self) -> tuple[Field, ...]:
        """The fields whose values are words of a vocabulary or of the schema, these last."""
        fields = self.written.values()
        return tuple(f for f in fields if f.vocabulary) + tuple(f for f in fields if f.values)

    @cached_property
    def parents(self) -> tuple[Field, ...]:
        """The fields with a single record that a record belongs to."""
        return tuple(self.written[n] for n in self.references if not self.written[n].many)

    @cached_property
    def has_parents(self) -> bool:
        """Whether its records may have a parent of their kind, to whose records they belong, too: a
        relation that registry.yaml declares is no more than that, whatever its key.
        """
        parent = self.common.get("parent")
        return parent is not None and parent.refers == self.name

    @cached_property
    def owners(self) -> tuple[Field, ...]:
        """The fields of summaries with the records that a record belongs to."""
        own = (f for f in self.own if f.listed and f.filter)
        return tuple(f for f in (*self.listed, *own) if f.refers and f.drawn)

    @cached_property
    def badged(self) -> str:
        """The field of the badge: the first choice, if the kind does not name one."""
        own = (f for f in self.own if f.listed and self.is_own)
        return self.badge or next((f.name for f in (*self.listed, *own) if f.values), "")

    @cached_property
    def drawn(self) -> tuple[Field, ...]:
        """The fields of summaries that rows of lists on the site have beside those that have a
        place of their own.
        """
        placed = {"year", self.badged, *self.counts, *(f.name for f in self.owners)}
        return tuple(
            f
            for f in (*self.listed, *self.own)
            if f.is_plain and f.drawn and not f.apart and f.name not in placed
            if not (f.is_own and f.refers)
        )

    @cached_property
    def filtered(self) -> tuple[Field, ...]:
        """The fields with a filter, in the canonical order of filters."""
        names = (name for name, f in self.fields.items() if f.filter)
        return tuple(self.fields[name] for name in self.in_order(names, self.filters))
