"""Additions for words that the registry does not have: labels of tags, values of choices, records
that rows refer to.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from generator.dialect import values
from generator.dialect.folder import REGISTRY_FILE, Content
from generator.dialect.text_edits import Text
from generator.dialect.tree import Unchangeable
from generator.edit.changes import FileChange, Refused
from generator.edit.new import path_rule
from generator.edit.tables.columns import columns, values_place
from generator.edit.words import texts
from generator.features.tables.import_table import Import
from generator.features.tables.mapping import ImportSettings
from generator.features.tables.matching import Outcome
from generator.model.settings.registry import Settings
from generator.problems.faults import Loc
from generator.text.words import fold


class NewWords(NamedTuple):
    """Values with their labels by their place in registry.yaml, and the names of records by
    collection and slug.
    """

    labels: dict[Loc, dict[str, str]]
    records: dict[str, dict[str, str]]


def creatable(asked: Mapping[str, Any], settings: Settings, collection: str) -> dict[str, Any]:
    """The collections and fields whose words an import may create.  Raises Refused for others.

    A kind may be named in the singular.
    """
    known, result = columns(collection, settings), dict[str, Any]()
    referred = {column.of for column in known.values() if column.of}
    for given, fields in asked.items():
        name = settings.kinds.collection_of.get(given, given)
        if name not in referred and not (name in known and values_place(known[name])):
            names = [*referred, *(name for name, column in known.items() if values_place(column))]
            raise Refused(f'"{given}" cannot be created; one of: {", ".join(sorted(names))}')
        result[name] = fields or {}
    return result


def new_words(
    done: Import,
    outcomes: Iterable[Outcome],
    settings: Settings,
    known: Mapping[str, Collection[str]],
) -> NewWords:
    """The words in some rows of an import that the registry does not have; `known` are the words
    of each field that it has.
    """
    found, outcomes = NewWords({}, {}), list(outcomes)
    for column, _ in done.asked.targets:
        words = done.reader.words.get(column.name)
        if words is None or words.free != "slug" or column.free:
            continue
        for slug in dict.fromkeys(s for of in outcomes for s in _slugs(of.data, column.loc)):
            spoken = done.reader.spoken.get((column.name, slug))
            label = max(spoken, key=spoken.__getitem__) if spoken else slug
            place, is_new = values_place(column), slug not in known[column.name]
            if column.of and is_new:
                found.records.setdefault(column.of, {})[slug] = label
            elif not column.of and not place:  # a tag of an open family
                known_labels = settings.families[column.loc[1]].labels or {}
                place = ("tag_families", column.loc[1], "labels")
                is_new = slug not in known_labels and _says_more(label, slug)
            if place and is_new:
                found.labels.setdefault(place, {})[slug] = label
    return found


def _says_more(label: str, slug: str) -> bool:
    """Whether a label differs from the words of a slug by more than case."""
    return fold(label) != slug and label.lower() != slug.replace("-", " ")


def _slugs(data: Mapping[str, Any], loc: Loc) -> Iterator[str]:
    value: Any = data
    for part in loc:
        value = value.get(part) if isinstance(value, Mapping) else None
    yield from [value] if isinstance(value, str) else texts(value)


def changes(
    content: Content, new: NewWords, asked: ImportSettings, before: bytes
) -> list[FileChange]:
    """The changes that add new words.  `before` are the bytes of registry.yaml.  Raises Refused."""
    made = []
    for collection, names in new.records.items():
        path_of = path_rule(content, collection)
        for slug, name in names.items():
            data = {"name": name, **asked.create.get(collection, {})}
            raw = values.record(data, values.fields_at(collection, content.kinds)).encode()
            made.append(FileChange(path_of(slug, data), None, raw))
    if new.labels:
        made.append(FileChange(REGISTRY_FILE, before, _with_labels(before, new.labels)))
    return made


def _with_labels(raw: bytes, labels: Mapping[Loc, Mapping[str, str]]) -> bytes:
    try:
        text = Text(raw)
        after = dict(text.data)
        for loc, added in labels.items():
            data: dict[str, Any] = after
            for part in map(str, loc):
                inner = data.get(part)
                data[part] = dict(inner) if isinstance(inner, dict) else {}
                data = data[part]
            data |= added
        text.change_to(after)
        return text.changed()
    except Unchangeable as error:
        raise Refused(f"{REGISTRY_FILE} cannot be changed: {error}") from None
